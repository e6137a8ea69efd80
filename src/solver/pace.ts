/** What is this many times faster than in the last frame has not become so by moving. */
const SUDDEN = 3;

/** Tells a jump of something from its motion: it is faster than a limit, all of a sudden. What gets there by and by moves. */
export class Pace {
    private _last = 0;

    /**
     * To be asked once a frame.
     * @param distance gone since the last frame [m]
     * @param limit the longest distance that is motion in any case [m]
     */
    isJump(distance: number, limit: number): boolean {
        const pace = distance > 0 ? distance / limit : 0;
        if (pace > 1 && pace > SUDDEN * this._last) return true;
        this._last = pace;
        return false;
    }
}
