/** Nearest points of particles and triangles, and of edges. Computed in doubles, bit for bit reproducible. */
import { ROW, SelfContactArrays, BvhArrays, BvhFace, BvhTriangle, rowOffset } from "./layout.generated";
import { addContact, cornerOf, faceOf, lane, positionOf, setNormal, setRows, setWeights } from "./contactLists";
import { NONE, word } from "./memory";

/** Tolerance for a point over an edge, as a share of the edge. */
const SHARED_CORNER: f64 = 0.0125;
/** Largest offset from a corner, as a share of an edge, at which a point still belongs to the corner. */
const BESIDE_SHARE: f64 = 0.05;
/** Distance from the ends of an edge, as a share of it, within which the corner particles represent the contact. */
const END_SHARE: f64 = 0.02;
/** Squared sine of two edges that are parallel, and of two whose nearest points are arbitrary. */
const PARALLEL: f64 = 0.01;
const PLANAR_SINE: f64 = 1e-8;
/** Distance without a direction [m]. */
const COINCIDENT: f64 = 1e-7;

/** Feature of a triangle nearest to a point: corner, edge or interior. Add the number of the corner or edge. */
const CORNER: u32 = 0;
const EDGE: u32 = 3;
const INSIDE: u32 = 6;

// From the nearest point to the query point.
let dx: f64 = 0;
let dy: f64 = 0;
let dz: f64 = 0;

/** Lists the `k`-th corner of a triangle at another. @param height over its plane [m]; `approach` see addContact */
export function detectVertexFace(contacts: SelfContactArrays, a: BvhArrays, s: u32, k: u32, b: BvhArrays, t: u32, height: f32, approach: f32, far: f32): void {
    if (setRows(cornerOf(a, s, k), cornerOf(b, t, 0), cornerOf(b, t, 1), cornerOf(b, t, 2), 1)) return;
    const p = positionOf(a, s, k);
    const q = positionOf(b, t, 0);
    if (isBesideEdge(v128.load(p), v128.load(q), v128.load(q, ROW), v128.load(q, 2 * ROW), far)) return;
    const region = findNearest(b, t, lane(p, 0), lane(p, 1), lane(p, 2));
    dx = lane(p, 0) - (share0 * lane(q, 0) + share1 * lane(q, 4) + share2 * lane(q, 8));
    dy = lane(p, 1) - (share0 * lane(q, 1) + share1 * lane(q, 5) + share2 * lane(q, 9));
    dz = lane(p, 2) - (share0 * lane(q, 2) + share1 * lane(q, 6) + share2 * lane(q, 10));
    const apart = sqrt<f64>(dx * dx + dy * dy + dz * dz);
    const answers = isRepresented(b, t, region, apart);
    if (region === INSIDE || !(apart > COINCIDENT)) {
        const face = faceOf(b, t);
        const side: f64 = height < 0 ? -1 : 1;
        setNormal(side * lane(face, 0), side * lane(face, 1), side * lane(face, 2));
    } else setNormal(dx / apart, dy / apart, dz / apart);
    setWeights(1, -share0, -share1, -share2);
    addContact(contacts, a === b, apart, <f64>approach, 1, answers);
}

// @ts-ignore: decorator
@inline
function shareOf(k: u32): f64 {
    return k === 0 ? share0 : k === 1 ? share1 : share2;
}

/** True if this triangle, of those that share the nearest feature of the last query, represents it. */
function isRepresented(bvh: BvhArrays, t: u32, region: u32, apart: f64): bool {
    const triangle = bvh.triangles + <usize>t * BvhTriangle.count;
    const neighbours = triangle + BvhTriangle.neighbours;
    for (let k: u32 = 0; k < 3; k++) {
        if (!(shareOf(k) > 1 - 2 * SHARED_CORNER)) continue;
        if (!((load<u32>(triangle, BvhTriangle.ownership) >> k) & 1)) return false;
        return region >= EDGE || isOverCorner(bvh, t, k, apart);
    }
    if (region === INSIDE) {
        if (share2 < SHARED_CORNER && word(neighbours, 0) < t) return false;
        if (share0 < SHARED_CORNER && word(neighbours, 1) < t) return false;
        return !(share1 < SHARED_CORNER && word(neighbours, 2) < t);
    }
    const k = region - EDGE;
    const neighbour = word(neighbours, k);
    return neighbour === NONE || (neighbour > t && !(shareBeyond(bvh, t, k, neighbour) > SHARED_CORNER));
}

/** True if the point is over its nearest corner, along the corner's normal. A rope has no normals: always true there. */
function isOverCorner(bvh: BvhArrays, t: u32, k: u32, apart: f64): bool {
    const n = bvh.proxy.shared.normals + rowOffset(cornerOf(bvh, t, k));
    if (!v128.any_true(f32x4.ne(v128.load(n), f32x4.splat(0)))) return true;
    const o = positionOf(bvh, t, k);
    const e = positionOf(bvh, t, k === 2 ? 0 : k + 1);
    const height = dx * lane(n, 0) + dy * lane(n, 1) + dz * lane(n, 2);
    const x = lane(e, 0) - lane(o, 0);
    const y = lane(e, 1) - lane(o, 1);
    const z = lane(e, 2) - lane(o, 2);
    return apart * apart - height * height <= BESIDE_SHARE * BESIDE_SHARE * (x * x + y * y + z * z);
}

/** Overhang of the last query's point beyond an edge into its neighbour, as a share of its height over that neighbour. */
function shareBeyond(bvh: BvhArrays, t: u32, k: u32, neighbour: u32): f64 {
    const o = positionOf(bvh, t, k);
    const e = positionOf(bvh, t, k === 2 ? 0 : k + 1);
    const m = faceOf(bvh, neighbour) + BvhFace.centre;
    const ux = lane(e, 0) - lane(o, 0);
    const uy = lane(e, 1) - lane(o, 1);
    const uz = lane(e, 2) - lane(o, 2);
    const cx = lane(m, 0) / 3 - lane(o, 0);
    const cy = lane(m, 1) / 3 - lane(o, 1);
    const cz = lane(m, 2) / 3 - lane(o, 2);
    const along = (ux * cx + uy * cy + uz * cz) / (ux * ux + uy * uy + uz * uz);
    const wx = 3 * (cx - along * ux);
    const wy = 3 * (cy - along * uy);
    const wz = 3 * (cz - along * uz);
    return (wx * dx + wy * dy + wz * dz) / (wx * wx + wy * wy + wz * wz);
}

/** Shares of a triangle's corners in the point of it that was found last. */
export let share0: f64 = 0;
export let share1: f64 = 0;
export let share2: f64 = 0;

/** Finds the barycentric coordinates of the point of a triangle that is nearest to another; where it is. */
function findNearest(bvh: BvhArrays, t: u32, x: f64, y: f64, z: f64): u32 {
    measure(bvh, t, x, y, z);
    const eu = du - uu;
    const ev = dv - uv;
    const gu = du - uv;
    const gv = dv - vv;
    if (du <= 0 && dv <= 0) return setShares(1, 0, 0, CORNER);
    if (eu >= 0 && ev <= eu) return setShares(0, 1, 0, CORNER + 1);
    const c = du * ev - eu * dv;
    if (c <= 0 && du >= 0 && eu <= 0) return setShares(1 - du / uu, du / uu, 0, EDGE);
    if (gv >= 0 && gu <= gv) return setShares(0, 0, 1, CORNER + 2);
    const b = gu * dv - du * gv;
    if (b <= 0 && dv >= 0 && gv <= 0) return setShares(1 - dv / vv, 0, dv / vv, EDGE + 2);
    const a = eu * gv - gu * ev;
    const across = ev - eu + (gu - gv);
    if (a <= 0 && ev - eu >= 0 && gu - gv >= 0) return setShares(0, (gu - gv) / across, (ev - eu) / across, EDGE + 1);
    const sum = a + b + c;
    return setShares(a / sum, b / sum, c / sum, INSIDE);
}

// @ts-ignore: decorator
@inline
function setShares(a: f64, b: f64, c: f64, region: u32): u32 {
    share0 = a;
    share1 = b;
    share2 = c;
    return region;
}

// Products of two edges of a triangle from its first corner, and of the way from there to a point.
let uu: f64 = 0;
let uv: f64 = 0;
let vv: f64 = 0;
let du: f64 = 0;
let dv: f64 = 0;

function measure(bvh: BvhArrays, t: u32, x: f64, y: f64, z: f64): void {
    const o = positionOf(bvh, t, 0);
    const ux = lane(o, 4) - lane(o, 0);
    const uy = lane(o, 5) - lane(o, 1);
    const uz = lane(o, 6) - lane(o, 2);
    const vx = lane(o, 8) - lane(o, 0);
    const vy = lane(o, 9) - lane(o, 1);
    const vz = lane(o, 10) - lane(o, 2);
    const px = x - lane(o, 0);
    const py = y - lane(o, 1);
    const pz = z - lane(o, 2);
    uu = ux * ux + uy * uy + uz * uz;
    uv = ux * vx + uy * vy + uz * vz;
    vv = vx * vx + vy * vy + vz * vz;
    du = px * ux + py * uy + pz * uz;
    dv = px * vx + py * vy + pz * vz;
}

/** Finds the barycentric coordinates of a point's foot in a triangle's plane. Returns true if it is inside. */
export function findFoot(bvh: BvhArrays, t: u32, x: f64, y: f64, z: f64): bool {
    measure(bvh, t, x, y, z);
    const area = uu * vv - uv * uv;
    if (!(area > 0)) return false;
    share1 = (vv * du - uv * dv) / area;
    share2 = (uu * dv - uv * du) / area;
    share0 = 1 - share1 - share2;
    return share0 >= 0 && share1 >= 0 && share2 >= 0;
}

/** Lists two edges at each other. @param approach see addContact */
export function detectEdgeEdge(contacts: SelfContactArrays, a: BvhArrays, s: u32, k: u32, b: BvhArrays, t: u32, l: u32, approach: f32, far: f32): void {
    const m = k === 2 ? 0 : k + 1;
    const n = l === 2 ? 0 : l + 1;
    if (setRows(cornerOf(a, s, k), cornerOf(a, s, m), cornerOf(b, t, l), cornerOf(b, t, n), 2)) return;
    const p = positionOf(a, s, k);
    const q = positionOf(a, s, m);
    const i = positionOf(b, t, l);
    const j = positionOf(b, t, n);
    if (areBoxesApart(v128.load(p), v128.load(q), v128.load(i), v128.load(j), far)) return;
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
    const du = dx * ux + dy * uy + dz * uz;
    const dv = dx * vx + dy * vy + dz * vz;
    const area = uu * vv - uv * uv;
    const isParallel = !(area > PARALLEL * uu * vv);
    let along = area > PLANAR_SINE * uu * vv ? clamp((uv * dv - vv * du) / area) : 0;
    let other = (uv * along + dv) / vv;
    const isOver = other >= END_SHARE && other <= 1 - END_SHARE && along >= END_SHARE && along <= 1 - END_SHARE;
    if (!(other >= 0 && other <= 1)) {
        other = clamp(other);
        along = clamp((uv * other - du) / uu);
    }
    const nx = dx + along * ux - other * vx;
    const ny = dy + along * uy - other * vy;
    const nz = dz + along * uz - other * vz;
    const apart = sqrt<f64>(nx * nx + ny * ny + nz * nz);
    if (apart > COINCIDENT) setNormal(nx / apart, ny / apart, nz / apart);
    else {
        const scale = isParallel ? <f64>0 : 1 / sqrt<f64>(area);
        setNormal((uy * vz - uz * vy) * scale, (uz * vx - ux * vz) * scale, (ux * vy - uy * vx) * scale);
    }
    setWeights(1 - along, along, other - 1, -other);
    addContact(contacts, a === b, apart, <f64>approach, 2, isOver && !isParallel);
}

/** True if a particle is farther from the box of a triangle than the given distance. */
// @ts-ignore: decorator
@inline
function isBesideEdge(p: v128, a: v128, b: v128, c: v128, far: f32): bool {
    const before = f32x4.sub(f32x4.pmin(f32x4.pmin(a, b), c), p);
    const behind = f32x4.sub(p, f32x4.pmax(f32x4.pmax(a, b), c));
    return v128.any_true(f32x4.gt(f32x4.pmax(before, behind), f32x4.splat(far)));
}

/** True if the boxes of two edges are farther apart than the given distance. */
// @ts-ignore: decorator
@inline
function areBoxesApart(p: v128, q: v128, i: v128, j: v128, far: f32): bool {
    const before = f32x4.sub(f32x4.pmin(i, j), f32x4.pmax(p, q));
    const behind = f32x4.sub(f32x4.pmin(p, q), f32x4.pmax(i, j));
    return v128.any_true(f32x4.gt(f32x4.pmax(before, behind), f32x4.splat(far)));
}

// @ts-ignore: decorator
@inline
function clamp(share: f64): f64 {
    return share < 0 ? 0 : share > 1 ? 1 : share;
}
