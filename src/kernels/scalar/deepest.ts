import { SolidData } from "../contactLayout";
import type { Point } from "./triangleCandidates";

/** The point of a triangle a, a + ab, a + ac at shares of b and c. */
export const pointAt = (a: Point, ab: Point, ac: Point, b: number, c: number): Point => [
    a[0] + ab[0] * b + ac[0] * c,
    a[1] + ab[1] * b + ac[1] * c,
    a[2] + ab[2] * b + ac[2] * c,
];

/**
 * Shares in the point of a triangle a, a + ab, a + ac that is deepest in a box. How deep a point is, is the least of how far it is behind the faces, so
 * that the deepest one is within, where it is as far behind three of them (those towards the point that `near` shares), or on an edge, where it is as far
 * behind two, or a corner. Corners are particles, which are kept off as such.
 *
 *     a ●───────┼────● b
 *        ╲  q ● ┼   ╱       ┼ the box's edge
 *          ╲    ┼ ╱
 */
export function deepestShares(solid: Float32Array, near: Point, a: Point, ab: Point, ac: Point): Point {
    const at = pointAt(a, ab, ac, near[1], near[2]);
    // How far beyond the faces a is, and by how much more b and c.
    const sides = at.map((x) => (x < 0 ? -1 : 1));
    const f = a.map((x, i) => sides[i] * x - solid[SolidData.core + i] - solid[SolidData.rim]);
    const g = ab.map((x, i) => sides[i] * x);
    const h = ac.map((x, i) => sides[i] * x);
    let best = near;
    let least = heightAt(solid, at);
    const look = (b: number, c: number): void => {
        if (!(b >= 0 && c >= 0 && b + c <= 1)) return;
        const height = heightAt(solid, pointAt(a, ab, ac, b, c));
        if (!(height < least)) return;
        least = height;
        best = [1 - (b + c), b, c];
    };
    const [u, v] = [0, 1].map((i) => [f[i] - f[i + 1], g[i] - g[i + 1], h[i] - h[i + 1]]);
    const determinant = u[1] * v[2] - u[2] * v[1];
    look((u[2] * v[0] - u[0] * v[2]) / determinant, (u[0] * v[1] - u[1] * v[0]) / determinant);
    for (let i = 0; i < 3; i++) {
        const k = (i + 1) % 3;
        const [d, e, w] = [f[i] - f[k], g[i] - g[k], h[i] - h[k]];
        look(-d / e, 0);
        look(0, -d / w);
        const t = (d + e) / (e - w);
        look(1 - t, t);
    }
    return best;
}

/** How far beyond the farthest of a box's faces a point is; below 0: how deep inside. */
function heightAt(solid: Float32Array, q: Point): number {
    return Math.max(...q.map((value, c) => Math.abs(value) - (solid[SolidData.core + c] + solid[SolidData.rim])));
}
