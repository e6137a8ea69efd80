/** Third corners of triangles. In doubles, to the bit. */
import { RestSurfaceArrays } from "./layout.generated";
import { real, word } from "./memory";

/** Computes the position of each triangle's third corner relative to each of its sides, from both ends. Marches unfold triangles with it. */
export function findThirds(rest: RestSurfaceArrays): void {
    const triangles = rest.triangles;
    const x = rest.positions;
    const cornerCount = rest.cornerCount;
    let third = rest.thirds;
    for (let t: u32 = 0; t < cornerCount; t += 3, third += 96) {
        const a = 3 * word(triangles, t);
        const b = 3 * word(triangles, t + 1);
        const c = 3 * word(triangles, t + 2);
        findThird(x, third, a, b, c);
        findThird(x, third + 32, b, c, a);
        findThird(x, third + 64, c, a, b);
    }
}

function findThird(x: usize, third: usize, p: u32, q: u32, r: u32): void {
    const ex = real(x, q) - real(x, p);
    const ey = real(x, q + 1) - real(x, p + 1);
    const ez = real(x, q + 2) - real(x, p + 2);
    const squared = ex * ex + ey * ey + ez * ez;
    for (let end: u32 = 0; end < 2; end++, third += 16) {
        const from = end == 0 ? p : q;
        const fx = real(x, r) - real(x, from);
        const fy = real(x, r + 1) - real(x, from + 1);
        const fz = real(x, r + 2) - real(x, from + 2);
        const product = fx * ex + fy * ey + fz * ez;
        const along = (end == 0 ? product : -product) / squared;
        store<f64>(third, along);
        store<f64>(third, sqrt<f64>(max<f64>(0, fx * fx + fy * fy + fz * fz - along * along * squared) / squared), 8);
    }
}
