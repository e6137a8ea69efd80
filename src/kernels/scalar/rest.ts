/**
 * A surface at rest: which pairs of particles its triangles join, which triangle lies across each side, and the fan of triangles
 * around each particle, laid out in its tangent plane; and the sticks that follow.
 *
 *         c
 *       ╱   ╲        edge a–b with its two triangles: structural stick a–b; where
 *     a ───── b      a c b d is a flat rectangle, a–b and c–d are its diagonals
 *       ╲   ╱        and both are shear sticks
 *         d
 */
import { NONE } from "../layout";
import type { EdgeStickArrays, RestArrays } from "../restLayout";
import { cross, distance, dotAt } from "./points";
import { findThirds } from "./thirds";

/** Two triangles count as one flat rectangle below this |cosine| of the corners across their edge… */
const RECTANGLE_CORNER = 0.35;
/** …and above this cosine between their normals. */
const RECTANGLE_FLATNESS = 0.98;

/** See kernels.ts. */
export function surveySurface(rest: RestArrays): void {
    rest.size[0] = diagonal(rest.positions);
    const { cornerCount, particleCount, triangles, pairSides, pairCount, across, fanStarts, fanCounts } = rest;
    for (let i = 0; i < cornerCount; i++) {
        const side = numberOf(i);
        const p = triangles[i];
        const before = pairCount[0];
        const e = pairOf(rest, p, triangles[placeOf(nextSide(side))]);
        if (e === before) {
            pairSides[2 * e] = side;
            pairSides[2 * e + 1] = NONE;
        } else if (pairSides[2 * e + 1] === NONE) {
            // A further triangle at the same side adds nothing.
            pairSides[2 * e + 1] = side;
        }
        across[i] = e;
        // The fan begins at the last triangle of its particle, and has room for all of them and one more neighbour.
        fanStarts[p]++;
        fanCounts[p] = triangleOf(side);
    }
    for (let i = 0; i < cornerCount; i++) {
        const side = numberOf(i);
        const e = 2 * across[i];
        across[i] = pairSides[e] === side ? pairSides[e + 1] : pairSides[e + 1] === side ? pairSides[e] : NONE;
    }
    for (let p = 0, start = 0; p < particleCount; p++) {
        const size = fanStarts[p];
        fanStarts[p] = start;
        if (size > 0) spreadFan(rest, p, fanCounts[p]);
        start += size + 1;
    }
    findThirds(rest);
}

function diagonal(x: Float32Array): number {
    let squared = 0;
    for (let axis = 0; axis < 3; axis++) {
        let low = Infinity;
        let high = -Infinity;
        for (let i = axis; i < x.length; i += 3) {
            low = Math.min(low, x[i]);
            high = Math.max(high, x[i]);
        }
        if (high > low) squared += (high - low) * (high - low);
    }
    return Math.sqrt(squared);
}

/** Number of the side at a place, see RestLayout. */
function numberOf(place: number): number {
    return place + ((place / 3) | 0);
}

/** The triangle of a side. */
export function triangleOf(side: number): number {
    return side >>> 2;
}

/** Which of its triangle a side is, 0 to 2. */
function cornerOf(side: number): number {
    return side & 3;
}

/** Place of a side. */
export function placeOf(side: number): number {
    return side - triangleOf(side);
}

/** The side after one. */
export function nextSide(side: number): number {
    return cornerOf(side) === 2 ? side - 2 : side + 1;
}

/** The side before one. */
export function lastSide(side: number): number {
    return cornerOf(side) === 0 ? side + 2 : side - 1;
}

/** The number of a pair; a new one is added, and has the last number. */
function pairOf({ pairs, pairCount, firstPair, nextPair }: RestArrays, p: number, q: number): number {
    const low = p < q ? p : q;
    const high = p < q ? q : p;
    for (let e = firstPair[low]; e > 0; e = nextPair[e - 1]) if (pairs[2 * e - 1] === high) return e - 1;
    const e = pairCount[0]++;
    pairs[2 * e] = low;
    pairs[2 * e + 1] = high;
    nextPair[e] = firstPair[low];
    firstPair[low] = e + 1;
    return e;
}

/** Walks around a particle, from triangle to triangle. @param first one of its triangles */
function spreadFan(rest: RestArrays, particle: number, first: number): void {
    const { neighbours, sectors, angles, lengths, sectorAngles, positions: x, fanStarts, fanCounts, isClosed } = rest;
    const o = fanStarts[particle];
    // Back to the border, or once around.
    let triangle = first;
    let near = afterIn(rest, triangle, particle);
    for (;;) {
        const next = triangleAcross(rest, triangle, particle, near);
        if (next === NONE || next === first) break;
        near = thirdOf(rest, next, particle, near);
        triangle = next;
    }
    const begin = triangle;
    let total = 0;
    let n = 0;
    neighbours[o] = near;
    angles[o] = 0;
    lengths[o] = distance(x, particle, near);
    for (;;) {
        const far = thirdOf(rest, triangle, particle, near);
        sectors[o + n] = triangle;
        sectorAngles[o + n] = angleBetween(x, particle, near, far);
        total += sectorAngles[o + n];
        n++;
        const next = triangleAcross(rest, triangle, particle, far);
        if (next === begin) {
            isClosed[particle] = 1;
            break;
        }
        neighbours[o + n] = far;
        angles[o + n] = total;
        lengths[o + n] = distance(x, particle, far);
        if (next === NONE) break;
        triangle = next;
        near = far;
    }
    const closed = isClosed[particle] === 1;
    fanCounts[particle] = closed ? n : n + 1;
    if (closed) for (let i = 1; i < n; i++) angles[o + i] *= (2 * Math.PI) / total;
}

/** The corner of a triangle after one. */
function afterIn({ triangles }: RestArrays, t: number, p: number): number {
    if (triangles[3 * t] === p) return triangles[3 * t + 1];
    return triangles[3 * t + 1] === p ? triangles[3 * t + 2] : triangles[3 * t];
}

/** The triangle on the other side of a side of a triangle. */
function triangleAcross({ triangles, across }: RestArrays, t: number, p: number, q: number): number {
    const a = triangles[3 * t];
    const b = triangles[3 * t + 1];
    const side = across[3 * t + (a !== p && a !== q ? 1 : b !== p && b !== q ? 2 : 0)];
    return side === NONE ? NONE : triangleOf(side);
}

/** The corner of a triangle that is neither of two. */
function thirdOf({ triangles }: RestArrays, t: number, p: number, q: number): number {
    const a = triangles[3 * t];
    const b = triangles[3 * t + 1];
    if (a !== p && a !== q) return a;
    return b !== p && b !== q ? b : triangles[3 * t + 2];
}

/** See kernels.ts. */
export function findSticks(s: EdgeStickArrays): void {
    const { rest, triangleCount, crosses, areas } = s;
    const { triangles, pairs, pairSides, positions: x } = rest;
    for (let t = 0; t < triangleCount; t++) {
        cross(x, triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2], crosses, 4 * t);
        const third = (0.5 * crosses[4 * t + 3]) / 3;
        for (let k = 0; k < 3; k++) areas[triangles[3 * t + k]] += third;
    }
    const edgeCount = rest.pairCount[0];
    for (let e = 0; e < edgeCount; e++) {
        const a = pairs[2 * e];
        const b = pairs[2 * e + 1];
        const other = pairSides[2 * e + 1];
        const t0 = triangleOf(pairSides[2 * e]);
        const t1 = other === NONE ? NONE : triangleOf(other);
        const length = distance(x, a, b);
        const area = 0.5 * (crosses[4 * t0 + 3] + (t1 === NONE ? 0 : crosses[4 * t1 + 3]));
        if (t1 !== NONE) {
            const c = thirdOf(rest, t0, a, b);
            const d = thirdOf(rest, t1, a, b);
            const next = rest.pairCount[0];
            // No two sticks join the same pair.
            if (isRectangle(x, crosses, t0, t1, a, b, c, d) && pairOf(rest, c, d) === next) {
                addShear(s, a, b, length, 2 * area);
                addShear(s, c, d, distance(x, c, d), 2 * area);
                continue;
            }
        }
        const n = s.counts[0]++;
        s.structuralA[n] = a;
        s.structuralB[n] = b;
        s.structuralLengths[n] = length;
        s.structuralFactors[n] = area / (length * length);
        rest.isStructural[e] = 1;
    }
    findEdges(rest);
    findSides(rest, s.queue);
    thinShear(s);
    sumUp(s);
}

function sumUp({ particleCount, areas, counts, structuralLengths, shearLengths, shearFactors, sums }: EdgeStickArrays): void {
    for (let p = 0; p < particleCount; p++) sums[0] += areas[p];
    // A rectangle has two shear sticks, or one that is twice as stiff.
    for (let i = 0; i < counts[1]; i++) sums[1] += (shearFactors[i] * shearLengths[i] * shearLengths[i]) / 4;
    for (let i = 0; i < counts[0]; i++) sums[2] += structuralLengths[i];
}

/** Whether a structural stick joins two particles. */
function areJoined({ pairs, firstPair, nextPair, isStructural }: RestArrays, p: number, q: number): boolean {
    const high = Math.max(p, q);
    for (let e = firstPair[Math.min(p, q)]; e > 0; e = nextPair[e - 1])
        if (pairs[2 * e - 1] === high) return isStructural[e - 1] === 1;
    return false;
}

/** Notes the neighbours to which structural sticks lead. */
function findEdges(rest: RestArrays): void {
    const { particleCount, neighbours, fanStarts, fanCounts, isEdge } = rest;
    for (let p = 0; p < particleCount; p++) {
        for (let i = fanStarts[p]; i < fanStarts[p] + fanCounts[p]; i++) isEdge[i] = areJoined(rest, p, neighbours[i]) ? 1 : 0;
    }
}

/** Gives particles their sides, from one to its neighbours and on. */
function findSides(rest: RestArrays, queue: Uint32Array): void {
    const { particleCount, sides, neighbours, isEdge, fanStarts, fanCounts } = rest;
    for (let seed = 0; seed < particleCount; seed++) {
        if (sides[seed] > 0) continue;
        sides[seed] = 1;
        queue[0] = seed;
        for (let next = 0, end = 1; next < end; next++) {
            const p = queue[next];
            for (let i = fanStarts[p]; i < fanStarts[p] + fanCounts[p]; i++) {
                const q = neighbours[i];
                if (sides[q] > 0 || isEdge[i] === 0) continue;
                sides[q] = 3 - sides[p];
                queue[end++] = q;
            }
        }
    }
}

/** One diagonal of a rectangle holds its shape: where its corners lie on both sides in turns, that of the first side, twice as stiff. */
function thinShear({ rest, shearA, shearB, shearLengths, shearFactors, counts }: EdgeStickArrays): void {
    const { sides } = rest;
    let n = 0;
    for (let i = 0; i < counts[1]; i += 2) {
        const side = sides[shearA[i]];
        const other = sides[shearA[i + 1]];
        const isChequered = side === sides[shearB[i]] && other === sides[shearB[i + 1]] && side !== other;
        for (let k = i; k < i + 2; k++) {
            if (isChequered && sides[shearA[k]] === 2) continue;
            shearA[n] = shearA[k];
            shearB[n] = shearB[k];
            shearLengths[n] = shearLengths[k];
            shearFactors[n++] = (isChequered ? 2 : 1) * shearFactors[k];
        }
    }
    counts[1] = n;
}

function addShear(s: EdgeStickArrays, a: number, b: number, length: number, area: number): void {
    const n = s.counts[1]++;
    s.shearA[n] = a;
    s.shearB[n] = b;
    s.shearLengths[n] = length;
    s.shearFactors[n] = area / (length * length);
}

/** Whether the triangles a b c and a b d lie flat and a c b d is near a rectangle, of which a–b is a diagonal. */
function isRectangle(
    x: Float32Array,
    crosses: Float64Array,
    t0: number,
    t1: number,
    a: number,
    b: number,
    c: number,
    d: number,
): boolean {
    const i = 4 * t0;
    const j = 4 * t1;
    const cosine = crosses[i] * crosses[j] + crosses[i + 1] * crosses[j + 1] + crosses[i + 2] * crosses[j + 2];
    // The two windings may disagree, so only the planes are compared; c and d on one side of a–b fail the corner test below.
    return (
        c !== d &&
        Math.abs(cosine) > RECTANGLE_FLATNESS * crosses[i + 3] * crosses[j + 3] &&
        Math.abs(cornerCosine(x, c, a, b)) < RECTANGLE_CORNER &&
        Math.abs(cornerCosine(x, d, a, b)) < RECTANGLE_CORNER &&
        Math.abs(cornerCosine(x, a, c, d)) < RECTANGLE_CORNER &&
        Math.abs(cornerCosine(x, b, c, d)) < RECTANGLE_CORNER
    );
}

/** Cosine of the angle at corner p between q and r. */
function cornerCosine(x: Float32Array, p: number, q: number, r: number): number {
    return dotAt(x, p, q, r) / Math.sqrt(dotAt(x, p, q, q) * dotAt(x, p, r, r));
}

/** Within a call: a cross product and its length. */
const product = new Float64Array(4);

/** Angle at corner p between q and r [rad]. */
function angleBetween(x: Float32Array, p: number, q: number, r: number): number {
    cross(x, p, q, r, product, 0);
    return Math.atan2(product[3], dotAt(x, p, q, r));
}
