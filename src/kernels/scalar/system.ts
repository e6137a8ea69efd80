/**
 * The linear system of a step of backward Euler, A Δv = b (Baraff & Witkin 1998, eq. 6), A symmetric, in blocks of 3 × 3. Of A there are the blocks between
 * two particles; since forces between particles do not change when all move as one, the product needs no others:
 *
 *     (A v)_i = m_i v_i + Σ_j A_ij (v_j - v_i)
 *
 * In 32 bits, stiffness would else drown mass: a sheet fell by a hundredth of gravity more or less. b and what it is made of have 64. What is held (mass 0)
 * is filtered out of everything, as their constraint of velocities (§5.3).
 */
import { ROW } from "../layout";
import type { ParticleArrays } from "../layout";
import { MatrixBlock, SystemNumber, SystemRow } from "../implicitLayout";
import type { SystemArrays } from "../implicitLayout";

/** Empties it, but for masses and the push of gravity. */
export function beginSystem(system: SystemArrays, particles: ParticleArrays): void {
    const { particleCount, masses, right, numbers } = system;
    const { inverseMasses } = particles;
    const step = numbers[SystemNumber.step];
    system.blocks.fill(0);
    right.fill(0);
    for (let i = 0, o = 0; i < particleCount; i++, o += ROW) {
        masses[i] = inverseMasses[i] > 0 ? 1 / inverseMasses[i] : 0;
        for (let c = 0; c < 3; c++) right[o + c] = step * numbers[SystemNumber.gravity + c] * masses[i];
    }
}

/** y = A x. @returns nothing for what is held */
export function multiply(system: SystemArrays, x: Float32Array, y: Float32Array): void {
    const { particleCount, rows, columns, blocks: a, masses } = system;
    for (let i = 0, q = 0; i < particleCount; i++, q += ROW) {
        const m = masses[i];
        let y0 = m * x[q];
        let y1 = m * x[q + 1];
        let y2 = m * x[q + 2];
        const row = SystemRow.count * i;
        for (let k = rows[row + SystemRow.first], end = rows[row + SystemRow.end]; k < end; k++) {
            const o = MatrixBlock.count * k;
            const p = ROW * columns[k];
            const dx = x[p] - x[q];
            const dy = x[p + 1] - x[q + 1];
            const dz = x[p + 2] - x[q + 2];
            y0 += a[o] * dx + a[o + ROW] * dy + a[o + 2 * ROW] * dz;
            y1 += a[o + 1] * dx + a[o + ROW + 1] * dy + a[o + 2 * ROW + 1] * dz;
            y2 += a[o + 2] * dx + a[o + ROW + 2] * dy + a[o + 2 * ROW + 2] * dz;
        }
        y[q] = m > 0 ? y0 : 0;
        y[q + 1] = m > 0 ? y1 : 0;
        y[q + 2] = m > 0 ? y2 : 0;
    }
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
    particles: Uint32Array,
    size: number,
    first: number,
    slots: Uint32Array,
    pair: number,
    stiffness: number,
    value: number,
    gradient: Float64Array,
): void {
    const { velocities: v, right, blocks, numbers } = system;
    const h = numbers[SystemNumber.step];
    const damping = numbers[SystemNumber.damping];
    let rate = 0;
    for (let i = 0; i < size; i++) {
        const q = 3 * particles[first + i];
        rate += gradient[3 * i] * v[q] + gradient[3 * i + 1] * v[q + 1] + gradient[3 * i + 2] * v[q + 2];
    }
    const push = h * stiffness * (value + (h + damping) * rate);
    const hard = (h * h + h * damping) * stiffness;
    for (let i = 0; i < size; i++) {
        const q = ROW * particles[first + i];
        for (let r = 0; r < 3; r++) right[q + r] -= push * gradient[3 * i + r];
        for (let j = i + 1; j < size; j++, pair += 2) {
            const there = MatrixBlock.count * slots[pair];
            const back = MatrixBlock.count * slots[pair + 1];
            for (let r = 0; r < 3; r++) {
                for (let c = 0; c < 3; c++) {
                    const entry = hard * gradient[3 * i + r] * gradient[3 * j + c];
                    blocks[there + ROW * c + r] += entry;
                    blocks[back + ROW * r + c] += entry;
                }
            }
        }
    }
}
