/** Lists of touches, of which these are the very numbers, in doubles. */
import { Crossing, CrowdNumber, rowOffset, Touch, TouchArrays, TouchNumber, TouchProgress, WebArrays, WebFace, WebTriangle, wordOffset } from "./layout.generated";
import { float, put, word } from "./words";

/** Touches within a cloth keep at most this share of their distance at rest: it folds as sharply as it likes. */
const REST_SHARE: f64 = 0.6;
/** Share of the distance to what is nearest that a particle may come before it may have passed (Chen et al. 2025, "Offset geometric contact"). */
const BOUND: f64 = 0.42;
/** Share of how far it is apart that a touch keeps until it is listed anew, and share of its distance below which it comes no nearer at all. */
const GUARDED: f64 = 0.1;
const LEAST: f64 = 0.02;
/** Distance that 32-bit floats do not tell from none, as a share of the coordinates of four particles, in sum ... */
const ROUNDED: f64 = 5.9604644775390625e-8;
/** ... and share of what they are to keep that both sides have to be apart: slivers have nearest points that do not part them. */
const PARTED: f64 = 0.9;
/** How far guards are listed at most, in margins: what is thick for its mesh would guard all against all. */
const GUARDED_MARGINS: f64 = 3;

// The touch that is being added.
let row0: u32 = 0;
let row1: u32 = 0;
let row2: u32 = 0;
let row3: u32 = 0;
let weight0: f64 = 0;
let weight1: f64 = 0;
let weight2: f64 = 0;
let weight3: f64 = 0;
let normalX: f64 = 0;
let normalY: f64 = 0;
let normalZ: f64 = 0;

// @ts-ignore: decorator
@inline
export function lane(row: usize, c: usize): f64 {
    return <f64>float(row, c);
}

// @ts-ignore: decorator
@inline
export function faceOf(web: WebArrays, t: u32): usize {
    return web.faces + <usize>t * WebFace.count;
}

/** Where the `k`-th corner of a triangle is. */
// @ts-ignore: decorator
@inline
export function placeOf(web: WebArrays, t: u32, k: u32): usize {
    return faceOf(web, t) + WebFace.corners + rowOffset(k);
}

// @ts-ignore: decorator
@inline
export function cornerOf(web: WebArrays, t: u32, k: u32): u32 {
    return web.member.first + word(web.triangles + <usize>t * WebTriangle.count, k);
}

/** Sets the rows of the touch that is being added; whether one is of both sides. @param firsts see Touch */
export function setRows(a: u32, b: u32, c: u32, d: u32, firsts: u32): bool {
    row0 = a;
    row1 = b;
    row2 = c;
    row3 = d;
    if (firsts === 1) return a === b || a === c || a === d;
    return a === c || a === d || b === c || b === d;
}

export function setWeights(a: f64, b: f64, c: f64, d: f64): void {
    weight0 = a;
    weight1 = b;
    weight2 = c;
    weight3 = d;
}

export function setNormal(x: f64, y: f64, z: f64): void {
    normalX = x;
    normalY = y;
    normalZ = z;
}

/**
 * Adds a touch or a guard to the lists, unless it is too far.
 * @param apart how far both sides are apart [m]; `approach` how far they may come against each other in this substep [m]; `firsts` see Touch
 * @param answers whether it is a touch: of several that have the same nearest points, one is
 */
export function addTouch(touches: TouchArrays, isOwn: bool, apart: f64, approach: f64, firsts: u32, answers: bool): void {
    const crowd = touches.crowd;
    const numbers = touches.numbers;
    const progress = touches.progress;
    let distance = <f64>load<f32>(numbers, TouchNumber.distance);
    const margin = <f64>load<f32>(numbers, TouchNumber.reach) - distance;
    if (!(apart < distance + margin + approach)) return;
    if (isOwn) distance = min<f64>(distance, REST_SHARE * restDistance(crowd.rest));
    const likely = answers ? distance + margin : min<f64>(distance + margin, GUARDED_MARGINS * margin);
    const most = max<f64>(<f64>load<f32>(crowd.numbers, CrowdNumber.listed), likely);
    if (!(apart < most + approach)) return;
    const touchCount = load<u32>(progress, TouchProgress.touchCount);
    const guardCount = load<u32>(progress, TouchProgress.guardCount);
    if (touchCount + guardCount === touches.capacity) {
        store<u32>(progress, 1, TouchProgress.isFull);
        return;
    }
    let o = touches.touches;
    if (answers) {
        o += <usize>touchCount * Touch.count;
        store<u32>(progress, touchCount + 1, TouchProgress.touchCount);
    } else {
        o += <usize>(touches.capacity - 1 - guardCount) * Touch.count;
        store<u32>(progress, guardCount + 1, TouchProgress.guardCount);
    }
    store<u32>(o, row0);
    store<u32>(o, row1, 4);
    store<u32>(o, row2, 8);
    store<u32>(o, row3, 12);
    store<f32>(o, <f32>weight0, Touch.weights);
    store<f32>(o, <f32>weight1, Touch.weights + 4);
    store<f32>(o, <f32>weight2, Touch.weights + 8);
    store<f32>(o, <f32>weight3, Touch.weights + 12);
    store<f32>(o, <f32>normalX, Touch.normal);
    store<f32>(o, <f32>normalY, Touch.normal + 4);
    store<f32>(o, <f32>normalZ, Touch.normal + 8);
    store<f32>(o, <f32>distance, Touch.distance);
    store<f32>(o, load<f32>(numbers, TouchNumber.friction), Touch.friction);
    const kept = min<f64>(apart, max<f64>(GUARDED * min<f64>(apart, distance), LEAST * distance));
    const hasSides = areParted(crowd.points, firsts, PARTED * kept);
    store<f32>(o, hasSides ? <f32>kept : -Infinity, Touch.gap);
    store<u32>(o, firsts, Touch.firsts);
    const bound = hasSides ? <f32>(BOUND * apart) : <f32>Infinity;
    hold(touches, row0, bound);
    hold(touches, row1, bound);
    hold(touches, row2, bound);
    hold(touches, row3, bound);
}

// @ts-ignore: decorator
@inline
function hold(touches: TouchArrays, particle: u32, bound: f32): void {
    mark(touches.crowd.slots, particle);
    const place = touches.bounds + wordOffset(particle);
    store<f32>(place, min(load<f32>(place), bound));
}

// @ts-ignore: decorator
@inline
export function mark(slots: usize, particle: u32): void {
    put(slots, particle, 0);
}

/** Whether both sides are apart along the normal by more than so much [m], and by more than is rounded. */
function areParted(points: usize, firsts: u32, kept: f64): bool {
    const a = heightOf(points, row0);
    const b = heightOf(points, row1);
    const c = heightOf(points, row2);
    const d = heightOf(points, row3);
    const least = firsts === 1 ? a : min<f64>(a, b);
    const most = max<f64>(firsts === 1 ? max<f64>(b, c) : c, d);
    const sum = sizeOf(points, row0) + sizeOf(points, row1) + sizeOf(points, row2) + sizeOf(points, row3);
    return least - most > max<f64>(kept, ROUNDED * sum);
}

// @ts-ignore: decorator
@inline
function heightOf(points: usize, particle: u32): f64 {
    const row = points + rowOffset(particle);
    return normalX * lane(row, 0) + normalY * lane(row, 1) + normalZ * lane(row, 2);
}

// @ts-ignore: decorator
@inline
function sizeOf(points: usize, particle: u32): f64 {
    const row = points + rowOffset(particle);
    return abs<f64>(lane(row, 0)) + abs<f64>(lane(row, 1)) + abs<f64>(lane(row, 2));
}

/** How far the two points of a touch are apart at rest [m]. */
function restDistance(rest: usize): f64 {
    const a = rest + rowOffset(row0);
    const b = rest + rowOffset(row1);
    const c = rest + rowOffset(row2);
    const d = rest + rowOffset(row3);
    let squared: f64 = 0;
    for (let k: usize = 0; k < 3; k++) {
        const apart = weight0 * lane(a, k) + weight1 * lane(b, k) + weight2 * lane(c, k) + weight3 * lane(d, k);
        squared += apart * apart;
    }
    return sqrt<f64>(squared);
}

/** Begins new lists. */
export function beginTouches(touches: TouchArrays): void {
    const progress = touches.progress;
    for (let i: u32 = 0; i < touches.particleCount; i++) store<f32>(touches.bounds + wordOffset(i), Infinity);
    store<u32>(progress, 0, TouchProgress.touchCount);
    store<u32>(progress, 0, TouchProgress.guardCount);
    store<u32>(progress, 0, TouchProgress.crossingCount);
    store<u32>(progress, 0, TouchProgress.isFull);
}

/** What is at a crossing, while lists are being made: a mark among the slots. */
const TANGLED: u32 = 1;

/** Leaves out what would keep in each other what has passed: touches both sides of which are at crossings. */
export function dropTangled(touches: TouchArrays): void {
    const slots = touches.crowd.slots;
    const progress = touches.progress;
    let crossing = touches.crossings;
    const end = crossing + <usize>load<u32>(progress, TouchProgress.crossingCount) * Crossing.count;
    if (crossing === end) return;
    for (; crossing < end; crossing += Crossing.count) {
        for (let k: usize = 0; k < 20; k += 4) put(slots, load<u32>(crossing + k), TANGLED);
    }
    const last = touches.touches + <usize>(touches.capacity - 1) * Touch.count;
    const touchCount = keepFree(touches.touches, slots, load<u32>(progress, TouchProgress.touchCount), Touch.count);
    const guardCount = keepFree(last, slots, load<u32>(progress, TouchProgress.guardCount), <usize>-Touch.count);
    store<u32>(progress, touchCount, TouchProgress.touchCount);
    store<u32>(progress, guardCount, TouchProgress.guardCount);
}

/** Moves the records that stay together, from the first one on. @returns how many they are */
function keepFree(record: usize, slots: usize, count: u32, step: usize): u32 {
    let kept: u32 = 0;
    let to = record;
    for (let i: u32 = 0; i < count; i++) {
        const firsts = load<u32>(record, Touch.firsts);
        let sides: u32 = 0;
        for (let k: u32 = 0; k < 4; k++) if (word(slots, word(record, k)) === TANGLED) sides |= k < firsts ? 1 : 2;
        if (sides !== 3) {
            memory.copy(to, record, Touch.count);
            to += step;
            kept++;
        }
        record += step;
    }
    return kept;
}

/** Has touches, guards and crossings name the places of their particles, once those are laid. */
export function layTouches(touches: TouchArrays): void {
    const progress = touches.progress;
    const slots = touches.crowd.slots;
    store<u32>(progress, 0, TouchProgress.readCount);
    const guards = load<u32>(progress, TouchProgress.guardCount);
    nameRows(touches.touches, load<u32>(progress, TouchProgress.touchCount), Touch.count, 4, slots);
    nameRows(touches.touches + <usize>(touches.capacity - guards) * Touch.count, guards, Touch.count, 4, slots);
    nameRows(touches.crossings, load<u32>(progress, TouchProgress.crossingCount), Crossing.count, 5, slots);
}

// @ts-ignore: decorator
@inline
function nameRows(record: usize, count: u32, size: usize, particles: usize, slots: usize): void {
    for (const end = record + <usize>count * size; record < end; record += size) {
        for (let k: usize = 0; k < wordOffset(particles); k += 4) store<u32>(record + k, <u32>rowOffset(word(slots, load<u32>(record + k))));
    }
}
