import { JUMP_FACTOR } from "../../tunables";

/** Limit of motion; beyond it, a jump. */
export interface MotionLimit {
    /** The longest distance in a frame that is motion in any case [m]. */
    readonly distance: number;
}

/** Everything is motion. */
export const NO_LIMIT: MotionLimit = { distance: Infinity };

/** Tells a jump of something from its motion: it is faster than a limit, all of a sudden. What gets there by and by moves. */
export class JumpDetector {
    /** Distance gone since the last frame [m]. */
    travelled = NaN;
    private _lastSpeed = NaN;

    constructor() {
        this._lastSpeed = 0;
    }

    /** To be asked once a frame, when {@link travelled} has been told. */
    isJump(limit: MotionLimit): boolean {
        const pace = this.travelled > 0 ? this.travelled / limit.distance : 0;
        if (pace > 1 && pace > JUMP_FACTOR * this._lastSpeed) return true;
        this._lastSpeed = pace;
        return false;
    }
}
