/**
 * Triangles of the cloth against solids: what a coarse cloth needs, whose particles alone would leave its triangles in the solid.
 *
 * A solid that has a *core* is all points nearer to a small box than a radius, or that box grown by its rim: a ball's core is its
 * centre, a capsule's its axis. The point q of the triangle and the point s of the core that are nearest to each other (found by
 * going to and fro: both are convex) give a direction, and the solid's plane in that direction holds the point of the triangle. The
 * correction is shared by the corners by their shares in the point (Jakobsen 2001, section 5).
 *
 *      a ●───────●────● b      the plane through the solid's farthest point along n = (q - s) / |q - s|
 *         ╲   q  ↑   ╱
 *          ╲    ╭s╮ ╱
 */
import { SolidData, TriangleProgress, TriangleRecord } from "../contactLayout";
import type { TriangleContactArrays } from "../contactLayout";
import { rowOffset } from "../layout";
import type { ParticleArrays } from "../layout";
import { findAside, findOut, isAnySqueezed, OUT } from "./cutTriangles";
import type { Push } from "./cutTriangles";
import { deepestShares, pointAt } from "./deepest";
import { scaled } from "./triangleCandidates";
import type { Point } from "./triangleCandidates";
import { noteCorners } from "./triangleRecords";

/** Most steps to and fro; those between a flat triangle and a ball are one, between an edge and a box's edge a few. */
const STEPS = 8;
/** What moves by less than this in a step has arrived, squared [m²]. */
const ARRIVED = 1e-8;
/** Largest share of a move that the next is taken for. */
const LARGEST_SHARE = 0.95;
/** A point that is a corner's up to this share is the corner's contact. */
const CORNER = 0.999;
/** What is off the core of a box by this share of the rim along an axis is held by the box's edge there, and by its corner off all three. */
const EDGE = 0.5;

export const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

/** Four candidates at a time, in step with the SIMD kernel. */
export function findTriangleContacts(particles: ParticleArrays, solid: Float32Array, found: TriangleContactArrays): void {
    const { candidates, progress, capacity } = found;
    let next = progress[TriangleProgress.next];
    const end = progress[TriangleProgress.end];
    let count = 0;
    for (; next < end && count + 4 <= capacity; next += 4) {
        const four = candidates.subarray(next, Math.min(end, next + 4));
        for (const t of four) if (addContact(particles, solid, found, count, t, true)) count++;
        for (const t of four) if (addContact(particles, solid, found, count, t, false)) count++;
    }
    progress[TriangleProgress.next] = Math.min(next, end);
    progress[TriangleProgress.recordCount] = count;
    noteCorners(found, count);
}

/**
 * Finds the contact of one triangle with a solid, and writes it to a record; whether there is any.
 * @param areSqueezed whether those are meant that have corners which the solid squeezes, or the others
 */
function addContact(
    { positions: x, inverseMasses: w }: ParticleArrays,
    solid: Float32Array,
    found: TriangleContactArrays,
    record: number,
    t: number,
    areSqueezed: boolean,
): boolean {
    const ids = Array.from(found.triangles.subarray(3 * t, 3 * t + 3));
    if (!ids.some((i) => w[i] > 0)) return false;
    const rim = solid[SolidData.rim];
    if ((rim > 0 && isAnySqueezed(found, solid, ids)) !== areSqueezed) return false;
    const corners = ids.map((i) => scaled(solid, x, 4 * i));
    const radius = solid[SolidData.radius] + Math.abs(solid[SolidData.slope]) * solid[SolidData.core + 1];
    for (let i = 0; i < 3; i++) {
        const reach = solid[SolidData.core + i] + rim + radius + solid[SolidData.kept] * solid[SolidData.scale + i];
        const along = corners.map((corner) => corner[i]);
        if (Math.min(...along) > reach || Math.max(...along) < -reach) return false;
    }
    const push = areSqueezed ? findAside(found, solid, ids, corners) : findPush(solid, corners);
    // A corner is kept off as a particle.
    if (!areSqueezed && push && Math.max(...push.shares) > CORNER) return false;
    if (!push || !(push.depth > 0)) return false;
    write(solid, found, record, ids, push);
    return true;
}

/** How the nearest points of a triangle and a core push the triangle. */
function findPush(solid: Float32Array, corners: readonly Point[]): Push | null {
    const [a, b, c] = corners;
    const thickness = solid[SolidData.kept];
    let rim = solid[SolidData.rim];
    const ab = minus(b, a);
    const ac = minus(c, a);
    half.set(solid.subarray(SolidData.core, SolidData.core + 3));
    let { q, s, shares, distance } = approach(solid, half, a, ab, ac);
    const cut = solid[SolidData.cut];
    if (!(distance > cut) && rim > 0) {
        const deeper = solid[SolidData.deepRim] - rim;
        rim += deeper;
        for (let i = 0; i < 3; i++) half[i] -= deeper;
        ({ q, s, shares, distance } = approach(solid, half, a, ab, ac));
    }
    if (!(distance > cut)) return rim > 0 ? findOut(solid, q, shares, corners) : null;
    const d = minus(q, s);
    let n: Point = [d[0] / distance, d[1] / distance, d[2] / distance];
    const beyond =
        solid[SolidData.radius] + solid[SolidData.slope] * s[1] + rim * (Math.abs(n[0]) + Math.abs(n[1]) + Math.abs(n[2]));
    n = [n[0] * solid[SolidData.scale], n[1] * solid[SolidData.scale + 1], n[2] * solid[SolidData.scale + 2]];
    const length = Math.sqrt(dot(n, n));
    n = [n[0] / length, n[1] / length, n[2] / length];
    let depth = thickness + (beyond - distance) / length;
    if (rim > 0) {
        // What holds it is the box's own edge or corner, and that stands off from what lies on a face. Between the two it goes over from one to the
        // other: where it leapt, cloth shook.
        const edge = s.map((value, i) => value + Math.max(-rim, Math.min(rim, d[i] / EDGE))) as Point;
        const depthAt = (point: Point): number => Math.min(beyond + dot(n, minus(s, point)), -boxDistance(solid, point));
        shares = nearestShares(ab, ac, minus(edge, a));
        q = pointAt(a, ab, ac, shares[1], shares[2]);
        depth = thickness + depthAt(q);
        if (Math.abs(depth) < OUT) {
            // Another point may be inside. It comes out by no more in an answer, since doors tore what they let go, and no farther than to the surface:
            // where it leaps from one end of the box's edge to the other, cloth shook.
            const deepest = deepestShares(solid, shares, a, ab, ac);
            const point = pointAt(a, ab, ac, deepest[1], deepest[2]);
            const out = Math.min(OUT, depthAt(point));
            if (out > Math.max(depth, 0)) [q, shares, depth] = [point, deepest, out];
        }
    }
    return { q, shares, n, depth };
}

function write(
    solid: Float32Array,
    { records, recordFloats }: TriangleContactArrays,
    record: number,
    particles: readonly number[],
    { q, shares, n, depth }: Push,
): void {
    const m = SolidData.toFrame;
    const o = record * TriangleRecord.count;
    let offset = depth;
    for (let i = 0; i < 3; i++) {
        records[o + i] = rowOffset(particles[i]);
        const normal = solid[m + 4 * i] * n[0] + solid[m + 4 * i + 1] * n[1] + solid[m + 4 * i + 2] * n[2];
        offset += normal * solid[m + 12 + i] + (n[i] * q[i]) / solid[SolidData.scale + i];
        recordFloats[o + TriangleRecord.normal + i] = normal;
        recordFloats[o + TriangleRecord.shares + i] = shares[i];
    }
    recordFloats[o + TriangleRecord.offset] = offset;
    recordFloats[o + TriangleRecord.normal + 3] = recordFloats[o + TriangleRecord.shares + 3] = 0;
}

/** Half extents of the core that is looked at. */
const half = new Float32Array(3);

/** The point q of a triangle that is nearest to a core, as shares too, and the point s of the core. */
function approach(
    solid: Float32Array,
    core: Float32Array,
    a: Point,
    ab: Point,
    ac: Point,
): { q: Point; s: Point; shares: Point; distance: number } {
    let q: Point = [0, 1, 2].map((i) => a[i] + (ab[i] + ac[i]) / 3) as Point;
    let s = coreAt(solid, core, q);
    let shares: Point = [0, 0, 0];
    let before: Point = [0, 0, 0];
    for (let step = 0; step < STEPS; step++) {
        shares = nearestShares(ab, ac, minus(s, a));
        q = [0, 1, 2].map((i) => a[i] + ab[i] * shares[1] + ac[i] * shares[2]) as Point;
        const from = s;
        s = coreAt(solid, core, q);
        const move = minus(s, from);
        if (dot(move, move) <= ARRIVED) break;
        if (solid[SolidData.rim] === 0 && step % 2 === 1 && step < STEPS - 1) {
            // Between an edge and an axis every move is the same share of the last: as far as all of them go.
            const share = Math.max(0, Math.min(LARGEST_SHARE, dot(move, before) / Math.max(dot(before, before), 1e-20)));
            const more = share / (1 - share);
            s = clamped(core, [s[0] + move[0] * more, s[1] + move[1] * more, s[2] + move[2] * more]);
        }
        before = move;
    }
    const d = minus(q, s);
    return { q, s, shares, distance: Math.sqrt(dot(d, d)) };
}

/** The point of the core whose ball, or rim, is nearest to a point. */
function coreAt(solid: Float32Array, core: Float32Array, [x, y, z]: Point): Point {
    return clamped(core, [x, y - solid[SolidData.lean] * Math.sqrt(x * x + z * z), z]);
}

/** The point of the core that is nearest to a point. */
function clamped(core: Float32Array, point: Point): Point {
    return point.map((value, c) => Math.max(-core[c], Math.min(core[c], value))) as Point;
}

/** Distance from a box: the core and its rim. */
function boxDistance(solid: Float32Array, q: Point): number {
    const e = q.map((value, c) => Math.abs(value) - solid[SolidData.core + c] - solid[SolidData.rim]) as Point;
    const deepest = Math.max(...e);
    return deepest > 0 ? Math.hypot(...e.map((value) => Math.max(0, value))) : deepest;
}

/**
 * Shares of a, b, c in the point of the triangle a, a + ab, a + ac that is nearest to a + d: that of its plane, where it is
 * within; else the nearest one of the three edges'.
 */
function nearestShares(ab: Point, ac: Point, d: Point): Point {
    const bb = dot(ab, ab);
    const bc = dot(ab, ac);
    const cc = dot(ac, ac);
    const db = dot(d, ab);
    const dc = dot(d, ac);
    const area = bb * cc - bc * bc;
    const v = cc * db - bc * dc;
    const w = bb * dc - bc * db;
    if (v >= 0 && w >= 0 && v + w <= area && area > 0) return [1 - (v + w) / area, v / area, w / area];
    // Squared distances, less that from a.
    const tb = share(db, bb);
    const tc = share(dc, cc);
    const ee = bb + cc - 2 * bc;
    const de = dc - db - bc + bb;
    const te = share(de, ee);
    const toB = tb * (tb * bb - 2 * db);
    const toC = tc * (tc * cc - 2 * dc);
    const toE = bb - 2 * db + te * (te * ee - 2 * de);
    if (toE < toB && toE < toC) return [0, 1 - te, te];
    return toC < toB ? [1 - tc, 0, tc] : [1 - tb, tb, 0];
}

function share(along: number, squared: number): number {
    return Math.max(0, Math.min(1, along / Math.max(squared, 1e-20)));
}
