/**
 * Clocks and turns. Tasks that are compared take turns in one process, so that a busy machine disturbs all alike, and are
 * timed by processor time, which other processes take no part of.
 */

/** One of the things that are compared. */
export interface Task {
    /** What is timed; allocates nothing. */
    run(): void;
    /** Puts everything back to where each turn starts, outside the timer. */
    restore?(): void;
}

/** Times of one task over its turns [ms per call]. */
export interface Timing {
    readonly median: number;
    readonly minimum: number;
    /** First and third quartile. */
    readonly low: number;
    readonly high: number;
    /** Each turn. */
    readonly turns: Float64Array;
}

/** A turn takes at least this long [ms], so that the clock's microsecond does not show. */
const TURN = 1.5;
/** Calls before anything is timed. */
const WARM_UP_CALLS = 5;

/** Processor time of this process [ms]. */
export function cpuTime(): number {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
}

/**
 * Times tasks in turns. Each turn begins with an untimed call that fetches the task's data into the caches.
 * @param budget processor time for all of them [ms]
 * @param minimumTurns turns that are made even beyond the budget
 */
export function takeTurns(tasks: readonly Task[], budget: number, minimumTurns = 9): Timing[] {
    const calls = tasks.map(callsPerTurn);
    const times: number[][] = tasks.map(() => []);
    const end = cpuTime() + budget;
    for (let turn = 0; turn < minimumTurns || cpuTime() < end; turn++) {
        for (let t = 0; t < tasks.length; t++) times[t].push(timeTurn(tasks[t], calls[t]));
    }
    return times.map((all) => summarize(Float64Array.from(all)));
}

/** Median, minimum and quartiles. */
export function summarize(turns: Float64Array): Timing {
    const sorted = turns.slice().sort();
    const at = (q: number): number => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
    return { median: at(0.5), minimum: sorted[0], low: at(0.25), high: at(0.75), turns };
}

/** Ratio of two tasks turn by turn, a / b: its median and quartiles are those of neighbouring turns. */
export function ratio(a: Timing, b: Timing): Timing {
    return summarize(a.turns.map((time, i) => time / b.turns[i]));
}

function callsPerTurn(task: Task): number {
    task.restore?.();
    for (let i = 0; i < WARM_UP_CALLS; i++) task.run();
    let shortest = Infinity;
    for (let i = 0; i < 3; i++) {
        const start = performance.now();
        task.run();
        shortest = Math.min(shortest, performance.now() - start);
    }
    return Math.max(1, Math.ceil(TURN / Math.max(shortest, 1e-4)));
}

function timeTurn(task: Task, calls: number): number {
    task.restore?.();
    task.run();
    task.restore?.();
    const start = cpuTime();
    for (let i = 0; i < calls; i++) task.run();
    return (cpuTime() - start) / calls;
}
