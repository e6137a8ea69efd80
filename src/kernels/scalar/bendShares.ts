/** Shares out the bending stiffness of lines among the levels of stencils, and weighs those; see methods/xpbd/bend.ts. */
import { LineStencilRecord, particleAt, StencilRecord } from "../layout";
import type { BendShareArrays, StencilWeightArrays } from "../prepareLayout";

/** A line goes on to the next level if its stencil is longer there by this factor. */
const LONGER = 1.25;
/** What is left to a further level counts from this share of the stiffness on. */
const LEAST_SHARE = 0.05;
/** Of what a pass can carry, a level takes so much and leaves the rest to the next: near the end of it stencils give way by more. */
const TAKEN = 0.7;
/** How much of a stencil's move its neighbours undo at rest. Half if they were all in one mind; measured by clamped strips. */
const UNDONE = 0.3;

/** See kernels.ts. */
export function measureStencils(arrays: StencilWeightArrays): void {
    const { bend, recordCount, recordSize, recordFloats, areas, lines } = arrays;
    const weights = weightsOf(recordSize);
    for (let i = 0; i < recordCount; i++) {
        if (areas[i] === 0) continue;
        const k = i * recordSize + weights;
        bend.taken[lines[i]] = (2 * TAKEN * bend.parameters[1]) / (squaredSum(arrays, i, true) * areas[i]);
        // Ka = 2 / (la (la + lc)), and Kc the same with a and c changed.
        const ka = recordFloats[k];
        bend.chords[lines[i]] = Math.sqrt((2 + (2 * ka) / recordFloats[k + 1]) / ka);
    }
}

/** See kernels.ts. */
export function wantStencils({ lineCount, stiffnesses, left, taken, chords, wanted, isWanted }: BendShareArrays): void {
    isWanted[0] = 0;
    for (let l = 0; l < lineCount; l++) {
        const isDone = taken[l] === 0 || left[l] - taken[l] <= LEAST_SHARE * stiffnesses[l];
        wanted[l] = isDone ? 0 : LONGER * chords[l];
        if (!isDone) isWanted[0] = 1;
    }
}

/** See kernels.ts. */
export function markStencils({ bend, recordCount, areas, lines }: StencilWeightArrays): void {
    for (let i = 0; i < recordCount; i++) if (areas[i] > 0) bend.goesOn[lines[i]] = 1;
}

/** The last level on a line takes all that is left. */
export function takeStiffness({ lineCount, left, taken, goesOn }: BendShareArrays): void {
    for (let l = 0; l < lineCount; l++) {
        if (goesOn[l] === 0) taken[l] = left[l];
        left[l] -= taken[l];
    }
}

/** See kernels.ts. */
export function weighStencils(arrays: StencilWeightArrays): void {
    const { bend, recordCount, recordSize, records, recordFloats, areas, lines, clamped } = arrays;
    const { inverseMasses: w, taken, parameters } = bend;
    const hasFourth = recordSize === StencilRecord.count;
    const weights = weightsOf(recordSize);
    const moves = hasFourth ? StencilRecord.moves : LineStencilRecord.moves;
    for (let i = 0; i < recordCount; i++) {
        if (areas[i] === 0) continue;
        const r = i * recordSize;
        const ka = recordFloats[r + weights];
        const kc = recordFloats[r + weights + 1];
        const ke = hasFourth ? recordFloats[r + weights + 2] : 0;
        const wa = w[particleAt(records[r])];
        const wb = w[particleAt(records[r + 1])];
        const wc = w[particleAt(records[r + 2])];
        let area = areas[i];
        if (wb === 0 && (wa === 0) !== (wc === 0)) area *= Math.max(1, clamped[0] / Math.max(ka / kc, kc / ka));
        const sum = squaredSum(arrays, i, false);
        const scale = sum > 0 ? -1 / Math.max(sum, parameters[1] / (taken[lines[i]] * area) + UNDONE * sum) : 0;
        const m = r + moves;
        recordFloats[m] = scale * ka * wa;
        recordFloats[m + 1] = -scale * (ka + kc + ke) * wb;
        recordFloats[m + 2] = scale * kc * wc;
        if (hasFourth) recordFloats[m + 3] = scale * ke * w[particleAt(records[r + 3])];
    }
}

/** Σ w K² of a stencil. @param areFree whether its particles count as if none were pinned */
function squaredSum({ bend, recordSize, records, recordFloats }: StencilWeightArrays, i: number, areFree: boolean): number {
    const hasFourth = recordSize === StencilRecord.count;
    const r = i * recordSize;
    const k = r + weightsOf(recordSize);
    const ka = recordFloats[k];
    const kc = recordFloats[k + 1];
    const ke = hasFourth ? recordFloats[k + 2] : 0;
    const kb = ka + kc + ke;
    const fourth = hasFourth ? inverseMassOf(bend, records[r + 3], areFree) * ke * ke : 0;
    return (
        inverseMassOf(bend, records[r], areFree) * ka * ka +
        inverseMassOf(bend, records[r + 1], areFree) * kb * kb +
        inverseMassOf(bend, records[r + 2], areFree) * kc * kc +
        fourth
    );
}

function inverseMassOf({ areas, inverseMasses, parameters }: BendShareArrays, row: number, isFree: boolean): number {
    const particle = particleAt(row);
    if (!isFree) return inverseMasses[particle];
    return areas[particle] > 0 ? Math.fround(1 / (parameters[0] * areas[particle])) : 0;
}

function weightsOf(recordSize: number): number {
    return recordSize === StencilRecord.count ? StencilRecord.weights : LineStencilRecord.weights;
}
