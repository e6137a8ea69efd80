/** Frames over which a mean is taken, about a second. */
const FRAMES = 60;

/**
 * Time by phase, and its mean over the last frames: browsers' clocks tick in 0.1 to 1 ms, longer than a phase takes, and only
 * the mean of many readings tells its length. Off until someone wants to know: reading the clock costs, and makes garbage.
 */
export class Stopwatch {
    /** True if it measures. */
    isOn = false;
    /** Time of each phase in the last frame [ms]. */
    readonly milliseconds: Float64Array;
    /** Mean time of each phase in a frame [ms]: of all frames measured up to 60, then one that forgets older ones. */
    readonly means: Float64Array;
    private _frameCount = 0;
    private _isMeasuring = false;
    private _since = 0;

    constructor(phaseCount: number) {
        this.milliseconds = new Float64Array(phaseCount);
        this.means = new Float64Array(phaseCount);
    }

    /** Begins a frame. */
    beginFrame(): void {
        if (this.isOn || this._isMeasuring) this.milliseconds.fill(0);
        this._isMeasuring = this.isOn;
    }

    /** Ends a frame: the means are renewed. */
    endFrame(): void {
        if (!this._isMeasuring) return;
        const { milliseconds, means } = this;
        if (this._frameCount < FRAMES) this._frameCount++;
        for (let i = 0; i < means.length; i++) means[i] += (milliseconds[i] - means[i]) / this._frameCount;
    }

    /** Starts a lap: the time until the next one counts for its stage. */
    start(): void {
        if (this.isOn) this._since = performance.now();
    }

    /** Adds the time since the last start or lap to a phase. */
    lap(phase: number): void {
        if (!this.isOn) return;
        const now = performance.now();
        this.milliseconds[phase] += now - this._since;
        this._since = now;
    }
}
