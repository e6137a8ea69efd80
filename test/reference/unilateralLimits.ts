import { LimitRecord, particleAt, rowAt, DistanceRecord } from "../../src/kernels/layout";
import type { LimitArrays, ParticleArrays, DistanceArrays } from "../../src/kernels/layout";

/** Inverse masses that differ by less than this share are the same. */
const SAME = 1e-5;

/** Weights of the moves of a constraint's ends, see {@link pullBack}. */
const weights = new Float64Array(2);

/** Unilateral limits: distance constraints that only pull, C = |b - a| - L <= 0, by {@link pullBack}. Otherwise as in distance.ts. */
export function projectUnilateralLimits(particles: ParticleArrays, { records, recordFloats }: DistanceArrays): void {
    for (let record = 0; record < records.length; record += DistanceRecord.count) {
        for (let lane = 0; lane < 4; lane++) {
            const slot = record + lane;
            weights[0] = recordFloats[slot + DistanceRecord.weightsA];
            weights[1] = recordFloats[slot + DistanceRecord.weightsB];
            const row = record + 2 * lane;
            pullBack(particles, rowAt(records[row]), rowAt(records[row + 1]), recordFloats[slot + DistanceRecord.restLengths]);
        }
    }
}

/**
 * Unilateral limits between unsplit masses: each end moves by its share of the inverse masses, and farther if both are free; by half if the two ends
 * of each limit of a record have equal masses. Such records are marked, see LimitRecord.
 */
export function projectUnsplitLimits(particles: ParticleArrays, limits: LimitArrays): void {
    const { inverseMasses } = particles;
    const { records, recordFloats, overRelaxation } = limits;
    for (let record = 0; record < records.length; record += LimitRecord.count) {
        const areSame = isMarked(inverseMasses, records, record);
        for (let lane = 0; lane < 4; lane++) {
            const row = record + 2 * lane;
            const a = rowAt(records[row]);
            const b = rowAt(records[row + 1]);
            const wa = areSame ? 1 : inverseMasses[a >> 2];
            const wb = areSame ? 1 : inverseMasses[b >> 2];
            const sum = wa + wb;
            if (!(sum > 0)) continue;
            const more = wa > 0 && wb > 0 ? overRelaxation[0] : 1;
            weights[0] = more * (wa / sum);
            weights[1] = more * (wb / sum);
            pullBack(particles, a, b, recordFloats[record + lane + LimitRecord.restLengths]);
        }
    }
}

/** True if a record is marked. Marks it first if it should be. */
function isMarked(inverseMasses: Float32Array, records: Uint32Array, record: number): boolean {
    const first = records[record];
    const second = records[record + 1];
    if (first > second) return true;
    for (let row = record; row < record + LimitRecord.restLengths; row += 2) {
        const wa = inverseMasses[particleAt(records[row])];
        const wb = inverseMasses[particleAt(records[row + 1])];
        if (!(Math.abs(wa - wb) < SAME * wa)) return false;
    }
    records[record] = second;
    records[record + 1] = first;
    return true;
}

/**
 * Moves the ends at the slots a and b by their weights, if they are farther apart than a length, along the mean of their directions now, d,
 * and before the substep, e: along d alone, a swinging particle would lose (ω dt)² of its way in every substep; along e alone, as SHAKE does (Ryckaert,
 * Ciccotti & Berendsen 1977), limits that pull one after the other would gain energy.
 */
function pullBack({ positions: x, previous: p }: ParticleArrays, a: number, b: number, longest: number): void {
    const dx = x[b] - x[a];
    const dy = x[b + 1] - x[a + 1];
    const dz = x[b + 2] - x[a + 2];
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (!(length > longest)) return;
    const mx = 0.5 * (dx + (p[b] - p[a]));
    const my = 0.5 * (dy + (p[b + 1] - p[a + 1]));
    const mz = 0.5 * (dz + (p[b + 2] - p[a + 2]));
    const strain = 1 - longest / length;
    const ka = strain * weights[0];
    const kb = strain * weights[1];
    x[a] += mx * ka;
    x[a + 1] += my * ka;
    x[a + 2] += mz * ka;
    x[b] -= mx * kb;
    x[b + 1] -= my * kb;
    x[b + 2] -= mz * kb;
}
