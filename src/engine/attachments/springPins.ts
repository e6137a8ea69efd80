/**
 * Pins by springs with dampers: Hooke's law in a substep, beside what XPBD projects.
 *
 *     place ■╌╌╱╲╱╲╌╌● x        λ = κ (x₀ - place₀) + δ v dt,   κ = k w dt²,   1 - δ = 1 / (1 + γ + γ²/2) = e^-γ + O(γ³),   γ = c w dt
 *           ■╌╌╌╞═╌╌╌●          x₀ where it was a substep ago, v as it came from there, against the place: what it falls in this substep is no motion yet
 *
 * The spring is that of Verlet's method, which neither gains energy nor loses any: z² - (2 - κ - δ) z + 1 - δ = 0, which is stable where κ + 2 δ < 4. δ is below 1,
 * κ is 1 at most, and what is near that is damped as well: γ >= κ².
 */
import { rowOf, Uniform } from "../../kernels/layout";
import { UnweldedPins } from "./unweldedPins";
import { CORRECTION_ACROSS, CORRECTION_ALONG } from "./pinCorrection";
import { pinCorrection } from "./pinForce";
import { PinForce } from "./pinForce";
import type { PinForceLaw } from "./pinForce";
import type { BodyState } from "../state/state";

/** Within a call: where a particle is held, and how far that goes in a substep by drift [m]. */
const place = new Float64Array(3);
const driftStep = new Float64Array(3);

/** See the top of the file. */
export class SpringPins extends UnweldedPins {
    /** @param _stiffnesses of each particle @param _dampings of each particle [N s/m], >= 0 */
    constructor(
        particles: Uint32Array,
        private readonly _stiffnesses: PinForceLaw,
        private readonly _dampings: number,
    ) {
        super(particles, null, new PinForce(particles.length, { ..._stiffnesses, stiffness: Infinity }));
    }

    protected override _correctAll(state: BodyState, done: number, count: number): void {
        const { positions: x, previous, inverseMasses, uniforms } = state;
        const { particles, _stepFrom: from, _stepTo: to, _force: grip, dynamicCarrier: drift } = this;
        const substep = uniforms[Uniform.substep];
        for (let i = 0, q = 0; i < particles.length; i++, q += 3) {
            const w = inverseMasses[particles[i]];
            if (w === 0 || !grip!.isHeld(i)) continue;
            const spring = Math.min(1, this._stiffnesses.stiffness * w * substep * substep);
            const damped = Math.max(this._dampings * w * substep, spring * spring);
            const damper = 1 - 1 / (1 + damped + (damped * damped) / 2);
            const o = rowOf(particles[i]);
            for (let c = 0; c < 3; c++) place[c] = from[q + c] + ((to[q + c] - from[q + c]) * done) / count;
            drift?.movePoint(place, 0);
            driftStep.fill(0);
            drift?.readDrifted(place, driftStep);
            for (let c = 0; c < 3; c++) {
                const gone = x[o + c] - previous[o + c] - (to[q + c] - from[q + c]) / count - driftStep[c];
                pinCorrection[c] = spring * (x[o + c] - place[c] - gone) + damper * (gone - uniforms[Uniform.gravity + c]);
            }
            const share = grip!.scaleCorrection(state, particles[i], i, pinCorrection);
            pinCorrection[CORRECTION_ACROSS] = pinCorrection[CORRECTION_ALONG] = share * Math.min(1, spring + damper);
            this._applyCorrection(state, i);
        }
    }
}
