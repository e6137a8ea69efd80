/** Synchronises clocks that were started at different times. */
import { SAME_TIME } from "./clock";
import type { Clock } from "./clock";

/** True if the frame that a clock is to begin follows the last one that it has begun. */
export function isConsecutive(clock: Clock): boolean {
    return clock.time > 0 && endedAt(clock, clock.frameEnd - clock.frameSeconds);
}

/** True if the last frame that a clock has begun ended then [s]. */
function endedAt({ lastFrameEnd: end }: Clock, time: number): boolean {
    return Math.abs(end - time) < SAME_TIME;
}

/** Sets a clock as far between two steps as another, if that has begun the same frame already, or the one before. */
export function syncClock(clock: Clock, other: Clock): void {
    const isAhead = endedAt(other, clock.frameEnd);
    if (!isAhead && !endedAt(other, clock.frameEnd - clock.frameSeconds)) return;
    clock.remainder = isAhead ? other.previousRemainder : other.remainder;
    clock.isOnStep = isAhead ? other.wasOnStep : other.isOnStep;
}
