/**
 * Loose pins: particles that a carrying frame pulls towards their places in it.
 *
 *         place             C = |x - place| - d <= 0,   ∇C = (x - place)/|x - place|
 *        ╭──●──╮
 *        │  d  │  ○ x       moved along the gradient, as far as their grip has it (grip.ts)
 *        ╰─────╯
 */
import { rowOf } from "../kernels/layout";
import { FreePins, way } from "./freePins";
import type { Grip } from "./grip";
import type { BodyState } from "./state";

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
        const { particles, _stepFrom: from, _stepTo: to, _grip: grip, _reaches: reaches } = this;
        for (let i = 0, q = 0; i < particles.length; i++, q += 3) {
            if (inverseMasses[particles[i]] === 0 || grip?.holds(i) === false) continue;
            const o = rowOf(particles[i]);
            for (let c = 0; c < 3; c++) way[c] = x[o + c] - (from[q + c] + (to[q + c] - from[q + c]) * fraction);
            if (reaches) {
                const distance = Math.sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
                if (!(distance > reaches[i])) continue;
                for (let c = 0; c < 3; c++) way[c] *= 1 - reaches[i] / distance;
            }
            grip?.pull(state, particles[i], i, way);
            for (let c = 0; c < 3; c++) x[o + c] -= way[c];
        }
    }
}
