/** Lists of touches; specification: scalar/touchLists.ts, of which these are the very numbers, in doubles. */
import { Crossing, Touch, TouchArrays, TouchNumber, TouchProgress, WebArrays, WebFace, WebTriangle, particleAt, rowOffset } from "./layout.generated";
import { NONE, word } from "./words";

const REST_SHARE: f64 = 0.6;
const BESIDE: f64 = 0.05;
const SHARED: f64 = BESIDE / 4;
const ENDS: f64 = 0.02;
const PARALLEL: f64 = 0.01;
const BOUND: f64 = 0.42;
const LOOSE: f64 = 0.05;
const LOST: f64 = 0.5;

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

/** Shares of a triangle's corners in the point that findShares was last asked for. */
export let share0: f64 = 0;
export let share1: f64 = 0;
export let share2: f64 = 0;

// @ts-ignore: decorator
@inline
export function lane(row: usize, c: usize): f64 {
    return <f64>load<f32>(row + (c << 2));
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

export function meetParticle(touches: TouchArrays, a: WebArrays, s: u32, k: u32, b: WebArrays, t: u32, height: f32): void {
    row0 = cornerOf(a, s, k);
    row1 = cornerOf(b, t, 0);
    row2 = cornerOf(b, t, 1);
    row3 = cornerOf(b, t, 2);
    if (row0 === row1 || row0 === row2 || row0 === row3) return;
    const p = placeOf(a, s, k);
    if (!findShares(b, t, lane(p, 0), lane(p, 1), lane(p, 2), -BESIDE) || isNeighbours(b, t)) return;
    weight0 = 1;
    weight1 = -share0;
    weight2 = -share1;
    weight3 = -share2;
    const face = faceOf(b, t);
    normalX = lane(face, 0);
    normalY = lane(face, 1);
    normalZ = lane(face, 2);
    addTouch(touches, a === b, <f64>height, 1);
}

function isNeighbours(web: WebArrays, t: u32): bool {
    const neighbours = web.triangles + <usize>t * WebTriangle.count + WebTriangle.neighbours;
    if (share2 < SHARED && word(neighbours, 0) < t) return true;
    if (share0 < SHARED && word(neighbours, 1) < t) return true;
    return share1 < SHARED && word(neighbours, 2) < t;
}

export function findShares(web: WebArrays, t: u32, x: f64, y: f64, z: f64, least: f64): bool {
    const o = placeOf(web, t, 0);
    const ux = lane(o, 4) - lane(o, 0);
    const uy = lane(o, 5) - lane(o, 1);
    const uz = lane(o, 6) - lane(o, 2);
    const vx = lane(o, 8) - lane(o, 0);
    const vy = lane(o, 9) - lane(o, 1);
    const vz = lane(o, 10) - lane(o, 2);
    const dx = x - lane(o, 0);
    const dy = y - lane(o, 1);
    const dz = z - lane(o, 2);
    const uu = ux * ux + uy * uy + uz * uz;
    const uv = ux * vx + uy * vy + uz * vz;
    const vv = vx * vx + vy * vy + vz * vz;
    const du = dx * ux + dy * uy + dz * uz;
    const dv = dx * vx + dy * vy + dz * vz;
    const area = uu * vv - uv * uv;
    if (!(area > 0)) return false;
    share1 = (vv * du - uv * dv) / area;
    share2 = (uu * dv - uv * du) / area;
    share0 = 1 - share1 - share2;
    return share0 >= least && share1 >= least && share2 >= least;
}

export function meetEdges(touches: TouchArrays, a: WebArrays, s: u32, k: u32, b: WebArrays, t: u32, l: u32): void {
    const m = k === 2 ? 0 : k + 1;
    const n = l === 2 ? 0 : l + 1;
    row0 = cornerOf(a, s, k);
    row1 = cornerOf(a, s, m);
    row2 = cornerOf(b, t, l);
    row3 = cornerOf(b, t, n);
    if (row0 === row2 || row0 === row3 || row1 === row2 || row1 === row3) return;
    const p = placeOf(a, s, k);
    const q = placeOf(a, s, m);
    const i = placeOf(b, t, l);
    const j = placeOf(b, t, n);
    const ux = lane(q, 0) - lane(p, 0);
    const uy = lane(q, 1) - lane(p, 1);
    const uz = lane(q, 2) - lane(p, 2);
    const vx = lane(j, 0) - lane(i, 0);
    const vy = lane(j, 1) - lane(i, 1);
    const vz = lane(j, 2) - lane(i, 2);
    const dx = lane(p, 0) - lane(i, 0);
    const dy = lane(p, 1) - lane(i, 1);
    const dz = lane(p, 2) - lane(i, 2);
    const uu = ux * ux + uy * uy + uz * uz;
    const uv = ux * vx + uy * vy + uz * vz;
    const vv = vx * vx + vy * vy + vz * vz;
    const area = uu * vv - uv * uv;
    if (!(area > PARALLEL * uu * vv)) return;
    const du = dx * ux + dy * uy + dz * uz;
    const dv = dx * vx + dy * vy + dz * vz;
    const along = (uv * dv - vv * du) / area;
    if (!(along >= ENDS && along <= 1 - ENDS)) return;
    const alongOther = (uu * dv - uv * du) / area;
    if (!(alongOther >= ENDS && alongOther <= 1 - ENDS)) return;
    const scale = 1 / sqrt<f64>(area);
    normalX = (uy * vz - uz * vy) * scale;
    normalY = (uz * vx - ux * vz) * scale;
    normalZ = (ux * vy - uy * vx) * scale;
    weight0 = 1 - along;
    weight1 = along;
    weight2 = alongOther - 1;
    weight3 = -alongOther;
    addTouch(touches, a === b, normalX * dx + normalY * dy + normalZ * dz, 2);
}

function addTouch(touches: TouchArrays, isOwn: bool, height: f64, firsts: u32): void {
    const crowd = touches.crowd;
    const numbers = touches.numbers;
    const progress = touches.progress;
    let distance = <f64>load<f32>(numbers, TouchNumber.distance);
    const margin = <f64>load<f32>(numbers, TouchNumber.reach) - distance;
    if (isOwn) distance = min<f64>(distance, REST_SHARE * restDistance(crowd.rest));
    if (!(abs<f64>(height) < distance + margin)) return;
    const touch = load<u32>(progress, TouchProgress.touchCount);
    if (touch === touches.capacity) {
        store<u32>(progress, 1, TouchProgress.isFull);
        return;
    }
    store<u32>(progress, touch + 1, TouchProgress.touchCount);
    const o = touches.touches + <usize>touch * Touch.count;
    const side: f64 = height < 0 !== isKept(touches) ? -1 : 1;
    store<u32>(o, row0);
    store<u32>(o, row1, 4);
    store<u32>(o, row2, 8);
    store<u32>(o, row3, 12);
    store<f32>(o, <f32>weight0, Touch.weights);
    store<f32>(o, <f32>weight1, Touch.weights + 4);
    store<f32>(o, <f32>weight2, Touch.weights + 8);
    store<f32>(o, <f32>weight3, Touch.weights + 12);
    store<f32>(o, <f32>(normalX * side), Touch.normal);
    store<f32>(o, <f32>(normalY * side), Touch.normal + 4);
    store<f32>(o, <f32>(normalZ * side), Touch.normal + 8);
    store<f32>(o, <f32>distance, Touch.distance);
    store<f32>(o, load<f32>(numbers, TouchNumber.friction), Touch.friction);
    store<u32>(o, firsts, Touch.firsts);
    const bound = <f32>(BOUND * max<f64>(abs<f64>(height), LOOSE * distance));
    hold(touches, row0, bound);
    hold(touches, row1, bound);
    hold(touches, row2, bound);
    hold(touches, row3, bound);
}

// @ts-ignore: decorator
@inline
function hold(touches: TouchArrays, particle: u32, bound: f32): void {
    mark(touches.crowd.slots, particle);
    const place = touches.bounds + (<usize>particle << 2);
    store<f32>(place, min(load<f32>(place), bound));
}

// @ts-ignore: decorator
@inline
export function mark(slots: usize, particle: u32): void {
    store<u32>(slots + (<usize>particle << 2), 0);
}

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

// @ts-ignore: decorator
@inline
function heightOf(touch: usize, points: usize, row: u32): f64 {
    const p = points + rowOffset(row);
    const n = touch + Touch.normal;
    return lane(n, 0) * lane(p, 0) + lane(n, 1) * lane(p, 1) + lane(n, 2) * lane(p, 2);
}

export function beginTouches(touches: TouchArrays): void {
    const crowd = touches.crowd;
    const progress = touches.progress;
    if (load<u32>(progress, TouchProgress.keptCount) > 0) memory.fill(touches.kept, 0xff, <usize>touches.keptCapacity << 4);
    let kept: u32 = 0;
    store<u32>(progress, 0, TouchProgress.keptCount);
    let touch = touches.touches;
    const points = crowd.points;
    for (const end = touch + <usize>load<u32>(progress, TouchProgress.touchCount) * Touch.count; touch < end; touch += Touch.count) {
        row0 = word(crowd.placed, particleAt(load<u32>(touch)));
        row1 = word(crowd.placed, particleAt(load<u32>(touch, 4)));
        row2 = word(crowd.placed, particleAt(load<u32>(touch, 8)));
        row3 = word(crowd.placed, particleAt(load<u32>(touch, 12)));
        const w = touch + Touch.weights;
        const height =
            lane(w, 0) * heightOf(touch, points, row0) +
            lane(w, 1) * heightOf(touch, points, row1) +
            lane(w, 2) * heightOf(touch, points, row2) +
            lane(w, 3) * heightOf(touch, points, row3);
        if (!(height < 0 && height > -LOST * <f64>load<f32>(touch, Touch.distance))) continue;
        if (kept << 1 >= touches.keptCapacity) break;
        const slot = slotOf(touches);
        store<u32>(slot, row0);
        store<u32>(slot, row1, 4);
        store<u32>(slot, row2, 8);
        store<u32>(slot, row3, 12);
        kept++;
    }
    store<u32>(progress, kept, TouchProgress.keptCount);
    for (let i: u32 = 0; i < touches.particleCount; i++) store<f32>(touches.bounds + (<usize>i << 2), Infinity);
    store<u32>(progress, 0, TouchProgress.touchCount);
    store<u32>(progress, 0, TouchProgress.crossingCount);
    store<u32>(progress, 0, TouchProgress.isFull);
}

function isKept(touches: TouchArrays): bool {
    return load<u32>(touches.progress, TouchProgress.keptCount) > 0 && load<u32>(slotOf(touches)) !== NONE;
}

function slotOf(touches: TouchArrays): usize {
    let hash = (row0 * 0x9e3779b1) ^ row1;
    hash = (hash * 0x9e3779b1) ^ row2;
    hash = (hash * 0x9e3779b1) ^ row3;
    hash ^= hash >> 15;
    const mask = touches.keptCapacity - 1;
    let slot = touches.kept + rowOffset(hash & mask);
    while (load<u32>(slot) !== NONE && !isAt(slot)) slot = touches.kept + rowOffset(++hash & mask);
    return slot;
}

// @ts-ignore: decorator
@inline
function isAt(slot: usize): bool {
    return load<u32>(slot) === row0 && load<u32>(slot, 4) === row1 && load<u32>(slot, 8) === row2 && load<u32>(slot, 12) === row3;
}

export function layTouches(touches: TouchArrays): void {
    const progress = touches.progress;
    const slots = touches.crowd.slots;
    nameRows(touches.touches, load<u32>(progress, TouchProgress.touchCount), Touch.count, 4, slots);
    nameRows(touches.crossings, load<u32>(progress, TouchProgress.crossingCount), Crossing.count, 5, slots);
}

// @ts-ignore: decorator
@inline
function nameRows(record: usize, count: u32, size: usize, particles: usize, slots: usize): void {
    for (const end = record + <usize>count * size; record < end; record += size) {
        for (let k: usize = 0; k < particles << 2; k += 4) store<u32>(record + k, word(slots, load<u32>(record + k)) << 4);
    }
}
