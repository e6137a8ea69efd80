import type { StickLengthArrays, StickWeightArrays } from "../prepareLayout";
import { groupOf, laneOf, particleAt, StickRecord } from "../layout";

/**
 * Derives the weights of sticks. Sticks in a row undo a part of each other's moves in a pass, so that at rest it gives by dt²/m more than the compliance:
 * for a row of equal masses, split into s parts, moved by w/(2 s w + α̃), exactly (1 + α̃/w) dt²/m + 2 (s - 1) dt²/m. Where sticks are exact, that is
 * taken from the compliance.
 */
export function weighSticks(arrays: StickWeightArrays): void {
    const { stickCount, records, recordFloats, inverseMasses, factors, splits, isSplit, isExact, parameters } = arrays;
    const [modulus, perStep, pull] = parameters;
    for (let s = 0; s < stickCount; s++) {
        const record = groupOf(s) * StickRecord.count;
        const lane = laneOf(s);
        const wa = inverseMasses[particleAt(records[record + StickRecord.rows + 2 * lane])];
        const wb = inverseMasses[particleAt(records[record + StickRecord.rows + 2 * lane + 1])];
        const sum = isSplit ? splits[2 * s] * wa + splits[2 * s + 1] * wb : wa + wb;
        // A factor of 0 is padding; two pinned ends have nothing to share.
        const compliant = perStep / (modulus * factors[s]) + (isExact ? (wa + wb) / 2 : sum);
        const total = sum > 0 && factors[s] > 0 ? Math.max(sum, compliant) : Infinity;
        const factor = wa > 0 && wb > 0 ? pull : 1;
        recordFloats[record + StickRecord.weightsA + lane] = (factor * wa) / total;
        recordFloats[record + StickRecord.weightsB + lane] = (factor * wb) / total;
    }
}

/** See kernels.ts. */
export function readLengths({ stickCount, recordSize, recordFloats, lengths }: StickLengthArrays): void {
    for (let s = 0; s < stickCount; s++) lengths[s] = recordFloats[groupOf(s) * recordSize + StickRecord.restLengths + laneOf(s)];
}

/** See kernels.ts. */
export function scaleLengths({ stickCount, recordSize, recordFloats, lengths, scale }: StickLengthArrays): void {
    for (let s = 0; s < stickCount; s++)
        recordFloats[groupOf(s) * recordSize + StickRecord.restLengths + laneOf(s)] = lengths[s] * scale[0];
}
