/** The order of pairs. */
import { hoist, xyz0 } from "./simd";
import { SelfCollisionArrays, SelfCollisionParameter, SelfCollisionCounter, PairRecord, rowOffset } from "./layout.generated";
import { float, NONE, put, word } from "./memory";

/** Most height buckets for the sort. */
const MAX_STEPS: u32 = 1024;

let lowest: f32 = 0;
let inverse: f32 = 0;
let steps: u32 = 0;

/**
 * Sorts the pairs along gravity, the lowest first. A pair is resolved after those that support it, so one pass carries the weight
 * through all layers (shock propagation: Guendelman, Bridson and Fedkiw 2003, §7). Without gravity the order is unchanged.
 *
 * In place, by swaps to the start of each bucket (McIlroy, Bostic and McIlroy 1993, "American flag sort"). Call after detection and
 * before the pairs refer to active slots: it reuses the grid's cells for its counts, and the sorted x for heights.
 */
export function orderPairs(shared: SelfCollisionArrays): void {
    if (!measureHeights(shared)) return;
    const nexts = shared.cellStarts;
    const pairs = shared.pairs;
    const heights = shared.sortedX;
    const end = pairs + <usize>load<u32>(shared.progress, SelfCollisionCounter.pairCount) * PairRecord.count;
    memory.fill(nexts, 0, <usize>steps << 2);
    for (let pair = pairs; pair < end; pair += PairRecord.count) {
        const step = stepOf(heights, pair);
        put(nexts, step, word(nexts, step) + 1);
    }
    let sum: u32 = 0;
    for (let step: u32 = 0; step < steps; step++) {
        const count = word(nexts, step);
        put(nexts, step, sum);
        sum += count;
        put(nexts, steps + step, sum);
    }
    for (let step: u32 = 0; step < steps; step++) {
        for (let next = word(nexts, step); next < word(nexts, steps + step); next = word(nexts, step)) {
            const pair = pairs + <usize>next * PairRecord.count;
            const to = stepOf(heights, pair);
            const place = word(nexts, to);
            put(nexts, to, place + 1);
            swap(pair, pairs + <usize>place * PairRecord.count);
        }
    }
}

function swap(a: usize, b: usize): void {
    const first = v128.load(a);
    const second = v128.load(a, 16);
    v128.store(a, v128.load(b));
    v128.store(a, v128.load(b, 16), 16);
    v128.store(b, first);
    v128.store(b, second, 16);
}

/** Stores the heights of pairs' particles, and the scale of steps. Returns true if there is any pair. */
function measureHeights(shared: SelfCollisionArrays): bool {
    const gravity = hoist(xyz0(v128.load(shared.numbers, SelfCollisionParameter.gravity)), 0);
    const heights = shared.sortedX;
    let least: f32 = Infinity;
    let most: f32 = -Infinity;
    for (let i: u32 = 0, count = shared.particleCount; i < count; i++) {
        if (word(shared.slots, i) === NONE) continue;
        const p = f32x4.mul(v128.load(shared.snapshot + rowOffset(i)), gravity);
        const height = -(f32x4.extract_lane(p, 0) + f32x4.extract_lane(p, 1) + f32x4.extract_lane(p, 2));
        store<f32>(heights + (<usize>i << 2), height);
        if (height < least) least = height;
        if (height > most) most = height;
    }
    const range = most - least;
    if (!(range > 0)) return false;
    steps = min<u32>(MAX_STEPS, shared.cellCount >>> 1);
    lowest = least;
    inverse = (<f32>steps / 2) / range;
    return inverse > 0 && inverse < Infinity;
}

/** The step of the pair at a slot, by how high both its particles are. */
// @ts-ignore: decorator
@inline
function stepOf(heights: usize, pair: usize): u32 {
    const a = float(heights, load<u32>(pair, PairRecord.a)) - lowest;
    const b = float(heights, load<u32>(pair, PairRecord.b)) - lowest;
    return min<u32>(steps - 1, <u32>((a + b) * inverse));
}
