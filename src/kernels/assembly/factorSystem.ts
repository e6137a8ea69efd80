/**
 * Incomplete factors of a system, A ≈ L U where A has blocks and nowhere else (Meijerink & van der Vorst 1977), row by row; L has ones on its diagonal. They
 * approximate the response of the whole sheet, and the inverses of the diagonal's blocks only that of each particle alone: solving takes a tenth of the iterations.
 */
import { MatrixBlock, SystemArrays, SystemNumber, SystemRow } from "./layout.generated";
import { blockAt, rowFrom, rowOfSystem, times } from "./sparseSystem";
import { float, put, word } from "./memory";

/** Least and largest share by which the diagonal is increased; and the factor from one attempt to the next, and the decay per step. */
const MIN_PIVOT: f32 = 0.002;
const MAX_BOOST: f32 = 1;
const BOOST_GROWTH: f32 = 4;
const BOOST_DECAY: f32 = 0.9;

/**
 * Factors the system. An incomplete factorization may lose positive definiteness, above all with bending. Complete factors have no pivot below the particle's
 * mass, so a pivot below half of it restarts the factorization with a larger diagonal (Manteuffel 1980).
 */
export function factorSystem(system: SystemArrays): void {
    let diagonalBoost = max(MIN_PIVOT, BOOST_DECAY * load<f32>(system.numbers, SystemNumber.diagonalBoost));
    while (!factor(system, diagonalBoost) && diagonalBoost < MAX_BOOST) diagonalBoost *= BOOST_GROWTH;
    store<f32>(system.numbers, diagonalBoost, SystemNumber.diagonalBoost);
}

/** @returns true if all pivots are definite; an indefinite one is taken from the diagonal alone, in the end */
function factor(system: SystemArrays, diagonalBoost: f32): bool {
    let isSound = true;
    const count = <usize>system.particleCount;
    const columns = system.columns;
    const factors = system.factors;
    const marks = system.marks;
    memory.copy(factors, system.blocks, <usize>system.blockCount * MatrixBlock.count);
    for (let i: usize = 0; i < count; i++) {
        const row = rowOfSystem(system, i);
        const first = load<u32>(row, SystemRow.first);
        const middle = load<u32>(row, SystemRow.middle);
        const end = load<u32>(row, SystemRow.end);
        const own = blockAt(system.inverses, <u32>i);
        const mass = float(system.masses, i);
        if (mass == 0) {
            memory.fill(own, 0, MatrixBlock.count);
            memory.fill(blockAt(factors, first), 0, <usize>(end - first) * MatrixBlock.count);
            continue;
        }
        let x = f32x4.replace_lane(f32x4.splat(0), 0, mass);
        let y = f32x4.replace_lane(f32x4.splat(0), 1, mass);
        let z = f32x4.replace_lane(f32x4.splat(0), 2, mass);
        for (let k = first; k < end; k++) {
            const block = blockAt(system.blocks, k);
            x = f32x4.sub(x, v128.load(block, MatrixBlock.x));
            y = f32x4.sub(y, v128.load(block, MatrixBlock.y));
            z = f32x4.sub(z, v128.load(block, MatrixBlock.z));
            put(marks, word(columns, k), k + 1);
        }
        x = f32x4.replace_lane(x, 0, (1 + diagonalBoost) * f32x4.extract_lane(x, 0));
        y = f32x4.replace_lane(y, 1, (1 + diagonalBoost) * f32x4.extract_lane(y, 1));
        z = f32x4.replace_lane(z, 2, (1 + diagonalBoost) * f32x4.extract_lane(z, 2));
        const wholeX = x;
        const wholeY = y;
        const wholeZ = z;
        for (let k = first; k < middle; k++) {
            const before = word(columns, k);
            const l = blockAt(factors, k);
            const inverse = blockAt(system.inverses, before);
            const lx = times(l, v128.load(inverse, MatrixBlock.x));
            const ly = times(l, v128.load(inverse, MatrixBlock.y));
            const lz = times(l, v128.load(inverse, MatrixBlock.z));
            v128.store(l, lx, MatrixBlock.x);
            v128.store(l, ly, MatrixBlock.y);
            v128.store(l, lz, MatrixBlock.z);
            const upper = rowOfSystem(system, before);
            const last = load<u32>(upper, SystemRow.end);
            for (let j = load<u32>(upper, SystemRow.middle); j < last; j++) {
                const column = word(columns, j);
                const u = blockAt(factors, j);
                if (column == <u32>i) {
                    x = f32x4.sub(x, times(l, v128.load(u, MatrixBlock.x)));
                    y = f32x4.sub(y, times(l, v128.load(u, MatrixBlock.y)));
                    z = f32x4.sub(z, times(l, v128.load(u, MatrixBlock.z)));
                } else {
                    const mark = word(marks, column);
                    if (mark == 0) continue;
                    const to = blockAt(factors, mark - 1);
                    v128.store(to, f32x4.sub(v128.load(to, MatrixBlock.x), times(l, v128.load(u, MatrixBlock.x))), MatrixBlock.x);
                    v128.store(to, f32x4.sub(v128.load(to, MatrixBlock.y), times(l, v128.load(u, MatrixBlock.y))), MatrixBlock.y);
                    v128.store(to, f32x4.sub(v128.load(to, MatrixBlock.z), times(l, v128.load(u, MatrixBlock.z))), MatrixBlock.z);
                }
            }
        }
        for (let k = first; k < end; k++) put(marks, word(columns, k), 0);
        if (invert(x, y, z, <f64>mass / 2, own)) continue;
        isSound = false;
        invert(wholeX, wholeY, wholeZ, 0, own);
    }
    return isSound;
}

/** Writes the inverse of a symmetric block. @returns true if it is definite, by `least` at least; else nothing is written */
function invert(x: v128, y: v128, z: v128, least: f64, inverse: usize): bool {
    const xx = <f64>f32x4.extract_lane(x, 0);
    const xy = <f64>f32x4.extract_lane(x, 1);
    const xz = <f64>f32x4.extract_lane(x, 2);
    const yy = <f64>f32x4.extract_lane(y, 1);
    const yz = <f64>f32x4.extract_lane(y, 2);
    const zz = <f64>f32x4.extract_lane(z, 2);
    const c0 = yy * zz - yz * yz;
    const c1 = yz * xz - xy * zz;
    const c2 = xy * yz - yy * xz;
    const minor = xx * yy - xy * xy;
    const determinant = xx * c0 + xy * c1 + xz * c2;
    const lessX = xx - least;
    const lessY = yy - least;
    const lessMinor = lessX * lessY - xy * xy;
    if (!(lessX > 0 && lessMinor > 0)) return false;
    if (!((zz - least) * lessMinor > lessX * yz * yz - 2 * xy * xz * yz + lessY * xz * xz)) return false;
    const share = 1 / determinant;
    const across = (xy * xz - xx * yz) * share;
    v128.store(inverse, rowFrom(c0 * share, c1 * share, c2 * share), MatrixBlock.x);
    v128.store(inverse, rowFrom(c1 * share, (xx * zz - xz * xz) * share, across), MatrixBlock.y);
    v128.store(inverse, rowFrom(c2 * share, across, minor * share), MatrixBlock.z);
    return true;
}
