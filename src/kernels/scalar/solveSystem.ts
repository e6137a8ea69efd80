/**
 * The preconditioned conjugate gradient method (Baraff & Witkin 1998, §5.3; Ascher & Boxerman 2003), from the last solution on: what falls goes on falling,
 * what rests is at rest. Preconditioned by the factors of factorSystem.ts; what is held has no solution.
 */
import { ROW } from "../layout";
import { MatrixBlock, SystemNumber, SystemRow } from "../implicitLayout";
import type { SystemArrays } from "../implicitLayout";
import { multiply } from "./system";

export function solveSystem(system: SystemArrays): void {
    const { particleCount, masses, right, solution: x, residual: r, direction: d, product: p, conditioned: z, numbers } = system;
    for (let i = 0, q = 0; i < particleCount; i++, q += ROW) {
        for (let c = 0; c < 3; c++) {
            if (masses[i] === 0) x[q + c] = 0;
            r[q + c] = masses[i] > 0 ? right[q + c] : 0;
        }
    }
    // By what the right side is, not by what is left of it at a good guess.
    const tolerance = numbers[SystemNumber.tolerance];
    const enough = tolerance * tolerance * condition(system, r, z);
    multiply(system, x, p);
    for (let q = 0; q < r.length; q++) r[q] -= p[q];
    let error = condition(system, r, z);
    d.set(z);
    const most = numbers[SystemNumber.mostIterations];
    let iterations = 0;
    for (; error > enough && iterations < most; iterations++) {
        multiply(system, d, p);
        const share = error / dot(d, p);
        for (let q = 0; q < x.length; q++) {
            x[q] += share * d[q];
            r[q] -= share * p[q];
        }
        const before = error;
        error = condition(system, r, z);
        const turn = error / before;
        for (let q = 0; q < x.length; q++) d[q] = z[q] + turn * d[q];
    }
    numbers[SystemNumber.iterations] = iterations;
    numbers[SystemNumber.isSolved] = error >= 0 && error <= enough ? 1 : 0;
}

/** z = (L U)⁻¹ r. @returns r · z */
function condition(system: SystemArrays, r: Float32Array, z: Float32Array): number {
    const { particleCount, rows, columns, factors, inverses: m } = system;
    for (let i = 0; i < particleCount; i++) {
        const row = SystemRow.count * i;
        subtract(r, ROW * i, factors, columns, rows[row + SystemRow.first], rows[row + SystemRow.middle], z);
    }
    let sum = 0;
    for (let i = particleCount - 1; i >= 0; i--) {
        const row = SystemRow.count * i;
        const q = ROW * i;
        const o = MatrixBlock.count * i;
        subtract(z, q, factors, columns, rows[row + SystemRow.middle], rows[row + SystemRow.end], z);
        const z0 = z[q];
        const z1 = z[q + 1];
        const z2 = z[q + 2];
        for (let c = 0; c < 3; c++) {
            z[q + c] = m[o + c] * z0 + m[o + ROW + c] * z1 + m[o + 2 * ROW + c] * z2;
            sum += z[q + c] * r[q + c];
        }
    }
    return sum;
}

/** z_i = x_i - Σ F_ij z_j, of the blocks from `first` to `end`. */
function subtract(
    x: Float32Array,
    q: number,
    factors: Float32Array,
    columns: Uint32Array,
    first: number,
    end: number,
    z: Float32Array,
): void {
    let z0 = x[q];
    let z1 = x[q + 1];
    let z2 = x[q + 2];
    for (let k = first; k < end; k++) {
        const o = MatrixBlock.count * k;
        const p = ROW * columns[k];
        z0 -= factors[o] * z[p] + factors[o + ROW] * z[p + 1] + factors[o + 2 * ROW] * z[p + 2];
        z1 -= factors[o + 1] * z[p] + factors[o + ROW + 1] * z[p + 1] + factors[o + 2 * ROW + 1] * z[p + 2];
        z2 -= factors[o + 2] * z[p] + factors[o + ROW + 2] * z[p + 1] + factors[o + 2 * ROW + 2] * z[p + 2];
    }
    z[q] = z0;
    z[q + 1] = z1;
    z[q + 2] = z2;
}

function dot(x: Float32Array, y: Float32Array): number {
    let sum = 0;
    for (let q = 0; q < x.length; q++) sum += x[q] * y[q];
    return sum;
}
