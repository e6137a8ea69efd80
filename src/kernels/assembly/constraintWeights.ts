/** Weights of distance constraints. Computed in doubles, bit for bit reproducible. */
import { particleAt, DistanceLengthArrays, DistanceRecord, DistanceWeightArrays, wordOffset } from "./layout.generated";
import { double, putReal, real, word } from "./memory";

/**
 * Derives the weights of distance constraints. Constraints in a row undo a part of each other's moves in a pass, so at rest the row yields by dt²/m more than
 * the compliance: for a row of equal masses, split into s parts, moved by w/(2 s w + α̃), exactly (1 + α̃/w) dt²/m + 2 (s - 1) dt²/m. If constraints are exact,
 * that is subtracted from the compliance.
 */
export function computeDistanceWeights(arrays: DistanceWeightArrays): void {
    const modulus = double(arrays.parameters, 0);
    const perStep = double(arrays.parameters, 1);
    const pull = double(arrays.parameters, 2);
    const inverseMasses = arrays.inverseMasses;
    for (let s: u32 = 0; s < arrays.constraintCount; s++) {
        const record = arrays.records + <usize>(s >> 2) * DistanceRecord.count;
        const lane = s & 3;
        const wa = real(inverseMasses, particleAt(word(record, 2 * lane)));
        const wb = real(inverseMasses, particleAt(word(record, 2 * lane + 1)));
        const sum = arrays.isSplit ? real(arrays.splits, 2 * s) * wa + real(arrays.splits, 2 * s + 1) * wb : wa + wb;
        const factor = real(arrays.factors, s);
        const compliant = perStep / (modulus * factor) + (arrays.isExact ? (wa + wb) / 2 : sum);
        const total = sum > 0 && factor > 0 ? max<f64>(sum, compliant) : Infinity;
        const place = record + wordOffset(lane);
        const more = wa > 0 && wb > 0 ? pull : 1.0;
        store<f32>(place, <f32>(more * wa / total), DistanceRecord.weightsA);
        store<f32>(place, <f32>(more * wb / total), DistanceRecord.weightsB);
    }
}

export function readLengths(sticks: DistanceLengthArrays): void {
    for (let s: u32 = 0; s < sticks.constraintCount; s++) putReal(sticks.lengths, s, real(lengthsOf(sticks, s), s & 3));
}

export function scaleLengths(sticks: DistanceLengthArrays): void {
    const scale = double(sticks.scale, 0);
    for (let s: u32 = 0; s < sticks.constraintCount; s++) putReal(lengthsOf(sticks, s), s & 3, real(sticks.lengths, s) * scale);
}

// @ts-ignore: decorator
@inline
function lengthsOf(sticks: DistanceLengthArrays, s: u32): usize {
    return sticks.records + <usize>(s >> 2) * wordOffset(sticks.recordSize) + DistanceRecord.restLengths;
}
