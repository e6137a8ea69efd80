import { CrowdNumber } from "../crowdLayout";
import { ROW, rowOffset } from "../layout";
import { Crossing, Touch, TouchNumber, TouchProgress } from "../touchLayout";
import type { TouchArrays } from "../touchLayout";

/** Touches within a cloth keep at most this share of their distance at rest: it folds as sharply as it likes. */
const REST_SHARE = 0.6;
/** Share of the distance to what is nearest that a particle may come before it may have passed (Chen et al. 2025, "Offset geometric contact"). */
const BOUND = 0.42;
/** Share of how far it is apart that a touch keeps until it is listed anew, and share of its distance below which it comes no nearer at all. */
const GUARDED = 0.1;
const LEAST = 0.02;
/** Distance that 32-bit floats do not tell from none, as a share of the coordinates of four particles, in sum ... */
const ROUNDED = 2 ** -24;
/** ... and share of what they are to keep that both sides have to be apart: slivers have nearest points that do not part them. */
const PARTED = 0.9;
/** How far guards are listed at most, in margins: what is thick for its mesh would guard all against all. */
const GUARDED_MARGINS = 3;

/** The touch that is being added: its particles, weights and normal, from the second side to the first. */
export const rows = new Uint32Array(4);
export const weights = new Float64Array(4);
export const normal = new Float64Array(3);

/**
 * Adds a touch or a guard to the lists, unless it is too far.
 * @param apart how far both sides are apart [m]; `approach` how far they may come against each other in this substep [m]; `firsts` see Touch
 * @param answers whether it is a touch: of several that have the same nearest points, one is
 */
export function addTouch(
    touches: TouchArrays,
    isOwn: boolean,
    apart: number,
    approach: number,
    firsts: number,
    answers: boolean,
): void {
    const { crowd, numbers, progress, touches: records, touchFloats: f, bounds } = touches;
    let distance = numbers[TouchNumber.distance];
    const margin = numbers[TouchNumber.reach] - distance;
    if (isOwn) distance = Math.min(distance, REST_SHARE * restDistance(crowd.rest));
    // What is not answered is only to be kept from passing.
    const most = Math.max(
        crowd.numbers[CrowdNumber.listed],
        answers ? distance + margin : Math.min(distance + margin, GUARDED_MARGINS * margin),
    );
    if (!(apart < most + approach)) return;
    const counter = answers ? TouchProgress.touchCount : TouchProgress.guardCount;
    if (progress[TouchProgress.touchCount] + progress[TouchProgress.guardCount] === touches.capacity) {
        progress[TouchProgress.isFull] = 1;
        return;
    }
    const o = (answers ? progress[counter] : touches.capacity - 1 - progress[counter]) * Touch.count;
    progress[counter]++;
    const kept = Math.min(apart, Math.max(GUARDED * Math.min(apart, distance), LEAST * distance));
    const hasSides = areParted(crowd.points, firsts, PARTED * kept);
    const bound = hasSides ? BOUND * apart : Infinity;
    for (let k = 0; k < 4; k++) {
        records[o + Touch.rows + k] = rows[k];
        f[o + Touch.weights + k] = weights[k];
        crowd.slots[rows[k]] = 0;
        bounds[rows[k]] = Math.min(bounds[rows[k]], bound);
    }
    for (let c = 0; c < 3; c++) f[o + Touch.normal + c] = normal[c];
    f[o + Touch.distance] = distance;
    f[o + Touch.friction] = numbers[TouchNumber.friction];
    f[o + Touch.gap] = hasSides ? kept : -Infinity;
    records[o + Touch.firsts] = firsts;
}

/** Whether both sides are apart along the normal by more than so much [m], and by more than is rounded. */
function areParted(points: Float32Array, firsts: number, kept: number): boolean {
    let least = Infinity;
    let most = -Infinity;
    let sum = 0;
    for (let k = 0; k < 4; k++) {
        const o = rows[k] * ROW;
        const height = normal[0] * points[o] + normal[1] * points[o + 1] + normal[2] * points[o + 2];
        if (k < firsts) least = Math.min(least, height);
        else most = Math.max(most, height);
        sum += Math.abs(points[o]) + Math.abs(points[o + 1]) + Math.abs(points[o + 2]);
    }
    return least - most > Math.max(kept, ROUNDED * sum);
}

/** How far the two points of a touch are apart at rest [m]. */
function restDistance(rest: Float32Array): number {
    let squared = 0;
    for (let c = 0; c < 3; c++) {
        let d = 0;
        for (let k = 0; k < 4; k++) d += weights[k] * rest[rows[k] * ROW + c];
        squared += d * d;
    }
    return Math.sqrt(squared);
}

/** Begins new lists. */
export function beginTouches({ progress, bounds }: TouchArrays): void {
    bounds.fill(Infinity);
    progress[TouchProgress.touchCount] = progress[TouchProgress.guardCount] = 0;
    progress[TouchProgress.crossingCount] = progress[TouchProgress.isFull] = 0;
}

/** What is at a crossing, while lists are being made: a mark among the slots. */
const TANGLED = 1;

/** Leaves out what would keep in each other what has passed: touches both sides of which are at crossings. */
export function dropTangled({ crowd, progress, touches, crossings, capacity }: TouchArrays): void {
    const { slots } = crowd;
    const end = progress[TouchProgress.crossingCount] * Crossing.count;
    if (end === 0) return;
    for (let o = 0; o < end; o += Crossing.count) for (let k = 0; k < 5; k++) slots[crossings[o + k]] = TANGLED;
    progress[TouchProgress.touchCount] = keepFree(touches, slots, 0, progress[TouchProgress.touchCount], 1);
    progress[TouchProgress.guardCount] = keepFree(touches, slots, capacity - 1, progress[TouchProgress.guardCount], -1);
}

/** Moves the records that stay together, from the first one on. @returns how many they are */
function keepFree(records: Uint32Array, slots: Uint32Array, first: number, count: number, step: number): number {
    let kept = 0;
    for (let i = 0; i < count; i++) {
        const o = (first + step * i) * Touch.count;
        const firsts = records[o + Touch.firsts];
        let sides = 0;
        for (let k = 0; k < 4; k++) if (slots[records[o + k]] === TANGLED) sides |= k < firsts ? 1 : 2;
        if (sides === 3) continue;
        records.copyWithin((first + step * kept) * Touch.count, o, o + Touch.count);
        kept++;
    }
    return kept;
}

/** Has touches, guards and crossings name the places of their particles, once those are laid. */
export function layTouches({ crowd, progress, touches, crossings, capacity }: TouchArrays): void {
    progress[TouchProgress.readCount] = 0;
    nameRows(touches, 0, progress[TouchProgress.touchCount], Touch.count, 4, crowd.slots);
    const guards = progress[TouchProgress.guardCount];
    nameRows(touches, capacity - guards, guards, Touch.count, 4, crowd.slots);
    nameRows(crossings, 0, progress[TouchProgress.crossingCount], Crossing.count, 5, crowd.slots);
}

function nameRows(records: Uint32Array, first: number, count: number, slots: number, particles: number, places: Uint32Array): void {
    const end = (first + count) * slots;
    for (let o = first * slots; o < end; o += slots)
        for (let k = 0; k < particles; k++) records[o + k] = rowOffset(places[records[o + k]]);
}
