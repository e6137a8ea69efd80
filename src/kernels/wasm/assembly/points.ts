/** Points of a list, shape [n, 3]; specification: scalar/points.ts. */
import { real } from "./words";

/** Distance [m]. */
export function distance(x: usize, a: u32, b: u32): f64 {
    return sqrt<f64>(dotAt(x, a, b, b));
}

/** (a-p)·(b-p). */
export function dotAt(x: usize, p: u32, a: u32, b: u32): f64 {
    const px = real(x, 3 * p);
    const py = real(x, 3 * p + 1);
    const pz = real(x, 3 * p + 2);
    return (real(x, 3 * a) - px) * (real(x, 3 * b) - px) +
        (real(x, 3 * a + 1) - py) * (real(x, 3 * b + 1) - py) +
        (real(x, 3 * a + 2) - pz) * (real(x, 3 * b + 2) - pz);
}

/** Writes (b-a)×(c-a) and its length to four doubles. */
export function cross(x: usize, a: u32, b: u32, c: u32, target: usize): void {
    const px = real(x, 3 * a);
    const py = real(x, 3 * a + 1);
    const pz = real(x, 3 * a + 2);
    const ux = real(x, 3 * b) - px;
    const uy = real(x, 3 * b + 1) - py;
    const uz = real(x, 3 * b + 2) - pz;
    const vx = real(x, 3 * c) - px;
    const vy = real(x, 3 * c + 1) - py;
    const vz = real(x, 3 * c + 2) - pz;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    store<f64>(target, nx, 0);
    store<f64>(target, ny, 8);
    store<f64>(target, nz, 16);
    store<f64>(target, sqrt<f64>(nx * nx + ny * ny + nz * nz), 24);
}
