/**
 * A surface at rest: which pairs of particles its triangles join, which triangle lies across each side, and the fan of triangles
 * around each particle, laid out in its tangent plane; and the distance constraints that follow.
 *
 *         c
 *       ╱   ╲        edge a–b with its two triangles: structural edge a–b; where
 *     a ───── b      a c b d is a flat rectangle, a–b and c–d are its diagonals
 *       ╲   ╱        and both are shear edges
 *         d
 */
import { EdgeDistanceArrays, RestSurfaceArrays, scratch } from "./layout.generated";
import { cross, distance, dotAt } from "./pointCloud";
import { findThirds } from "./faceCandidates";
import { atan2, double, NONE, put, putDouble, putReal, real, word } from "./memory";

/** Two triangles count as one flat rectangle below this |cosine| of the corners across their edge… */
const RECTANGLE_CORNER: f64 = 0.35;
/** …and above this cosine between their normals. */
const RECTANGLE_FLATNESS: f64 = 0.98;
const TURN: f64 = 6.283185307179586;

export function buildRestSurface(rest: RestSurfaceArrays): void {
    const cornerCount = rest.cornerCount;
    const particleCount = rest.particleCount;
    const triangles = rest.triangles;
    const pairSides = rest.pairSides;
    const across = rest.across;
    const fanStarts = rest.fanStarts;
    const fanCounts = rest.fanCounts;
    measure(rest);
    for (let i: u32 = 0, side: u32 = 0; i < cornerCount; i++) {
        const p = word(triangles, i);
        const before = load<u32>(rest.pairCount);
        const e = pairOf(rest, p, word(triangles, placeOf(nextSide(side))));
        if (e == before) {
            put(pairSides, 2 * e, side);
            put(pairSides, 2 * e + 1, NONE);
        } else if (word(pairSides, 2 * e + 1) == NONE) put(pairSides, 2 * e + 1, side);
        put(across, i, e);
        put(fanStarts, p, word(fanStarts, p) + 1);
        put(fanCounts, p, side >>> 2);
        side += (side & 3) == 2 ? 2 : 1;
    }
    for (let i: u32 = 0, side: u32 = 0; i < cornerCount; i++) {
        const e = 2 * word(across, i);
        const first = word(pairSides, e);
        const second = word(pairSides, e + 1);
        put(across, i, first == side ? second : second == side ? first : NONE);
        side += (side & 3) == 2 ? 2 : 1;
    }
    for (let p: u32 = 0, start: u32 = 0; p < particleCount; p++) {
        const size = word(fanStarts, p);
        put(fanStarts, p, start);
        if (size > 0) unfoldFan(rest, p, start, word(fanCounts, p));
        start += size + 1;
    }
    findThirds(rest);
}

/** Diagonal of the bounding box. */
function measure(rest: RestSurfaceArrays): void {
    const x = rest.positions;
    const end: u32 = 3 * rest.particleCount;
    let squared: f64 = 0;
    for (let axis: u32 = 0; axis < 3; axis++) {
        let low = Infinity;
        let high = -Infinity;
        for (let i = axis; i < end; i += 3) {
            low = min<f64>(low, real(x, i));
            high = max<f64>(high, real(x, i));
        }
        if (high > low) squared += (high - low) * (high - low);
    }
    store<f64>(rest.size, sqrt<f64>(squared));
}

/** The number of a pair; a new one is added, and has the last number. */
function pairOf(rest: RestSurfaceArrays, p: u32, q: u32): u32 {
    const pairs = rest.pairs;
    const low = min<u32>(p, q);
    const high = max<u32>(p, q);
    const head = word(rest.firstPair, low);
    for (let e = head; e > 0; e = word(rest.nextPair, e - 1)) {
        if (word(pairs, 2 * e - 1) == high) return e - 1;
    }
    const e = load<u32>(rest.pairCount);
    store<u32>(rest.pairCount, e + 1);
    put(pairs, 2 * e, low);
    put(pairs, 2 * e + 1, high);
    put(rest.nextPair, e, head);
    put(rest.firstPair, low, e + 1);
    return e;
}

/** Walks around a particle, from triangle to triangle. @param first one of its triangles */
function unfoldFan(rest: RestSurfaceArrays, particle: u32, o: u32, first: u32): void {
    const x = rest.positions;
    let triangle = first;
    let near = nextInTriangle(rest, triangle, particle);
    for (;;) {
        const next = triangleAcross(rest, triangle, particle, near);
        if (next == NONE || next == first) break;
        near = thirdOf(rest, next, particle, near);
        triangle = next;
    }
    const begin = triangle;
    let total: f64 = 0;
    let n = o;
    put(rest.neighbours, n, near);
    putDouble(rest.lengths, n, distance(x, particle, near));
    for (;;) {
        const far = thirdOf(rest, triangle, particle, near);
        const angle = angleBetween(x, particle, near, far);
        put(rest.sectors, n, triangle);
        putDouble(rest.sectorAngles, n, angle);
        total += angle;
        n++;
        const next = triangleAcross(rest, triangle, particle, far);
        if (next == begin) {
            put(rest.isClosed, particle, 1);
            break;
        }
        put(rest.neighbours, n, far);
        putDouble(rest.angles, n, total);
        putDouble(rest.lengths, n, distance(x, particle, far));
        if (next == NONE) {
            put(rest.fanCounts, particle, n + 1 - o);
            return;
        }
        triangle = next;
        near = far;
    }
    put(rest.fanCounts, particle, n - o);
    const scale = TURN / total;
    for (let i = o + 1; i < n; i++) putDouble(rest.angles, i, double(rest.angles, i) * scale);
}

/** The corner of a triangle after one. */
// @ts-ignore: decorator
@inline
function nextInTriangle(rest: RestSurfaceArrays, t: u32, p: u32): u32 {
    const triangles = rest.triangles;
    if (word(triangles, 3 * t) == p) return word(triangles, 3 * t + 1);
    return word(triangles, 3 * t + (word(triangles, 3 * t + 1) == p ? 2 : 0));
}

/** The triangle on the other side of a side of a triangle. */
function triangleAcross(rest: RestSurfaceArrays, t: u32, p: u32, q: u32): u32 {
    const a = word(rest.triangles, 3 * t);
    const b = word(rest.triangles, 3 * t + 1);
    const side = word(rest.across, 3 * t + (a != p && a != q ? 1 : b != p && b != q ? 2 : 0));
    return side == NONE ? NONE : side >>> 2;
}

/** Place of a side. */
// @ts-ignore: decorator
@inline
export function placeOf(side: u32): u32 {
    return side - (side >>> 2);
}

/** The side after one. */
// @ts-ignore: decorator
@inline
export function nextSide(side: u32): u32 {
    return (side & 3) == 2 ? side - 2 : side + 1;
}

/** The side before one. */
// @ts-ignore: decorator
@inline
export function lastSide(side: u32): u32 {
    return (side & 3) == 0 ? side + 2 : side - 1;
}

/** The corner of a triangle that is neither of two. */
function thirdOf(rest: RestSurfaceArrays, t: u32, p: u32, q: u32): u32 {
    const a = word(rest.triangles, 3 * t);
    const b = word(rest.triangles, 3 * t + 1);
    if (a != p && a != q) return a;
    return b != p && b != q ? b : word(rest.triangles, 3 * t + 2);
}

export function findDistanceConstraints(s: EdgeDistanceArrays): void {
    const rest = s.rest;
    const x = rest.positions;
    const triangles = rest.triangles;
    const crosses = s.crosses;
    const areas = s.areas;
    for (let t: u32 = 0; t < s.triangleCount; t++) {
        const a = word(triangles, 3 * t);
        const b = word(triangles, 3 * t + 1);
        const c = word(triangles, 3 * t + 2);
        cross(x, a, b, c, crosses + (<usize>t << 5));
        const third = 0.5 * double(crosses, 4 * t + 3) / 3;
        putReal(areas, a, real(areas, a) + third);
        putReal(areas, b, real(areas, b) + third);
        putReal(areas, c, real(areas, c) + third);
    }
    const edgeCount = load<u32>(rest.pairCount);
    let structural: u32 = 0;
    let shear: u32 = 0;
    for (let e: u32 = 0; e < edgeCount; e++) {
        const a = word(rest.pairs, 2 * e);
        const b = word(rest.pairs, 2 * e + 1);
        const other = word(rest.pairSides, 2 * e + 1);
        const t0 = word(rest.pairSides, 2 * e) >>> 2;
        const t1 = other == NONE ? NONE : other >>> 2;
        const length = distance(x, a, b);
        let area = double(crosses, 4 * t0 + 3);
        if (t1 != NONE) {
            area = 0.5 * (area + double(crosses, 4 * t1 + 3));
            const c = thirdOf(rest, t0, a, b);
            const d = thirdOf(rest, t1, a, b);
            const next = load<u32>(rest.pairCount);
            if (isRectangle(x, crosses, t0, t1, a, b, c, d) && pairOf(rest, c, d) == next) {
                addDistance(s.shearA, s.shearB, s.shearLengths, s.shearFactors, shear++, a, b, length, 2 * area);
                addDistance(s.shearA, s.shearB, s.shearLengths, s.shearFactors, shear++, c, d, distance(x, c, d), 2 * area);
                continue;
            }
        } else area *= 0.5;
        addDistance(s.structuralA, s.structuralB, s.structuralLengths, s.structuralFactors, structural++, a, b, length, area);
        put(rest.isStructural, e, 1);
    }
    store<u32>(s.counts, structural);
    findEdges(rest);
    detectSides(rest, s.queue);
    const left = sparsifyShear(s, rest.sides, shear);
    store<u32>(s.counts, left, 4);
    sumMeasures(s, structural, left);
}

function sumMeasures(s: EdgeDistanceArrays, structural: u32, shear: u32): void {
    let area: f64 = 0;
    let rectangles: f64 = 0;
    let lengths: f64 = 0;
    for (let p: u32 = 0; p < s.particleCount; p++) area += real(s.areas, p);
    for (let i: u32 = 0; i < shear; i++) {
        const length = real(s.shearLengths, i);
        rectangles += (real(s.shearFactors, i) * length * length) / 4;
    }
    for (let i: u32 = 0; i < structural; i++) lengths += real(s.structuralLengths, i);
    putDouble(s.sums, 0, area);
    putDouble(s.sums, 1, rectangles);
    putDouble(s.sums, 2, lengths);
}

/** True if a structural edge joins two particles. */
function areJoined(rest: RestSurfaceArrays, p: u32, q: u32): bool {
    const high = max<u32>(p, q);
    for (let e = word(rest.firstPair, min<u32>(p, q)); e > 0; e = word(rest.nextPair, e - 1)) {
        if (word(rest.pairs, 2 * e - 1) == high) return word(rest.isStructural, e - 1) == 1;
    }
    return false;
}

/** Marks the neighbours that are joined by structural edges. */
function findEdges(rest: RestSurfaceArrays): void {
    for (let p: u32 = 0; p < rest.particleCount; p++) {
        const start = word(rest.fanStarts, p);
        const last = start + word(rest.fanCounts, p);
        for (let i = start; i < last; i++) put(rest.isEdge, i, areJoined(rest, p, word(rest.neighbours, i)) ? 1 : 0);
    }
}

/** Gives particles their sides, from one to its neighbours and on. */
function detectSides(rest: RestSurfaceArrays, queue: usize): void {
    const sides = rest.sides;
    for (let seed: u32 = 0; seed < rest.particleCount; seed++) {
        if (word(sides, seed) > 0) continue;
        put(sides, seed, 1);
        put(queue, 0, seed);
        for (let next: u32 = 0, end: u32 = 1; next < end; next++) {
            const p = word(queue, next);
            const start = word(rest.fanStarts, p);
            const last = start + word(rest.fanCounts, p);
            for (let i = start; i < last; i++) {
                const q = word(rest.neighbours, i);
                if (word(sides, q) > 0 || word(rest.isEdge, i) == 0) continue;
                put(sides, q, 3 - word(sides, p));
                put(queue, end++, q);
            }
        }
    }
}

/** One diagonal of a rectangle holds its shape: where its corners lie on both sides in turns, that of the first side, twice as stiff. */
function sparsifyShear(s: EdgeDistanceArrays, sides: usize, count: u32): u32 {
    let n: u32 = 0;
    for (let i: u32 = 0; i < count; i += 2) {
        const side = word(sides, word(s.shearA, i));
        const other = word(sides, word(s.shearA, i + 1));
        const isChequered = side == word(sides, word(s.shearB, i)) && other == word(sides, word(s.shearB, i + 1)) && side != other;
        for (let k = i; k < i + 2; k++) {
            if (isChequered && word(sides, word(s.shearA, k)) == 2) continue;
            put(s.shearA, n, word(s.shearA, k));
            put(s.shearB, n, word(s.shearB, k));
            putReal(s.shearLengths, n, real(s.shearLengths, k));
            putReal(s.shearFactors, n, (isChequered ? 2.0 : 1.0) * real(s.shearFactors, k));
            n++;
        }
    }
    return n;
}

function addDistance(as: usize, bs: usize, lengths: usize, factors: usize, n: u32, a: u32, b: u32, length: f64, area: f64): void {
    put(as, n, a);
    put(bs, n, b);
    putReal(lengths, n, length);
    putReal(factors, n, area / (length * length));
}

/** True if the triangles a b c and a b d are coplanar and a c b d is nearly a rectangle with the diagonal a–b. */
function isRectangle(x: usize, crosses: usize, t0: u32, t1: u32, a: u32, b: u32, c: u32, d: u32): bool {
    const i = 4 * t0;
    const j = 4 * t1;
    const cosine = double(crosses, i) * double(crosses, j) + double(crosses, i + 1) * double(crosses, j + 1) +
        double(crosses, i + 2) * double(crosses, j + 2);
    return c != d &&
        abs<f64>(cosine) > RECTANGLE_FLATNESS * double(crosses, i + 3) * double(crosses, j + 3) &&
        isCorner(x, c, a, b) && isCorner(x, d, a, b) && isCorner(x, a, c, d) && isCorner(x, b, c, d);
}

function isCorner(x: usize, p: u32, q: u32, r: u32): bool {
    return abs<f64>(dotAt(x, p, q, r) / sqrt<f64>(dotAt(x, p, q, q) * dotAt(x, p, r, r))) < RECTANGLE_CORNER;
}

/** Angle at corner p between q and r [rad]. */
function angleBetween(x: usize, p: u32, q: u32, r: u32): f64 {
    cross(x, p, q, r, scratch);
    return atan2(load<f64>(scratch, 24), dotAt(x, p, q, r));
}
