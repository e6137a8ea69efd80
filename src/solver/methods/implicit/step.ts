import type { BlockSystem } from "./blockSystem";

/** A step of backward Euler as conditions see it, which add to the system what they do in it. */
export interface Step {
    readonly system: BlockSystem;
    readonly x: Float64Array;
    readonly v: Float64Array;
    /** Its length [s]. */
    readonly seconds: number;
    /** Damping as a share of stiffness [s]. */
    readonly damping: number;
}

/** What a sheet resists by: an energy ½ k C² for each of many conditions C(x) (Baraff & Witkin 1998, §4). */
export interface Conditions {
    /** Particles of each element, and how many that are. */
    readonly particles: Uint32Array;
    readonly size: number;
    /** Adds forces and their derivatives to the system. */
    add(step: Step): void;
}

/**
 * Adds a condition of an element: f_i = -k C'_i (C + β Ċ), and of its derivatives what is never indefinite,
 *
 *     A += (h² + h β) k C'_i C'_jᵀ,     b_i -= h k C'_i (C + (h + β) Ċ)      (eqs. 7, 8, 11, 12 and 16)
 *
 * @param element its number among those whose particles these are
 * @param gradient C' of each of its particles, shape [size, 3]
 */
export function addCondition(
    { system, v, seconds: h, damping }: Step,
    { particles, size }: Conditions,
    slots: Uint32Array,
    element: number,
    stiffness: number,
    value: number,
    gradient: Float64Array,
): void {
    const { values, right } = system;
    const first = element * size;
    let rate = 0;
    for (let i = 0; i < size; i++) {
        const q = 3 * particles[first + i];
        rate += gradient[3 * i] * v[q] + gradient[3 * i + 1] * v[q + 1] + gradient[3 * i + 2] * v[q + 2];
    }
    const push = h * stiffness * (value + (h + damping) * rate);
    const hard = (h * h + h * damping) * stiffness;
    for (let i = 0; i < size; i++) {
        const q = 3 * particles[first + i];
        for (let r = 0; r < 3; r++) {
            const g = gradient[3 * i + r];
            right[q + r] -= push * g;
            for (let j = 0; j < size; j++) {
                const o = slots[first * size + i * size + j] + 3 * r;
                values[o] += hard * g * gradient[3 * j];
                values[o + 1] += hard * g * gradient[3 * j + 1];
                values[o + 2] += hard * g * gradient[3 * j + 2];
            }
        }
    }
}
