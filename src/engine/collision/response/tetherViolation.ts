import type { Substeps } from "../../world/clock";

/**
 * Sum of particles' violations of their tethers: pull x y z and its weight [m], and the displacement of the anchors in a substep,
 * times that, x y z [m²]; then the largest [m].
 */
export type TetherViolation = Float64Array;

/** Share of what is beyond the limit that comes back in a step, or in a frame of several. */
export const RECOVERY_SHARE = 0.15;

/** Settings read by taut tethers and taut pins. */
export interface TetherSettings extends Substeps {
    /** [m/s²] */
    readonly gravity: Float64Array;
}
