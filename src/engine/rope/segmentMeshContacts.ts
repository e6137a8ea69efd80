/**
 * Links of ropes against triangle meshes: what of a link passes a mesh that its ends do not, it passes over an edge.
 *
 *        d ●                 The volume u × e · (a - c) of link and edge changes its sign where the two cross: on a straight way of
 *     a ●━━╲━━━● b  u        the link that is a square equation in time (for two that move, a cubic: Provot 1997). What has crossed an
 *           ╲ e              edge is on the far side of it, however far; what has not is as near as their nearest points
 *            ● c             (Ericson 2005, §5.1.9), and on the side on which it is.
 */
import { MAX_SEGMENT_CLEARANCE } from "../tunables";
import { MeshData, MeshNode, MeshTriangle, countIn, firstIn } from "../../kernels/meshLayout";
import type { MeshArrays } from "../../kernels/meshLayout";
import { segment, SEGMENT_END, MAX_SEGMENT_CONTACTS, SegmentContact, segmentContacts } from "./segmentSolidContacts";

/** A link passes an edge so far beyond its ends, as a share of it, that none slips through between two. */
const EDGE_SEAM = 1e-4;
/** Squared sine of two that are parallel. */
const PARALLEL_SINE = 1e-6;
/** Distance without a direction [m]. */
const COINCIDENT = 1e-7;
/** By so much a normal may lie beyond those of the faces beside an edge, as a cosine: what does has gone through a face, and its end comes out of that. */
const FACE_COSINE = -0.1;
/** Corners nearer to each other than this share of the mesh are one. */
const WELD_TOLERANCE = 1e-5;
/** Touches so near to each other, as a share of the link, and by the cosine of their normals, are one. */
const SAME_SHARE = 0.01;
const SAME_NORMAL = 0.999;

/** Within {@link detectSegmentMeshContacts}. */
const normal = new Float64Array(3);
/** The box of the link's way and of what is looked at about it: least and most x y z [m]. */
const box = new Float64Array(6);
/** True if the segment has crossed an edge; beside it, the contacts found, and how much farther than the margin the nearest edge is [m]. */
let hasCrossed = false;
let contactCount = 0;
let clearance = 0;

/** True if the segment last tested has crossed an edge on its path. */
export function hasSegmentCrossed(): boolean {
    return hasCrossed;
}

/** Distance by which both ends of the segment last tested may move until it may touch anything [m]; not above 0: it may now. */
export function segmentClearance(): number {
    return clearance;
}

/**
 * Finds where a link touches a mesh (see {@link segment}); how often.
 * @param neighbours see {@link findNeighbours}
 * @param solidSide 1 where the triangles' normals lead out of what is solid, -1 where they lead in, 0: both sides are out
 */
export function detectSegmentMeshContacts(mesh: MeshArrays, neighbours: Int32Array, solidSide: number): number {
    const { nodes, nodeFloats: f } = mesh;
    const kept = mesh.data[MeshData.keptDistance] / 2;
    contactCount = 0;
    hasCrossed = false;
    clearance = MAX_SEGMENT_CLEARANCE;
    for (let c = 0; c < 3; c++) {
        box[c] = Math.min(segment[c], segment[3 + c], segment[6 + c], segment[9 + c]) - kept - MAX_SEGMENT_CLEARANCE;
        box[3 + c] = Math.max(segment[c], segment[3 + c], segment[6 + c], segment[9 + c]) + kept + MAX_SEGMENT_CLEARANCE;
    }
    for (let node = 0; node < mesh.nodeCount;) {
        const o = node * MeshNode.count;
        const least = o + MeshNode.minimum;
        const most = o + MeshNode.maximum;
        const isNear =
            box[0] <= f[most] &&
            box[3] >= f[least] &&
            box[1] <= f[most + 1] &&
            box[4] >= f[least + 1] &&
            box[2] <= f[most + 2] &&
            box[5] >= f[least + 2];
        node = isNear ? node + 1 : nodes[o + MeshNode.next];
        if (!isNear) continue;
        const range = nodes[o + MeshNode.triangles];
        for (let i = firstIn(range), end = i + countIn(range); i < end; i++) {
            for (let edge = 0; edge < 3; edge++) {
                const neighbour = neighbours[3 * i + edge];
                // Each edge once: with the first of its two triangles.
                if (neighbour < 0 || neighbour >> 2 >= i) detectEdgeContact(mesh.triangles, i, edge, kept, neighbour, solidSide);
            }
        }
    }
    return contactCount;
}

/** True if the interval from x to x + e along an axis is beyond the {@link box}. */
function isOutsideBox(axis: number, x: number, e: number): boolean {
    return e > 0 ? x > box[3 + axis] || x + e < box[axis] : x + e > box[3 + axis] || x < box[axis];
}

/** Notes where the link touches an edge of the triangle i: a b, a c or b c. */
function detectEdgeContact(t: Float32Array, i: number, edge: number, kept: number, neighbour: number, solidSide: number): void {
    const o = i * MeshTriangle.count;
    const c = o + MeshTriangle.corner;
    const ab = o + MeshTriangle.ab;
    const ac = o + MeshTriangle.ac;
    const isFar = edge === 2;
    const ahead = edge === 0 ? ab : ac;
    const cx = t[c] + (isFar ? t[ab] : 0);
    const cy = t[c + 1] + (isFar ? t[ab + 1] : 0);
    const cz = t[c + 2] + (isFar ? t[ab + 2] : 0);
    const ex = t[ahead] - (isFar ? t[ab] : 0);
    const ey = t[ahead + 1] - (isFar ? t[ab + 1] : 0);
    const ez = t[ahead + 2] - (isFar ? t[ab + 2] : 0);
    if (isOutsideBox(0, cx, ex) || isOutsideBox(1, cy, ey) || isOutsideBox(2, cz, ez)) return;
    // The link at the way's end, and at its start.
    const ux = segment[9] - segment[6], uy = segment[10] - segment[7], uz = segment[11] - segment[8]; // prettier-ignore
    const px = segment[3] - segment[0], py = segment[4] - segment[1], pz = segment[5] - segment[2]; // prettier-ignore
    const wx = segment[6] - cx, wy = segment[7] - cy, wz = segment[8] - cz; // prettier-ignore
    const qx = segment[0] - cx, qy = segment[1] - cy, qz = segment[2] - cz; // prettier-ignore
    const nx = uy * ez - uz * ey, ny = uz * ex - ux * ez, nz = ux * ey - uy * ex; // prettier-ignore
    const mx = py * ez - pz * ey, my = pz * ex - px * ez, mz = px * ey - py * ex; // prettier-ignore
    const after = nx * wx + ny * wy + nz * wz;
    const before = mx * qx + my * qy + mz * qz;
    const uu = ux * ux + uy * uy + uz * uz;
    const ee = ex * ex + ey * ey + ez * ez;
    const area = nx * nx + ny * ny + nz * nz;
    if (!(ee > 0 && uu > 0)) return;
    const side = before > 0 ? 1 : -1;
    const across = Math.sqrt(area);
    const ue = ux * ex + uy * ey + uz * ez;
    const wu = wx * ux + wy * uy + wz * uz;
    const we = wx * ex + wy * ey + wz * ez;
    const isParallel = !(area > PARALLEL_SINE * uu * ee);
    if (before > 0 !== after > 0 && !isParallel) {
        // Of V = before + g t + h t², what is between the ends in the middle.
        const gx = mx * (wx - qx) + my * (wy - qy) + mz * (wz - qz) + (nx - mx) * qx + (ny - my) * qy + (nz - mz) * qz;
        const h = after - before - gx;
        const time = rootOf(h, gx, before);
        const k = 1 - time;
        if (
            isCrossing(
                k * px + time * ux,
                k * py + time * uy,
                k * pz + time * uz,
                k * qx + time * wx,
                k * qy + time * wy,
                k * qz + time * wz,
                ex,
                ey,
                ez,
                ee,
            )
        ) {
            clearance = 0;
            // prettier-ignore
            for (let k = 0; k < 3; k++) normal[k] = (side * (k === 0 ? nx : k === 1 ? ny : nz)) / across;
            if (leadsOut(t, o, 2 - edge, neighbour, cx, cy, cz, ex, ey, ez, ee, solidSide)) {
                hasCrossed = true;
                addContact(clamp((ue * we - ee * wu) / area), kept - (side * after) / across);
            }
            return;
        }
    }
    // Nearest points: s on the link, v on the edge.
    let s = isParallel ? 0.5 : clamp((ue * we - ee * wu) / area);
    let v = (ue * s + we) / ee;
    if (!(v >= 0 && v <= 1)) {
        v = clamp(v);
        s = clamp((ue * v - wu) / uu);
    }
    const dx = wx + s * ux - v * ex;
    const dy = wy + s * uy - v * ey;
    const dz = wz + s * uz - v * ez;
    const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (!(distance - kept >= clearance)) clearance = distance - kept;
    if (!(s > SEGMENT_END && s < 1 - SEGMENT_END)) return;
    if (!(distance < kept && distance > COINCIDENT)) return;
    normal[0] = dx / distance;
    normal[1] = dy / distance;
    normal[2] = dz / distance;
    if (leadsOut(t, o, 2 - edge, neighbour, cx, cy, cz, ex, ey, ez, ee, solidSide)) addContact(s, kept - distance);
}

/** True if {@link normal} leads out of an edge e at c: into no face beside it, nor into the solid. @param corner the triangle's that is not on the edge */
function leadsOut(
    t: Float32Array,
    o: number,
    corner: number,
    neighbour: number,
    cx: number,
    cy: number,
    cz: number,
    ex: number,
    ey: number,
    ez: number,
    ee: number,
    solidSide: number, // prettier-ignore
): boolean {
    const other = (neighbour >> 2) * MeshTriangle.count;
    if (solidSide * facingCosine(t, o) < 0 && (neighbour < 0 || solidSide * facingCosine(t, other) < 0)) return false;
    for (let k = 0; k < 2; k++) {
        if (k === 1 && neighbour < 0) break;
        const from = k === 0 ? o : other;
        const at = k === 0 ? corner : neighbour & 3;
        const off = at === 0 ? -1 : at === 1 ? from + MeshTriangle.ab : from + MeshTriangle.ac;
        let x = t[from] - cx + (off < 0 ? 0 : t[off]);
        let y = t[from + 1] - cy + (off < 0 ? 0 : t[off + 1]);
        let z = t[from + 2] - cz + (off < 0 ? 0 : t[off + 2]);
        // Into the face, square to the edge.
        const along = (x * ex + y * ey + z * ez) / ee;
        x -= along * ex;
        y -= along * ey;
        z -= along * ez;
        const into = normal[0] * x + normal[1] * y + normal[2] * z;
        if (into > -FACE_COSINE * Math.sqrt(x * x + y * y + z * z)) return false;
    }
    return true;
}

/** The cosine between {@link normal} and that of a triangle. */
function facingCosine(t: Float32Array, o: number): number {
    const n = o + MeshTriangle.normal;
    return normal[0] * t[n] + normal[1] * t[n + 1] + normal[2] * t[n + 2];
}

/**
 * Finds what is beyond the edges of each triangle, a b, a c and b c: four times the triangle there and which of its corners is not on the edge, 0 to 2;
 * -1: nothing. Shape [triangleCount, 3].
 */
export function findNeighbours({ triangles: t, triangleCount, data }: MeshArrays): Int32Array {
    const neighbours = new Int32Array(3 * triangleCount).fill(-1);
    const corners = weldCorners(t, triangleCount, WELD_TOLERANCE * data[MeshData.size]);
    const edges = new Map<number, number>();
    for (let i = 0; i < triangleCount; i++) {
        for (let edge = 0; edge < 3; edge++) {
            const a = corners[3 * i + (edge === 2 ? 1 : 0)];
            const b = corners[3 * i + (edge === 0 ? 1 : 2)];
            const key = Math.min(a, b) * corners.length + Math.max(a, b);
            const other = edges.get(key);
            if (other === undefined) edges.set(key, 3 * i + edge);
            else {
                neighbours[3 * i + edge] = 4 * Math.floor(other / 3) + 2 - (other % 3);
                neighbours[other] = 4 * i + 2 - edge;
            }
        }
    }
    return neighbours;
}

/** Numbers of the corners a b c of triangles, shape [triangleCount, 3]: those that are no farther apart than this along each axis have one. */
function weldCorners(t: Float32Array, triangleCount: number, within: number): Uint32Array {
    const corners = new Uint32Array(3 * triangleCount);
    const points = new Float64Array(9 * triangleCount);
    const inOrder = new Uint32Array(3 * triangleCount);
    for (let v = 0; v < inOrder.length; v++) {
        const o = Math.floor(v / 3) * MeshTriangle.count;
        const off = v % 3 === 1 ? MeshTriangle.ab : MeshTriangle.ac;
        for (let c = 0; c < 3; c++) points[3 * v + c] = t[o + c] + (v % 3 === 0 ? 0 : t[o + off + c]);
        corners[v] = inOrder[v] = v;
    }
    inOrder.sort((v, w) => points[3 * v] - points[3 * w] || v - w);
    for (let i = 1; i < inOrder.length; i++) {
        const v = inOrder[i];
        for (let k = i - 1; k >= 0 && points[3 * v] - points[3 * inOrder[k]] <= within; k--) {
            const w = inOrder[k];
            if (Math.abs(points[3 * v + 1] - points[3 * w + 1]) > within) continue;
            if (Math.abs(points[3 * v + 2] - points[3 * w + 2]) > within) continue;
            corners[v] = corners[w];
            break;
        }
    }
    return corners;
}

/** The root of c + b t + a t² between 0 and 1, at the ends of which it has two signs. */
function rootOf(a: number, b: number, c: number): number {
    const q = -0.5 * (b + (b < 0 ? -1 : 1) * Math.sqrt(Math.max(0, b * b - 4 * a * c)));
    const t = c / q;
    return t >= 0 && t <= 1 ? t : clamp(q / a);
}

/** True if a segment along u and an edge along e, in one plane, cross each other; w leads from the start of the edge to that of the segment. */
function isCrossing(
    ux: number,
    uy: number,
    uz: number,
    wx: number,
    wy: number,
    wz: number,
    ex: number,
    ey: number,
    ez: number,
    ee: number, // prettier-ignore
): boolean {
    const uu = ux * ux + uy * uy + uz * uz;
    const ue = ux * ex + uy * ey + uz * ez;
    const area = uu * ee - ue * ue;
    // Two that turn past each other's direction have no volume then either.
    if (!(area > PARALLEL_SINE * uu * ee)) return false;
    const wu = wx * ux + wy * uy + wz * uz;
    const we = wx * ex + wy * ey + wz * ez;
    const s = (ue * we - ee * wu) / area;
    const v = (uu * we - ue * wu) / area;
    return s >= -EDGE_SEAM && s <= 1 + EDGE_SEAM && v >= -EDGE_SEAM && v <= 1 + EDGE_SEAM;
}

/** Notes a touch along {@link normal} at a share of the link, unless it has been. */
function addContact(share: number, depth: number): void {
    let place = contactCount;
    let shallowest = Infinity;
    for (let k = 0; k < contactCount; k++) {
        const at = k * SegmentContact.count;
        const along = at + SegmentContact.normal;
        const cosine =
            normal[0] * segmentContacts[along] + normal[1] * segmentContacts[along + 1] + normal[2] * segmentContacts[along + 2];
        const isSame = cosine > SAME_NORMAL && Math.abs(segmentContacts[at + SegmentContact.share] - share) < SAME_SHARE;
        if (isSame && segmentContacts[at + SegmentContact.depth] >= depth) return;
        if (isSame || (contactCount === MAX_SEGMENT_CONTACTS && shallowest > segmentContacts[at + SegmentContact.depth])) {
            place = k;
            shallowest = isSame ? -Infinity : segmentContacts[at + SegmentContact.depth];
        }
    }
    if (place === MAX_SEGMENT_CONTACTS) return;
    if (place === contactCount) contactCount++;
    const at = place * SegmentContact.count;
    segmentContacts[at + SegmentContact.share] = share;
    for (let c = 0; c < 3; c++) segmentContacts[at + SegmentContact.normal + c] = normal[c];
    segmentContacts[at + SegmentContact.depth] = depth;
}

function clamp(share: number): number {
    return share < 0 ? 0 : share > 1 ? 1 : share;
}
