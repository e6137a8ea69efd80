import { ROW, Uniform } from "../../kernels/layout";
import type { AirArrays } from "../../kernels/layout";
import type { BodyState } from "../state/state";

const axis = new Float64Array(3);
const relativeVelocity = new Float64Array(3);
const targetVelocity = new Float64Array(3);

/**
 * Drag of the air on a line of particles in one fixed step, as on a round rope of diameter d by the cross-flow principle (Hoerner 1965, Fluid-Dynamic
 * Drag, 3-11), per length
 *
 *     F = ½ ρ d (drag |r_n| r_n + π skinFriction |r_t| r_t),    r = air - v; r_t its part along the line, r_n the rest
 *
 * with ρ, drag and skinFriction of the wind: 1.2 is the drag of a cylinder below a Reynolds number of 2e5. As of sheets (test/reference/air.ts) a
 * speed across the line falls by λ / (1 + λ) in a step, λ = ½ ρ d drag |r_n| Δt l / m; what else moves a particle is taken to be what did in the last
 * step; and what the air is moving along never gains speed from it.
 *
 * @param air velocities of the air in, what it adds to a displacement in each substep out, see AirLayout
 * @param restLengths lengths of the links [m], shape [at least particleCount - 1]
 * @param width diameter [m], >= 0, times the areal density that the air's rates are for [kg/m²]
 */
export function applyLineDrag(state: BodyState, air: AirArrays, restLengths: Float32Array, width: number): void {
    const { positions: x, previous: p, residuals: r, stepStart: ahead, inverseMasses, uniforms, particleCount } = state;
    const { airMotion: pushes, predictedDisplacements: attempts } = air;
    const dt = uniforms[Uniform.substep];
    const share = uniforms[Uniform.substepShare];
    const dragRate = uniforms[Uniform.dragRate];
    const frictionRate = Math.PI * uniforms[Uniform.frictionRate];
    const last = ROW * (particleCount - 1);
    for (let i = 0, o = 0; o <= last; i++, o += ROW) {
        const before = o > 0 ? o - ROW : o;
        const after = o < last ? o + ROW : o;
        const length = ((o > 0 ? restLengths[i - 1] : 0) + (o < last ? restLengths[i] : 0)) / 2;
        const amount = width * length * inverseMasses[i] * (1 + pushes[o + 3]);
        let squared = 0;
        let flow = 0;
        let others = 0;
        for (let c = 0; c < 3; c++) {
            const moved = x[o + c] - p[o + c] + r[o + c];
            axis[c] = ahead[after + c] - ahead[before + c];
            relativeVelocity[c] = pushes[o + c] - moved / dt;
            targetVelocity[c] = (moved - attempts[o + c]) / dt;
            attempts[o + c] = moved;
            squared += axis[c] * axis[c];
            flow += axis[c] * relativeVelocity[c];
            others += axis[c] * targetVelocity[c];
        }
        pushes.fill(0, o, o + ROW);
        if (!(amount > 0 && squared > 0)) continue;
        flow /= squared;
        others /= squared;
        let crossing = 0;
        for (let c = 0; c < 3; c++) {
            targetVelocity[c] = relativeVelocity[c] - flow * axis[c] - (targetVelocity[c] - others * axis[c]);
            relativeVelocity[c] -= flow * axis[c];
            crossing += relativeVelocity[c] * relativeVelocity[c];
        }
        const lambda = amount * dragRate * Math.sqrt(crossing);
        const answered = lambda / (1 + lambda);
        let size = 0;
        let helped = 0;
        for (let c = 0; c < 3; c++) {
            size += targetVelocity[c] * targetVelocity[c] * answered;
            helped += 2 * targetVelocity[c] * relativeVelocity[c];
        }
        // What is added stays in the ball in which the speed relative to the air does not grow.
        const scale = helped > 0 ? answered * Math.min(1, helped / size) : 0;
        const tangential = Math.min(1, amount * frictionRate * Math.abs(flow) * Math.sqrt(squared));
        for (let c = 0; c < 3; c++) {
            const push = (scale * targetVelocity[c] + tangential * flow * axis[c]) * dt;
            pushes[o + c] = push * share;
            attempts[o + c] += push;
        }
    }
}
