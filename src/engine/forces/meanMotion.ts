import { Uniform } from "../../kernels/layout";
import type { BodyState } from "../state/state";

/** Mean displacement in the last substep [m]. */
const meanDisplacement = new Float64Array(3);

/**
 * Leaves what air moves as a whole undamped: a fabric's damping stands in for air, and would brake what falls or sails a second time. What damping
 * takes from the mean motion is given back as gravity is, in every substep of the step. To be called once a step, for a body without pins.
 */
export function excludeMeanFromDamping({
    positions: x,
    previous: p,
    residuals: r,
    inverseMasses,
    uniforms,
    particleCount,
}: BodyState): void {
    let mass = 0;
    meanDisplacement.fill(0);
    for (let i = 0, o = 0; i < particleCount; i++, o += 4) {
        if (inverseMasses[i] === 0) continue;
        const m = 1 / inverseMasses[i];
        mass += m;
        meanDisplacement[0] += m * (x[o] - p[o] + r[o]);
        meanDisplacement[1] += m * (x[o + 1] - p[o + 1] + r[o + 1]);
        meanDisplacement[2] += m * (x[o + 2] - p[o + 2] + r[o + 2]);
    }
    if (mass === 0) return;
    const taken = 1 - uniforms[Uniform.displacementFactor];
    for (let c = 0; c < 3; c++) uniforms[Uniform.gravity + c] += (taken * meanDisplacement[c]) / mass;
}
