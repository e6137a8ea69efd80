/**
 * Loose pins: particles that a carrying frame pulls towards their places in it.
 *
 *         place             C = |x - place| - d <= 0,   ∇C = (x - place)/|x - place|
 *        ╭──●──╮
 *        │  d  │  ○ x       moved along the gradient, as far as their grip has it (grip.ts)
 *        ╰─────╯
 */
import { rowOf } from "../../kernels/layout";
import { FreePins } from "./freePins";
import { Grasp, grasp } from "./grasp";
import type { Grip } from "./grip";
import type { BodyState } from "../state";
import { dot } from "../math/vector";

/** Within a call: where a particle is held [m]. */
const place = new Float64Array(3);

/** See the top of the file. */
export class LoosePins extends FreePins {
    override readonly isFirst: boolean;

    /** @param _reaches how far each particle may go freely [m], shape [count]; null: nowhere */
    constructor(
        particles: Uint32Array,
        grip: Grip | null,
        private readonly _reaches: Float64Array | null,
        places: Float64Array | null = null,
    ) {
        super(particles, places, grip);
        this.isFirst = places !== null;
    }

    protected override _hold(state: BodyState, done: number, count: number): void {
        const { positions: x, inverseMasses } = state;
        const fraction = done / count;
        const { particles, _stepFrom: from, _stepTo: to, _grip: grip, _reaches: reaches, drift } = this;
        for (let i = 0, q = 0; i < particles.length; i++, q += 3) {
            if (inverseMasses[particles[i]] === 0 || grip?.holds(i) === false) continue;
            const o = rowOf(particles[i]);
            for (let c = 0; c < 3; c++) place[c] = from[q + c] + (to[q + c] - from[q + c]) * fraction;
            drift?.move(place, 0);
            for (let c = 0; c < 3; c++) grasp[c] = x[o + c] - place[c];
            grasp[Grasp.across] = grasp[Grasp.along] = 1;
            if (reaches) {
                const distance = Math.sqrt(dot(grasp, grasp));
                if (!(distance > reaches[i])) continue;
                grasp[Grasp.across] = 0;
                for (let c = 0; c < 3; c++) {
                    grasp[Grasp.axis + c] = grasp[c] / distance;
                    grasp[c] *= 1 - reaches[i] / distance;
                }
            }
            if (grip) grasp[Grasp.across] = grasp[Grasp.along] = grip.pull(state, particles[i], i, grasp);
            this._take(state, i);
        }
    }
}
