/** Largest stable step of a method for the fastest oscillation. */
import { GROWTH_TOLERANCE, STABILITY_PERTURBATION } from "../../tunables";
import type { Forces } from "../base/solverMaterial";
import { SCRATCH_STATES } from "./steppers";
import type { Stepper } from "./steppers";

/** Steps of the power iteration. */
const ITERATIONS = 60;
/** Slower oscillations than the fastest are tried, too, each by half, so many. */
const OCTAVES = 8;
/** Halvings of the interval in which the largest step is sought, down from this many times 1 / frequency [s]. */
const HALVINGS = 50;
const MAX_PHASE_STEP = 64;

/** Circular frequency of the fastest oscillation about the places x [1/s], by power iteration; 0: nothing swings. */
export function highestFrequency(forces: Forces, x: Float64Array): number {
    const still = new Float64Array(x.length);
    const at = new Float64Array(x.length);
    const before = new Float64Array(x.length);
    const after = new Float64Array(x.length);
    // Any direction will do that has something of all.
    let u = Float64Array.from(x, (_, q) => Math.sin(1 + 12.9898 * q * q));
    let squared = norm(u);
    forces.accelerate(x, still, before);
    for (let k = 0; k < ITERATIONS; k++) {
        const scale = STABILITY_PERTURBATION / (squared || 1);
        for (let q = 0; q < x.length; q++) at[q] = x[q] + scale * u[q];
        forces.accelerate(at, still, after);
        u = after.map((a, q) => (a - before[q]) / STABILITY_PERTURBATION);
        squared = norm(u);
    }
    return Math.sqrt(squared);
}

function norm(u: Float64Array): number {
    let sum = 0;
    for (let q = 0; q < u.length; q++) sum += u[q] * u[q];
    return Math.sqrt(sum);
}

/**
 * The largest step [s] at which a method has no oscillation of up to this frequency grow; 0: none.
 * @param frequency the fastest, circular [1/s]
 * @param springDamping damping as a share of stiffness [s]
 * @param damping rate at which all speeds die away beside [1/s]
 */
export function largestStep(stepper: Stepper, frequency: number, springDamping: number, damping: number): number {
    if (frequency === 0) return Infinity;
    const isStable = (dt: number): boolean => {
        for (let octave = 0; octave < OCTAVES; octave++) {
            const squared = (frequency / 2 ** octave) ** 2;
            if (growthFactor(stepper, squared, springDamping * squared, dt, damping) > 1 + GROWTH_TOLERANCE) return false;
        }
        return true;
    };
    let low = 0;
    let high = MAX_PHASE_STEP / frequency;
    for (let k = 0; k < HALVINGS; k++) {
        const middle = (low + high) / 2;
        if (isStable(middle)) low = middle;
        else high = middle;
    }
    return low < GROWTH_TOLERANCE / frequency ? 0 : low;
}

/** Factor by which x'' = -squared x - brake x' grows in a step: of the two columns of the step's matrix, the largest eigenvalue. */
function growthFactor(stepper: Stepper, squared: number, brake: number, dt: number, damping: number): number {
    const x = Float64Array.of(1, 0);
    const v = Float64Array.of(0, 1);
    const room = Array.from({ length: SCRATCH_STATES }, () => new Float64Array(2));
    const forces: Forces = {
        accelerate: (places, velocities, a) => a.forEach((_, q) => (a[q] = -squared * places[q] - brake * velocities[q])),
    };
    stepper(forces, x, v, dt, room);
    const kept = Math.exp(-damping * dt);
    for (let q = 0; q < 2; q++) v[q] *= kept;
    const half = (x[0] + v[1]) / 2;
    const determinant = x[0] * v[1] - x[1] * v[0];
    const root = half * half - determinant;
    return root < 0 ? Math.sqrt(determinant) : Math.abs(half) + Math.sqrt(root);
}
