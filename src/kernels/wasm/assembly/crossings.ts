/** Edges that pass through triangles, of which these are the very numbers, in doubles. */
import { Crossing, CrowdNumber, TouchArrays, TouchNumber, TouchProgress, WebArrays, WebFace, WebTriangle, wordOffset } from "./layout.generated";
import { findFoot, share0, share1, share2 } from "./nearest";
import { cornerOf, faceOf, lane, mark, placeOf } from "./touchLists";
import { LEVER } from "./touches";
import { NONE, word } from "./words";

/** Sine of two triangles that lie in one plane: they have no line in common. */
const LEVEL: f64 = 1e-4;
/** Share of what is crossed moves against each other that is lost in a substep. */
const STUCK: f64 = 0.5;

/**
 * Lists the edges of each of two triangles that pass through the other; whether any does.
 * @param over heights of the corners of the first over the second, and of the second over the first [m]
 */
// @ts-ignore: decorator
@inline
export function addCrossings(
    touches: TouchArrays, a: WebArrays, s: u32, b: WebArrays, t: u32, overS: v128, overT: v128,
): bool {
    const s0 = f32x4.extract_lane(overS, 0);
    const s1 = f32x4.extract_lane(overS, 1);
    const s2 = f32x4.extract_lane(overS, 2);
    const t0 = f32x4.extract_lane(overT, 0);
    const t1 = f32x4.extract_lane(overT, 1);
    const t2 = f32x4.extract_lane(overT, 2);
    let isCrossed = tryEdge(touches, a, s, 0, b, t, s0, s1);
    isCrossed = tryEdge(touches, b, t, 0, a, s, t0, t1) || isCrossed;
    isCrossed = tryEdge(touches, a, s, 1, b, t, s1, s2) || isCrossed;
    isCrossed = tryEdge(touches, b, t, 1, a, s, t1, t2) || isCrossed;
    isCrossed = tryEdge(touches, a, s, 2, b, t, s2, s0) || isCrossed;
    return tryEdge(touches, b, t, 2, a, s, t2, t0) || isCrossed;
}

/** The point in which an edge goes through a triangle, as a share of the edge, and the point itself [m]. */
// The point in which an edge goes through a triangle, as a share of the edge.
let passage: f64 = 0;

function tryEdge(touches: TouchArrays, a: WebArrays, s: u32, k: u32, b: WebArrays, t: u32, p: f32, q: f32): bool {
    if (!crosses(a, s, k, b, t, <f64>p, <f64>q)) return false;
    addCrossing(touches, a, s, k, b, t);
    return true;
}

/** Whether the `k`-th edge of a triangle goes through another. @param p heights of its ends [m] */
function crosses(a: WebArrays, s: u32, k: u32, b: WebArrays, t: u32, p: f64, q: f64): bool {
    if (p < 0 === q < 0) return false;
    const l = k === 2 ? 0 : k + 1;
    if (a === b && (isCorner(a, t, cornerOf(a, s, k)) || isCorner(a, t, cornerOf(a, s, l)))) return false;
    const o = placeOf(a, s, k);
    const u = placeOf(a, s, l);
    passage = p / (p - q);
    const x = lane(o, 0) + passage * (lane(u, 0) - lane(o, 0));
    const y = lane(o, 1) + passage * (lane(u, 1) - lane(o, 1));
    const z = lane(o, 2) + passage * (lane(u, 2) - lane(o, 2));
    return findFoot(b, t, x, y, z);
}

function isCorner(web: WebArrays, t: u32, particle: u32): bool {
    return cornerOf(web, t, 0) === particle || cornerOf(web, t, 1) === particle || cornerOf(web, t, 2) === particle;
}

// What shortens the line of intersection.
let gradientX: f64 = 0;
let gradientY: f64 = 0;
let gradientZ: f64 = 0;

/** Adds the edge that has just been found to pass, if the triangle owns it. */
function addCrossing(touches: TouchArrays, a: WebArrays, s: u32, k: u32, b: WebArrays, t: u32): void {
    const progress = touches.progress;
    const slots = touches.crowd.slots;
    const triangle = a.triangles + <usize>s * WebTriangle.count;
    if (!((load<u32>(triangle, WebTriangle.owned) >> (3 + k)) & 1)) return;
    const crossing = load<u32>(progress, TouchProgress.crossingCount);
    if (crossing === touches.crossingCapacity) {
        store<u32>(progress, 1, TouchProgress.isFull);
        return;
    }
    gradientX = gradientY = gradientZ = 0;
    addLine(a, s, k, s, b, t);
    const neighbour = word(triangle + WebTriangle.neighbours, k);
    if (neighbour !== NONE) addLine(a, s, k, neighbour, b, t);
    const length = sqrt<f64>(gradientX * gradientX + gradientY * gradientY + gradientZ * gradientZ);
    const scale = length > 0 ? <f64>load<f32>(touches.numbers, TouchNumber.pull) / max<f64>(1, length) : 0;
    store<u32>(progress, crossing + 1, TouchProgress.crossingCount);
    const o = touches.crossings + <usize>crossing * Crossing.count;
    const p = cornerOf(a, s, k);
    const q = cornerOf(a, s, k === 2 ? 0 : k + 1);
    store<u32>(o, p);
    store<u32>(o, q, 4);
    mark(slots, p);
    mark(slots, q);
    for (let c: u32 = 0; c < 3; c++) {
        const corner = cornerOf(b, t, c);
        store<u32>(o + wordOffset(c), corner, 8);
        mark(slots, corner);
    }
    store<f32>(o, <f32>(1 - passage), Crossing.weights);
    store<f32>(o, <f32>passage, Crossing.weights + 4);
    store<f32>(o, <f32>-share0, Crossing.weights + 8);
    store<f32>(o, <f32>-share1, Crossing.weights + 12);
    store<f32>(o, <f32>-share2, Crossing.weights + 16);
    store<f32>(o, <f32>(gradientX * scale), Crossing.displacement);
    store<f32>(o, <f32>(gradientY * scale), Crossing.displacement + 4);
    store<f32>(o, <f32>(gradientZ * scale), Crossing.displacement + 8);
}

/**
 * Adds what the line that one triangle at an edge has in common with the pierced one asks for: along it from the edge on it gets shorter,
 *
 *     R - (E · R) / (E · N) N      E the edge, R the unit direction of the line into the triangle, N the normal of the pierced one
 *
 * (after Volino and Magnenat-Thalmann 2006, "Resolving surface collisions through intersection contour minimization").
 */
function addLine(a: WebArrays, s: u32, k: u32, face: u32, b: WebArrays, t: u32): void {
    const p = placeOf(a, s, k);
    const q = placeOf(a, s, k === 2 ? 0 : k + 1);
    const m = faceOf(a, face);
    const n = faceOf(b, t);
    const ex = lane(q, 0) - lane(p, 0);
    const ey = lane(q, 1) - lane(p, 1);
    const ez = lane(q, 2) - lane(p, 2);
    let rx = lane(m, 1) * lane(n, 2) - lane(m, 2) * lane(n, 1);
    let ry = lane(m, 2) * lane(n, 0) - lane(m, 0) * lane(n, 2);
    let rz = lane(m, 0) * lane(n, 1) - lane(m, 1) * lane(n, 0);
    const length = sqrt<f64>(rx * rx + ry * ry + rz * rz);
    const through = ex * lane(n, 0) + ey * lane(n, 1) + ez * lane(n, 2);
    if (!(length > LEVEL) || through === 0) return;
    const edge = ex * ex + ey * ey + ez * ez;
    const centre = m + WebFace.centre;
    const cx = lane(centre, 0) / 3 - lane(p, 0);
    const cy = lane(centre, 1) / 3 - lane(p, 1);
    const cz = lane(centre, 2) / 3 - lane(p, 2);
    const along = (ex * cx + ey * cy + ez * cz) / edge;
    const into = rx * (cx - along * ex) + ry * (cy - along * ey) + rz * (cz - along * ez);
    const scale = (into < 0 ? <f64>-1 : <f64>1) / length;
    rx *= scale;
    ry *= scale;
    rz *= scale;
    const rise = (ex * rx + ey * ry + ez * rz) / through;
    gradientX += rx - rise * lane(n, 0);
    gradientY += ry - rise * lane(n, 1);
    gradientZ += rz - rise * lane(n, 2);
}

/**
 * Moves what passes through each other on, out of it. Nothing is thrown: places alone are moved; and what constraints answer to that, which
 * is speed, is taken off, a share of what the edge moves against the triangle in each substep.
 */
export function pullCrossings(touches: TouchArrays): void {
    const places = touches.crowd.places;
    const velocities = touches.crowd.velocities;
    const pushShare = <f64>load<f32>(touches.crowd.numbers, CrowdNumber.pushShare);
    let crossing = touches.crossings;
    const end = crossing + <usize>load<u32>(touches.progress, TouchProgress.crossingCount) * Crossing.count;
    for (; crossing < end; crossing += Crossing.count) {
        let sum: f64 = 0;
        let largest: f64 = 0;
        for (let k: usize = 0; k < 20; k += 4) {
            const w = <f64>load<f32>(crossing + k, Crossing.weights);
            const m = w * <f64>load<f32>(places + load<u32>(crossing + k), 12);
            sum += w * m;
            largest = max<f64>(largest, abs<f64>(m));
        }
        if (!(largest > 0)) continue;
        sum = max<f64>(sum, LEVER * largest);
        for (let c: usize = 0; c < 12; c += 4) {
            let speed: f64 = 0;
            for (let k: usize = 0; k < 20; k += 4)
                speed += <f64>load<f32>(crossing + k, Crossing.weights) * <f64>load<f32>(velocities + load<u32>(crossing + k) + c);
            const taken = STUCK * speed;
            const pulled = pushShare * <f64>load<f32>(crossing + c, Crossing.displacement);
            for (let k: usize = 0; k < 20; k += 4) {
                const row = <usize>load<u32>(crossing + k);
                const share = (<f64>load<f32>(crossing + k, Crossing.weights) * <f64>load<f32>(places + row, 12)) / sum;
                store<f32>(places + row + c, <f32>(<f64>load<f32>(places + row + c) + share * pulled));
                store<f32>(velocities + row + c, <f32>(<f64>load<f32>(velocities + row + c) - share * taken));
            }
        }
    }
}
