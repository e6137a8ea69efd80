import { BODY_OPTION_NAMES } from "../bodyOptions";
import type { BodyOptions } from "../bodyOptions";
import type { SelfCollision } from "../clothOptions";
import type { Wind } from "../wind/wind";

/** Options of a plant; each is also a property of {@link PlantBehavior}, where its meaning is told. Those of cloth mean the same. */
export interface PlantOptions extends BodyOptions {
    stiffness?: number;
    density?: number;
    thickness?: number;
    wind?: Wind | null;
    selfCollision?: SelfCollision;
    selfThickness?: number | null;
    margin?: number;
    friction?: number;
    damping?: number;
}

export const PLANT_OPTION_NAMES: readonly (keyof PlantOptions)[] = [
    "stiffness",
    "density",
    "thickness",
    "wind",
    "selfCollision",
    "selfThickness",
    "margin",
    "friction",
    "damping",
    ...BODY_OPTION_NAMES,
];
