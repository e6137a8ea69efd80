/**
 * Loose pins: particles that a carrying frame pulls towards their places in it.
 *
 *         place             C = |x - place| - d <= 0,   ∇C = (x - place)/|x - place|
 *        ╭──●──╮
 *        │  d  │  ○ x       moved along the gradient, as far as their grip has it (grip.ts)
 *        ╰─────╯
 */
import { rowOf } from "../../kernels/layout";
import { UnweldedPins } from "./unweldedPins";
import { CORRECTION_ACROSS, CORRECTION_ALONG, CORRECTION_AXIS } from "./pinCorrection";
import { pinCorrection } from "./pinForce";
import type { PinForce } from "./pinForce";
import type { BodyState } from "../state/state";
import { dot } from "../math/vector";

/** Within a call: where a particle is held [m]. */
const place = new Float64Array(3);

/** See the top of the file. */
export class MaxDistancePins extends UnweldedPins {
    override readonly isProcessedFirst: boolean;

    /** @param _maxDistances how far each particle may go freely [m], shape [count]; null: nowhere */
    constructor(
        particles: Uint32Array,
        grip: PinForce | null,
        private readonly _maxDistances: Float64Array | null,
        places: Float64Array | null = null,
    ) {
        super(particles, places, grip);
        this.isProcessedFirst = places !== null;
    }

    protected override _correctAll(state: BodyState, done: number, count: number): void {
        const { positions: x, inverseMasses } = state;
        const fraction = done / count;
        const { particles, _stepFrom: from, _stepTo: to, _force: grip, _maxDistances: reaches, dynamicCarrier: drift } = this;
        for (let i = 0, q = 0; i < particles.length; i++, q += 3) {
            if (inverseMasses[particles[i]] === 0 || grip?.isHeld(i) === false) continue;
            const o = rowOf(particles[i]);
            for (let c = 0; c < 3; c++) place[c] = from[q + c] + (to[q + c] - from[q + c]) * fraction;
            drift?.movePoint(place, 0);
            for (let c = 0; c < 3; c++) pinCorrection[c] = x[o + c] - place[c];
            pinCorrection[CORRECTION_ACROSS] = pinCorrection[CORRECTION_ALONG] = 1;
            if (reaches) {
                const distance = Math.sqrt(dot(pinCorrection, pinCorrection));
                if (!(distance > reaches[i])) continue;
                pinCorrection[CORRECTION_ACROSS] = 0;
                for (let c = 0; c < 3; c++) {
                    pinCorrection[CORRECTION_AXIS + c] = pinCorrection[c] / distance;
                    pinCorrection[c] *= 1 - reaches[i] / distance;
                }
            }
            if (grip)
                pinCorrection[CORRECTION_ACROSS] = pinCorrection[CORRECTION_ALONG] = grip.scaleCorrection(
                    state,
                    particles[i],
                    i,
                    pinCorrection,
                );
            this._applyCorrection(state, i);
        }
    }
}
