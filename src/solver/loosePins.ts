/**
 * Loose pins: particles that a carrying frame pulls towards their places in it.
 *
 *         place             C = |x - place| - d <= 0,   ∇C = (x - place)/|x - place|
 *        ╭──●──╮
 *        │  d  │  ○ x       moved along the gradient, as far as their grip has it (grip.ts)
 *        ╰─────╯
 */
import { rowOf } from "../kernels/layout";
import { FreePins } from "./freePins";
import type { Firmness } from "./grip";
import type { BodyState } from "./state";

/** See the top of the file. */
export class LoosePins extends FreePins {
    override readonly isFirst: boolean;

    /** @param _reaches how far each particle may go freely [m], shape [count]; null: nowhere */
    constructor(
        particles: Uint32Array,
        firmness: Firmness,
        private readonly _reaches: Float64Array | null,
        places: Float64Array | null = null,
    ) {
        super(particles, places, firmness);
        this.isFirst = places !== null;
    }

    protected override _hold(state: BodyState, done: number, count: number): void {
        const { positions: x, inverseMasses } = state;
        const fraction = done / count;
        const { particles, _stepFrom: from, _stepTo: to, _grip: grip, _reaches: reaches } = this;
        const { way } = grip;
        for (let i = 0, q = 0; i < particles.length; i++, q += 3) {
            if (inverseMasses[particles[i]] === 0 || !grip.holds(i)) continue;
            const o = rowOf(particles[i]);
            for (let c = 0; c < 3; c++) way[c] = x[o + c] - (from[q + c] + (to[q + c] - from[q + c]) * fraction);
            if (reaches) {
                const distance = Math.sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
                if (!(distance > reaches[i])) continue;
                for (let c = 0; c < 3; c++) way[c] *= 1 - reaches[i] / distance;
            }
            grip.pull(state, particles[i], i);
            for (let c = 0; c < 3; c++) x[o + c] -= way[c];
        }
    }
}
