import { StencilKind } from "../prepareLayout";
import type { StencilOrderArrays, StickOrderArrays } from "../prepareLayout";
import { groupOf, laneOf, LineStencilRecord, roundUpToFour, rowOffset, StencilRecord, StickRecord } from "../layout";

/** Colours of sticks: sets in which no particle occurs twice. */
export interface Coloring {
    /** Stick indices, colour after colour, shape [stickCount]. */
    order: Uint32Array;
    /** Where each colour begins in `order`, and the end, shape [colourCount + 1]. */
    starts: number[];
}

/**
 * Greedy graph colouring: each round takes, in order, every remaining stick whose particles the round has not met. On a
 * grid this finds the four natural colours; a vertex of valence v needs at least v. Keeps the sticks' order inside a
 * colour, which keeps neighbours in memory together.
 *
 * @param particlesA first particle of each stick
 * @param particlesB second particle of each stick
 */
export function colorSticks(particlesA: Uint32Array, particlesB: Uint32Array, particleCount: number): Coloring {
    const stickCount = particlesA.length;
    const order = new Uint32Array(stickCount);
    const starts = [0];
    const lastColor = new Uint32Array(particleCount);
    const remaining = new Uint32Array(stickCount).map((_, s) => s);
    let left = stickCount;
    let placed = 0;
    for (let color = 1; left > 0; color++) {
        let kept = 0;
        for (let r = 0; r < left; r++) {
            const s = remaining[r];
            const a = particlesA[s];
            const b = particlesB[s];
            if (lastColor[a] === color || lastColor[b] === color) {
                remaining[kept++] = s;
            } else {
                lastColor[a] = lastColor[b] = color;
                order[placed++] = s;
            }
        }
        left = kept;
        starts.push(placed);
    }
    return { order, starts };
}

/** Colours sticks, and lays them out: every colour is padded to whole records and one more. */
export function orderSticks(sticks: StickOrderArrays): void {
    const { particlesA, particlesB, capacity, laid } = sticks;
    const { order, starts } = colorSticks(particlesA, particlesB, sticks.particleCount);
    laid[0] = 0;
    for (let c = 1; c < starts.length; c++) laid[0] += roundUpToFour(starts[c] - starts[c - 1]) + 4;
    if (laid[0] > capacity) return;
    let end = 0;
    for (let c = 1; c < starts.length; c++) {
        for (let i = starts[c - 1]; i < starts[c]; i++) layStick(sticks, end++, order[i]);
        for (const padded = (end + 7) & ~3; end < padded; end++) layRows(sticks, end, sticks.spareParticle, sticks.spareParticle);
    }
}

function layStick(sticks: StickOrderArrays, place: number, s: number): void {
    layRows(sticks, place, sticks.particlesA[s], sticks.particlesB[s]);
    sticks.recordFloats[groupOf(place) * sticks.recordSize + StickRecord.restLengths + laneOf(place)] = sticks.restLengths[s];
    sticks.laidFactors[place] = sticks.factors[s];
    for (let k = 0; k < 2 && sticks.isSplit; k++) sticks.laidSplits[2 * place + k] = sticks.splits[2 * s + k];
}

function layRows({ records, recordSize }: StickOrderArrays, place: number, a: number, b: number): void {
    const slot = groupOf(place) * recordSize + StickRecord.rows + 2 * laneOf(place);
    records[slot] = rowOffset(a);
    records[slot + 1] = rowOffset(b);
}

/**
 * Colours the stencils of a kind greedily in a shuffled order, and lays them out: in the order of the mesh, each stencil's move would run
 * on through the sheet with the next one's, which gains energy. Inside a colour they keep their order.
 */
export function orderStencils(set: StencilOrderArrays): void {
    const { kind, capacity, spareParticle, chosen, colors, next, laid } = set;
    const chosenCount = choose(set);
    shuffle(set, chosenCount);
    const colorCount = color(set, chosenCount);
    // From how many to where they begin.
    let padded = 0;
    for (let c = 0; c < colorCount; c++) {
        const size = next[c];
        next[c] = padded;
        padded += kind === StencilKind.curved ? roundUpToFour(size) : size;
    }
    laid[0] = padded;
    if (padded > capacity) return;
    const { records, recordFloats, recordSize, particles, weights } = set;
    for (let i = 0; i < padded && kind === StencilKind.curved; i++) {
        records.fill(rowOffset(spareParticle), i * recordSize, i * recordSize + 4);
    }
    for (let i = 0; i < chosenCount; i++) {
        const s = chosen[i];
        const place = next[colors[i]]++;
        const r = place * recordSize;
        const [b, a, c, e] = particles.subarray(4 * s, 4 * s + 4);
        records.set([a, b, c].map(rowOffset), r);
        if (kind === StencilKind.line) {
            recordFloats.set(weights.subarray(3 * s, 3 * s + 2), r + LineStencilRecord.weights);
        } else {
            records[r + 3] = rowOffset(e);
            recordFloats.set(weights.subarray(3 * s, 3 * s + 3), r + StencilRecord.weights);
            recordFloats[r + StencilRecord.curvature] = set.curvatures[s];
        }
        set.laidAreas[place] = set.areas[s];
        set.laidLines[place] = set.lines[s];
    }
}

/** Finds the stencils of the kind. @returns how many there are */
function choose({ stencilCount, kind, particles, curvatures, chosen }: StencilOrderArrays): number {
    let count = 0;
    for (let s = 0; s < stencilCount; s++) {
        const isLine = particles[4 * s + 3] === particles[4 * s];
        const own = curvatures[s] > 0 ? StencilKind.curved : isLine ? StencilKind.line : StencilKind.plane;
        if (own === kind) chosen[count++] = s;
    }
    return count;
}

function shuffle({ shuffled }: StencilOrderArrays, count: number): void {
    for (let i = 0; i < count; i++) shuffled[i] = i;
    let random = 1;
    for (let i = count - 1; i > 0; i--) {
        random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
        const j = Math.floor((random / 0x1_0000_0000) * (i + 1));
        const k = shuffled[i];
        shuffled[i] = shuffled[j];
        shuffled[j] = k;
    }
}

/** Colours, and counts the stencils of each colour. @returns how many colours there are */
function color({ particles, chosen, shuffled, colors, next, used }: StencilOrderArrays, count: number): number {
    let left = count;
    let colorCount = 0;
    for (let base = 0; left > 0; base += 32) {
        used.fill(0);
        let kept = 0;
        for (let r = 0; r < left; r++) {
            const i = shuffled[r];
            const o = 4 * chosen[i];
            const taken = used[particles[o]] | used[particles[o + 1]] | used[particles[o + 2]] | used[particles[o + 3]];
            if (taken === -1) {
                shuffled[kept++] = i;
                continue;
            }
            const bit = ~taken & (taken + 1);
            const own = base + 31 - Math.clz32(bit);
            colors[i] = own;
            next[own]++;
            colorCount = Math.max(colorCount, own + 1);
            for (let k = 0; k < 4; k++) used[particles[o + k]] |= bit;
        }
        left = kept;
    }
    return colorCount;
}
