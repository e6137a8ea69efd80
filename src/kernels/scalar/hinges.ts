/**
 * Bending about edges between two triangles (Baraff & Witkin 1998, §4.3): C = θ - θ₀, the angle between their normals less that at rest.
 *
 *          c             ∂θ/∂c = -|e| n₁ / |n₁|²,   ∂θ/∂d = -|e| n₂ / |n₂|²,   n₁ = e × (c - a),   n₂ = (d - a) × e,   e = b - a,
 *        ╱   ╲           and those of a and b by where c and d are beside the edge (Bridson, Marino & Fedkiw 2003, §4).
 *       a━━━━━b          A sheet of bending stiffness B has k = B |e|² / (a₁ + a₂), which is exact for what is bent about the lines of a grid; triangles
 *        ╲   ╱           that are pinned by all corners do not bend: their area does not count.
 *          d               Of a crushed triangle |e| / |n|² counts as what it is where it is pressed to an eighth of its height: its corners would
 *                          be pushed without bound, by what no system in 32 bits can tell from rounding.
 */
import { HingeBlocks } from "../implicitLayout";
import type { HingeArrays, SystemArrays } from "../implicitLayout";
import { addCondition } from "./system";

/** The sine and the cosine of the angle of the hinge at hand. */
const angle = new Float64Array(2);

export function addHinges(system: SystemArrays, hinges: HingeArrays): void {
    const { hingeCount, particles, blocks, rests, stiffnesses, gradient } = hinges;
    for (let h = 0; h < hingeCount; h++) {
        if (stiffnesses[h] === 0 || !measure(system.places, particles, rests, h, gradient)) continue;
        // The shorter way round.
        const sine = angle[0] * rests[4 * h + 1] - angle[1] * rests[4 * h];
        const cosine = angle[1] * rests[4 * h + 1] + angle[0] * rests[4 * h];
        const bent = Math.atan2(sine, cosine);
        addCondition(system, particles, 4, 4 * h, blocks, HingeBlocks.count * h, stiffnesses[h], bent, gradient);
    }
}

/** Writes a hinge's angle and gradient. @returns false: it has none, since a triangle has no area */
function measure(x: Float64Array, particles: Uint32Array, rests: Float64Array, hinge: number, g: Float64Array): boolean {
    const first = 4 * hinge;
    const a = 3 * particles[first];
    const b = 3 * particles[first + 1];
    const c = 3 * particles[first + 2];
    const d = 3 * particles[first + 3];
    const ex = x[b] - x[a];
    const ey = x[b + 1] - x[a + 1];
    const ez = x[b + 2] - x[a + 2];
    const cx = x[c] - x[a];
    const cy = x[c + 1] - x[a + 1];
    const cz = x[c + 2] - x[a + 2];
    const dx = x[d] - x[a];
    const dy = x[d + 1] - x[a + 1];
    const dz = x[d + 2] - x[a + 2];
    const mx = ey * cz - ez * cy;
    const my = ez * cx - ex * cz;
    const mz = ex * cy - ey * cx;
    const nx = dy * ez - dz * ey;
    const ny = dz * ex - dx * ez;
    const nz = dx * ey - dy * ex;
    const squared = ex * ex + ey * ey + ez * ez;
    const length = Math.sqrt(squared);
    const m = Math.min(length / (mx * mx + my * my + mz * mz), rests[first + 2]);
    const n = Math.min(length / (nx * nx + ny * ny + nz * nz), rests[first + 3]);
    if (!(m + n < Infinity)) return false;
    const atC = (ex * cx + ey * cy + ez * cz) / squared;
    const atD = (ex * dx + ey * dy + ez * dz) / squared;
    g[6] = -m * mx;
    g[7] = -m * my;
    g[8] = -m * mz;
    g[9] = -n * nx;
    g[10] = -n * ny;
    g[11] = -n * nz;
    for (let r = 0; r < 3; r++) {
        g[r] = -(1 - atC) * g[6 + r] - (1 - atD) * g[9 + r];
        g[3 + r] = -atC * g[6 + r] - atD * g[9 + r];
    }
    const sine = ((my * nz - mz * ny) * ex + (mz * nx - mx * nz) * ey + (mx * ny - my * nx) * ez) / length;
    const cosine = mx * nx + my * ny + mz * nz;
    const share = 1 / Math.sqrt(sine * sine + cosine * cosine);
    if (!(share < Infinity)) return false;
    angle[0] = sine * share;
    angle[1] = cosine * share;
    return true;
}
