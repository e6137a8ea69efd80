import type { WarpWeft } from "../../topology/warpWeft";

const corner = new Float64Array(9);
const u = new Float64Array(3);
const warp = new Float64Array(3);

/**
 * Lays warp and weft of a triangle in its plane at rest: by what share of each corner's place ∂x/∂u and ∂x/∂v are made (Baraff & Witkin 1998, eq. 9).
 * @param threads where warp runs; null: along a side of its corner that is nearest to a right angle, as in a grid
 * @param weights the three shares for u, then for v, of triangle `t`; out
 * @returns its area [m²]
 */
export function restAxes(
    positions: Float32Array,
    triangles: Uint32Array,
    t: number,
    threads: WarpWeft | null,
    weights: Float64Array,
): number {
    for (let k = 0; k < 9; k++) corner[k] = positions[3 * triangles[3 * t + Math.floor(k / 3)] + (k % 3)];
    if (threads) {
        u.fill(0);
        for (let i = 0; i < 3; i++) {
            threads.directionAt(triangles[3 * t + i], warp);
            for (let c = 0; c < 3; c++) u[c] += warp[c];
        }
    } else alignWithSide();
    const e = [0, 1, 2].map((c) => corner[3 + c] - corner[c]);
    const f = [0, 1, 2].map((c) => corner[6 + c] - corner[c]);
    const n = [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]];
    const twice = Math.hypot(n[0], n[1], n[2]);
    const lean = (u[0] * n[0] + u[1] * n[1] + u[2] * n[2]) / (twice * twice);
    for (let c = 0; c < 3; c++) u[c] -= lean * n[c];
    const length = Math.hypot(u[0], u[1], u[2]);
    if (!(length > 0)) for (let c = 0; c < 3; c++) u[c] = e[c];
    const scale = 1 / (length > 0 ? length : Math.hypot(e[0], e[1], e[2]));
    for (let c = 0; c < 3; c++) u[c] *= scale;
    const v = [n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]].map((x) => x / twice);
    const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const [eu, ev, fu, fv] = [dot(e, u), dot(e, v), dot(f, u), dot(f, v)];
    const determinant = eu * fv - fu * ev;
    const o = 6 * t;
    weights[o + 1] = fv / determinant;
    weights[o + 2] = -ev / determinant;
    weights[o] = -weights[o + 1] - weights[o + 2];
    weights[o + 4] = -fu / determinant;
    weights[o + 5] = eu / determinant;
    weights[o + 3] = -weights[o + 4] - weights[o + 5];
    return twice / 2;
}

/** Writes to u a side at the corner that is nearest to a right angle. */
function alignWithSide(): void {
    let least = Infinity;
    for (let i = 0; i < 3; i++) {
        const [a, b, c] = [3 * i, 3 * ((i + 1) % 3), 3 * ((i + 2) % 3)];
        let [along, ab, ac] = [0, 0, 0];
        for (let k = 0; k < 3; k++) {
            along += (corner[b + k] - corner[a + k]) * (corner[c + k] - corner[a + k]);
            ab += (corner[b + k] - corner[a + k]) ** 2;
            ac += (corner[c + k] - corner[a + k]) ** 2;
        }
        const cosine = Math.abs(along) / Math.sqrt(ab * ac);
        if (!(cosine < least)) continue;
        least = cosine;
        for (let k = 0; k < 3; k++) u[k] = corner[b + k] - corner[a + k];
    }
}
