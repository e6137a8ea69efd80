import { MAX_MEMBRANE_STIFFNESS, MAX_SPRING_BEND_STIFFNESS } from "../../tunables";
import type { WarpWeftFinder } from "../../topology/warpWeft";
import type { ClothTopology } from "../../topology/topology";
import type * as threadStiffness from "../../materials/warpWeftStiffness";

/** A sheet, as a solver is told of it. */
export interface SolverMaterial {
    readonly topology: ClothTopology;
    readonly warpWeft: WarpWeftFinder;
    /** Mix of stiffnesses: passed in, since an import of the default's module by a module loaded later would make bundlers cut that in pieces. */
    readonly excludingShear: typeof threadStiffness.excludingShear;
    readonly complianceAlong: typeof threadStiffness.complianceAlong;
    readonly stiffnessAlong: typeof threadStiffness.stiffnessAlong;
}

/** A stiffness of the sheet as springs can have it [N/m]. */
export function finiteStiffness(stiffness: number): number {
    return Math.min(stiffness, MAX_MEMBRANE_STIFFNESS);
}

/** A bending stiffness as springs can have it [N·m]. */
export function finiteBending(stiffness: number): number {
    return Math.min(stiffness, MAX_SPRING_BEND_STIFFNESS);
}

/** {@link finiteStiffness} along warp and weft. */
export function finiteWarpWeft(
    stiffness: number | threadStiffness.ThreadStiffness,
    finite: (stiffness: number) => number,
): threadStiffness.ThreadStiffness {
    if (typeof stiffness === "number") return { warp: finite(stiffness), weft: finite(stiffness) };
    return { warp: finite(stiffness.warp), weft: finite(stiffness.weft) };
}

/** Forces on particles, or on anything else that has places and velocities. */
export interface Forces {
    /** Writes accelerations [m/s²] at places x [m] with velocities v [m/s]; shape [particleCount, 3] each. */
    accelerate(x: Float64Array, v: Float64Array, accelerations: Float64Array): void;
}
