import { NONE } from "../fields";
import { ROW } from "../layout";
import { WebFace, WebTriangle } from "../touchLayout";
import type { TouchArrays, WebArrays } from "../touchLayout";
import { addTouch, normal, rows, weights } from "./touchLists";

/*
 * The points in which a particle and a triangle, or two edges, are nearest to each other (Ericson 2005, "Real-time collision detection",
 * §5.1.5 and §5.1.9). What lies on one side of the plane between them has not passed while it does: so all that are near are listed.
 * Of those that share a corner or an edge that is nearest, one is answered.
 */

/** How near an edge of a triangle, as a share of it, what is over it counts for the edge. */
const SHARED = 0.0125;
/** How far beside a corner, as a share of an edge, what is over it may be to be its own. */
const BESIDE = 0.05;
/** How near the ends of an edge, as a share of it, the particles there answer instead. */
const ENDS = 0.02;
/** Squared sine of two edges that are parallel, and of two whose nearest points are any. */
const PARALLEL = 0.01;
const LEVEL = 1e-8;
/** Distance without a direction [m]. */
const COINCIDENT = 1e-7;

/** Where a point is nearest to a triangle: at a corner, on an edge, inside; so many more than the number of the corner or edge. */
const CORNER = 0;
const EDGE = 3;
const INSIDE = 6;

/** Lists the `k`-th corner of a triangle at another. @param height over its plane [m]; `approach` see addTouch */
export function meetParticle(
    touches: TouchArrays,
    a: WebArrays,
    s: number,
    k: number,
    b: WebArrays,
    t: number,
    height: number,
    approach: number,
): void {
    rows[0] = cornerOf(a, s, k);
    for (let l = 0; l < 3; l++) {
        rows[1 + l] = cornerOf(b, t, l);
        if (rows[1 + l] === rows[0]) return;
    }
    const { faces: f } = a;
    const { faces: g } = b;
    const p = s * WebFace.count + WebFace.corners + 4 * k;
    const q = t * WebFace.count + WebFace.corners;
    const region = findNearest(b, t, f[p], f[p + 1], f[p + 2]);
    let squared = 0;
    for (let c = 0; c < 3; c++) {
        const d = f[p + c] - (shares[0] * g[q + c] + shares[1] * g[q + 4 + c] + shares[2] * g[q + 8 + c]);
        normal[c] = d;
        squared += d * d;
    }
    const apart = Math.sqrt(squared);
    const answers = isAnswered(b, t, region, apart);
    if (region === INSIDE || !(apart > COINCIDENT)) {
        for (let c = 0; c < 3; c++) normal[c] = height < 0 ? -g[t * WebFace.count + c] : g[t * WebFace.count + c];
    } else for (let c = 0; c < 3; c++) normal[c] /= apart;
    weights[0] = 1;
    for (let l = 0; l < 3; l++) weights[1 + l] = -shares[l];
    addTouch(touches, a === b, apart, approach, 1, answers);
}

/** Whether it is this triangle, of those that have the point nearest to what has been looked for, that answers it. */
function isAnswered(web: WebArrays, t: number, region: number, apart: number): boolean {
    const { triangles } = web;
    const o = t * WebTriangle.count;
    for (let k = 0; k < 3; k++) {
        if (!(shares[k] > 1 - 2 * SHARED)) continue;
        if (!((triangles[o + WebTriangle.owned] >> k) & 1)) return false;
        return region >= EDGE || isOverCorner(web, t, k, apart);
    }
    if (region === INSIDE) {
        for (let k = 0; k < 3; k++) if (shares[(k + 2) % 3] < SHARED && triangles[o + WebTriangle.neighbours + k] < t) return false;
        return true;
    }
    const k = region - EDGE;
    const neighbour = triangles[o + WebTriangle.neighbours + k];
    return neighbour === NONE || (neighbour > t && !(shareBeyond(web, t, k, neighbour) > SHARED));
}

/** Whether what is nearest to a corner is over it, along its normal; a rope has none, and all about it is. */
function isOverCorner({ member, triangles, faces: f }: WebArrays, t: number, k: number, apart: number): boolean {
    const n = (member.first + triangles[t * WebTriangle.count + k]) * ROW;
    const { normals } = member.crowd;
    if (normals[n] === 0 && normals[n + 1] === 0 && normals[n + 2] === 0) return true;
    const o = t * WebFace.count + WebFace.corners + 4 * k;
    const e = t * WebFace.count + WebFace.corners + 4 * ((k + 1) % 3);
    const height = normal[0] * normals[n] + normal[1] * normals[n + 1] + normal[2] * normals[n + 2];
    let edge = 0;
    for (let c = 0; c < 3; c++) edge += (f[e + c] - f[o + c]) ** 2;
    return apart * apart - height * height <= BESIDE * BESIDE * edge;
}

/** How far into a neighbour over an edge the point is that has been looked for, as a share of its height over it. */
function shareBeyond({ faces: f }: WebArrays, t: number, k: number, neighbour: number): number {
    const o = t * WebFace.count + WebFace.corners + 4 * k;
    const e = t * WebFace.count + WebFace.corners + 4 * ((k + 1) % 3);
    const m = neighbour * WebFace.count + WebFace.centre;
    let edge = 0;
    let along = 0;
    for (let c = 0; c < 3; c++) {
        const u = f[e + c] - f[o + c];
        edge += u * u;
        along += u * (f[m + c] / 3 - f[o + c]);
    }
    let squared = 0;
    let into = 0;
    for (let c = 0; c < 3; c++) {
        const u = f[e + c] - f[o + c];
        // A third of the height over the edge: to the middle.
        const w = 3 * (f[m + c] / 3 - f[o + c] - (along / edge) * u);
        squared += w * w;
        into += w * normal[c];
    }
    return into / squared;
}

/** Shares of a triangle's corners in the point of it that was found last. */
export const shares = new Float64Array(3);

/** Finds the barycentric coordinates of the point of a triangle that is nearest to another; where it is. */
function findNearest({ faces: f }: WebArrays, t: number, x: number, y: number, z: number): number {
    measure(f, t, x, y, z);
    const { uu, uv, vv, du, dv } = dots;
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

function setShares(a: number, b: number, c: number, region: number): number {
    shares[0] = a;
    shares[1] = b;
    shares[2] = c;
    return region;
}

/** Products of two edges u and v of a triangle from its first corner, and of the way from there to a point. */
const dots = { uu: 0, uv: 0, vv: 0, du: 0, dv: 0 };

function measure(f: Float32Array, t: number, x: number, y: number, z: number): void {
    const o = t * WebFace.count + WebFace.corners;
    const ux = f[o + 4] - f[o];
    const uy = f[o + 5] - f[o + 1];
    const uz = f[o + 6] - f[o + 2];
    const vx = f[o + 8] - f[o];
    const vy = f[o + 9] - f[o + 1];
    const vz = f[o + 10] - f[o + 2];
    const dx = x - f[o];
    const dy = y - f[o + 1];
    const dz = z - f[o + 2];
    dots.uu = ux * ux + uy * uy + uz * uz;
    dots.uv = ux * vx + uy * vy + uz * vz;
    dots.vv = vx * vx + vy * vy + vz * vz;
    dots.du = dx * ux + dy * uy + dz * uz;
    dots.dv = dx * vx + dy * vy + dz * vz;
}

/** Finds the barycentric coordinates of a point's foot in a triangle's plane; whether it is inside. */
export function findFoot({ faces: f }: WebArrays, t: number, x: number, y: number, z: number): boolean {
    measure(f, t, x, y, z);
    const { uu, uv, vv, du, dv } = dots;
    const area = uu * vv - uv * uv;
    if (!(area > 0)) return false;
    shares[1] = (vv * du - uv * dv) / area;
    shares[2] = (uu * dv - uv * du) / area;
    shares[0] = 1 - shares[1] - shares[2];
    return shares[0] >= 0 && shares[1] >= 0 && shares[2] >= 0;
}

/** Lists two edges at each other. @param approach see addTouch */
export function meetEdges(
    touches: TouchArrays,
    a: WebArrays,
    s: number,
    k: number,
    b: WebArrays,
    t: number,
    l: number,
    approach: number,
): void {
    rows[0] = cornerOf(a, s, k);
    rows[1] = cornerOf(a, s, (k + 1) % 3);
    rows[2] = cornerOf(b, t, l);
    rows[3] = cornerOf(b, t, (l + 1) % 3);
    if (rows[0] === rows[2] || rows[0] === rows[3] || rows[1] === rows[2] || rows[1] === rows[3]) return;
    const { faces: f } = a;
    const { faces: g } = b;
    const p = s * WebFace.count + WebFace.corners + 4 * k;
    const q = s * WebFace.count + WebFace.corners + 4 * ((k + 1) % 3);
    const i = t * WebFace.count + WebFace.corners + 4 * l;
    const j = t * WebFace.count + WebFace.corners + 4 * ((l + 1) % 3);
    const ux = f[q] - f[p];
    const uy = f[q + 1] - f[p + 1];
    const uz = f[q + 2] - f[p + 2];
    const vx = g[j] - g[i];
    const vy = g[j + 1] - g[i + 1];
    const vz = g[j + 2] - g[i + 2];
    const dx = f[p] - g[i];
    const dy = f[p + 1] - g[i + 1];
    const dz = f[p + 2] - g[i + 2];
    const uu = ux * ux + uy * uy + uz * uz;
    const uv = ux * vx + uy * vy + uz * vz;
    const vv = vx * vx + vy * vy + vz * vz;
    const du = dx * ux + dy * uy + dz * uz;
    const dv = dx * vx + dy * vy + dz * vz;
    const area = uu * vv - uv * uv;
    const isParallel = !(area > PARALLEL * uu * vv);
    let along = area > LEVEL * uu * vv ? clamp((uv * dv - vv * du) / area) : 0;
    let alongOther = (uv * along + dv) / vv;
    const isOver = alongOther >= ENDS && alongOther <= 1 - ENDS && along >= ENDS && along <= 1 - ENDS;
    if (!(alongOther >= 0 && alongOther <= 1)) {
        alongOther = clamp(alongOther);
        along = clamp((uv * alongOther - du) / uu);
    }
    const nx = dx + along * ux - alongOther * vx;
    const ny = dy + along * uy - alongOther * vy;
    const nz = dz + along * uz - alongOther * vz;
    const apart = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const hasDirection = apart > COINCIDENT;
    const scale = hasDirection ? 1 / apart : isParallel ? 0 : 1 / Math.sqrt(area);
    normal[0] = (hasDirection ? nx : uy * vz - uz * vy) * scale;
    normal[1] = (hasDirection ? ny : uz * vx - ux * vz) * scale;
    normal[2] = (hasDirection ? nz : ux * vy - uy * vx) * scale;
    weights[0] = 1 - along;
    weights[1] = along;
    weights[2] = alongOther - 1;
    weights[3] = -alongOther;
    addTouch(touches, a === b, apart, approach, 2, isOver && !isParallel);
}

function clamp(share: number): number {
    return share < 0 ? 0 : share > 1 ? 1 : share;
}

function cornerOf({ member, triangles }: WebArrays, t: number, k: number): number {
    return member.first + triangles[t * WebTriangle.count + WebTriangle.corners + k];
}
