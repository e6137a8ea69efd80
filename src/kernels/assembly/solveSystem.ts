/**
 * The preconditioned conjugate gradient method (Baraff & Witkin 1998, §5.3; Ascher & Boxerman 2003), warm-started from the last
 * solution. Preconditioned by the factors of factorSystem.ts; held particles have no solution.
 */
import { MatrixBlock, SystemArrays, SystemNumber, SystemRow, rowOffset } from "./layout.generated";
import { multiply, rowFrom, rowOfSystem, times } from "./sparseSystem";
import { double, float, word } from "./memory";

export function solveSystem(system: SystemArrays): void {
    const length = rowOffset(system.particleCount);
    const x = system.solution;
    const r = system.residual;
    const d = system.direction;
    const p = system.product;
    const z = system.conditioned;
    const zero = f32x4.splat(0);
    for (let o: usize = 0; o < length; o += 16) {
        const isFree = load<f32>(system.masses + (o >> 2)) > 0;
        const right = system.right + 2 * o;
        v128.store(x + o, isFree ? v128.load(x + o) : zero);
        v128.store(r + o, isFree ? rowFrom(double(right, 0), double(right, 1), double(right, 2)) : zero);
    }
    const tolerance = <f64>load<f32>(system.numbers, SystemNumber.tolerance);
    const enough = tolerance * tolerance * condition(system, r, z);
    multiply(system, x, p);
    for (let o: usize = 0; o < length; o += 16) v128.store(r + o, f32x4.sub(v128.load(r + o), v128.load(p + o)));
    let error = condition(system, r, z);
    memory.copy(d, z, length);
    const most = load<f32>(system.numbers, SystemNumber.maxIterations);
    let iterations: f32 = 0;
    for (; error > enough && iterations < most; iterations++) {
        multiply(system, d, p);
        const share = f32x4.splat(<f32>(error / dot(d, p, length)));
        for (let o: usize = 0; o < length; o += 16) {
            v128.store(x + o, f32x4.add(v128.load(x + o), f32x4.mul(share, v128.load(d + o))));
            v128.store(r + o, f32x4.sub(v128.load(r + o), f32x4.mul(share, v128.load(p + o))));
        }
        const before = error;
        error = condition(system, r, z);
        const turn = f32x4.splat(<f32>(error / before));
        for (let o: usize = 0; o < length; o += 16)
            v128.store(d + o, f32x4.add(v128.load(z + o), f32x4.mul(turn, v128.load(d + o))));
    }
    store<f32>(system.numbers, iterations, SystemNumber.iterations);
    store<f32>(system.numbers, error >= 0 && error <= enough ? 1 : 0, SystemNumber.isSolved);
}

/** z = (L U)⁻¹ r. @returns r · z */
function condition(system: SystemArrays, r: usize, z: usize): f64 {
    const count = <usize>system.particleCount;
    for (let i: usize = 0; i < count; i++) {
        const row = rowOfSystem(system, i);
        const left = subtract(system, v128.load(r + rowOffset(i)), load<u32>(row, SystemRow.first), load<u32>(row, SystemRow.middle), z);
        v128.store(z + rowOffset(i), left);
    }
    let sum = f64x2.splat(0);
    for (let i = count; i-- > 0; ) {
        const row = rowOfSystem(system, i);
        const place = z + rowOffset(i);
        const left = subtract(system, v128.load(place), load<u32>(row, SystemRow.middle), load<u32>(row, SystemRow.end), z);
        const found = times(system.inverses + i * MatrixBlock.count, left);
        v128.store(place, found);
        sum = addProducts(sum, found, v128.load(r + rowOffset(i)));
    }
    return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
}

/** x - Σ F_ij z_j, of the blocks from `first` to `end`. */
// @ts-ignore: decorator
@inline
function subtract(system: SystemArrays, x: v128, first: u32, end: u32, z: usize): v128 {
    let block = system.factors + <usize>first * MatrixBlock.count;
    for (let k = first; k < end; k++, block += MatrixBlock.count)
        x = f32x4.sub(x, times(block, v128.load(z + rowOffset(word(system.columns, k)))));
    return x;
}

function dot(a: usize, b: usize, length: usize): f64 {
    let sum = f64x2.splat(0);
    for (let o: usize = 0; o < length; o += 16) sum = addProducts(sum, v128.load(a + o), v128.load(b + o));
    return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
}

// @ts-ignore: decorator
@inline
function addProducts(sum: v128, a: v128, b: v128): v128 {
    const p = f32x4.mul(a, b);
    const low = f64x2.promote_low_f32x4(p);
    const high = f64x2.promote_low_f32x4(v128.shuffle<f32>(p, p, 2, 3, 2, 3));
    return f64x2.add(sum, f64x2.add(low, high));
}
