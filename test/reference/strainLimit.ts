import { rowAt, DistanceRecord, Uniform } from "../../src/kernels/layout";
import type { ParticleArrays, DistanceArrays } from "../../src/kernels/layout";

/** Limit of the strain: a distance constraint of length L is contracted to L / (1 - MOST). */
const MOST = 0.04;
/** Strain above which passes continue: the last excess approaches MOST only asymptotically. */
const ENOUGH = 0.042;
/** Over-relaxation: best for a chain of forty distance constraints (Young 1954), and below 2, so that none gains energy. */
const PULL = 1.85;
const PASSES = 80;
/** Over-relaxation in the first pass, as most stretches are short and need no chain, and in the last ones, after which no pass reverts an overshoot. */
const GENTLE = 1.28;
const LAST = 2;
/** Interval, in passes, of passes over all distance constraints. The passes between skip the parts in which the last one found no strain above ENOUGH. */
const WHOLE = 4;
const PARTS = 64;
/** 1 if the last pass found a strain above ENOUGH in the part. */
const isBusy = new Uint8Array(PARTS);

/**
 * Strain limiting (Provot 1995, §4): up to eighty passes over the material's lengths, until one finds no strain above 4.2 %, the first
 * if projectLengths has recorded one. Distance constraints below the limit are skipped, so that cloth at rest costs nothing and no result jumps as
 * passes come and go. A pass may correct the whole excess: masses are not split here.
 */
export function limitStrain({ positions, uniforms }: ParticleArrays, sticks: DistanceArrays): void {
    if (!(uniforms[Uniform.strain] > MOST)) return;
    const end = sticks.records.length;
    const size = Math.ceil(end / DistanceRecord.count / PARTS) * DistanceRecord.count;
    for (let pass = 0; pass < PASSES; pass++) {
        const isWhole = pass % WHOLE === 0;
        const pull = pass === 0 || pass >= PASSES - LAST ? GENTLE : PULL;
        let isLeft = false;
        for (let part = 0, record = 0; record < end; part++, record += size) {
            if (!isWhole && isBusy[part] === 0) continue;
            const isPartLeft = limit(positions, sticks, record, Math.min(end, record + size), pull);
            isBusy[part] = isPartLeft ? 1 : 0;
            isLeft ||= isPartLeft;
        }
        if (isLeft) continue;
        if (isWhole) return;
        pass += WHOLE - 1 - (pass % WHOLE);
    }
}

/** One pass over the records from one slot to another. @returns true if any strain was above ENOUGH */
function limit(x: Float32Array, { records, recordFloats }: DistanceArrays, first: number, end: number, pull: number): boolean {
    let isLeft = false;
    for (let record = first; record < end; record += DistanceRecord.count) {
        for (let lane = 0; lane < 4; lane++) {
            const row = record + 2 * lane;
            const slot = record + lane;
            const a = rowAt(records[row]);
            const b = rowAt(records[row + 1]);
            const dx = x[b] - x[a];
            const dy = x[b + 1] - x[a + 1];
            const dz = x[b + 2] - x[a + 2];
            const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
            const strain = length > 0 ? 1 - recordFloats[slot + DistanceRecord.restLengths] / length : 0;
            const wa = recordFloats[slot + DistanceRecord.weightsA];
            const wb = recordFloats[slot + DistanceRecord.weightsB];
            if (strain > MOST && wa + wb > 0) {
                isLeft ||= strain > ENOUGH;
                const excess = (pull * (strain - MOST)) / (wa + wb);
                const ka = excess * wa;
                const kb = excess * wb;
                x[a] += dx * ka;
                x[a + 1] += dy * ka;
                x[a + 2] += dz * ka;
                x[b] -= dx * kb;
                x[b + 1] -= dy * kb;
                x[b + 2] -= dz * kb;
            }
        }
    }
    return isLeft;
}
