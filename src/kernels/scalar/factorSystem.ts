/**
 * Incomplete factors of a system, A ≈ L U where A has blocks and nowhere else (Meijerink & van der Vorst 1977), row by row; L has ones on its diagonal. They
 * say about how the whole sheet answers a push, where the inverses of the diagonal's blocks speak of each particle alone: solving takes a tenth of the iterations.
 */
import { ROW } from "../layout";
import { MatrixBlock, SystemNumber, SystemRow } from "../implicitLayout";
import type { SystemArrays } from "../implicitLayout";

/** The diagonal is made firmer by this share at least, and at most; by so many times more where that does not do, and a little less each time. */
const LEAST = 0.002;
const MOST = 1;
const RAISE = 4;
const LOWER = 0.9;

const diagonal = new Float64Array(MatrixBlock.count);
const whole = new Float64Array(MatrixBlock.count);

/**
 * What is left out makes factors of what is no sum of squares any more, of bending above all: whole factors have no pivot below the particle's mass, so where one
 * has half of that, they are made anew of a firmer diagonal (Manteuffel 1980).
 */
export function factorSystem(system: SystemArrays): void {
    const { numbers } = system;
    let firmness = Math.max(LEAST, LOWER * numbers[SystemNumber.firmness]);
    while (!factor(system, firmness) && firmness < MOST) firmness *= RAISE;
    numbers[SystemNumber.firmness] = firmness;
}

/** @returns whether all pivots are; what is none is taken from the diagonal alone, in the end */
function factor(system: SystemArrays, firmness: number): boolean {
    let isSound = true;
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
        sumUpDiagonal(system, i, firmness);
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
        if (invert(diagonal, masses[i] / 2, inverses, own)) continue;
        isSound = false;
        invert(whole, 0, inverses, own);
    }
    return isSound;
}

/** A_ii = m - Σ_j A_ij, firmer by a share. */
function sumUpDiagonal({ rows, blocks, masses }: SystemArrays, i: number, firmness: number): void {
    const row = SystemRow.count * i;
    whole.fill(0);
    for (let c = 0; c < 3; c++) whole[ROW * c + c] = masses[i];
    for (let k = rows[row + SystemRow.first]; k < rows[row + SystemRow.end]; k++)
        for (let e = 0; e < MatrixBlock.count; e++) whole[e] -= blocks[MatrixBlock.count * k + e];
    for (let c = 0; c < 3; c++) whole[ROW * c + c] *= 1 + firmness;
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

/** Writes the inverse of a symmetric block. @returns whether it is definite, by so much at least; else nothing is written */
function invert(m: Float64Array, least: number, inverses: Float32Array, o: number): boolean {
    const xx = m[0] - least;
    const yy = m[5] - least;
    const zz = m[10] - least;
    const minor = xx * yy - m[1] * m[1];
    if (!(xx > 0 && minor > 0)) return false;
    if (!(zz * minor > xx * m[6] * m[6] - 2 * m[1] * m[2] * m[6] + yy * m[2] * m[2])) return false;
    const c0 = m[5] * m[10] - m[6] * m[6];
    const c1 = m[6] * m[2] - m[1] * m[10];
    const c2 = m[1] * m[6] - m[5] * m[2];
    const determinant = m[0] * c0 + m[1] * c1 + m[2] * c2;
    const share = 1 / determinant;
    inverses[o] = c0 * share;
    inverses[o + 1] = inverses[o + ROW] = c1 * share;
    inverses[o + 2] = inverses[o + 2 * ROW] = c2 * share;
    inverses[o + ROW + 1] = (m[0] * m[10] - m[2] * m[2]) * share;
    inverses[o + ROW + 2] = inverses[o + 2 * ROW + 1] = (m[1] * m[2] - m[0] * m[6]) * share;
    inverses[o + 2 * ROW + 2] = (m[0] * m[5] - m[1] * m[1]) * share;
    return true;
}
