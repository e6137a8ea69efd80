/** Corners, and axes. */
const CORNERS = [0, 1, 2];

/**
 * The triangles in the order of a tree's leaves: halved at the middle of the longest side of the box of their middles, over and over.
 * @param x positions [m], shape [n, 3]
 * @param leafCount a power of 2, at least the number of triangles
 */
export function treeOrderOf(x: Float32Array, triangles: Uint32Array, leafCount: number): Uint32Array {
    const count = triangles.length / 3;
    const order = Uint32Array.from({ length: count }, (_, t) => t);
    const middle = (t: number, c: number): number => CORNERS.reduce((sum, k) => sum + x[3 * triangles[3 * t + k] + c], 0);
    const split = (first: number, end: number, leaves: number): void => {
        if (end - first < 2) return;
        const part = order.subarray(first, end);
        const sizes = CORNERS.map((c) => {
            let least = Infinity;
            let most = -Infinity;
            for (const t of part) {
                least = Math.min(least, middle(t, c));
                most = Math.max(most, middle(t, c));
            }
            return most - least;
        });
        const axis = sizes.indexOf(Math.max(...sizes));
        part.sort((s, t) => middle(s, axis) - middle(t, axis) || s - t);
        const half = leaves / 2;
        split(first, Math.min(end, first + half), half);
        split(Math.min(end, first + half), end, half);
    };
    split(0, count, leafCount);
    return order;
}
