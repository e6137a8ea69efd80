/** What is this many times faster than in the last frame has not become so by moving. */
const SUDDEN = 3;

/** What is motion, not a jump. */
export interface MotionLimit {
    /** The longest distance in a frame that is motion in any case [m]. */
    readonly distance: number;
}

/** Everything is motion. */
export const NO_LIMIT: MotionLimit = { distance: Infinity };

/** Tells a jump of something from its motion: it is faster than a limit, all of a sudden. What gets there by and by moves. */
export class Pace {
    /** Distance gone since the last frame [m]. */
    gone = NaN;
    private _last = NaN;

    constructor() {
        this._last = 0;
    }

    /** To be asked once a frame, when {@link gone} has been told. */
    isJump(limit: MotionLimit): boolean {
        const pace = this.gone > 0 ? this.gone / limit.distance : 0;
        if (pace > 1 && pace > SUDDEN * this._last) return true;
        this._last = pace;
        return false;
    }
}
