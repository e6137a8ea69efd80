/**
 * How often cloth passes through cloth: edges that pierce a triangle with which they share no particle. Shares nothing with the solver; a
 * grid only spares it pairs whose boxes are apart.
 */

/**
 * Crossings of triangles, whatever body they are of.
 * @param x positions [m], `stride` numbers a particle; `triangles` shape [n, 3]
 * @param counts whether a crossing of an edge p q and a triangle a b c counts; left out: all do
 */
export function countCrossings(
    x: ArrayLike<number>,
    stride: number,
    triangles: ArrayLike<number>,
    counts: (edge: readonly number[], triangle: readonly number[]) => boolean = () => true,
): number {
    const edges = edgesOf(triangles);
    const size = longest(x, stride, edges);
    const cells = new Map<number, number[]>();
    const key = (i: number, j: number, k: number): number => (i * 73856093) ^ (j * 19349663) ^ (k * 83492791);
    const box = (particles: readonly number[], c: number): [number, number] => {
        const values = particles.map((p) => x[p * stride + c]);
        return [Math.floor(Math.min(...values) / size), Math.floor(Math.max(...values) / size)];
    };
    const forEachCell = (particles: readonly number[], visit: (cell: number) => void): void => {
        const [i0, i1] = box(particles, 0);
        const [j0, j1] = box(particles, 1);
        const [k0, k1] = box(particles, 2);
        for (let i = i0; i <= i1; i++) for (let j = j0; j <= j1; j++) for (let k = k0; k <= k1; k++) visit(key(i, j, k));
    };
    for (let t = 0; t < triangles.length; t += 3) {
        forEachCell([triangles[t], triangles[t + 1], triangles[t + 2]], (cell) => {
            const found = cells.get(cell);
            if (found) found.push(t);
            else cells.set(cell, [t]);
        });
    }
    let count = 0;
    const seen = new Map<number, number>();
    for (let e = 0; e < edges.length; e += 2) {
        const [p, q] = [edges[e], edges[e + 1]];
        forEachCell([p, q], (cell) => {
            for (const t of cells.get(cell) ?? []) {
                if (seen.get(t) === e) continue;
                seen.set(t, e);
                const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]];
                if (p === a || p === b || p === c || q === a || q === b || q === c) continue;
                if (pierces(x, stride, p, q, a, b, c) && counts([p, q], [a, b, c])) count++;
            }
        });
    }
    return count;
}

function edgesOf(triangles: ArrayLike<number>): number[] {
    const known = new Set<string>();
    const edges: number[] = [];
    for (let t = 0; t < triangles.length; t += 3) {
        for (let k = 0; k < 3; k++) {
            const [p, q] = [triangles[t + k], triangles[t + ((k + 1) % 3)]].sort((a, b) => a - b);
            if (known.has(`${p} ${q}`)) continue;
            known.add(`${p} ${q}`);
            edges.push(p, q);
        }
    }
    return edges;
}

function longest(x: ArrayLike<number>, stride: number, edges: readonly number[]): number {
    let most = 1e-9;
    for (let e = 0; e < edges.length; e += 2) {
        const [o, u] = [edges[e] * stride, edges[e + 1] * stride];
        most = Math.max(most, Math.hypot(x[o] - x[u], x[o + 1] - x[u + 1], x[o + 2] - x[u + 2]));
    }
    return most;
}

/** Six times the volume of a tetrahedron: on which side of the triangle a b c the point d is. */
function side(x: ArrayLike<number>, s: number, a: number, b: number, c: number, d: number): number {
    const o = d * s;
    const u = [x[a * s] - x[o], x[a * s + 1] - x[o + 1], x[a * s + 2] - x[o + 2]];
    const v = [x[b * s] - x[o], x[b * s + 1] - x[o + 1], x[b * s + 2] - x[o + 2]];
    const w = [x[c * s] - x[o], x[c * s + 1] - x[o + 1], x[c * s + 2] - x[o + 2]];
    return u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
}

function pierces(x: ArrayLike<number>, s: number, p: number, q: number, a: number, b: number, c: number): boolean {
    if (side(x, s, a, b, c, p) * side(x, s, a, b, c, q) >= 0) return false;
    const u = side(x, s, p, q, a, b);
    const v = side(x, s, p, q, b, c);
    const w = side(x, s, p, q, c, a);
    return (u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0);
}
