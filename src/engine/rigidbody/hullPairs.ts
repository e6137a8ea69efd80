/**
 * Contact manifold of two convex hulls: the plane or the pair of edges that separates them farthest (separating axes; Gregorius 2013, "The separating axis test between
 * convex polyhedra"), and the contact points along it.
 *
 *       ╭────╮          Against a face, those are the other's corners over it, and where the other's edges leave the space over it: clipped by the
 *     ──●────●────      planes beside. Of two edges, where they are nearest. A ball is one point, against the nearest of the hull.
 */
import { EDGE_PREFERENCE } from "../tunables";

/** See BodyHull in engine/rigidbody/bodyHull.ts. */
export interface HullArrays {
    readonly vertices: Float64Array;
    readonly planes: Float64Array;
    readonly edges: Uint16Array;
    readonly directions: Float64Array;
}

/** Most points of two hulls. */
export const MAX_MANIFOLD_POINTS = 24;
/** Slots of a point: places on both hulls in their own coordinates, x y z each. */
export const ManifoldPoint = { first: 0, second: 3, count: 6 } as const;
/** Result of the narrow phase: points, the feature id of each, their normal towards the first hull in its coordinates, and the count. */
export const manifold = {
    points: new Float64Array(MAX_MANIFOLD_POINTS * ManifoldPoint.count),
    keys: new Int32Array(MAX_MANIFOLD_POINTS),
    normal: new Float64Array(3),
    count: 0,
};

/** Directions of edges at most, of both: of more, corners and faces alone are asked. */
const MAX_EDGE_DIRECTIONS = 36;
/** Maximum rounds of projecting a ball's centre on all planes in turn (Dykstra 1983). */
const DYKSTRA_ITERATIONS = 12;
/** Numbers from which keys tell of edges, of the first's corners, and of two edges. */
const EDGE_KEYS = 1 << 12;
export const FIRST_KEYS = 1 << 16;
const PAIR_KEYS = 1 << 18;

/** Corners so much beyond the planes beside count as within, as a share of the farthest that is looked at. */
const INSIDE_TOLERANCE = 0.05;

/** Within a call: the second's axes in the first's coordinates, as rows, and its middle there; the same the other way round. */
const axesOfSecond = new Float64Array(9);
const second = new Float64Array(3);
const axesOfFirst = new Float64Array(9);
const first = new Float64Array(3);
/** The best axis in the first's coordinates, from there to the second, and how far it separates. */
const best = new Float64Array(4);
/** Maximum separation of contact points [m]. */
const maxSeparation = new Float64Array(1);
/** Vectors on the way. */
const axis = new Float64Array(3);
const rotated = new Float64Array(3);
const place = new Float64Array(3);
const edgeEnds = [new Float64Array(3), new Float64Array(3)];
const range = new Float64Array(2);
const shares = new Float64Array(2);
/** Directions of two edges that separate best. */
const chosenDirections = new Int32Array(2);

/**
 * Finds where two hulls come nearer to each other than `most[0]` [m].
 * @param axes of the second in the first's coordinates, rows, shape [3, 3]
 * @param middle of the second there
 */
export function findHullManifold(a: HullArrays, b: HullArrays, axes: Float64Array, middle: Float64Array, most: Float64Array): void {
    manifold.count = 0;
    maxSeparation[0] = most[0];
    axesOfSecond.set(axes);
    second.set(middle);
    for (let r = 0; r < 3; r++) {
        first[r] = 0;
        for (let c = 0; c < 3; c++) {
            axesOfFirst[3 * r + c] = axes[3 * c + r];
            first[r] -= axes[3 * r + c] * middle[c];
        }
    }
    if (a.planes.length === 0) return b.planes.length === 0 ? addBallBallPoint() : addBallPoint(b, 1);
    if (b.planes.length === 0) return addBallPoint(a, 0);
    best[3] = -Infinity;
    const plane = testFaceAxes(a, b, axesOfFirst, second);
    if (best[3] > maxSeparation[0]) return;
    // Where both have one as good, it is the first's, step for step.
    const before = (best[3] += EDGE_PREFERENCE * maxSeparation[0]);
    const other = testFaceAxes(b, a, axesOfSecond, first);
    if (best[3] > maxSeparation[0] && best[3] > before) return;
    const isOther = best[3] > before;
    if (!isOther) best[3] -= EDGE_PREFERENCE * maxSeparation[0];
    if (testEdgeAxes(a, b)) addEdgePoint(a, b);
    else if (best[3] > maxSeparation[0]) return;
    else if (isOther) clipAgainstFace(b, other, a, axesOfFirst, first, 1);
    else clipAgainstFace(a, plane, b, axesOfSecond, second, 0);
}

/** Writes a point of another hull in the coordinates of this: the other's axes as rows, and its middle. */
export function toThisFrame(rows: Float64Array, middle: Float64Array, of: Float64Array, o: number, target: Float64Array): void {
    for (let c = 0; c < 3; c++) target[c] = of[o] * rows[c] + of[o + 1] * rows[3 + c] + of[o + 2] * rows[6 + c] + middle[c];
}

/** Tries the planes of a hull against the corners of another. @returns the one that separates farthest, if better than the best yet */
function testFaceAxes(a: HullArrays, b: HullArrays, axesInOther: Float64Array, middleOfOther: Float64Array): number {
    const { planes } = a;
    let plane = 0;
    for (let p = 0; p < planes.length; p += 4) {
        rotateInto(planes, p, axesInOther, rotated);
        projectOnAxis(b.vertices, rotated);
        let height = range[0] - planes[p + 3];
        for (let c = 0; c < 3; c++) height += planes[p + c] * middleOfOther[c];
        if (!(height > best[3])) continue;
        best[3] = height;
        plane = p;
        if (height > maxSeparation[0]) break;
    }
    return plane;
}

/** Writes a vector in another's axes. @param rows these axes there */
function rotateInto(of: Float64Array, o: number, rows: Float64Array, target: Float64Array): void {
    for (let c = 0; c < 3; c++) target[c] = of[o] * rows[c] + of[o + 1] * rows[3 + c] + of[o + 2] * rows[6 + c];
}

/** Writes the least and the largest of the points' coordinates along a vector: {@link range}. */
function projectOnAxis(vertices: Float64Array, along: Float64Array): void {
    let least = Infinity;
    let largest = -Infinity;
    for (let v = 0; v < vertices.length; v += 3) {
        const x = along[0] * vertices[v] + along[1] * vertices[v + 1] + along[2] * vertices[v + 2];
        if (x < least) least = x;
        if (x > largest) largest = x;
    }
    range[0] = least;
    range[1] = largest;
}

/** Tries what is square to an edge of each. @returns whether two of them separate better than planes; they are then {@link chosenDirections} */
function testEdgeAxes(a: HullArrays, b: HullArrays): boolean {
    const { directions: u } = a;
    const { directions: v } = b;
    if (u.length * v.length > 9 * MAX_EDGE_DIRECTIONS) return false;
    const needed = best[3] + EDGE_PREFERENCE * maxSeparation[0];
    let isBetter = false;
    for (let i = 0; i < u.length; i += 3)
        for (let k = 0; k < v.length; k += 3) {
            rotateInto(v, k, axesOfSecond, rotated);
            let squared = 0;
            let lean = 0;
            for (let c = 0; c < 3; c++) {
                const d = (c + 1) % 3;
                const e = (c + 2) % 3;
                axis[c] = u[i + d] * rotated[e] - u[i + e] * rotated[d];
                squared += axis[c] * axis[c];
                lean += axis[c] * second[c];
            }
            if (!(squared > 1e-4)) continue;
            const scale = (lean < 0 ? -1 : 1) / Math.sqrt(squared);
            lean *= scale;
            for (let c = 0; c < 3; c++) axis[c] *= scale;
            projectOnAxis(a.vertices, axis);
            const top = range[1];
            rotateInto(axis, 0, axesOfFirst, rotated);
            projectOnAxis(b.vertices, rotated);
            const height = range[0] + lean - top;
            if (!(height > needed && height > best[3])) continue;
            best.set(axis);
            best[3] = height;
            if (height > maxSeparation[0]) return false;
            chosenDirections[0] = i / 3;
            chosenDirections[1] = k / 3;
            isBetter = true;
        }
    return isBetter;
}

/** Notes where the two chosen edges are nearest. */
function addEdgePoint(a: HullArrays, b: HullArrays): void {
    const i = supportEdge(a, chosenDirections[0], best, 1);
    rotateInto(best, 0, axesOfFirst, rotated);
    const k = supportEdge(b, chosenDirections[1], rotated, -1);
    const [p, q] = [3 * a.edges[i], 3 * a.edges[i + 1]];
    const [r, s] = [3 * b.edges[k], 3 * b.edges[k + 1]];
    toThisFrame(axesOfSecond, second, b.vertices, r, edgeEnds[0]);
    toThisFrame(axesOfSecond, second, b.vertices, s, edgeEnds[1]);
    let uu = 0;
    let uv = 0;
    let vv = 0;
    let uw = 0;
    let vw = 0;
    for (let c = 0; c < 3; c++) {
        const u = a.vertices[q + c] - a.vertices[p + c];
        const v = edgeEnds[1][c] - edgeEnds[0][c];
        const w = a.vertices[p + c] - edgeEnds[0][c];
        uu += u * u;
        uv += u * v;
        vv += v * v;
        uw += u * w;
        vw += v * w;
    }
    const scale = 1 / (uu * vv - uv * uv);
    shares[0] = Math.max(0, Math.min(1, (uv * vw - vv * uw) * scale));
    shares[1] = Math.max(0, Math.min(1, (uu * vw - uv * uw) * scale));
    for (let c = 0; c < 3; c++) {
        manifold.normal[c] = -best[c];
        manifold.points[ManifoldPoint.first + c] = a.vertices[p + c] + shares[0] * (a.vertices[q + c] - a.vertices[p + c]);
        manifold.points[ManifoldPoint.second + c] = b.vertices[r + c] + shares[1] * (b.vertices[s + c] - b.vertices[r + c]);
    }
    manifold.keys[0] = PAIR_KEYS + (i / 3) * EDGE_KEYS + k / 3;
    manifold.count = 1;
}

/** The edge of a direction that lies farthest along a vector, or against it. */
function supportEdge({ edges, vertices }: HullArrays, direction: number, along: Float64Array, sign: number): number {
    let edge = 0;
    let most = -Infinity;
    for (let e = 0; e < edges.length; e += 3) {
        if (edges[e + 2] !== direction) continue;
        let sum = 0;
        for (let c = 0; c < 3; c++) sum += sign * along[c] * (vertices[3 * edges[e] + c] + vertices[3 * edges[e + 1] + c]);
        if (!(sum > most)) continue;
        most = sum;
        edge = e;
    }
    return edge;
}

/** Notes what of a hull is over a plane of another. @param side which of the two has the plane: 0 the first */
function clipAgainstFace(
    a: HullArrays,
    plane: number,
    b: HullArrays,
    rows: Float64Array,
    middle: Float64Array,
    side: number,
): void {
    const { planes } = a;
    if (side === 0) for (let c = 0; c < 3; c++) manifold.normal[c] = -planes[plane + c];
    else rotateInto(planes, plane, axesOfSecond, manifold.normal);
    const { vertices, edges } = b;
    let lowest = 0;
    let least = Infinity;
    for (let v = 0; v < vertices.length; v += 3) {
        toThisFrame(rows, middle, vertices, v, place);
        // By itself: what a function gives back here is boxed.
        const height = planes[plane] * place[0] + planes[plane + 1] * place[1] + planes[plane + 2] * place[2] - planes[plane + 3];
        if (height < least) {
            least = height;
            lowest = v;
        }
        if (height <= maxSeparation[0] && isInsideFaces(planes, plane)) addPoint(planes, plane, vertices, v, v, 0, side, v / 3);
    }
    for (let e = 0; e < edges.length; e += 3) {
        const p = 3 * edges[e];
        const q = 3 * edges[e + 1];
        toThisFrame(rows, middle, vertices, p, edgeEnds[0]);
        toThisFrame(rows, middle, vertices, q, edgeEnds[1]);
        if (!clipEdge(planes, plane)) continue;
        for (let end = 0; end < 2; end++) {
            if (shares[end] === end) continue;
            for (let c = 0; c < 3; c++) place[c] = edgeEnds[0][c] + shares[end] * (edgeEnds[1][c] - edgeEnds[0][c]);
            if (dot(planes, plane, place) - planes[plane + 3] <= maxSeparation[0])
                addPoint(planes, plane, vertices, p, q, end, side, EDGE_KEYS + (2 * e) / 3 + end);
        }
    }
    if (manifold.count > 0) return;
    toThisFrame(rows, middle, vertices, lowest, place);
    addPoint(planes, plane, vertices, lowest, lowest, 0, side, lowest / 3);
}

function dot(of: Float64Array, o: number, x: Float64Array): number {
    return of[o] * x[0] + of[o + 1] * x[1] + of[o + 2] * x[2];
}

/** True if {@link place} is behind all planes but one. */
function isInsideFaces(planes: Float64Array, but: number): boolean {
    for (let p = 0; p < planes.length; p += 4)
        if (p !== but && dot(planes, p, place) - planes[p + 3] > INSIDE_TOLERANCE * maxSeparation[0]) return false;
    return true;
}

/** Writes between which {@link shares} the edge between {@link edgeEnds} is behind all planes but one. @returns whether it is anywhere */
function clipEdge(planes: Float64Array, but: number): boolean {
    shares[0] = 0;
    shares[1] = 1;
    for (let p = 0; p < planes.length; p += 4) {
        if (p === but) continue;
        const limit = planes[p + 3] + INSIDE_TOLERANCE * maxSeparation[0];
        const at = dot(planes, p, edgeEnds[0]) - limit;
        const to = dot(planes, p, edgeEnds[1]) - limit;
        if (at > 0 && to > 0) return false;
        if (at > 0) shares[0] = Math.max(shares[0], at / (at - to));
        else if (to > 0) shares[1] = Math.min(shares[1], at / (at - to));
    }
    return shares[0] < shares[1];
}

/** Notes {@link place}, which is between two corners, by {@link shares}. */
function addPoint(
    planes: Float64Array,
    plane: number,
    vertices: Float64Array,
    p: number,
    q: number,
    end: number,
    side: number,
    key: number,
): void {
    if (manifold.count === MAX_MANIFOLD_POINTS) return;
    const { points } = manifold;
    const o = manifold.count * ManifoldPoint.count;
    const onPlane = o + (side === 0 ? ManifoldPoint.first : ManifoldPoint.second);
    const onOther = o + (side === 0 ? ManifoldPoint.second : ManifoldPoint.first);
    const height = dot(planes, plane, place) - planes[plane + 3];
    const share = p === q ? 0 : shares[end];
    for (let c = 0; c < 3; c++) {
        points[onPlane + c] = place[c] - height * planes[plane + c];
        points[onOther + c] = vertices[p + c] + share * (vertices[q + c] - vertices[p + c]);
    }
    manifold.keys[manifold.count++] = side * FIRST_KEYS + key;
}

/** Notes where a ball is nearest to a hull. @param side which of the two is the hull: 0 the first */
function addBallPoint({ planes }: HullArrays, side: number): void {
    const ball = side === 0 ? second : first;
    projectIntoHull(planes, ball);
    let squared = 0;
    for (let c = 0; c < 3; c++) {
        axis[c] = ball[c] - place[c];
        squared += axis[c] * axis[c];
    }
    const distance = Math.sqrt(squared);
    if (distance > maxSeparation[0]) return;
    if (distance > 1e-9) for (let c = 0; c < 3; c++) axis[c] /= distance;
    else pushToNearestFace(planes, ball);
    for (let c = 0; c < 3; c++) {
        manifold.points[(side === 0 ? ManifoldPoint.first : ManifoldPoint.second) + c] = place[c];
        manifold.points[(side === 0 ? ManifoldPoint.second : ManifoldPoint.first) + c] = 0;
    }
    if (side === 0) for (let c = 0; c < 3; c++) manifold.normal[c] = -axis[c];
    else rotateInto(axis, 0, axesOfSecond, manifold.normal);
    manifold.keys[0] = 0;
    manifold.count = 1;
}

/** Writes to {@link place} what of a hull is nearest to a point. */
function projectIntoHull(planes: Float64Array, at: Float64Array): void {
    place.set(at);
    const count = planes.length / 4;
    if (corrections.length < count) corrections = new Float64Array(count);
    corrections.fill(0);
    for (let round = 0; round < DYKSTRA_ITERATIONS; round++) {
        let isMoved = false;
        for (let k = 0; k < count; k++) {
            const height = dot(planes, 4 * k, place) - planes[4 * k + 3] + corrections[k];
            const now = Math.max(0, height);
            const move = corrections[k] - now;
            corrections[k] = now;
            isMoved ||= Math.abs(move) > 1e-7;
            for (let c = 0; c < 3; c++) place[c] += move * planes[4 * k + c];
        }
        if (!isMoved) break;
    }
}

let corrections = new Float64Array(0);

/** Of what is within: writes the normal of the nearest plane to {@link axis}, and {@link place} on it. */
function pushToNearestFace(planes: Float64Array, at: Float64Array): void {
    let most = -Infinity;
    for (let p = 0; p < planes.length; p += 4) {
        const height = dot(planes, p, at) - planes[p + 3];
        if (!(height > most)) continue;
        most = height;
        for (let c = 0; c < 3; c++) {
            axis[c] = planes[p + c];
            place[c] = at[c] - height * planes[p + c];
        }
    }
}

/** Notes two balls. */
function addBallBallPoint(): void {
    const distance = Math.sqrt(second[0] * second[0] + second[1] * second[1] + second[2] * second[2]);
    if (!(distance <= maxSeparation[0] && distance > 0)) return;
    for (let c = 0; c < 3; c++) manifold.normal[c] = -second[c] / distance;
    manifold.points.fill(0, 0, ManifoldPoint.count);
    manifold.keys[0] = 0;
    manifold.count = 1;
}
