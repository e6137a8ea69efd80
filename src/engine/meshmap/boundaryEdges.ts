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
