/**
 * Incomplete factors of a system, A ≈ L U where A has blocks and nowhere else (Meijerink & van der Vorst 1977), row by row; L has ones on its diagonal. They
 * say about how the whole sheet answers a push, where the inverses of the diagonal's blocks speak of each particle alone: solving takes a tenth of the iterations.
 */
import { ROW } from "../layout";
import { MatrixBlock, SystemRow } from "../implicitLayout";
import type { SystemArrays } from "../implicitLayout";

/** The diagonal is so much heavier than it is: else what is left out makes factors of what is no sum of squares any more. */
const FIRMER = 1.002;

const diagonal = new Float64Array(MatrixBlock.count);
const whole = new Float64Array(MatrixBlock.count);

export function factorSystem(system: SystemArrays): void {
    const { particleCount, rows, columns, blocks, factors, inverses, marks, masses } = system;
    factors.set(blocks);
    for (let i = 0; i < particleCount; i++) {
        const row = SystemRow.count * i;
        const first = rows[row + SystemRow.first];
        const middle = rows[row + SystemRow.middle];
        const end = rows[row + SystemRow.end];
        const own = MatrixBlock.count * i;
        if (masses[i] === 0) {
            inverses.fill(0, own, own + MatrixBlock.count);
            factors.fill(0, MatrixBlock.count * first, MatrixBlock.count * end);
            continue;
        }
        sumUpDiagonal(system, i);
        for (let k = first; k < end; k++) marks[columns[k]] = k + 1;
        for (let k = first; k < middle; k++) {
            const before = columns[k];
            const l = MatrixBlock.count * k;
            multiplyBlocks(factors, l, inverses, MatrixBlock.count * before, factors, l, 0);
            const upper = SystemRow.count * before;
            for (let j = rows[upper + SystemRow.middle]; j < rows[upper + SystemRow.end]; j++) {
                const u = MatrixBlock.count * j;
                if (columns[j] === i) multiplyBlocks(factors, l, factors, u, diagonal, 0, -1);
                else if (marks[columns[j]] > 0)
                    multiplyBlocks(factors, l, factors, u, factors, MatrixBlock.count * (marks[columns[j]] - 1), -1);
            }
        }
        for (let k = first; k < end; k++) marks[columns[k]] = 0;
        if (!invert(diagonal, inverses, own)) invert(whole, inverses, own);
    }
}

/** A_ii = m - Σ_j A_ij, a little firmer. */
function sumUpDiagonal({ rows, blocks, masses }: SystemArrays, i: number): void {
    const row = SystemRow.count * i;
    whole.fill(0);
    for (let c = 0; c < 3; c++) whole[ROW * c + c] = masses[i];
    for (let k = rows[row + SystemRow.first]; k < rows[row + SystemRow.end]; k++)
        for (let e = 0; e < MatrixBlock.count; e++) whole[e] -= blocks[MatrixBlock.count * k + e];
    for (let c = 0; c < 3; c++) whole[ROW * c + c] *= FIRMER;
    diagonal.set(whole);
}

const result = new Float64Array(MatrixBlock.count);

/** c = a b, or c += share a b. @param share 0: alone */
function multiplyBlocks(
    a: Float32Array,
    i: number,
    b: Float32Array,
    j: number,
    c: Float32Array | Float64Array,
    k: number,
    share: number,
): void {
    for (let column = 0; column < MatrixBlock.count; column += ROW) {
        for (let r = 0; r < 3; r++) {
            result[column + r] =
                a[i + r] * b[j + column] + a[i + ROW + r] * b[j + column + 1] + a[i + 2 * ROW + r] * b[j + column + 2];
        }
    }
    for (let e = 0; e < MatrixBlock.count; e++) c[k + e] = share === 0 ? result[e] : c[k + e] + share * result[e];
}

/** Writes the inverse of a symmetric block. @returns whether it is positive definite; else nothing is written */
function invert(m: Float64Array, inverses: Float32Array, o: number): boolean {
    const c0 = m[5] * m[10] - m[6] * m[6];
    const c1 = m[6] * m[2] - m[1] * m[10];
    const c2 = m[1] * m[6] - m[5] * m[2];
    const determinant = m[0] * c0 + m[1] * c1 + m[2] * c2;
    if (!(m[0] > 0 && m[0] * m[5] - m[1] * m[1] > 0 && determinant > 0)) return false;
    const share = 1 / determinant;
    inverses[o] = c0 * share;
    inverses[o + 1] = inverses[o + ROW] = c1 * share;
    inverses[o + 2] = inverses[o + 2 * ROW] = c2 * share;
    inverses[o + ROW + 1] = (m[0] * m[10] - m[2] * m[2]) * share;
    inverses[o + ROW + 2] = inverses[o + 2 * ROW + 1] = (m[1] * m[2] - m[0] * m[6]) * share;
    inverses[o + 2 * ROW + 2] = (m[0] * m[5] - m[1] * m[1]) * share;
    return true;
}
