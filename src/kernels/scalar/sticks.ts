import { LimitRecord, rowAt, StickRecord } from "../layout";
import type { LimitArrays, ParticleArrays, StickArrays } from "../layout";

/**
 * Stick projection: one XPBD iteration per stick (Macklin 2016, eq. 18, with λ starting at zero in every substep).
 *
 *     a ●───────● b      C = |b - a| - L,   ∇C_b = -∇C_a = (b - a)/|b - a|
 *
 *     a += sA (1 - L/|b - a|) (b - a),   b -= sB (1 - L/|b - a|) (b - a)
 *
 * with sA = wA / (wA + wB + α/dt²) computed beforehand. A stick of no length is left alone: it has no direction.
 */
export function projectSticks(particles: ParticleArrays, sticks: StickArrays): void {
    const x = particles.positions;
    const { records, recordFloats } = sticks;
    for (let record = 0; record < records.length; record += StickRecord.count) {
        for (let lane = 0; lane < 4; lane++) {
            const row = record + 2 * lane;
            const slot = record + lane;
            const a = records[row] >>> 2;
            const b = records[row + 1] >>> 2;
            const restLength = recordFloats[slot + StickRecord.restLengths];
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
                const ka = strain * recordFloats[slot + StickRecord.weightsA];
                const kb = strain * recordFloats[slot + StickRecord.weightsB];
                x[a] = ax + dx * ka;
                x[a + 1] = ay + dy * ka;
                x[a + 2] = az + dz * ka;
                x[b] = bx - dx * kb;
                x[b + 1] = by - dy * kb;
                x[b + 2] = bz - dz * kb;
            }
        }
    }
}

/** Where the moves of a stick's ends are taken from, see {@link pullBack}. */
const weights = new Float64Array(2);

/**
 * Long limits: sticks that only pull, C = |b - a| - L <= 0. Otherwise as above.
 */
export function projectLongLimits({ positions: x }: ParticleArrays, { records, recordFloats }: StickArrays): void {
    for (let record = 0; record < records.length; record += StickRecord.count) {
        for (let lane = 0; lane < 4; lane++) {
            const slot = record + lane;
            weights[0] = recordFloats[slot + StickRecord.weightsA];
            weights[1] = recordFloats[slot + StickRecord.weightsB];
            const row = record + 2 * lane;
            pullBack(x, rowAt(records[row]), rowAt(records[row + 1]), recordFloats[slot + StickRecord.restLengths]);
        }
    }
}

/** The same between whole masses: each end moves by its share of the inverse masses, and farther if both are free. */
export function projectLimits({ positions: x, inverseMasses }: ParticleArrays, limits: LimitArrays): void {
    const { records, recordFloats, pull } = limits;
    for (let record = 0; record < records.length; record += LimitRecord.count) {
        for (let lane = 0; lane < 4; lane++) {
            const row = record + 2 * lane;
            const a = rowAt(records[row]);
            const b = rowAt(records[row + 1]);
            const wa = inverseMasses[a >> 2];
            const wb = inverseMasses[b >> 2];
            const sum = wa + wb;
            if (!(sum > 0)) continue;
            const more = wa > 0 && wb > 0 ? pull[0] : 1;
            weights[0] = more * (wa / sum);
            weights[1] = more * (wb / sum);
            pullBack(x, a, b, recordFloats[record + lane + LimitRecord.restLengths]);
        }
    }
}

/** Moves the ends at the slots a and b by their weights, if they are farther apart than a length. */
function pullBack(x: Float32Array, a: number, b: number, longest: number): void {
    const dx = x[b] - x[a];
    const dy = x[b + 1] - x[a + 1];
    const dz = x[b + 2] - x[a + 2];
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (!(length > longest)) return;
    const strain = 1 - longest / length;
    const ka = strain * weights[0];
    const kb = strain * weights[1];
    x[a] += dx * ka;
    x[a + 1] += dy * ka;
    x[a + 2] += dz * ka;
    x[b] -= dx * kb;
    x[b + 1] -= dy * kb;
    x[b + 2] -= dz * kb;
}
