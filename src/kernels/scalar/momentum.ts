import { Uniform } from "../layout";
import type { ParticleArrays } from "../layout";

/**
 * Sums over the particles, to the uniforms (see there): mass, first and second moments, momentum and spin. Places a are told from that of the first
 * particle, displacements d = x - p + r from `reference`, so that little of them is lost to rounding, however far and fast the body goes.
 */
export function measureMomentum(particles: ParticleArrays): void {
    const { positions: x, previous: p, residuals: r, inverseMasses: w, uniforms, particleCount } = particles;
    const { mass, moments, squares, products, momentum, momentumRest, spin } = Uniform;
    const wx = uniforms[Uniform.reference];
    const wy = uniforms[Uniform.reference + 1];
    const wz = uniforms[Uniform.reference + 2];
    let fastest = 0;
    let all = 0;
    let cx = 0;
    let cy = 0;
    let cz = 0;
    let xx = 0;
    let yy = 0;
    let zz = 0;
    let xy = 0;
    let yz = 0;
    let zx = 0;
    let px = 0;
    let py = 0;
    let pz = 0;
    let lx = 0;
    let ly = 0;
    let lz = 0;
    for (let i = 0, o = 0; i < particleCount; i++, o += 4) {
        const gx = x[o] - p[o] + r[o];
        const gy = x[o + 1] - p[o + 1] + r[o + 1];
        const gz = x[o + 2] - p[o + 2] + r[o + 2];
        fastest = Math.max(fastest, Math.abs(gx), Math.abs(gy), Math.abs(gz));
        if (!(w[i] > 0)) continue;
        const m = 1 / w[i];
        const ax = x[o] - x[0];
        const ay = x[o + 1] - x[1];
        const az = x[o + 2] - x[2];
        const dx = m * (gx - wx);
        const dy = m * (gy - wy);
        const dz = m * (gz - wz);
        all += m;
        cx += m * ax;
        cy += m * ay;
        cz += m * az;
        xx += m * ax * ax;
        yy += m * ay * ay;
        zz += m * az * az;
        xy += m * ax * ay;
        yz += m * ay * az;
        zx += m * az * ax;
        px += dx;
        py += dy;
        pz += dz;
        lx += ay * dz - az * dy;
        ly += az * dx - ax * dz;
        lz += ax * dy - ay * dx;
    }
    uniforms[mass] = all;
    uniforms[Uniform.fastest] = fastest;
    uniforms[moments] = cx;
    uniforms[moments + 1] = cy;
    uniforms[moments + 2] = cz;
    uniforms[squares] = xx;
    uniforms[squares + 1] = yy;
    uniforms[squares + 2] = zz;
    uniforms[products] = xy;
    uniforms[products + 1] = yz;
    uniforms[products + 2] = zx;
    uniforms[momentum] = px;
    uniforms[momentum + 1] = py;
    uniforms[momentum + 2] = pz;
    uniforms[momentumRest] = px - uniforms[momentum];
    uniforms[momentumRest + 1] = py - uniforms[momentum + 1];
    uniforms[momentumRest + 2] = pz - uniforms[momentum + 2];
    uniforms[spin] = lx;
    uniforms[spin + 1] = ly;
    uniforms[spin + 2] = lz;
}

/** Adds the shift and the turn in the uniforms, about the first particle, to the displacements: r += shift + turn × a. What is pinned stays. */
export function addRigidMotion({ positions: x, residuals: r, inverseMasses: w, uniforms, particleCount }: ParticleArrays): void {
    const { shift, turn } = Uniform;
    for (let i = 0, o = 0; i < particleCount; i++, o += 4) {
        if (!(w[i] > 0)) continue;
        const ax = x[o] - x[0];
        const ay = x[o + 1] - x[1];
        const az = x[o + 2] - x[2];
        r[o] += uniforms[shift] + uniforms[turn + 1] * az - uniforms[turn + 2] * ay;
        r[o + 1] += uniforms[shift + 1] + uniforms[turn + 2] * ax - uniforms[turn] * az;
        r[o + 2] += uniforms[shift + 2] + uniforms[turn] * ay - uniforms[turn + 1] * ax;
    }
}
