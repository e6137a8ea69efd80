import { BUDGET_SMOOTHING } from "../tunables";
import { Stopwatch } from "./stopwatch";

/** One of those that take turns within a budget. */
export interface ScheduleEntry {
    /** So many frames sooner than others it has its turn; any number. */
    priority: number;
    /** Frames that it has waited for its turn. */
    waitedFrames: number;
    /** Time of one of its fixed steps, with all else in its frame [ms]; NaN: not measured yet. */
    stepMilliseconds: number;
}

/** One who has never had a turn. */
export function newScheduleEntry(): ScheduleEntry {
    return { priority: 0, waitedFrames: 0, stepMilliseconds: NaN };
}

/**
 * The time that the bodies of a world may take of each frame. They have their turns by priority and by how long they have waited; one
 * that would not fit any more waits for the next frame. The first has its turn in any case, so that no one waits for ever. Work goes by
 * groups: what one has taken is measured at its end, and tells what its bodies will take.
 */
export class Budget {
    private _remaining = 0;
    private _isFirst = false;
    /** Expected time of those of the group that have their turn [ms], and the work of each. */
    private _expected = 0;
    private readonly _entries: ScheduleEntry[] = [];
    private readonly _steps: number[] = [];
    private readonly _work: number[] = [];
    private _count = 0;
    private readonly _stopwatch = new Stopwatch(1);

    /** @param milliseconds that the bodies may take of a frame [ms] */
    constructor(public milliseconds: number) {
        this._stopwatch.isOn = true;
    }

    /** Begins a frame: puts those who have turns in order. */
    beginFrame(all: { readonly turn: ScheduleEntry }[]): void {
        this._remaining = this.milliseconds;
        this._isFirst = true;
        all.sort(byUrgency);
    }

    /** Begins a group. */
    beginGroup(): void {
        this._count = this._expected = 0;
        this._stopwatch.beginFrame();
        this._stopwatch.start();
    }

    /**
     * True if one has its turn now; else it waits.
     * @param steps fixed steps that are due
     * @param work what one of them is, against others: particles × substeps
     */
    accepts(turn: ScheduleEntry, steps: number, work: number): boolean {
        const cost = turn.stepMilliseconds > 0 ? turn.stepMilliseconds * steps : 0;
        if (!this._isFirst && this._expected + cost >= this._remaining) {
            turn.waitedFrames++;
            return false;
        }
        this._isFirst = false;
        turn.waitedFrames = 0;
        this._expected += cost;
        this._entries[this._count] = turn;
        this._steps[this._count] = steps;
        this._work[this._count++] = steps * work;
        return true;
    }

    /** Ends a group: takes the time, and shares it out. */
    endGroup(): void {
        const { _stopwatch: stopwatch, _entries: turns, _steps: steps, _work: work } = this;
        stopwatch.lap(0);
        const [milliseconds] = stopwatch.milliseconds;
        this._remaining -= milliseconds;
        let sum = 0;
        for (let i = 0; i < this._count; i++) sum += work[i];
        for (let i = 0; i < this._count; i++) {
            const turn = turns[i];
            const measured = (milliseconds * work[i]) / (sum * steps[i]);
            const known = turn.stepMilliseconds;
            turn.stepMilliseconds = known >= 0 ? known + (measured - known) * BUDGET_SMOOTHING : measured;
        }
        // Holds no one who is gone.
        turns.length = 0;
    }
}

/** The most urgent first; equals keep their order. */
function byUrgency({ turn: a }: { readonly turn: ScheduleEntry }, { turn: b }: { readonly turn: ScheduleEntry }): number {
    const difference = b.priority + b.waitedFrames - (a.priority + a.waitedFrames);
    return difference > 0 ? 1 : difference < 0 ? -1 : 0;
}
