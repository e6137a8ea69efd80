/** Time by phase. Off until someone wants to know: reading the clock costs, and makes garbage. */
export class Stopwatch {
    /** Whether it measures. */
    isOn = false;
    /** Time of each phase since the last clear [ms]. */
    readonly milliseconds: Float64Array;
    private _since = 0;

    constructor(phaseCount: number) {
        this.milliseconds = new Float64Array(phaseCount);
    }

    /** All phases back to zero. */
    clear(): void {
        this.milliseconds.fill(0);
    }

    /** What follows counts for the phase of the next lap. */
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
