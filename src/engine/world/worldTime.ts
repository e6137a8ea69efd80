import type { WindField } from "../state/settings";

/** Time of a world, and its winds: what bone chains share with bodies. */
export class WorldTime {
    /** Time that has passed [s]. */
    time = 0;
    /** Winds that blow on all bodies. */
    readonly winds: WindField[] = [];

    /** Lets time pass. @param seconds what is no time counts as 0 */
    advanceTime(seconds: number): void {
        if (seconds > 0 && seconds < Infinity) this.time += seconds;
    }
}
