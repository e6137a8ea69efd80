import type { InterpolatedParticles } from "../../engine/state/state";

/** Where the particles of a mesh are and how they move, to go on from in another attachment of it. */
export interface SavedMotion {
    /** World position of simulation space's origin [m]. */
    readonly origin: Float64Array;
    /** The world's time [s]. */
    readonly worldTime: number;
    /** What displacements are of [s], 0: not told. */
    readonly substep: number;
    /** What tells how finely they are stepped, see Refiner. */
    readonly substepState?: readonly number[] | undefined;
    readonly particleMotion: readonly Float32Array[];
    readonly particleOfVertex: Uint32Array;
    /** Of vertices that lie between two others. */
    readonly blend?: InterpolatedParticles;
}
