import { CrowdNumber, CrowdProgress, PairRecord } from "../crowdLayout";
import type { CrowdArrays } from "../crowdLayout";
import { NONE } from "../fields";
import { ROW } from "../layout";

/** Steps of height by which pairs are told apart, at most. */
const MOST_STEPS = 1024;

/** The lowest height [any unit], steps to a unit of the sum of two heights above it, and how many steps there are. */
const scale = { lowest: 0, inverse: 0, steps: 0 };

/**
 * Puts the pairs in order along gravity, the lowest first: what lies on something is answered once that has been held, so that one
 * pass carries the weight of a heap all the way up (shock propagation: Guendelman, Bridson and Fedkiw 2003, §7). Where there is no
 * gravity, they stay as they are.
 *
 * In place, by swaps to where each step begins (McIlroy, Bostic and McIlroy 1993, "American flag sort"); to be called once pairs
 * are found, before they are laid: it takes the grid's cells for what it counts, and the sorted x for heights.
 */
export function orderPairs(crowd: CrowdArrays): void {
    if (!measureHeights(crowd)) return;
    const { cellStarts: nexts, progress, pairs } = crowd;
    const { steps } = scale;
    const end = progress[CrowdProgress.pairCount] * PairRecord.count;
    nexts.fill(0, 0, steps);
    for (let o = 0; o < end; o += PairRecord.count) nexts[stepOf(crowd, o)]++;
    let sum = 0;
    for (let step = 0; step < steps; step++) {
        const count = nexts[step];
        nexts[step] = sum;
        sum += count;
        nexts[steps + step] = sum;
    }
    for (let step = 0; step < steps; step++) {
        while (nexts[step] < nexts[steps + step]) {
            const o = nexts[step] * PairRecord.count;
            const place = nexts[stepOf(crowd, o)]++ * PairRecord.count;
            for (let k = 0; place !== o && k < PairRecord.count; k++) {
                const slot = pairs[place + k];
                pairs[place + k] = pairs[o + k];
                pairs[o + k] = slot;
            }
        }
    }
}

/** Notes how high the particles of pairs are, and the scale of steps; whether there is any. */
function measureHeights(crowd: CrowdArrays): boolean {
    const { particleCount, points, slots, numbers, cellCount, sortedX: heights } = crowd;
    const gx = numbers[CrowdNumber.gravity];
    const gy = numbers[CrowdNumber.gravity + 1];
    const gz = numbers[CrowdNumber.gravity + 2];
    let lowest = Infinity;
    let highest = -Infinity;
    for (let i = 0, o = 0; i < particleCount; i++, o += ROW) {
        if (slots[i] === NONE) continue;
        const below = Math.fround(Math.fround(points[o] * gx) + Math.fround(points[o + 1] * gy));
        const height = -Math.fround(below + Math.fround(points[o + 2] * gz));
        heights[i] = height;
        if (height < lowest) lowest = height;
        if (height > highest) highest = height;
    }
    const range = Math.fround(highest - lowest);
    if (!(range > 0)) return false;
    scale.steps = Math.min(MOST_STEPS, cellCount >>> 1);
    scale.lowest = lowest;
    scale.inverse = Math.fround(Math.fround(scale.steps / 2) / range);
    // Ranges so small, or so large, that there are no steps in them.
    return scale.inverse > 0 && scale.inverse < Infinity;
}

/** The step of the pair at a slot, by how high both its particles are. */
function stepOf({ pairs, sortedX: heights }: CrowdArrays, o: number): number {
    const a = Math.fround(heights[pairs[o + PairRecord.a]] - scale.lowest);
    const b = Math.fround(heights[pairs[o + PairRecord.b]] - scale.lowest);
    return Math.min(scale.steps - 1, Math.trunc(Math.fround(Math.fround(a + b) * scale.inverse)));
}
