/**
 * Straight cut through cloth: finds the edges that the segment crosses, seen along the cloth's normal there.
 *
 *          n │   ╱ from ━━━━━ to        An edge p q is crossed where the plane through the segment and the normal n of the triangles
 *     p ─────┼──╱── q                   beside it parts p from q, between the segment's ends and no farther from it than its reach.
 *           ╱
 */
import { SNAP_RATIO } from "../tunables";
import { Edges } from "./tornMesh";
import type { TornMesh } from "./tornMesh";
import type { CutLine } from "./subdivide";

/** A cut, world space [m]. */
export interface Segment {
    readonly from: ArrayLike<number>;
    readonly to: ArrayLike<number>;
    /** Largest distance from the cloth, along the cloth's normal. */
    readonly reach: number;
}

/**
 * @param x positions of the places, shape [placeCount, 3] [m]
 * @param leastEdge edges are not divided into shorter ones than about a quarter of this [m]
 */
export function findCutLine(mesh: TornMesh, x: Float64Array, segment: Segment, leastEdge: number): CutLine {
    const { from, to, reach } = segment;
    const edges = new Edges(mesh.placeCount);
    const direction = [0, 1, 2].map((c) => to[c] - from[c]);
    const length = Math.hypot(...direction);
    const crossings = new Map<number, number>();
    const places = new Set<number>();
    const spared = new Set<number>();
    if (!(length > 0)) return { crossings, places, uncutEdges: spared };

    for (const [key, [nx, ny, nz]] of edgeNormals(mesh, x, edges, trianglesNear(mesh, x, segment))) {
        const p = 3 * edges.low(key);
        const q = 3 * edges.high(key);
        // Across the segment, within the cloth.
        const across = cross(direction[0], direction[1], direction[2], nx, ny, nz);
        const size = Math.hypot(...across);
        if (!(size > 0)) continue;
        const ofP = beside(p, across) / size;
        const ofQ = beside(q, across) / size;
        if (ofP > 0 === ofQ > 0) continue;
        const share = ofP / (ofP - ofQ);
        const at = [0, 1, 2].map((c) => x[p + c] + share * (x[q + c] - x[p + c]) - from[c]);
        const along = (at[0] * direction[0] + at[1] * direction[1] + at[2] * direction[2]) / length;
        if (along < 0 || along > length) continue;
        const off = Math.hypot(...at.map((d, c) => d - (along / length) * direction[c]));
        if (off > reach) continue;
        const snap = SNAP_RATIO * Math.max(1, leastEdge / apart(p / 3, q / 3));
        if (share < snap || share > 1 - snap) places.add(share < 0.5 ? p / 3 : q / 3);
        else crossings.set(key, share);
    }
    // A cut that goes through a place crosses none of its edges.
    for (const key of crossings.keys()) if (places.has(edges.low(key)) || places.has(edges.high(key))) crossings.delete(key);
    // Of a triangle with all corners on the cut, it goes along the two shorter edges.
    const { indices, placeOfVertex } = mesh;
    for (let i = 0; places.size > 2 && i < indices.length; i += 3) {
        const a = placeOfVertex[indices[i]];
        const b = placeOfVertex[indices[i + 1]];
        const c = placeOfVertex[indices[i + 2]];
        if (!places.has(a) || !places.has(b) || !places.has(c)) continue;
        const [[u, v]] = [[a, b], [b, c], [c, a]].sort(([p, q], [r, s]) => apart(r, s) - apart(p, q)); // prettier-ignore
        spared.add(edges.key(u, v));
    }
    return { crossings, places, uncutEdges: spared };

    function apart(p: number, q: number): number {
        return Math.hypot(x[3 * q] - x[3 * p], x[3 * q + 1] - x[3 * p + 1], x[3 * q + 2] - x[3 * p + 2]);
    }

    /** On which side of the cut a place is, and how far. */
    function beside(p: number, across: readonly number[]): number {
        return (x[p] - from[0]) * across[0] + (x[p + 1] - from[1]) * across[1] + (x[p + 2] - from[2]) * across[2];
    }
}

/** The triangles whose boxes come within a cut's reach of its own box, by their first corners: all beside each edge that it may cross. */
function trianglesNear({ indices, placeOfVertex }: TornMesh, x: Float64Array, { from, to, reach }: Segment): number[] {
    const found: number[] = [];
    for (let i = 0; i < indices.length; i += 3) {
        const p = 3 * placeOfVertex[indices[i]];
        const q = 3 * placeOfVertex[indices[i + 1]];
        const r = 3 * placeOfVertex[indices[i + 2]];
        let isNear = true;
        for (let c = 0; c < 3 && isNear; c++) {
            const low = Math.min(x[p + c], x[q + c], x[r + c]);
            const high = Math.max(x[p + c], x[q + c], x[r + c]);
            isNear = high >= Math.min(from[c], to[c]) - reach && low <= Math.max(from[c], to[c]) + reach;
        }
        if (isNear) found.push(i);
    }
    return found;
}

/** Sums of the normals of the triangles beside each edge; those of a back count the other way round. @param triangles by their first corners */
function edgeNormals(
    { indices, placeOfVertex }: TornMesh,
    x: Float64Array,
    edges: Edges,
    triangles: readonly number[],
): Map<number, number[]> {
    const sums = new Map<number, number[]>();
    for (const i of triangles) {
        const [a, b, c] = [0, 1, 2].map((k) => placeOfVertex[indices[i + k]]);
        const [p, q, r] = [3 * a, 3 * b, 3 * c];
        const normal = cross(
            x[q] - x[p],
            x[q + 1] - x[p + 1],
            x[q + 2] - x[p + 2],
            x[r] - x[p],
            x[r + 1] - x[p + 1],
            x[r + 2] - x[p + 2],
        );
        for (const [u, v] of [
            [a, b],
            [b, c],
            [c, a],
        ]) {
            // prettier-ignore
            const sum = sums.get(edges.key(u, v));
            if (!sum) {
                sums.set(edges.key(u, v), normal.slice());
                continue;
            }
            const sign = sum[0] * normal[0] + sum[1] * normal[1] + sum[2] * normal[2] < 0 ? -1 : 1;
            for (let k = 0; k < 3; k++) sum[k] += sign * normal[k];
        }
    }
    return sums;
}

function cross(ax: number, ay: number, az: number, bx: number, by: number, bz: number): number[] {
    return [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
}
