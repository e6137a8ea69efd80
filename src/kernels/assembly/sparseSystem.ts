/**
 * The linear system of a step of backward Euler, A Δv = b (Baraff & Witkin 1998, eq. 6), A symmetric, in blocks of 3 × 3. Of A there are the blocks between
 * two particles; since forces between particles do not change when all move as one, the product needs no others:
 *
 *     (A v)_i = m_i v_i + Σ_j A_ij (v_j - v_i)
 *
 * In 32 bits, stiffness would otherwise drown mass: an error of a hundredth of gravity. b and its terms have 64 bits. Held particles (mass 0)
 * are filtered out of all vectors, as by the velocity constraint of §5.3.
 */
import { MatrixBlock, ParticleArrays, SystemArrays, SystemNumber, SystemRow, rowOffset } from "./layout.generated";
import { splat0, splat1, splat2 } from "./simd";
import { double, float, putDouble, putReal, word } from "./memory";

/** Numbers of a row of doubles, x y z 0. */
const ROW_OF_DOUBLES: usize = 4;

/** Empties it, but for masses and the push of gravity. */
export function assembleSystem(system: SystemArrays, particles: ParticleArrays): void {
    const count = <usize>system.particleCount;
    const step = <f64>load<f32>(system.numbers, SystemNumber.step);
    memory.fill(system.blocks, 0, <usize>system.blockCount * MatrixBlock.count);
    for (let i: usize = 0; i < count; i++) {
        const inverseMass = float(particles.inverseMasses, i);
        putReal(system.masses, i, inverseMass > 0 ? 1 / <f64>inverseMass : 0);
        const mass = <f64>float(system.masses, i);
        const right = ROW_OF_DOUBLES * i;
        putDouble(system.right, right, step * <f64>load<f32>(system.numbers, SystemNumber.gravity) * mass);
        putDouble(system.right, right + 1, step * <f64>load<f32>(system.numbers + 4, SystemNumber.gravity) * mass);
        putDouble(system.right, right + 2, step * <f64>load<f32>(system.numbers + 8, SystemNumber.gravity) * mass);
    }
}

/** A block times a vector. */
// @ts-ignore: decorator
@inline
export function times(block: usize, v: v128): v128 {
    const x = f32x4.mul(v128.load(block, MatrixBlock.x), splat0(v));
    const y = f32x4.mul(v128.load(block, MatrixBlock.y), splat1(v));
    return f32x4.add(f32x4.add(x, y), f32x4.mul(v128.load(block, MatrixBlock.z), splat2(v)));
}

/** The first block of a row, and where others of it begin. */
// @ts-ignore: decorator
@inline
export function rowOfSystem(system: SystemArrays, i: usize): usize {
    return system.rows + i * SystemRow.count;
}

/** y = A x. @returns zero rows for held particles */
export function multiply(system: SystemArrays, x: usize, y: usize): void {
    const count = <usize>system.particleCount;
    let column = system.columns;
    let block = system.blocks;
    for (let i: usize = 0; i < count; i++) {
        const own = v128.load(x + rowOffset(i));
        const mass = float(system.masses, i);
        let sum = f32x4.mul(f32x4.splat(mass), own);
        const end = system.columns + 4 * <usize>load<u32>(rowOfSystem(system, i), SystemRow.end);
        for (; column < end; column += 4, block += MatrixBlock.count) {
            const other = v128.load(x + rowOffset(<usize>load<u32>(column)));
            sum = f32x4.add(sum, times(block, f32x4.sub(other, own)));
        }
        v128.store(y + rowOffset(i), mass > 0 ? sum : f32x4.splat(0));
    }
}

// @ts-ignore: decorator
@inline
export function addBlock(block: usize, x: v128, y: v128, z: v128): void {
    v128.store(block, f32x4.add(v128.load(block, MatrixBlock.x), x), MatrixBlock.x);
    v128.store(block, f32x4.add(v128.load(block, MatrixBlock.y), y), MatrixBlock.y);
    v128.store(block, f32x4.add(v128.load(block, MatrixBlock.z), z), MatrixBlock.z);
}

/** Subtracts a push times a vector from the right side of a particle. */
// @ts-ignore: decorator
@inline
export function subtractForce(system: SystemArrays, particle: u32, x: f64, y: f64, z: f64): void {
    const right = ROW_OF_DOUBLES * <usize>particle;
    putDouble(system.right, right, double(system.right, right) - x);
    putDouble(system.right, right + 1, double(system.right, right + 1) - y);
    putDouble(system.right, right + 2, double(system.right, right + 2) - z);
}

/** A vector of doubles as a row. */
// @ts-ignore: decorator
@inline
export function rowFrom(x: f64, y: f64, z: f64): v128 {
    const row = f32x4.replace_lane(f32x4.replace_lane(f32x4.splat(0), 0, <f32>x), 1, <f32>y);
    return f32x4.replace_lane(row, 2, <f32>z);
}

/** Address of a block. */
// @ts-ignore: decorator
@inline
export function blockAt(blocks: usize, block: u32): usize {
    return blocks + <usize>block * MatrixBlock.count;
}

/**
 * Adds a condition C of a few particles: f_i = -k C'_i (C + β Ċ), and of its derivatives what is never indefinite,
 *
 *     A_ij += (h² + h β) k C'_i C'_jᵀ,     b_i -= h k C'_i (C + (h + β) Ċ)      (eqs. 7, 8, 11, 12 and 16)
 *
 * @param first where the particles of the element are; @param blocks where the blocks of its pairs are, both ways round
 * @param gradient C' of each, shape [size, 3]
 */
export function addCondition(
    system: SystemArrays,
    particles: usize,
    size: usize,
    slots: usize,
    stiffness: f64,
    value: f64,
    gradient: usize,
): void {
    const h = <f64>load<f32>(system.numbers, SystemNumber.step);
    const damping = <f64>load<f32>(system.numbers, SystemNumber.damping);
    let rate: f64 = 0;
    for (let i: usize = 0; i < size; i++) {
        const q = <usize>word(particles, i) * 3;
        const v = system.velocities;
        rate += double(gradient, 3 * i) * double(v, q);
        rate += double(gradient, 3 * i + 1) * double(v, q + 1);
        rate += double(gradient, 3 * i + 2) * double(v, q + 2);
    }
    const pushed = h * stiffness * (value + (h + damping) * rate);
    const hard = f32x4.splat(<f32>((h * h + h * damping) * stiffness));
    for (let i: usize = 0; i < size; i++) {
        const x = double(gradient, 3 * i);
        const y = double(gradient, 3 * i + 1);
        const z = double(gradient, 3 * i + 2);
        subtractForce(system, word(particles, i), pushed * x, pushed * y, pushed * z);
        const own = rowFrom(x, y, z);
        const hardened = f32x4.mul(hard, own);
        for (let j = i + 1; j < size; j++, slots += 8) {
            const other = rowFrom(double(gradient, 3 * j), double(gradient, 3 * j + 1), double(gradient, 3 * j + 2));
            const there = blockAt(system.blocks, load<u32>(slots));
            addBlock(there, f32x4.mul(hardened, splat0(other)), f32x4.mul(hardened, splat1(other)), f32x4.mul(hardened, splat2(other)));
            const back = blockAt(system.blocks, load<u32>(slots, 4));
            addBlock(back, f32x4.mul(other, splat0(hardened)), f32x4.mul(other, splat1(hardened)), f32x4.mul(other, splat2(hardened)));
        }
    }
}
