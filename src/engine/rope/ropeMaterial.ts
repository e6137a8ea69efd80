import type { ClothSettings } from "../state/settings";

/** Material and dimensions of a rope. */
export interface RopeMaterial {
    /** Length at rest [m], > 0. What changes it (a winch) is shared by all links. */
    length: number;
    /** Mass per length [kg/m], > 0. */
    linearDensity: number;
    /** Force per unit strain [N], > 0; Infinity: inextensible. */
    stretchStiffness: number;
    /** Moment per curvature [N m²], >= 0. */
    bendStiffness: number;
    /** Moment per twist, an angle per length [N m²], >= 0. */
    twistStiffness: number;
    /** Mass attached to its first and last particle [kg], >= 0. */
    startMass: number;
    endMass: number;
}

/** Settings of a rope's body. Its fabric is asked for damping, thickness and friction. */
export interface RopeSettings extends ClothSettings {
    readonly rope: RopeMaterial;
    /** Those of the cloth that it is tied to, with which it keeps step; left out, null: none. */
    leader?: StepSettings | null;
}

/** Step length and substeps. */
export type StepSettings = Readonly<Pick<ClothSettings, "substepCount" | "fixedTimeStep" | "maxStepsPerFrame">>;

/** 10 mm of hemp or nylon: 80 g/m, limp. */
export function defaultRope(): RopeMaterial {
    return {
        length: 1,
        linearDensity: 0.08,
        stretchStiffness: Infinity,
        bendStiffness: 1e-4,
        twistStiffness: 0,
        startMass: 0,
        endMass: 0,
    };
}
