import { rowAt, DistanceRecord, Uniform } from "../../src/kernels/layout";
import type { ParticleArrays, DistanceArrays } from "../../src/kernels/layout";

/** Push of a crushed constraint: this multiple of the largest push, less its strain; and its least, as a share of the largest push. */
const GENTLE = 2.2;
const LEAST_PUSH = 0.05;
/** Negated strain from which on a constraint pushes by the largest push again: below a seventeenth of its length. */
const NOTHING = 16;
/** Square of the largest change of a constraint's vector in a substep, as a share of its length, at which it moves along the one before. */
const MAX_TURN = 0.25;

/**
 * Distance constraints: one XPBD iteration per constraint (Macklin 2016, eq. 18, with λ starting at zero in every substep).
 *
 *     a ●───────● b      C = |b - a| - L,   ∇C_b = -∇C_a = (b - a)/|b - a|
 *
 *     a += sA e (b - a),   b -= sB e (b - a),   e = max(s, -m, min(-m/20, -2.2 m - s, 16 + s)),   s = 1 - L/|b - a|
 *
 * {@link projectDistances} moves along the direction before the substep instead, e (b' - a'): what pushes along the present one adds energy to motion across it.
 * What changes by more than half of its length in a substep moves along the present one all the same.
 * Here sA = wA / (wA + wB + α/dt²) computed beforehand. A constraint of no length is skipped: it has no direction.
 * Cloth crumpled finer than the mesh is crushed by opposing constraints. If each pushed by its whole violation, in nearly arbitrary directions, it would
 * crush its neighbours anew, and the cloth would never come to rest. A pass therefore pushes by at most a share m of the present length, and by less the
 * more a constraint is crushed: with m = 1/2 the push falls between 0.62 and 0.48 of the rest length, to m/20. Crushed to nothing it pushes by m again, to come apart.
 */
export function projectDistances(particles: ParticleArrays, sticks: DistanceArrays): void {
    project(particles, sticks, particles.previous);
}

/** Projects distance constraints and stores the largest strain, measured before the correction, in the uniforms. */
export function projectLengths(particles: ParticleArrays, sticks: DistanceArrays): void {
    particles.uniforms[Uniform.strain] = project(particles, sticks, particles.positions);
}

/**
 * @param from positions between which the ends move
 * @returns the largest strain, not less than 0
 */
function project(particles: ParticleArrays, sticks: DistanceArrays, from: Float32Array): number {
    let largest = 0;
    const x = particles.positions;
    const { records, recordFloats } = sticks;
    const least = -sticks.maxPush[0];
    for (let record = 0; record < records.length; record += DistanceRecord.count) {
        for (let lane = 0; lane < 4; lane++) {
            const row = record + 2 * lane;
            const slot = record + lane;
            const a = rowAt(records[row]);
            const b = rowAt(records[row + 1]);
            const restLength = recordFloats[slot + DistanceRecord.restLengths];
            const ax = x[a];
            const ay = x[a + 1];
            const az = x[a + 2];
            const bx = x[b];
            const by = x[b + 1];
            const bz = x[b + 2];
            const dx = bx - ax;
            const dy = by - ay;
            const dz = bz - az;
            const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
            if (length > 0) {
                const strain = 1 - restLength / length;
                if (strain > largest) largest = strain;
                const taken = Math.max(strain, least, Math.min(LEAST_PUSH * least, GENTLE * least - strain, NOTHING + strain));
                const ka = taken * recordFloats[slot + DistanceRecord.weightsA];
                const kb = taken * recordFloats[slot + DistanceRecord.weightsB];
                let ex = from[b] - from[a];
                let ey = from[b + 1] - from[a + 1];
                let ez = from[b + 2] - from[a + 2];
                const turn = (ex - dx) ** 2 + (ey - dy) ** 2 + (ez - dz) ** 2;
                if (turn > MAX_TURN * length * length) [ex, ey, ez] = [dx, dy, dz];
                x[a] = ax + ex * ka;
                x[a + 1] = ay + ey * ka;
                x[a + 2] = az + ez * ka;
                x[b] = bx - ex * kb;
                x[b + 1] = by - ey * kb;
                x[b + 2] = bz - ez * kb;
            }
        }
    }
    return largest;
}
