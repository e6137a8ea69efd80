import type { Forces } from "../base/solverMaterial";

/**
 * Takes a step of `dt` [s] of x' = v, v' = a(x, v), in place.
 * @param room arrays as long as x, for what it needs meanwhile: {@link SCRATCH_STATES} of them
 */
export type Stepper = (forces: Forces, x: Float64Array, v: Float64Array, dt: number, room: readonly Float64Array[]) => void;

/** See {@link Stepper}. */
export const SCRATCH_STATES = 6;

/** x += dt v, with the v before. Order 1; whatever swings without damping gains energy at any step. */
const explicitEuler: Stepper = (forces, x, v, dt, [a]) => {
    forces.accelerate(x, v, a);
    add(x, dt, v);
    add(v, dt, a);
};

/** x += dt v, with the v after. Order 1, and its energy stays near what it was, up to ω dt = 2. */
const symplecticEuler: Stepper = (forces, x, v, dt, [a]) => {
    forces.accelerate(x, v, a);
    add(v, dt, a);
    add(x, dt, v);
};

/** With the slopes in the middle of the step, which Euler's finds. Order 2. */
const midpoint: Stepper = (forces, x, v, dt, [a, x1, v1]) => {
    forces.accelerate(x, v, a);
    sum(x1, x, dt / 2, v);
    sum(v1, v, dt / 2, a);
    forces.accelerate(x1, v1, a);
    add(x, dt, v1);
    add(v, dt, a);
};

/** The classical four slopes, weighed 1 : 2 : 2 : 1. Order 4; up to ω dt = √8. */
const rungeKutta4: Stepper = (forces, x, v, dt, [a, x1, v1, dx, dv]) => {
    dx.fill(0);
    dv.fill(0);
    x1.set(x);
    v1.set(v);
    for (let k = 0; k < 4; k++) {
        const weight = k === 0 || k === 3 ? dt / 6 : dt / 3;
        const ahead = k < 2 ? dt / 2 : dt;
        forces.accelerate(x1, v1, a);
        add(dx, weight, v1);
        add(dv, weight, a);
        sum(x1, x, ahead, v1);
        sum(v1, v, ahead, a);
    }
    add(x, 1, dx);
    add(v, 1, dv);
};

/** Velocity Verlet (Swope 1982, eq. 4): the mean of the accelerations before and after. Order 2, and energy as symplectic; up to ω dt = 2. */
const verlet: Stepper = (forces, x, v, dt, [a, v1]) => {
    forces.accelerate(x, v, a);
    sum(v1, v, dt, a);
    add(v, dt / 2, a);
    add(x, dt, v);
    // What brakes by speed is told the speed that is to be expected.
    forces.accelerate(x, v1, a);
    add(v, dt / 2, a);
};

/** The explicit methods by name. A new one is a function and a line here. */
export const steppers = { explicitEuler, symplecticEuler, midpoint, rungeKutta4, verlet } as const satisfies Record<
    string,
    Stepper
>;

/** y += share · x. */
function add(y: Float64Array, share: number, x: Float64Array): void {
    for (let q = 0; q < y.length; q++) y[q] += share * x[q];
}

/** y = x + share · d. */
function sum(y: Float64Array, x: Float64Array, share: number, d: Float64Array): void {
    for (let q = 0; q < y.length; q++) y[q] = x[q] + share * d[q];
}
