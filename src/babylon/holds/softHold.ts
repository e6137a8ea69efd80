import { LoosePins } from "../../solver/loosePins";
import type { PinSet } from "../../solver/pins";
import { knownOptions } from "../../solver/validate";
import { FIRMNESS_NAMES, readFirmness, gripOf } from "./firmness";
import type { FirmnessOptions } from "./firmness";
import { PinHold } from "./pinHold";
import type { Held, HoldData } from "./pinHold";

/** Options of {@link SoftHold}. */
export type SoftHoldOptions = FirmnessOptions;

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
        knownOptions(OWNER, options, FIRMNESS_NAMES);
        ({ stiffness: this.stiffness, maxForce: this.maxForce, slips: this.slips } = readFirmness(OWNER, options));
    }

    /** @internal */
    override _take({ particles }: Held): PinSet {
        return new LoosePins(particles, gripOf(this, particles.length), null);
    }

    /** @internal */
    override _toData(): HoldData {
        const { stiffness, maxForce, slips } = this;
        return { soft: { stiffness, maxForce, slips } };
    }
}
