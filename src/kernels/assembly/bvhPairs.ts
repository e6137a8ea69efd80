/** Narrow phase of triangle self-collision. */
import { addIntersections } from "./intersections";
import { dotRows, splat3, square, sum3 } from "./simd";
import { SelfCollisionParameter, SelfContactArrays, SelfContactParameter, SelfContactCounter, BvhArrays, BvhBox, BvhFace, BvhTriangle } from "./layout.generated";
import { detectEdgeEdge, detectVertexFace } from "./trianglePairDistance";

/** Squared share of the distance at rest between parts of one cloth at which they have hardly come nearer ... */
const FLAT_COSINE: f32 = 0.9;
/** ... and squared difference of unit normals below which it is not folded: 30°. */
const UNFOLDED_RATIO: f32 = 0.27;

/**
 * Lists contacts and intersections between two triangle BVHs, or within one:
 *
 *     ●          particle over a triangle       ╲ ╱     two edges, one above the other
 *     ┊ n        C = n · (x - Σ w x)             ╳      C = n · (points nearest to each other)
 *     ▲                                         ╱ ╲
 *
 * Each pair of a particle and a triangle, and of two edges, is tested once, by the triangles that represent them (Curtis et al. 2008,
 * "Fast collision detection for deformable models using representative-triangles"). Without room for contacts, lists intersections alone.
 */
export function detectSelfContacts(contacts: SelfContactArrays, a: BvhArrays, b: BvhArrays): void {
    const stack = contacts.stack;
    const looksAtBends = a.hasLayers === 0 && load<f32>(contacts.shared.numbers, SelfCollisionParameter.listedDistance) === 0;
    const reach = load<f32>(contacts.numbers, SelfContactParameter.searchDistance);
    const leavesA = a.boxCount - a.leafCount;
    const leavesB = b.boxCount - b.leafCount;
    let budget = load<u32>(contacts.progress, SelfContactCounter.maxBoxPairs);
    let top = pushBoxes(stack, 0, 0);
    while (top > stack && load<u32>(contacts.progress, SelfContactCounter.overflowed) === 0) {
        top -= 8;
        const i = load<u32>(top);
        const j = load<u32>(top, 4);
        const isOne = a === b && i === j;
        const boxA = a.boxes + <usize>i * BvhBox.count;
        const boxB = b.boxes + <usize>j * BvhBox.count;
        if (!isOne && areApart(boxA, boxB, reach)) continue;
        if (budget-- === 0) store<u32>(contacts.progress, 1, SelfContactCounter.overflowed);
        const isLeafA = i >= leavesA;
        const isLeafB = j >= leavesB;
        if (a === b && (isOne || (isLeafA && isLeafB)) && looksAtBends && isFlat(boxA, boxB)) continue;
        if (isLeafA && isLeafB) {
            if (!isOne) detectTrianglePair(contacts, a, i - leavesA, b, j - leavesB, reach);
        } else if (isOne) {
            top = pushBoxes(top, 2 * i + 1, 2 * i + 1);
            top = pushBoxes(top, 2 * i + 1, 2 * i + 2);
            top = pushBoxes(top, 2 * i + 2, 2 * i + 2);
        } else if (isLeafB || (!isLeafA && sizeOf(boxA) >= sizeOf(boxB))) {
            top = pushBoxes(top, 2 * i + 1, j);
            top = pushBoxes(top, 2 * i + 2, j);
        } else {
            top = pushBoxes(top, i, 2 * j + 1);
            top = pushBoxes(top, i, 2 * j + 2);
        }
    }
}

// @ts-ignore: decorator
@inline
function pushBoxes(top: usize, i: u32, j: u32): usize {
    store<u32>(top, i);
    store<u32>(top, j, 4);
    return top + 8;
}

// @ts-ignore: decorator
@inline
function areApart(a: usize, b: usize, reach: f32): bool {
    const margin = f32x4.splat(reach);
    const isNear = v128.and(
        f32x4.le(v128.load(a, BvhBox.minimum), f32x4.add(v128.load(b, BvhBox.maximum), margin)),
        f32x4.le(v128.load(b, BvhBox.minimum), f32x4.add(v128.load(a, BvhBox.maximum), margin)),
    );
    return (i32x4.bitmask(isNear) & 7) !== 7;
}

// @ts-ignore: decorator
@inline
function sizeOf(box: usize): f32 {
    return sum3(f32x4.sub(v128.load(box, BvhBox.maximum), v128.load(box, BvhBox.minimum)));
}

/** Position of a triangle relative to a plane: farther than the contact distance, on one side, or on both. */
const IS_APART: u32 = 0;
const IS_BESIDE: u32 = 1;
const IS_ACROSS: u32 = 2;
/** Safety factor: beyond this multiple of the contact distance no rounding error can produce a contact. */
const IS_CERTAIN: f32 = 1.01;

function detectTrianglePair(contacts: SelfContactArrays, a: BvhArrays, s: u32, b: BvhArrays, t: u32, least: f32): void {
    const displacementS = v128.load(a.faces + <usize>s * BvhFace.count, BvhFace.displacement);
    const displacementT = v128.load(b.faces + <usize>t * BvhFace.count, BvhFace.displacement);
    const approach = sqrt<f32>(sum3(square(f32x4.sub(displacementS, displacementT)))) + f32x4.extract_lane(displacementS, 3) + f32x4.extract_lane(displacementT, 3);
    const reach = least + approach;
    const overS = measureHeights(b, t, a, s);
    const across = snapshotAt(overS, reach);
    if (across === IS_APART) return;
    const overT = measureHeights(a, s, b, t);
    const acrossToo = snapshotAt(overT, reach);
    if (acrossToo === IS_APART) return;
    if (across + acrossToo === 2 * IS_ACROSS && addIntersections(contacts, a, s, b, t, overS, overT)) return;
    if (contacts.capacity === 0) return;
    const ownedS = load<u32>(a.triangles + <usize>s * BvhTriangle.count, BvhTriangle.ownership);
    const ownedT = load<u32>(b.triangles + <usize>t * BvhTriangle.count, BvhTriangle.ownership);
    const far = reach * IS_CERTAIN;
    const near = f32x4.splat(reach);
    const nearS = ownedS & i32x4.bitmask(f32x4.lt(f32x4.abs(overS), near));
    const nearT = ownedT & i32x4.bitmask(f32x4.lt(f32x4.abs(overT), near));
    for (let k: u32 = 0; k < 3; k++) {
        if ((nearS >> k) & 1) detectVertexFace(contacts, a, s, k, b, t, heightOf(overS, k), approach, far);
        if ((nearT >> k) & 1) detectVertexFace(contacts, b, t, k, a, s, heightOf(overT, k), approach, far);
    }
    const edgesS = (ownedS >> 3) & ~edgesBeside(overS, far);
    const edgesT = (ownedT >> 3) & ~edgesBeside(overT, far);
    if (edgesT === 0) return;
    for (let k: u32 = 0; k < 3; k++) {
        if (!((edgesS >> k) & 1)) continue;
        for (let l: u32 = 0; l < 3; l++) if ((edgesT >> l) & 1) detectEdgeEdge(contacts, a, s, k, b, t, l, approach, far);
    }
}

/** Bits of the edges that are farther to one side of the other triangle's plane. */
// @ts-ignore: decorator
@inline
function edgesBeside(over: v128, far: f32): u32 {
    const above = i32x4.bitmask(f32x4.gt(over, f32x4.splat(far))) & 7;
    const below = i32x4.bitmask(f32x4.lt(over, f32x4.splat(-far))) & 7;
    return (above & ((above >> 1) | (above << 2))) | (below & ((below >> 1) | (below << 2)));
}

/**
 * True if the contents of two boxes of a cloth cannot collide: neither is folded, and the boxes are no nearer to each other than at rest
 * (after Volino and Magnenat-Thalmann 1994, "Efficient self-collision detection on smoothly discretized surface animations").
 */
// @ts-ignore: decorator
@inline
function isFlat(p: usize, q: usize): bool {
    const least = f32x4.pmin(v128.load(p, BvhBox.minNormal), v128.load(q, BvhBox.minNormal));
    const most = f32x4.pmax(v128.load(p, BvhBox.maxNormal), v128.load(q, BvhBox.maxNormal));
    if (!(sum3(square(f32x4.sub(most, least))) <= UNFOLDED_RATIO)) return false;
    const now = square(f32x4.sub(v128.load(p, BvhBox.centre), v128.load(q, BvhBox.centre)));
    const rest = square(f32x4.sub(v128.load(p, BvhBox.restCentre), v128.load(q, BvhBox.restCentre)));
    return sum3(now) >= FLAT_COSINE * sum3(rest);
}

/** Heights of the corners of a triangle over the plane of another. */
// @ts-ignore: decorator
@inline
function measureHeights(b: BvhArrays, t: u32, a: BvhArrays, s: u32): v128 {
    const plane = v128.load(b.faces + <usize>t * BvhFace.count);
    const corners = a.faces + <usize>s * BvhFace.count + BvhFace.corners;
    const third = v128.load(corners, 32);
    const along = dotRows(plane, v128.load(corners), plane, v128.load(corners, 16), plane, third, plane, third);
    return f32x4.sub(along, splat3(plane));
}

// @ts-ignore: decorator
@inline
function snapshotAt(over: v128, reach: f32): u32 {
    const over0 = f32x4.extract_lane(over, 0);
    const over1 = f32x4.extract_lane(over, 1);
    const over2 = f32x4.extract_lane(over, 2);
    const least = min(min(over0, over1), over2);
    const most = max(max(over0, over1), over2);
    if (!(least < reach && most > -reach)) return IS_APART;
    return least < 0 && most >= 0 ? IS_ACROSS : IS_BESIDE;
}

// @ts-ignore: decorator
@inline
function heightOf(over: v128, k: u32): f32 {
    return k === 0 ? f32x4.extract_lane(over, 0) : k === 1 ? f32x4.extract_lane(over, 1) : f32x4.extract_lane(over, 2);
}
