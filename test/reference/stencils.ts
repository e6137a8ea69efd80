import { LineStencilRecord, rowAt, StencilRecord } from "../../src/kernels/layout";
import type { LineStencilArrays, ParticleArrays, StencilArrays } from "../../src/kernels/layout";

/**
 * Bending stencils of three particles: one XPBD iteration each on d = Ka (a - b) + Kc (c - b) = 0, linear in the positions.
 *
 *     a ●─────●─────● c      i += m_i d
 *             b
 */
export function projectLineStencils(particles: ParticleArrays, stencils: LineStencilArrays): void {
    const x = particles.positions;
    const { records, recordFloats } = stencils;
    for (let r = 0; r < records.length; r += LineStencilRecord.count) {
        const a = rowAt(records[r]);
        const b = rowAt(records[r + 1]);
        const c = rowAt(records[r + 2]);
        const ka = recordFloats[r + LineStencilRecord.weights];
        const kc = recordFloats[r + LineStencilRecord.weights + 1];
        const dx = ka * (x[a] - x[b]) + kc * (x[c] - x[b]);
        const dy = ka * (x[a + 1] - x[b + 1]) + kc * (x[c + 1] - x[b + 1]);
        const dz = ka * (x[a + 2] - x[b + 2]) + kc * (x[c + 2] - x[b + 2]);
        const ma = recordFloats[r + LineStencilRecord.moves];
        const mb = recordFloats[r + LineStencilRecord.moves + 1];
        const mc = recordFloats[r + LineStencilRecord.moves + 2];
        move(x, a, ma, dx, dy, dz);
        move(x, b, mb, dx, dy, dz);
        move(x, c, mc, dx, dy, dz);
    }
}

/** Bending stencils of four particles: d = Ka (a - b) + Kc (c - b) + Ke (e - b) = 0. */
export function projectStencils(particles: ParticleArrays, stencils: StencilArrays): void {
    const { recordFloats } = stencils;
    for (let r = 0; r < recordFloats.length; r += StencilRecord.count) projectStencil(particles.positions, stencils, r, 0);
}

/** Bending stencils of four particles with a rest curvature: |d| = κ0. Curvature of no direction is left alone. */
export function projectCurvedStencils(particles: ParticleArrays, stencils: StencilArrays): void {
    const { recordFloats } = stencils;
    for (let r = 0; r < recordFloats.length; r += StencilRecord.count)
        projectStencil(particles.positions, stencils, r, recordFloats[r + StencilRecord.curvature]);
}

function projectStencil(x: Float32Array, { records, recordFloats }: StencilArrays, r: number, curvature: number): void {
    const a = rowAt(records[r]);
    const b = rowAt(records[r + 1]);
    const c = rowAt(records[r + 2]);
    const e = rowAt(records[r + 3]);
    const ka = recordFloats[r + StencilRecord.weights];
    const kc = recordFloats[r + StencilRecord.weights + 1];
    const ke = recordFloats[r + StencilRecord.weights + 2];
    let dx = ka * (x[a] - x[b]) + kc * (x[c] - x[b]) + ke * (x[e] - x[b]);
    let dy = ka * (x[a + 1] - x[b + 1]) + kc * (x[c + 1] - x[b + 1]) + ke * (x[e + 1] - x[b + 1]);
    let dz = ka * (x[a + 2] - x[b + 2]) + kc * (x[c + 2] - x[b + 2]) + ke * (x[e + 2] - x[b + 2]);
    if (curvature > 0) {
        const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
        const excess = length > 0 ? 1 - curvature / length : 0;
        dx *= excess;
        dy *= excess;
        dz *= excess;
    }
    const ma = recordFloats[r + StencilRecord.moves];
    const mb = recordFloats[r + StencilRecord.moves + 1];
    const mc = recordFloats[r + StencilRecord.moves + 2];
    const me = recordFloats[r + StencilRecord.moves + 3];
    move(x, a, ma, dx, dy, dz);
    move(x, b, mb, dx, dy, dz);
    move(x, c, mc, dx, dy, dz);
    move(x, e, me, dx, dy, dz);
}

function move(x: Float32Array, o: number, share: number, dx: number, dy: number, dz: number): void {
    x[o] += share * dx;
    x[o + 1] += share * dy;
    x[o + 2] += share * dz;
}
