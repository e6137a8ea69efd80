import { CLOCK_ROUNDING, MAX_ENGINE_FRAME, SAME_TIME } from "../tunables";

/** Length and number of steps. */
export interface StepSettings {
    /** Fixed step [s]. */
    readonly fixedTimeStep: number;
    /** Most steps in a frame. */
    readonly maxStepsPerFrame: number;
}

/** Number of substeps of a body, of a step's length. */
export interface Substeps {
    /** Fixed step [s]. */
    readonly fixedTimeStep: number;
    readonly substepCount: number;
}

/**
 * Turns uneven frame times into fixed steps: an accumulator with a cap ("Fix your timestep"). The remainder is shown by
 * interpolating the last step, so that motion is even whatever the frame rate.
 */
export class Clock {
    /** Fixed steps in the present frame. */
    steps = 0;
    /** End of the present step in the frame, 0..1. */
    fraction = 0;
    /** Time simulated since the start [s]. */
    time = 0;
    /** Length of the frame that is to begin [s], and what the world's clock shows at its end [s], NaN: not told. Arguments would be boxed. */
    frameSeconds = NaN;
    frameEnd = NaN;
    /** Length of the frame for a physics engine's bodies, at least a step [s], and the share of that time that is stepped. */
    engineSeconds = NaN;
    engineShare = 1;
    /** Of the frames so far, what was left over when the last one ended, and the one before [s]. */
    remainder = 0;
    previousRemainder = 0;
    private _elapsed = 0;
    /** True if every frame since the start ended on a step; beside it, if all but the last did. */
    isOnStep = true;
    wasOnStep = true;
    /** {@link frameEnd} of the last frame begun [s]. */
    lastFrameEnd = NaN;
    /** Time of the world's clock when this one shows zero [s]. */
    private _worldStart = 0;

    /** Begins a frame of {@link frameSeconds}; time beyond the cap is dropped. */
    beginFrame({ fixedTimeStep: step, maxStepsPerFrame: maxSteps }: StepSettings): void {
        const { frameSeconds: seconds } = this;
        // Not Math.max: where no time is told, a step.
        this.engineSeconds = seconds > step ? Math.min(seconds, MAX_ENGINE_FRAME) : step;
        this.engineShare = Math.min(1, (maxSteps * step) / this.engineSeconds);
        this.previousRemainder = this.remainder;
        this.wasOnStep = this.isOnStep;
        this.lastFrameEnd = this.frameEnd;
        const longest = maxSteps * step - this.previousRemainder;
        this._elapsed = seconds < longest ? seconds : longest;
        const total = this.previousRemainder + this._elapsed;
        this.steps = Math.min(maxSteps, Math.floor(total / step + CLOCK_ROUNDING));
        const rest = total - this.steps * step;
        this.remainder = rest < CLOCK_ROUNDING * step ? 0 : rest;
        if (this.remainder > 0) this.isOnStep = false;
        this._followWorld();
    }

    /** Time of the world [s], in which others live too: this clock's own until it has been set. */
    get worldTime(): number {
        return this.time + this._worldStart;
    }

    private _followWorld(): void {
        const start = this.frameEnd - (this.time + this.previousRemainder + this._elapsed);
        // Rounding alone does not set it: the same steps then have the same times, to the bit.
        if (Math.abs(start - this._worldStart) > SAME_TIME) this._worldStart = start;
    }

    /** Number of steps as long as the frame, at least one: not always a whole number. */
    stepsOf({ fixedTimeStep: step }: Pick<StepSettings, "fixedTimeStep">): number {
        return (this.engineSeconds * this.engineShare) / step;
    }

    /** Begins the frame's `index`-th step (from 1). */
    beginStep(index: number, { fixedTimeStep: step }: StepSettings): void {
        const f = this._elapsed > 0 ? (index * step - this.previousRemainder) / this._elapsed : 1;
        this.fraction = f < 0 ? 0 : f > 1 ? 1 : f;
    }

    /**
     * Position of the drawn state between the start (0) and the end (1) of the last step: always one step behind the time, so that motion is even. Only a
     * caller who has always advanced by whole steps sees the last one at once.
     */
    alpha(settings: Pick<StepSettings, "fixedTimeStep">): number {
        // A step length that is computed would be boxed: it is asked for only where it counts.
        return this.isOnStep ? 1 : Math.min(1, this.remainder / settings.fixedTimeStep);
    }

    /** Makes steps longer by a factor; the drawn state keeps its place between two of them. */
    rescale(factor: number): void {
        this.remainder *= factor;
    }

    /** The frame's steps pass without being taken. */
    skip({ fixedTimeStep: step }: StepSettings): void {
        this.time += this.steps * step;
        this.steps = 0;
    }

    /** Ends the frame before its remaining steps. */
    stop(): void {
        this.steps = 0;
    }

    /** Forgets the remainder and starts from time zero. */
    reset(): void {
        this.steps = this.time = this.remainder = this.previousRemainder = this._elapsed = 0;
        this.isOnStep = true;
    }

    /** Saves its state as numbers, for another clock's {@link restoreMotion}. */
    saveMotion(): Float64Array {
        return Float64Array.of(this.time, this.remainder, this.isOnStep ? 1 : 0, this._worldStart);
    }

    /** Goes on from what another clock knew. */
    restoreMotion([time, remainder, isOnBeat, worldStart]: Float64Array): void {
        this.time = time;
        this.remainder = remainder;
        this.isOnStep = isOnBeat === 1;
        this._worldStart = worldStart;
    }
}

/** Synchronises clocks that were started at different times. */

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
