import type { Substeps } from "../../world/clock";

/**
 * Sum of particles' violations of their tethers: pull x y z and its weight [m], and the displacement of the anchors in a substep,
 * times that, x y z [m²]; then the largest [m].
 */
export type TetherViolation = Float64Array;

/** Settings read by taut tethers and taut pins. */
export interface TetherSettings extends Substeps {
    /** [m/s²] */
    readonly gravity: Float64Array;
}
