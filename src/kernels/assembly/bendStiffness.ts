/** Shares out the bending stiffness of lines among the levels of stencils, and weighs those; see engine/solvers/xpbd/bend.ts. */
import { BendStiffnessArrays, LineStencilRecord, particleAt, StencilRecord, StencilWeightArrays, wordOffset } from "./layout.generated";
import { double, put, putReal, real, word } from "./memory";

/** A line goes on to the next level if its stencil is longer there by this factor. */
const CHORD_GROWTH: f64 = 1.25;
/** Least share of the stiffness for which a further level is used. */
const MIN_SHARE: f64 = 0.05;
/** Share of a pass's capacity that a level uses; the rest is left to the next. Near the capacity stencils yield by more. */
const MAX_SHARE: f64 = 0.7;
/** Share of a stencil's move that its neighbours undo at rest. It is a half if they all agree; measured with clamped strips. */
const REMAINDER: f64 = 0.3;

export function measureStencilCapacity(s: StencilWeightArrays): void {
    const bend = s.bend;
    const perStep = double(bend.parameters, 1);
    const size = wordOffset(s.recordSize);
    const weights = weightsOf(size);
    for (let i: u32 = 0, r = s.records; i < s.recordCount; i++, r += size) {
        const area = real(s.areas, i);
        if (area == 0) continue;
        const line = word(s.lines, i);
        const ka = real(r + weights, 0);
        putReal(bend.carriedStiffness, line, (2 * MAX_SHARE * perStep) / (squaredSum(bend, r, size, true) * area));
        putReal(bend.chords, line, sqrt<f64>((2 + (2 * ka) / real(r + weights, 1)) / ka));
    }
}

export function requestStencils(bend: BendStiffnessArrays): void {
    const taken = bend.carriedStiffness;
    const left = bend.remainingStiffness;
    const stiffnesses = bend.stiffnesses;
    const chords = bend.chords;
    const wanted = bend.minChords;
    let isWanted: u32 = 0;
    for (let l: u32 = 0; l < bend.lineCount; l++) {
        const t = real(taken, l);
        const isDone = t == 0 || real(left, l) - t <= MIN_SHARE * real(stiffnesses, l);
        putReal(wanted, l, isDone ? 0 : CHORD_GROWTH * real(chords, l));
        if (!isDone) isWanted = 1;
    }
    store<u32>(bend.areChordsRequested, isWanted);
}

export function markStencils(s: StencilWeightArrays): void {
    const goesOn = s.bend.hasStencil;
    for (let i: u32 = 0; i < s.recordCount; i++) if (real(s.areas, i) > 0) put(goesOn, word(s.lines, i), 1);
}

/** The last level on a line takes all that is left. */
export function distributeStiffness(bend: BendStiffnessArrays): void {
    const taken = bend.carriedStiffness;
    const left = bend.remainingStiffness;
    const goesOn = bend.hasStencil;
    for (let l: u32 = 0; l < bend.lineCount; l++) {
        if (word(goesOn, l) == 0) putReal(taken, l, real(left, l));
        putReal(left, l, real(left, l) - real(taken, l));
    }
}

export function computeStencilWeights(s: StencilWeightArrays): void {
    const bend = s.bend;
    const w = bend.inverseMasses;
    const perStep = double(bend.parameters, 1);
    const clamped = double(s.clamped, 0);
    const size = wordOffset(s.recordSize);
    const hasFourth = size == StencilRecord.count;
    const weights = weightsOf(size);
    const moves = hasFourth ? StencilRecord.moves : LineStencilRecord.moves;
    for (let i: u32 = 0, r = s.records; i < s.recordCount; i++, r += size) {
        let area = real(s.areas, i);
        if (area == 0) continue;
        const ka = real(r + weights, 0);
        const kc = real(r + weights, 1);
        const ke = hasFourth ? real(r + weights, 2) : 0;
        const wa = real(w, particleAt(word(r, 0)));
        const wb = real(w, particleAt(word(r, 1)));
        const wc = real(w, particleAt(word(r, 2)));
        if (wb == 0 && (wa == 0) != (wc == 0)) area *= max<f64>(1, clamped / max<f64>(ka / kc, kc / ka));
        const sum = squaredSum(bend, r, size, false);
        const scale = sum > 0 ? -1 / max<f64>(sum, perStep / (real(bend.carriedStiffness, word(s.lines, i)) * area) + REMAINDER * sum) : 0;
        const m = r + moves;
        putReal(m, 0, scale * ka * wa);
        putReal(m, 1, -scale * (ka + kc + ke) * wb);
        putReal(m, 2, scale * kc * wc);
        if (hasFourth) putReal(m, 3, scale * ke * real(w, particleAt(word(r, 3))));
    }
}

/** Σ w K² of a stencil. @param areFree true if its particles count as unpinned */
function squaredSum(bend: BendStiffnessArrays, r: usize, size: usize, areFree: bool): f64 {
    const hasFourth = size == StencilRecord.count;
    const k = r + weightsOf(size);
    const ka = real(k, 0);
    const kc = real(k, 1);
    const ke = hasFourth ? real(k, 2) : 0;
    const kb = ka + kc + ke;
    const fourth = hasFourth ? inverseMassOf(bend, word(r, 3), areFree) * ke * ke : 0;
    return inverseMassOf(bend, word(r, 0), areFree) * ka * ka + inverseMassOf(bend, word(r, 1), areFree) * kb * kb +
        inverseMassOf(bend, word(r, 2), areFree) * kc * kc + fourth;
}

function inverseMassOf(bend: BendStiffnessArrays, row: u32, isFree: bool): f64 {
    const particle = particleAt(row);
    if (!isFree) return real(bend.inverseMasses, particle);
    const area = real(bend.areas, particle);
    return area > 0 ? <f64><f32>(1 / (double(bend.parameters, 0) * area)) : 0;
}

// @ts-ignore: decorator
@inline
function weightsOf(size: usize): usize {
    return size == StencilRecord.count ? StencilRecord.weights : LineStencilRecord.weights;
}
