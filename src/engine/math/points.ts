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
