/** Work in slices: it yields where it may be interrupted, and returns its result. */
export type Slices<Result> = Generator<void, Result, void>;

/** Runs work without interruption. */
export function runAll<Result>(slices: Slices<Result>): Result {
    let step = slices.next();
    while (!step.done) step = slices.next();
    return step.value;
}
