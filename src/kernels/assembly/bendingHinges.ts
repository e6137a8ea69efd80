/**
 * Bending about edges between two triangles (Baraff & Witkin 1998, §4.3): C = θ - θ₀, the angle between their normals less that at rest.
 *
 *          c             ∂θ/∂c = -|e| n₁ / |n₁|²,   ∂θ/∂d = -|e| n₂ / |n₂|²,   n₁ = e × (c - a),   n₂ = (d - a) × e,   e = b - a,
 *        ╱   ╲           and those of a and b from the positions of c and d along the edge (Bridson, Marino & Fedkiw 2003, §4).
 *       a━━━━━b          A sheet of bending stiffness B has k = B |e|² / (a₁ + a₂), which is exact for bends about the lines of a grid; triangles
 *        ╲   ╱           with all corners pinned do not bend: their area does not count.
 *          d               For a crushed triangle |e| / |n|² is limited to its value at an eighth of the height: its corners would otherwise
 *                          be pushed without bound, by forces that 32 bits cannot tell from rounding.
 */
import { HingeArrays, HingeBlocks, SystemArrays } from "./layout.generated";
import { addCondition } from "./sparseSystem";
import { double, putDouble, word } from "./memory";

/** The sine and the cosine of the angle of the hinge at hand. */
let sine: f64 = 0;
let cosine: f64 = 0;

export function addHinges(system: SystemArrays, hinges: HingeArrays): void {
    const count = <usize>hinges.hingeCount;
    for (let h: usize = 0; h < count; h++) {
        const stiffness = double(hinges.stiffnesses, h);
        const particles = hinges.particles + 16 * h;
        if (stiffness == 0 || !measure(system.places, particles, hinges.rests + 32 * h, hinges.gradient)) continue;
        const restSine = double(hinges.rests, 4 * h);
        const restCosine = double(hinges.rests, 4 * h + 1);
        // AssemblyScript's own: the same bits on every machine.
        const bent = Math.atan2(sine * restCosine - cosine * restSine, cosine * restCosine + sine * restSine);
        addCondition(system, particles, 4, hinges.blocks + HingeBlocks.count * h, stiffness, bent, hinges.gradient);
    }
}

/** Writes a hinge's angle and gradient. @returns false: it has none, since a triangle has no area */
function measure(x: usize, particles: usize, rests: usize, gradient: usize): bool {
    const a = <usize>word(particles, 0) * 3;
    const b = <usize>word(particles, 1) * 3;
    const c = <usize>word(particles, 2) * 3;
    const d = <usize>word(particles, 3) * 3;
    const ax = double(x, a);
    const ay = double(x, a + 1);
    const az = double(x, a + 2);
    const ex = double(x, b) - ax;
    const ey = double(x, b + 1) - ay;
    const ez = double(x, b + 2) - az;
    const cx = double(x, c) - ax;
    const cy = double(x, c + 1) - ay;
    const cz = double(x, c + 2) - az;
    const dx = double(x, d) - ax;
    const dy = double(x, d + 1) - ay;
    const dz = double(x, d + 2) - az;
    const mx = ey * cz - ez * cy;
    const my = ez * cx - ex * cz;
    const mz = ex * cy - ey * cx;
    const nx = dy * ez - dz * ey;
    const ny = dz * ex - dx * ez;
    const nz = dx * ey - dy * ex;
    const squared = ex * ex + ey * ey + ez * ez;
    const length = Math.sqrt(squared);
    const m = Math.min(length / (mx * mx + my * my + mz * mz), double(rests, 2));
    const n = Math.min(length / (nx * nx + ny * ny + nz * nz), double(rests, 3));
    if (!(m + n < Infinity)) return false;
    const atC = (ex * cx + ey * cy + ez * cz) / squared;
    const atD = (ex * dx + ey * dy + ez * dz) / squared;
    putGradient(gradient, 0, atC, atD, -m * mx, -n * nx);
    putGradient(gradient, 1, atC, atD, -m * my, -n * ny);
    putGradient(gradient, 2, atC, atD, -m * mz, -n * nz);
    sine = ((my * nz - mz * ny) * ex + (mz * nx - mx * nz) * ey + (mx * ny - my * nx) * ez) / length;
    cosine = mx * nx + my * ny + mz * nz;
    const share = 1 / Math.sqrt(sine * sine + cosine * cosine);
    if (!(share < Infinity)) return false;
    sine *= share;
    cosine *= share;
    return true;
}

/** A coordinate of all four. */
// @ts-ignore: decorator
@inline
function putGradient(gradient: usize, r: usize, atC: f64, atD: f64, ofC: f64, ofD: f64): void {
    putDouble(gradient, 6 + r, ofC);
    putDouble(gradient, 9 + r, ofD);
    putDouble(gradient, r, -(1 - atC) * ofC - (1 - atD) * ofD);
    putDouble(gradient, 3 + r, -atC * ofC - atD * ofD);
}
