import { STOPWATCH_FRAMES, STOPWATCH_INTERVAL } from "../tunables";

/** Stages of a body's substep in their order (see pipeline.ts), as the stopwatch counts them. */
export const Stage = {
    /** Air, and forces of users: displacements. */
    forces: 0,
    /** Verlet integration, or the body's own solver. */
    integrate: 1,
    /** Pins go to their poses of the substep. */
    attachments: 2,
    /** Bending, shear, limits, tethers, lengths. */
    constraints: 3,
    /** Colliders that can touch the body in this substep. */
    broadPhase: 4,
    /** Detection and response with all colliders that are near. */
    contacts: 5,
    /** Lengths once more where contact has moved particles, and the strain limit. */
    contactConstraints: 6,
    /** Largest strain of the material. */
    strainLimit: 7,
    /** Second response, and recovery of what is squeezed or left inside. */
    recovery: 8,
    /** Pins have the last word; carriers take reactions. */
    reactions: 9,
} as const;

/** Names of the stages, by their number. */
export const stageNames = Object.keys(Stage) as readonly (keyof typeof Stage)[];

/**
 * Time by phase, and its mean over the last frames: browsers' clocks tick in 0.1 to 1 ms, longer than a phase takes, and only
 * the mean of many readings tells its length. Until someone wants to know, one frame in {@link STOPWATCH_INTERVAL} is measured, so
 * that the first reading is no zero: reading the clock costs, and makes garbage.
 */
export class Stopwatch {
    /** True if it measures each frame from the next one on. */
    isOn = false;
    /** True if it measures this frame. */
    isMeasuring = false;
    /** Time of each phase in the last frame [ms]. */
    readonly milliseconds: Float64Array;
    /** Mean time of each phase in a frame [ms]: of all frames measured up to 60, then one that forgets older ones. */
    readonly means: Float64Array;
    private _frameCount = 0;
    private _sinceSample = STOPWATCH_INTERVAL / 2;
    private _since = 0;

    constructor(phaseCount: number) {
        this.milliseconds = new Float64Array(phaseCount);
        this.means = new Float64Array(phaseCount);
    }

    /** Begins a frame. */
    beginFrame(): void {
        this._sinceSample = (this._sinceSample + 1) % STOPWATCH_INTERVAL;
        this.isMeasuring = this.isOn || this._sinceSample === 0;
        if (this.isMeasuring) this.milliseconds.fill(0);
    }

    /** Ends a frame: the means are renewed. */
    endFrame(): void {
        if (!this.isMeasuring) return;
        const { milliseconds, means } = this;
        if (this._frameCount < STOPWATCH_FRAMES) this._frameCount++;
        for (let i = 0; i < means.length; i++) means[i] += (milliseconds[i] - means[i]) / this._frameCount;
    }

    /** Starts a lap: the time until the next one counts for its stage. */
    start(): void {
        if (this.isMeasuring) this._since = performance.now();
    }

    /** Adds the time since the last start or lap to a phase. */
    lap(phase: number): void {
        if (!this.isMeasuring) return;
        const now = performance.now();
        this.milliseconds[phase] += now - this._since;
        this._since = now;
    }
}
