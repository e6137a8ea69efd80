import { MaxDistancePins, SpringPins, knownOptions, nonNegative } from "../../engine/index";
import type { PinSet } from "../../engine/index";
import { PIN_FORCE_OPTION_NAMES, readPinForceLaw, pinForceOf, sharePinForceLaw, PinHold } from "./pinHold";
import type { PinForceOptions, PinSelection, HoldData } from "./pinHold";

/** Options of {@link SoftHold}. */
export interface SoftHoldOptions extends PinForceOptions {
    /**
     * Damping constant of the whole pin against what carries it [N s/m], >= 0, shared evenly by its particles, for springs that swing as Hooke has it.
     * Default null: what keeps them quiet, stiffness × substep.
     */
    damping?: number | null;
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
    readonly damping: number | null;

    /** @throws RangeError on an unknown option or a value out of range */
    constructor(options: SoftHoldOptions = {}) {
        super();
        knownOptions(OWNER, options, [...PIN_FORCE_OPTION_NAMES, "damping"]);
        const { damping = null } = options;
        this.damping = damping === null ? null : nonNegative(OWNER, "damping", damping);
        ({ stiffness: this.stiffness, maxForce: this.maxForce, slips: this.slips } = readPinForceLaw(OWNER, options));
    }

    /** @internal */
    override _createPins({ particles }: PinSelection): PinSet {
        const { damping } = this;
        const count = Math.max(1, particles.length);
        if (damping !== null) return new SpringPins(particles, sharePinForceLaw(this, count), damping / count);
        return new MaxDistancePins(particles, pinForceOf(this, particles.length), null);
    }

    /** @internal */
    override _toData(): HoldData {
        const { stiffness, maxForce, slips, damping } = this;
        return { soft: { stiffness, maxForce, slips, ...(damping === null ? null : { damping }) } };
    }
}
