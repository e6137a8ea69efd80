/**
 * Bending about edges between two triangles (Baraff & Witkin 1998, §4.3): C = θ - θ₀, the angle between their normals less that at rest.
 *
 *          c             ∂θ/∂c = -|e| n₁ / |n₁|²,   ∂θ/∂d = -|e| n₂ / |n₂|²,   n₁ = (a - c) × (b - c),   n₂ = (b - d) × (a - d),   e = b - a,
 *        ╱   ╲           and those of a and b by where c and d are beside the edge (Bridson, Marino & Fedkiw 2003, §4).
 *       a━━━━━b          A sheet of bending stiffness B has k = B |e|² / (a₁ + a₂), which is exact for what is bent about the lines of a grid; triangles
 *        ╲   ╱           that are pinned by all corners do not bend: their area does not count.
 *          d
 */
import { stiffnessAt } from "./hingeStiffness";
import type { Material } from "../forces";
import type { ClothSettings } from "../../settings";
import type { BodyState } from "../../state";
import type { BlockSystem } from "./blockSystem";
import { addCondition } from "./step";
import type { Conditions, Step } from "./step";

/** See the top of the file. */
export class Hinges implements Conditions {
    /** a b c d of each. */
    readonly particles: Uint32Array;
    readonly size = 4;
    private readonly _rest: Float64Array;
    private readonly _stiffness: Float64Array;
    private _slots: Uint32Array = new Uint32Array(0);
    private readonly _gradient = new Float64Array(12);

    constructor(private readonly _material: Material) {
        const { triangles, positions } = _material.topology;
        this.particles = findHinges(triangles);
        const count = this.particles.length / 4;
        this._rest = new Float64Array(count);
        this._stiffness = new Float64Array(count);
        const x = Float64Array.from(positions);
        for (let h = 0; h < count; h++) this._rest[h] = this._measure(x, h);
    }

    /** To be called once the pattern is known. */
    place(system: BlockSystem): void {
        this._slots = system.slotsOf(this.particles, this.size);
    }

    prepare({ inverseMasses }: BodyState, { fabric }: ClothSettings): void {
        this._stiffness.forEach(
            (_, h, all) => (all[h] = stiffnessAt(this._material, fabric, this.particles.subarray(4 * h, 4 * h + 4), inverseMasses)),
        );
    }

    add(step: Step): void {
        const { _stiffness: stiffness, _rest: rest, _gradient: gradient } = this;
        for (let h = 0; h < stiffness.length; h++) {
            if (stiffness[h] === 0) continue;
            const angle = this._measure(step.x, h);
            // The shorter way round.
            const bent = Math.atan2(Math.sin(angle - rest[h]), Math.cos(angle - rest[h]));
            if (Number.isFinite(gradient[0] + gradient[6] + gradient[9]))
                addCondition(step, this, this._slots, h, stiffness[h], bent, gradient);
        }
    }

    /** The angle of a hinge; its gradient is written beside. */
    private _measure(x: Float64Array, h: number): number {
        const { particles, _gradient: g } = this;
        const a = 3 * particles[4 * h];
        const b = 3 * particles[4 * h + 1];
        const c = 3 * particles[4 * h + 2];
        const d = 3 * particles[4 * h + 3];
        const ex = x[b] - x[a];
        const ey = x[b + 1] - x[a + 1];
        const ez = x[b + 2] - x[a + 2];
        const cx = x[c] - x[a];
        const cy = x[c + 1] - x[a + 1];
        const cz = x[c + 2] - x[a + 2];
        const dx = x[d] - x[a];
        const dy = x[d + 1] - x[a + 1];
        const dz = x[d + 2] - x[a + 2];
        // Both normals to one side: e × c and d × e.
        const mx = ey * cz - ez * cy;
        const my = ez * cx - ex * cz;
        const mz = ex * cy - ey * cx;
        const nx = dy * ez - dz * ey;
        const ny = dz * ex - dx * ez;
        const nz = dx * ey - dy * ex;
        const squared = ex * ex + ey * ey + ez * ez;
        const length = Math.sqrt(squared);
        const m = length / (mx * mx + my * my + mz * mz);
        const n = length / (nx * nx + ny * ny + nz * nz);
        const atC = (ex * cx + ey * cy + ez * cz) / squared;
        const atD = (ex * dx + ey * dy + ez * dz) / squared;
        g[6] = -m * mx;
        g[7] = -m * my;
        g[8] = -m * mz;
        g[9] = -n * nx;
        g[10] = -n * ny;
        g[11] = -n * nz;
        for (let r = 0; r < 3; r++) {
            g[r] = -(1 - atC) * g[6 + r] - (1 - atD) * g[9 + r];
            g[3 + r] = -atC * g[6 + r] - atD * g[9 + r];
        }
        const sine = ((my * nz - mz * ny) * ex + (mz * nx - mx * nz) * ey + (mx * ny - my * nx) * ez) / length;
        return Math.atan2(sine, mx * nx + my * ny + mz * nz);
    }
}

/** Edges that exactly two triangles share: their ends, and the third corners of the two. */
function findHinges(triangles: Uint32Array): Uint32Array {
    const sides = new Map<string, number[]>();
    triangles.forEach((p, k) => {
        const first = k - (k % 3);
        const next = triangles[first + ((k + 1) % 3)];
        const key = p < next ? `${p} ${next}` : `${next} ${p}`;
        const side = sides.get(key) ?? [Math.min(p, next), Math.max(p, next)];
        side.push(triangles[first + ((k + 2) % 3)]);
        sides.set(key, side);
    });
    return Uint32Array.from([...sides.values()].filter(({ length }) => length === 4).flat());
}
