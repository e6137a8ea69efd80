import { MIN_EDGE_RATIO, MIN_HEIGHT_RATIO } from "../tunables";
import { ShortEdgeLayout } from "../../kernels/surfaceLayout";
import { withScratch } from "../memory/withScratch";
import { uniqueTriangles } from "./weldedTriangles";

/** Distance of two points of a list, shape [n, 3] [m]. */
export function distance(x: Float32Array, a: number, b: number): number {
    const dx = x[3 * b] - x[3 * a];
    const dy = x[3 * b + 1] - x[3 * a + 1];
    const dz = x[3 * b + 2] - x[3 * a + 2];
    return Math.sqrt(dx * dx + dy * dy + dz * dz);
}

/** (a-p)·(b-p) of three points of a list, shape [n, 3]. */
export function dotAt(x: Float32Array, p: number, a: number, b: number): number {
    const o = 3 * p;
    const i = 3 * a;
    const j = 3 * b;
    const ux = x[i] - x[o],
        uy = x[i + 1] - x[o + 1],
        uz = x[i + 2] - x[o + 2];
    return ux * (x[j] - x[o]) + uy * (x[j + 1] - x[o + 1]) + uz * (x[j + 2] - x[o + 2]);
}

/** Writes (b-a)×(c-a) of three points of a list, shape [n, 3], and its length, twice the triangle's area, to target[o..o+3]. */
export function cross(x: Float32Array, a: number, b: number, c: number, target: Float64Array, o: number): void {
    const p = 3 * a;
    const q = 3 * b;
    const r = 3 * c;
    const ux = x[q] - x[p];
    const uy = x[q + 1] - x[p + 1];
    const uz = x[q + 2] - x[p + 2];
    const vx = x[r] - x[p];
    const vy = x[r + 1] - x[p + 1];
    const vz = x[r + 2] - x[p + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    target[o] = nx;
    target[o + 1] = ny;
    target[o + 2] = nz;
    target[o + 3] = Math.sqrt(nx * nx + ny * ny + nz * nz);
}

/** Places so near to each other that one particle carries them all. */
export interface Clusters {
    readonly clusterCount: number;
    /** Cluster of each place, shape [placeCount]. */
    readonly clusterOfPlace: Uint32Array;
    /** The place at which each cluster's particle lies, shape [clusterCount]. */
    readonly placeOfCluster: Uint32Array;
}

/**
 * Gathers places that are joined by edges far below the mesh's scale: bevels, slivers, poles. A stick is stretched by a share of
 * its length, and what gravity adds in a substep is a length: no solver keeps a stick of a thousandth of the others from showing
 * hundreds of per cent. A cluster is smaller than twice the shortest edge, so a fine ring is thinned, never closed.
 * @param positions of the places in the world's axes and size, shape [placeCount, 3]
 * @param triangles places of each triangle, shape [triangleCount, 3]
 * @returns null where every edge is long enough
 */
export function findClusters(positions: Float32Array, triangles: Uint32Array): Clusters | null {
    const placeCount = positions.length / 3;
    const { shortest, short } = shortEdges(positions, triangles);
    if (short.length === 0) return null;

    // The lowest place of a cluster stands for it; the others lie within the shortest edge of it.
    const head = Uint32Array.from({ length: placeCount }, (_, i) => i);
    const members = new Map<number, number[]>();
    for (let i = 0; i < short.length; i += 2) {
        const low = Math.min(head[short[i]], head[short[i + 1]]);
        const high = Math.max(head[short[i]], head[short[i + 1]]);
        if (low === high) continue;
        const joining = members.get(high) ?? [high];
        if (!joining.every((place) => distance(positions, place, low) < shortest)) continue;
        for (const place of joining) head[place] = low;
        members.set(low, [...(members.get(low) ?? [low]), ...joining]);
        members.delete(high);
    }
    dissolveThinClusters(head, positions, triangles, shortest);
    if (head.every((place, i) => place === i)) return null;

    const clusterOfPlace = new Uint32Array(placeCount);
    const placeOfCluster: number[] = [];
    for (let p = 0; p < placeCount; p++) {
        if (head[p] === p) clusterOfPlace[p] = placeOfCluster.push(p) - 1;
        else clusterOfPlace[p] = clusterOfPlace[head[p]];
    }
    return { clusterCount: placeOfCluster.length, clusterOfPlace, placeOfCluster: Uint32Array.from(placeOfCluster) };
}

/** The ends of the edges that are too short, and what that means [m]. */
function shortEdges(positions: Float32Array, triangles: Uint32Array): { shortest: number; short: Uint32Array } {
    const numbers = { placeCount: positions.length / 3, cornerCount: triangles.length };
    return withScratch(ShortEdgeLayout, numbers, (arrays, kernels) => {
        arrays.positions.set(positions);
        arrays.triangles.set(triangles);
        arrays.shortest[0] = MIN_EDGE_RATIO;
        kernels.findShortEdges(arrays);
        return { shortest: arrays.shortest[0], short: arrays.short.slice(0, 2 * arrays.shortCount[0]) };
    });
}

/**
 * Dissolves the clusters that would be left without a triangle of some width, since what rides needs a base to ride on. Where
 * triangles would vanish with an edge that is no other's, releases a place: what hangs together must not fall apart.
 */
function dissolveThinClusters(head: Uint32Array, x: Float32Array, triangles: Uint32Array, shortest: number): void {
    const edgeOf = (p: number, q: number): number => Math.min(p, q) * head.length + Math.max(p, q);
    const offset = (place: number): number => distance(x, place, head[place]);
    for (let hasChanged = true; hasChanged;) {
        const isHeld = new Uint8Array(head.length);
        const edges = new Set<number>();
        // The place farthest from its cluster's particle, of the triangles that vanish with an edge.
        const vanishing = new Map<number, number>();
        for (let i = 0; i < triangles.length; i += 3) {
            const [p, q, r] = [triangles[i], triangles[i + 1], triangles[i + 2]];
            const a = head[p],
                b = head[q],
                c = head[r];
            if (a !== b && b !== c && c !== a) {
                edges.add(edgeOf(a, b)).add(edgeOf(b, c)).add(edgeOf(c, a));
                if (minHeight(x, a, b, c) >= shortest * MIN_HEIGHT_RATIO) isHeld[a] = isHeld[b] = isHeld[c] = 1;
            } else if (a !== b || b !== c) {
                const [near, far, other] = a === b ? [p, q, c] : b === c ? [q, r, a] : [r, p, b];
                const place = offset(near) > offset(far) ? near : far;
                const edge = edgeOf(head[place], other);
                const known = vanishing.get(edge);
                if (known === undefined || offset(place) > offset(known)) vanishing.set(edge, place);
            }
        }
        hasChanged = false;
        for (const [edge, place] of vanishing) {
            if (edges.has(edge) || head[place] === place) continue;
            head[place] = place;
            hasChanged = true;
        }
        for (let p = 0; p < head.length; p++) {
            if (head[p] === p || isHeld[head[p]] === 1) continue;
            head[p] = p;
            hasChanged = true;
        }
    }
}

const normal = new Float64Array(4);

/** Twice the area of the triangle p q r. */
function doubleArea(x: Float32Array, p: number, q: number, r: number): number {
    cross(x, p, q, r, normal, 0);
    return normal[3];
}

/** The least height of the triangle p q r: how wide a base it is for what rides on it. */
export function minHeight(x: Float32Array, p: number, q: number, r: number): number {
    const longest = Math.max(distance(x, p, q), distance(x, q, r), distance(x, r, p));
    return longest > 0 ? doubleArea(x, p, q, r) / longest : 0;
}

/** The triangles between the clusters, each set of three once. */
export function clusterTriangles({ clusterOfPlace }: Clusters, triangles: Uint32Array): Uint32Array {
    const corners: number[] = [];
    for (let i = 0; i < triangles.length; i += 3) {
        const a = clusterOfPlace[triangles[i]],
            b = clusterOfPlace[triangles[i + 1]],
            c = clusterOfPlace[triangles[i + 2]];
        if (a !== b && b !== c && c !== a) corners.push(a, b, c);
    }
    return uniqueTriangles(Uint32Array.from(corners));
}
