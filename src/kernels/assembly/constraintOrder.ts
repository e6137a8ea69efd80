/** Colouring and layout of distance constraints and stencils. */
import { LineStencilRecord, rowOffset, StencilOrderArrays, StencilProgress, StencilRecord, DistanceOrderArrays, DistanceRecord, wordOffset, particleAt, DistanceLengthArrays, DistanceWeightArrays } from "./layout.generated";
import { put, putReal, real, word, double } from "./memory";

const LINE: u32 = 0;
const CURVED: u32 = 2;

/** Colours distance constraints and lays them out. Every colour is padded to whole records and one more. */
export function orderDistanceConstraints(sticks: DistanceOrderArrays): void {
    const remaining = sticks.remaining;
    const lastColor = sticks.lastColor;
    const capacity = sticks.capacity;
    let left = sticks.constraintCount;
    for (let s: u32 = 0; s < left; s++) put(remaining, s, s);
    let place: u32 = 0;
    for (let color: u32 = 1; left > 0; color++) {
        let kept: u32 = 0;
        for (let r: u32 = 0; r < left; r++) {
            const s = word(remaining, r);
            const a = word(sticks.particlesA, s);
            const b = word(sticks.particlesB, s);
            if (word(lastColor, a) == color || word(lastColor, b) == color) {
                put(remaining, kept++, s);
                continue;
            }
            put(lastColor, a, color);
            put(lastColor, b, color);
            if (place < capacity) {
                const record = layRows(sticks, place, a, b);
                store<f32>(record + wordOffset(place & 3), <f32>real(sticks.restLengths, s), DistanceRecord.restLengths);
                putReal(sticks.orderedFactors, place, real(sticks.factors, s));
                if (sticks.isSplit) store<u64>(sticks.orderedSplits + (<usize>place << 3), load<u64>(sticks.splits + (<usize>s << 3)));
            }
            place++;
        }
        left = kept;
        for (const end = (place + 7) & ~3; place < end; place++) {
            if (place < capacity) layRows(sticks, place, sticks.spareParticle, sticks.spareParticle);
        }
    }
    store<u32>(sticks.orderedCount, place);
}

/** Writes the rows of a distance constraint; returns its record. */
function layRows(sticks: DistanceOrderArrays, place: u32, a: u32, b: u32): usize {
    const record = sticks.records + <usize>(place >> 2) * wordOffset(sticks.recordSize);
    const rows = record + ((<usize>place & 3) << 3);
    store<u32>(rows, <u32>rowOffset(a), DistanceRecord.rows);
    store<u32>(rows, <u32>rowOffset(b), DistanceRecord.rows + 4);
    return record;
}

/** Stencils that are coloured in a call. */
const COLORED_AT_ONCE: u32 = 65536;

/**
 * Chooses the stencils of a kind and shuffles them, to be coloured greedily in that order: in the order of the mesh, each stencil's move
 * would run on through the sheet with the next one's, which gains energy. Inside a colour they keep their order.
 */
export function chooseStencils(set: StencilOrderArrays): void {
    const kind = set.kind;
    const particles = set.particles;
    const chosen = set.chosen;
    const shuffled = set.shuffled;
    let count: u32 = 0;
    for (let s: u32 = 0; s < set.stencilCount; s++) {
        const isLine = word(particles, 4 * s + 3) == word(particles, 4 * s);
        const own = real(set.curvatures, s) > 0 ? CURVED : isLine ? LINE : 1;
        if (own == kind) put(chosen, count++, s);
    }
    for (let i: u32 = 0; i < count; i++) put(shuffled, i, i);
    let random: u32 = 1;
    for (let i = <i32>count - 1; i > 0; i--) {
        random = random * 1664525 + 1013904223;
        const j = <u32>((<f64>random / 4294967296.0) * <f64>(i + 1));
        const k = word(shuffled, i);
        put(shuffled, i, word(shuffled, j));
        put(shuffled, j, k);
    }
    store<u32>(set.progress, count, StencilProgress.chosen);
    store<u32>(set.progress, count, StencilProgress.left);
}

/** Colours some of the chosen stencils, and counts those of each colour; to be called while any are left. */
export function colorStencils(set: StencilOrderArrays): void {
    const progress = set.progress;
    const shuffled = set.shuffled;
    const used = set.used;
    const left = load<u32>(progress, StencilProgress.left);
    const base = load<u32>(progress, StencilProgress.base);
    const first = load<u32>(progress, StencilProgress.next);
    const end = min(left, first + COLORED_AT_ONCE);
    let kept = load<u32>(progress, StencilProgress.kept);
    let colorCount = load<u32>(progress, StencilProgress.colors);
    if (first == 0) memory.fill(used, 0, wordOffset(set.particleCount));
    for (let r = first; r < end; r++) {
        const i = word(shuffled, r);
        const o = set.particles + rowOffset(word(set.chosen, i));
        const b = word(o, 0);
        const a = word(o, 1);
        const c = word(o, 2);
        const e = word(o, 3);
        const taken = word(used, b) | word(used, a) | word(used, c) | word(used, e);
        if (taken == 0xffffffff) {
            put(shuffled, kept++, i);
            continue;
        }
        const bit = ~taken & (taken + 1);
        const own = base + ctz(bit);
        put(set.colors, i, own);
        put(set.next, own, word(set.next, own) + 1);
        colorCount = max(colorCount, own + 1);
        setBit(used, b, bit);
        setBit(used, a, bit);
        setBit(used, c, bit);
        setBit(used, e, bit);
    }
    const isDone = end == left;
    store<u32>(progress, isDone ? kept : left, StencilProgress.left);
    store<u32>(progress, isDone ? 0 : end, StencilProgress.next);
    store<u32>(progress, isDone ? 0 : kept, StencilProgress.kept);
    store<u32>(progress, isDone ? base + 32 : base, StencilProgress.base);
    store<u32>(progress, colorCount, StencilProgress.colors);
}

/** Lays the coloured stencils out. */
export function layStencils(set: StencilOrderArrays): void {
    const kind = set.kind;
    const particles = set.particles;
    const chosen = set.chosen;
    const next = set.next;
    const count = load<u32>(set.progress, StencilProgress.chosen);
    const colorCount = load<u32>(set.progress, StencilProgress.colors);
    let padded: u32 = 0;
    for (let c: u32 = 0; c < colorCount; c++) {
        const size = word(next, c);
        put(next, c, padded);
        padded += kind == CURVED ? (size + 3) & ~3 : size;
    }
    store<u32>(set.orderedCount, padded);
    if (padded > set.capacity) return;
    const size = wordOffset(set.recordSize);
    const spare = <u32>rowOffset(set.spareParticle);
    for (let i: u32 = 0; i < padded && kind == CURVED; i++) {
        const r = set.records + <usize>i * size;
        for (let k: u32 = 0; k < 4; k++) put(r, k, spare);
    }
    for (let i: u32 = 0; i < count; i++) {
        const s = word(chosen, i);
        const color = word(set.colors, i);
        const place = word(next, color);
        put(next, color, place + 1);
        const r = set.records + <usize>place * size;
        put(r, 0, <u32>rowOffset(word(particles, 4 * s + 1)));
        put(r, 1, <u32>rowOffset(word(particles, 4 * s)));
        put(r, 2, <u32>rowOffset(word(particles, 4 * s + 2)));
        const isLine = kind == LINE;
        const weights = r + (isLine ? LineStencilRecord.weights : StencilRecord.weights);
        putReal(weights, 0, real(set.weights, 3 * s));
        putReal(weights, 1, real(set.weights, 3 * s + 1));
        if (!isLine) {
            put(r, 3, <u32>rowOffset(word(particles, 4 * s + 3)));
            putReal(weights, 2, real(set.weights, 3 * s + 2));
            store<f32>(r, <f32>real(set.curvatures, s), StencilRecord.curvature);
        }
        putReal(set.orderedAreas, place, real(set.areas, s));
        put(set.orderedLines, place, word(set.lines, s));
    }
}

function setBit(used: usize, particle: u32, bit: u32): void {
    put(used, particle, word(used, particle) | bit);
}

/** Weights of distance constraints. Computed in doubles, bit for bit reproducible. */

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
