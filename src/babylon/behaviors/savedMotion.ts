import type { InterpolatedParticles } from "../../engine/index";

/** Positions and velocities of a mesh's particles, to go on from in another attachment of it. */
export interface SavedMotion {
    /** World position of simulation space's origin [m]. */
    readonly origin: Float64Array;
    /** The world's time [s]. */
    readonly worldTime: number;
    /** Substep that the displacements belong to [s]; 0: unknown. */
    readonly substep: number;
    /** State of the adaptive substep, see Refiner. */
    readonly substepState?: readonly number[] | undefined;
    readonly particleMotion: readonly Float32Array[];
    readonly particleOfVertex: Uint32Array;
    /** Of vertices that lie between two others. */
    readonly blend?: InterpolatedParticles;
}
