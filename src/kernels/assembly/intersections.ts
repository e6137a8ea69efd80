/** Edges that pass through triangles, of which these are the very numbers, in doubles. */
import { IntersectionRecord, SelfCollisionParameter, SelfContactArrays, SelfContactParameter, SelfContactCounter, BvhArrays, BvhFace, BvhTriangle, wordOffset } from "./layout.generated";
import { findFoot, share0, share1, share2 } from "./trianglePairDistance";
import { cornerOf, faceOf, lane, markActive, positionOf } from "./contactLists";
import { MAX_LEVER } from "./selfContactResponse";
import { NONE, word } from "./memory";

/** Sine of two triangles that lie in one plane: they have no line in common. */
const PLANAR_SINE: f64 = 1e-4;
/** Share of an intersection's relative motion that is lost in a substep. */
const RESISTANCE: f64 = 0.5;

/**
 * Lists the edges of each of two triangles that pass through the other. Returns true if any does.
 * @param over heights of the corners of the first over the second, and of the second over the first [m]
 */
// @ts-ignore: decorator
@inline
export function addIntersections(
    contacts: SelfContactArrays, a: BvhArrays, s: u32, b: BvhArrays, t: u32, overS: v128, overT: v128,
): bool {
    const s0 = f32x4.extract_lane(overS, 0);
    const s1 = f32x4.extract_lane(overS, 1);
    const s2 = f32x4.extract_lane(overS, 2);
    const t0 = f32x4.extract_lane(overT, 0);
    const t1 = f32x4.extract_lane(overT, 1);
    const t2 = f32x4.extract_lane(overT, 2);
    let isIntersecting = testEdge(contacts, a, s, 0, b, t, s0, s1);
    isIntersecting = testEdge(contacts, b, t, 0, a, s, t0, t1) || isIntersecting;
    isIntersecting = testEdge(contacts, a, s, 1, b, t, s1, s2) || isIntersecting;
    isIntersecting = testEdge(contacts, b, t, 1, a, s, t1, t2) || isIntersecting;
    isIntersecting = testEdge(contacts, a, s, 2, b, t, s2, s0) || isIntersecting;
    return testEdge(contacts, b, t, 2, a, s, t2, t0) || isIntersecting;
}

/** The point in which an edge goes through a triangle, as a share of the edge, and the point itself [m]. */
// The point in which an edge goes through a triangle, as a share of the edge.
let edgeShare: f64 = 0;

function testEdge(contacts: SelfContactArrays, a: BvhArrays, s: u32, k: u32, b: BvhArrays, t: u32, p: f32, q: f32): bool {
    if (!crosses(a, s, k, b, t, <f64>p, <f64>q)) return false;
    addIntersection(contacts, a, s, k, b, t);
    return true;
}

/** True if the `k`-th edge of a triangle goes through another triangle. @param p heights of its ends [m] */
function crosses(a: BvhArrays, s: u32, k: u32, b: BvhArrays, t: u32, p: f64, q: f64): bool {
    if (p < 0 === q < 0) return false;
    const l = k === 2 ? 0 : k + 1;
    if (a === b && (isCorner(a, t, cornerOf(a, s, k)) || isCorner(a, t, cornerOf(a, s, l)))) return false;
    const o = positionOf(a, s, k);
    const u = positionOf(a, s, l);
    edgeShare = p / (p - q);
    const x = lane(o, 0) + edgeShare * (lane(u, 0) - lane(o, 0));
    const y = lane(o, 1) + edgeShare * (lane(u, 1) - lane(o, 1));
    const z = lane(o, 2) + edgeShare * (lane(u, 2) - lane(o, 2));
    return findFoot(b, t, x, y, z);
}

function isCorner(bvh: BvhArrays, t: u32, particle: u32): bool {
    return cornerOf(bvh, t, 0) === particle || cornerOf(bvh, t, 1) === particle || cornerOf(bvh, t, 2) === particle;
}

// Gradient that shortens the line of intersection.
let gradientX: f64 = 0;
let gradientY: f64 = 0;
let gradientZ: f64 = 0;

/** Adds the edge that has just been found to pass, if the triangle owns it. */
function addIntersection(contacts: SelfContactArrays, a: BvhArrays, s: u32, k: u32, b: BvhArrays, t: u32): void {
    const progress = contacts.progress;
    const slots = contacts.shared.slots;
    const triangle = a.triangles + <usize>s * BvhTriangle.count;
    if (!((load<u32>(triangle, BvhTriangle.ownership) >> (3 + k)) & 1)) return;
    const intersection = load<u32>(progress, SelfContactCounter.intersectionCount);
    if (intersection === contacts.intersectionCapacity) {
        store<u32>(progress, 1, SelfContactCounter.overflowed);
        return;
    }
    gradientX = gradientY = gradientZ = 0;
    addGradient(a, s, k, s, b, t);
    const neighbour = word(triangle + BvhTriangle.neighbours, k);
    if (neighbour !== NONE) addGradient(a, s, k, neighbour, b, t);
    const length = sqrt<f64>(gradientX * gradientX + gradientY * gradientY + gradientZ * gradientZ);
    const scale = length > 0 ? <f64>load<f32>(contacts.numbers, SelfContactParameter.untangleStep) / max<f64>(1, length) : 0;
    store<u32>(progress, intersection + 1, SelfContactCounter.intersectionCount);
    const o = contacts.intersections + <usize>intersection * IntersectionRecord.count;
    const p = cornerOf(a, s, k);
    const q = cornerOf(a, s, k === 2 ? 0 : k + 1);
    store<u32>(o, p);
    store<u32>(o, q, 4);
    markActive(slots, p);
    markActive(slots, q);
    for (let c: u32 = 0; c < 3; c++) {
        const corner = cornerOf(b, t, c);
        store<u32>(o + wordOffset(c), corner, 8);
        markActive(slots, corner);
    }
    store<f32>(o, <f32>(1 - edgeShare), IntersectionRecord.weights);
    store<f32>(o, <f32>edgeShare, IntersectionRecord.weights + 4);
    store<f32>(o, <f32>-share0, IntersectionRecord.weights + 8);
    store<f32>(o, <f32>-share1, IntersectionRecord.weights + 12);
    store<f32>(o, <f32>-share2, IntersectionRecord.weights + 16);
    store<f32>(o, <f32>(gradientX * scale), IntersectionRecord.displacement);
    store<f32>(o, <f32>(gradientY * scale), IntersectionRecord.displacement + 4);
    store<f32>(o, <f32>(gradientZ * scale), IntersectionRecord.displacement + 8);
}

/**
 * Adds what the line that one triangle at an edge has in common with the pierced one asks for: along it from the edge on it gets shorter,
 *
 *     R - (E · R) / (E · N) N      E the edge, R the unit direction of the line into the triangle, N the normal of the pierced one
 *
 * (after Volino and Magnenat-Thalmann 2006, "Resolving surface collisions through intersection contour minimization").
 */
function addGradient(a: BvhArrays, s: u32, k: u32, face: u32, b: BvhArrays, t: u32): void {
    const p = positionOf(a, s, k);
    const q = positionOf(a, s, k === 2 ? 0 : k + 1);
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
    if (!(length > PLANAR_SINE) || through === 0) return;
    const edge = ex * ex + ey * ey + ez * ez;
    const centre = m + BvhFace.centre;
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
 * Moves intersecting cloth farther along the direction that resolves the intersection. Only positions move, so nothing is thrown. The velocity by which
 * constraints respond is damped: a share of the edge's motion relative to the triangle is removed in each substep.
 */
export function resolveIntersections(contacts: SelfContactArrays): void {
    const activePositions = contacts.shared.activePositions;
    const velocities = contacts.shared.velocities;
    const pushShare = <f64>load<f32>(contacts.shared.numbers, SelfCollisionParameter.pushShare);
    let intersection = contacts.intersections;
    const end = intersection + <usize>load<u32>(contacts.progress, SelfContactCounter.intersectionCount) * IntersectionRecord.count;
    for (; intersection < end; intersection += IntersectionRecord.count) {
        let sum: f64 = 0;
        let largest: f64 = 0;
        for (let k: usize = 0; k < 20; k += 4) {
            const w = <f64>load<f32>(intersection + k, IntersectionRecord.weights);
            const m = w * <f64>load<f32>(activePositions + load<u32>(intersection + k), 12);
            sum += w * m;
            largest = max<f64>(largest, abs<f64>(m));
        }
        if (!(largest > 0)) continue;
        sum = max<f64>(sum, MAX_LEVER * largest);
        for (let c: usize = 0; c < 12; c += 4) {
            let speed: f64 = 0;
            for (let k: usize = 0; k < 20; k += 4)
                speed += <f64>load<f32>(intersection + k, IntersectionRecord.weights) * <f64>load<f32>(velocities + load<u32>(intersection + k) + c);
            const resisted = RESISTANCE * speed;
            const moved = pushShare * <f64>load<f32>(intersection + c, IntersectionRecord.displacement);
            for (let k: usize = 0; k < 20; k += 4) {
                const row = <usize>load<u32>(intersection + k);
                const share = (<f64>load<f32>(intersection + k, IntersectionRecord.weights) * <f64>load<f32>(activePositions + row, 12)) / sum;
                store<f32>(activePositions + row + c, <f32>(<f64>load<f32>(activePositions + row + c) + share * moved));
                store<f32>(velocities + row + c, <f32>(<f64>load<f32>(velocities + row + c) - share * resisted));
            }
        }
    }
}
