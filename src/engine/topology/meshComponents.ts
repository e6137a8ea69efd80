/** Connected components of a mesh, and the volume that they enclose. */
import { findPieces } from "../math/unionFind";

/** A part of a mesh: its triangles reach each other over their corners. */
export interface MeshComponent {
    /** True if it encloses a volume: each of its edges has two triangles. */
    readonly isClosed: boolean;
    readonly area: number;
    /** Enclosed volume [m³], of a closed one. */
    readonly volume: number;
    /** True if its triangles face outwards; of a closed one. */
    readonly facesOut: boolean;
}

/** The parts of a mesh. */
export interface MeshComponents {
    readonly components: readonly MeshComponent[];
    /** Number of each particle's part, shape [particleCount]. */
    readonly componentOfParticle: Uint32Array;
}

/**
 * Finds the parts; volumes by the divergence theorem.
 * @param positions rest positions [m], shape [particleCount, 3]
 * @param triangles shape [triangleCount, 3]
 */
export function findComponents(positions: Float32Array, triangles: Uint32Array): MeshComponents {
    const particleCount = positions.length / 3;
    const [partOfParticle, particleCounts] = findPieces(particleCount, triangles);
    const areas = new Float64Array(particleCounts.length);
    const volumes = new Float64Array(particleCounts.length);
    /** Number of triangles at each edge. */
    const edges = new Map<number, number>();
    for (let t = 0; t < triangles.length; t += 3) {
        const corners = [triangles[t], triangles[t + 1], triangles[t + 2]];
        const part = partOfParticle[corners[0]];
        const [a, b, c] = corners.map((i) => positions.subarray(3 * i, 3 * i + 3));
        const [u, v] = [b.map((x, k) => x - a[k]), c.map((x, k) => x - a[k])];
        const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        areas[part] += Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2;
        volumes[part] += (n[0] * a[0] + n[1] * a[1] + n[2] * a[2]) / 6;
        for (let k = 0; k < 3; k++) {
            const key = pairKey(corners[k], corners[(k + 1) % 3], particleCount);
            edges.set(key, (edges.get(key) ?? 0) + 1);
        }
    }
    const isClosed = new Array<boolean>(particleCounts.length).fill(true);
    for (const [key, count] of edges) if (count !== 2) isClosed[partOfParticle[Math.floor(key / particleCount)]] = false;
    const parts = Array.from(areas, (area, p): MeshComponent => {
        const volume = Math.abs(volumes[p]);
        return { isClosed: isClosed[p] && volume > 0, area, volume, facesOut: volumes[p] > 0 };
    });
    return { components: parts, componentOfParticle: partOfParticle };
}

/** A number for a pair of particles, whichever is first. */
export function pairKey(a: number, b: number, particleCount: number): number {
    return a < b ? a * particleCount + b : b * particleCount + a;
}

/** Edges of triangles that are no seam of a closed surface. */

/** See {@link boundaryEdgesOf}. */
export interface BoundaryEdges {
    /** Edges that have no triangle on one side. */
    readonly openEdges: number;
    /** Edges that triangles pass in the same direction: wound in different ways, or more than two at one edge. */
    readonly inconsistentEdges: number;
}

/** Counts the edges that two triangles do not share in opposite directions. @param triangles shape [n, 3]; those that are no triangle do not count */
export function boundaryEdgesOf(triangles: ArrayLike<number>): BoundaryEdges {
    const passes = new Map<number, number>();
    let torn = 0;
    let most = 0;
    for (let t = 0; t < triangles.length; t++) most = Math.max(most, triangles[t]);
    const key = (a: number, b: number): number => a * (most + 1) + b;
    for (let t = 0; t < triangles.length; t += 3) {
        const corners = [triangles[t], triangles[t + 1], triangles[t + 2]];
        if (corners[0] === corners[1] || corners[1] === corners[2] || corners[2] === corners[0]) continue;
        for (let k = 0; k < 3; k++) {
            const edge = key(corners[k], corners[(k + 1) % 3]);
            const count = (passes.get(edge) ?? 0) + 1;
            if (count > 1) torn++;
            passes.set(edge, count);
        }
    }
    let open = 0;
    for (const edge of passes.keys()) if (!passes.has(key(edge % (most + 1), Math.floor(edge / (most + 1))))) open++;
    return { openEdges: open, inconsistentEdges: torn };
}
