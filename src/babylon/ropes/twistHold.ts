import type { Twist } from "../../engine/rope/twist";
import type { PinSet } from "../../engine/attachments/pinSet";
import { TwistPins } from "../../engine/attachments/twistPins";
import { PinHold } from "../pins/pinHold";
import type { Held } from "../pins/pinHold";

/** The end of a rope that twists with what it is tied to. */
export class TwistHold extends PinHold {
    /** @param _twistOf that of the running rope */
    constructor(
        private readonly _isEnd: boolean,
        private readonly _twistOf: () => Twist,
    ) {
        super();
    }

    /** @internal */
    override _take({ particles }: Held): PinSet {
        return new TwistPins(particles, this._isEnd, this._twistOf());
    }

    /** Follows from the rope's options. @internal */
    override _toData(): null {
        return null;
    }
}
