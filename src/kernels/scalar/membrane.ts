/**
 * Stretch and shear of triangles (Baraff & Witkin 1998, §4.1 and 4.2). A triangle has coordinates u, v at rest, along warp and weft; of its places x,
 *
 *     w_u = ∂x/∂u = Σ α_i x_i,   w_v = Σ β_i x_i,      C_u = √a (|w_u| - 1),   C_v = √a (|w_v| - 1),   C_s = √a w_u · w_v
 *
 * with the root of its area a in place of the paper's a, so that ½ k C² is an energy of the sheet, k [N/m], on any mesh. What is pressed
 * together is not stiffened across (Choi & Ko 2002, §3: its second derivative is what makes matrices indefinite). All three together, of each pair of corners:
 *
 *     A_ij += α_i α_j U + β_i β_j V + α_i β_j W + β_i α_j Wᵀ,      W = H w_v w_uᵀ,      H = (h² + h β) k a of shear,
 *     U = P n nᵀ + T (I - n nᵀ) + H w_v w_vᵀ,      n = w_u / |w_u|,      P = (h² + h β) k a,      T = h² k a (1 - 1/|w_u|) where it is > 0
 */
import { ROW } from "../layout";
import { MatrixBlock, MembraneNumber, SystemNumber, TriangleBlocks } from "../implicitLayout";
import type { MembraneArrays, SystemArrays } from "../implicitLayout";

/** w_u and w_v of the triangle at hand, and what becomes of them in a second. */
const w = new Float64Array(6);
const rates = new Float64Array(6);
/** What corners are pushed by, by α and by β. */
const pushes = new Float64Array(6);
/** U and V. */
const along = new Float64Array(18);

export function addMembrane(system: SystemArrays, membrane: MembraneArrays): void {
    const { right, blocks, numbers, places, velocities } = system;
    const { triangleCount, particles, blocks: slots, weights, areas, stiffnesses, strains } = membrane;
    const h = numbers[SystemNumber.step];
    const damping = numbers[SystemNumber.damping];
    const shear = stiffnesses[MembraneNumber.shear];
    for (let t = 0; t < triangleCount; t++) {
        const corner = 3 * t;
        sumUp(places, particles, corner, weights, w);
        sumUp(velocities, particles, corner, weights, rates);
        strains[2 * t] = strainOf(0);
        strains[2 * t + 1] = strainOf(3);
        const area = areas[t];
        stretch(0, stiffnesses[MembraneNumber.warp] * area, h, damping);
        stretch(3, stiffnesses[MembraneNumber.weft] * area, h, damping);
        const sheared = dot(w, 0, w, 3) + (h + damping) * (dot(rates, 0, w, 3) + dot(w, 0, rates, 3));
        const hard = (h * h + h * damping) * shear * area;
        for (let c = 0; c < 3; c++) {
            pushes[c] += h * shear * area * sheared * w[3 + c];
            pushes[3 + c] += h * shear * area * sheared * w[c];
            for (let r = 0; r < 3; r++) {
                along[3 * c + r] += hard * w[3 + r] * w[3 + c];
                along[9 + 3 * c + r] += hard * w[r] * w[c];
            }
        }
        for (let i = 0, pair = TriangleBlocks.count * t; i < 3; i++) {
            const ai = weights[6 * t + i];
            const bi = weights[6 * t + 3 + i];
            for (let c = 0; c < 3; c++) right[ROW * particles[corner + i] + c] -= ai * pushes[c] + bi * pushes[3 + c];
            for (let j = i + 1; j < 3; j++, pair += 2) {
                const aj = weights[6 * t + j];
                const bj = weights[6 * t + 3 + j];
                for (let c = 0; c < 3; c++) {
                    for (let r = 0; r < 3; r++) {
                        const entry =
                            ai * aj * along[3 * c + r] +
                            bi * bj * along[9 + 3 * c + r] +
                            hard * (ai * bj * w[3 + r] * w[c] + bi * aj * w[r] * w[3 + c]);
                        blocks[MatrixBlock.count * slots[pair] + ROW * c + r] += entry;
                        blocks[MatrixBlock.count * slots[pair + 1] + ROW * r + c] += entry;
                    }
                }
            }
        }
    }
}

/**
 * By how much the largest strain of a triangle, along warp or weft, has grown since the step began. Where contact has stretched some before, the others may follow
 * them: it speaks between substeps only, and shorter steps would not help.
 */
export function measureStrain(system: SystemArrays, { triangleCount, particles, weights, strains }: MembraneArrays): void {
    let before = 0;
    let most = 0;
    for (let t = 0; t < triangleCount; t++) {
        sumUp(system.places, particles, 3 * t, weights, w);
        for (let axis = 0; axis < 2; axis++) {
            const strain = strainOf(3 * axis);
            before = Math.max(before, strains[2 * t + axis]);
            // What is not finite, too.
            if (!(strain <= most)) most = strain;
        }
    }
    system.numbers[SystemNumber.strain] = most - before;
}

/** Writes what stretch along an axis (0: warp, 3: weft) pushes by, and its block. @param stiffness times area */
function stretch(axis: number, stiffness: number, h: number, damping: number): void {
    const length = Math.sqrt(dot(w, axis, w, axis));
    const share = length > 0 ? 1 / length : 0;
    const rate = dot(w, axis, rates, axis) * share;
    const tension = length > 1 ? h * h * stiffness * (1 - share) : 0;
    const hard = length > 0 ? (h * h + h * damping) * stiffness - tension : 0;
    const push = length > 0 ? h * stiffness * (length - 1 + (h + damping) * rate) - tension * rate : 0;
    for (let c = 0; c < 3; c++) {
        pushes[axis + c] = push * share * w[axis + c] + tension * rates[axis + c];
        for (let r = 0; r < 3; r++)
            along[3 * axis + 3 * c + r] = hard * share * share * w[axis + r] * w[axis + c] + (r === c ? tension : 0);
    }
}

function strainOf(axis: number): number {
    return Math.abs(Math.sqrt(dot(w, axis, w, axis)) - 1);
}

/** What the corners' vectors make up, by α and by β. */
function sumUp(x: Float64Array, particles: Uint32Array, corner: number, weights: Float64Array, sum: Float64Array): void {
    for (let axis = 0; axis < 6; axis += 3) {
        for (let c = 0; c < 3; c++) {
            sum[axis + c] =
                weights[2 * corner + axis] * x[3 * particles[corner] + c] +
                weights[2 * corner + axis + 1] * x[3 * particles[corner + 1] + c] +
                weights[2 * corner + axis + 2] * x[3 * particles[corner + 2] + c];
        }
    }
}

function dot(a: Float64Array, i: number, b: Float64Array, j: number): number {
    return a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2];
}
