import { rowAt, DistanceRecord, Uniform } from "../../src/kernels/layout";
import type { ParticleArrays, DistanceArrays } from "../../src/kernels/layout";

/** A stick that is crushed pushes by so many times the most less its strain, and by this share of the most at least. */
const GENTLE = 2.2;
const LEAST_PUSH = 0.05;
/** From a strain of about this, negated, on a stick pushes by the most again: below a seventeenth of its length. */
const NOTHING = 16;

/**
 * Stick projection: one XPBD iteration per stick (Macklin 2016, eq. 18, with λ starting at zero in every substep).
 *
 *     a ●───────● b      C = |b - a| - L,   ∇C_b = -∇C_a = (b - a)/|b - a|
 *
 *     a += sA e (b - a),   b -= sB e (b - a),   e = max(s, -m, min(-m/20, -2.2 m - s, 16 + s)),   s = 1 - L/|b - a|
 *
 * with sA = wA / (wA + wB + α/dt²) computed beforehand. A stick of no length is left alone: it has no direction.
 * What is crumpled finer than the mesh is crushed by stick against stick. Pushed by all that is missing, in directions that are hardly ones, each
 * crushes its neighbours anew, and cloth shakes for ever: so a pass pushes by a share m of the present length at most, and by less the farther a
 * stick is crushed: where m is a half it falls between 0.62 and 0.48 of its length at rest, to m/20. Crushed to nothing it pushes by m again: it has to come apart.
 */
export function projectDistances(particles: ParticleArrays, sticks: DistanceArrays): void {
    project(particles, sticks);
}

/** The same; the largest strain, before it is taken back, goes to the uniforms. */
export function projectLengths(particles: ParticleArrays, sticks: DistanceArrays): void {
    particles.uniforms[Uniform.strain] = project(particles, sticks);
}

/** @returns the largest strain, not less than 0 */
function project(particles: ParticleArrays, sticks: DistanceArrays): number {
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
                x[a] = ax + dx * ka;
                x[a + 1] = ay + dy * ka;
                x[a + 2] = az + dz * ka;
                x[b] = bx - dx * kb;
                x[b + 1] = by - dy * kb;
                x[b + 2] = bz - dz * kb;
            }
        }
    }
    return largest;
}
