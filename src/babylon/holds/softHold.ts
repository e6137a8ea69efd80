import { LoosePins } from "../../solver/loosePins";
import type { PinSet } from "../../solver/pins";
import { boolean, knownOptions, positive } from "../../solver/validate";
import { PinHold } from "./pinHold";
import type { Held, HoldData } from "./pinHold";

/** Options of {@link SoftHold}. */
export interface SoftHoldOptions {
    /** Spring constant of the whole pin [N/m], > 0, shared evenly by its particles; Infinity: it does not give. Default Infinity. */
    stiffness?: number;
    /** Largest force of the whole pin [N], > 0, shared evenly by its particles. Default Infinity. */
    maxForce?: number;
    /** What happens to a particle that is pulled harder: it is let go for good (false, default), or slips (true): it is pulled by no more. */
    slips?: boolean;
}

const OWNER = "SoftHold";

/**
 * A pin that gives: a spring between each particle and its place on what carries it.
 *
 *     cloth.pin(select.edge("-x"), pole, new SoftHold({ stiffness: 500, maxForce: 20 }));
 *
 * Its particles keep their masses, and no tethers start at them: a sheet that hangs by it stretches a little more than by a rigid pin.
 */
export class SoftHold extends PinHold {
    /** See {@link SoftHoldOptions}. */
    readonly stiffness: number;
    readonly maxForce: number;
    readonly slips: boolean;

    /** @throws RangeError on an unknown option or a value out of range */
    constructor(options: SoftHoldOptions = {}) {
        super();
        knownOptions(OWNER, options, ["stiffness", "maxForce", "slips"]);
        const { stiffness = Infinity, maxForce = Infinity, slips = false } = options;
        this.stiffness = stiffness === Infinity ? stiffness : positive(OWNER, "stiffness", stiffness);
        this.maxForce = maxForce === Infinity ? maxForce : positive(OWNER, "maxForce", maxForce);
        this.slips = boolean(OWNER, "slips", slips);
    }

    /** @internal */
    override _take({ particles }: Held): PinSet {
        const { stiffness, maxForce, slips } = this;
        const count = Math.max(1, particles.length);
        return new LoosePins(particles, { stiffness: stiffness / count, maxForce: maxForce / count, slips, reaches: null });
    }

    /** @internal */
    override _toData(): HoldData {
        const { stiffness, maxForce, slips } = this;
        return { soft: { stiffness, maxForce, slips } };
    }
}
