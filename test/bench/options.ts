/** What a run of the benchmark covers. */
export interface BenchOptions {
    /** Everything: all settings, 256² too, long budgets. */
    readonly isFull: boolean;
    /** Particles per side in the scenes. */
    readonly resolutions: readonly number[];
    /** Where the cost-stretch plot goes. */
    readonly plotPath: string;
}
