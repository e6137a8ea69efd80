import type { RestArrays } from "../restLayout";

/** Finds where the third corner of each triangle lies as seen along each of its sides, from both ends: what marches unfold triangles by. */
export function findThirds(rest: RestArrays): void {
    const { triangles, cornerCount } = rest;
    for (let t = 0; t < cornerCount; t += 3) {
        findThird(rest, t, triangles[t], triangles[t + 1], triangles[t + 2]);
        findThird(rest, t + 1, triangles[t + 1], triangles[t + 2], triangles[t]);
        findThird(rest, t + 2, triangles[t + 2], triangles[t], triangles[t + 1]);
    }
}

function findThird({ positions: x, thirds }: RestArrays, corner: number, p: number, q: number, r: number): void {
    const ex = x[3 * q] - x[3 * p];
    const ey = x[3 * q + 1] - x[3 * p + 1];
    const ez = x[3 * q + 2] - x[3 * p + 2];
    const squared = ex * ex + ey * ey + ez * ez;
    for (let end = 0; end < 2; end++) {
        const from = 3 * (end === 0 ? p : q);
        const fx = x[3 * r] - x[from];
        const fy = x[3 * r + 1] - x[from + 1];
        const fz = x[3 * r + 2] - x[from + 2];
        const product = fx * ex + fy * ey + fz * ez;
        const along = (end === 0 ? product : -product) / squared;
        thirds[4 * corner + 2 * end] = along;
        thirds[4 * corner + 2 * end + 1] = Math.sqrt(Math.max(0, fx * fx + fy * fy + fz * fz - along * along * squared) / squared);
    }
}
