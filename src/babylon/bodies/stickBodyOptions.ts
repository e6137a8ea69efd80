import { BODY_OPTION_NAMES } from "../bodyOptions";
import type { BodyOptions } from "../bodyOptions";

/** Options of a rigid body; each is also a property of {@link StickBodyBehavior}, where its meaning is told. Those of cloth mean the same. */
export interface StickBodyOptions extends BodyOptions {
    mass?: number | null;
    density?: number;
    thickness?: number;
    friction?: number;
    damping?: number;
}

export const STICK_BODY_OPTION_NAMES: readonly (keyof StickBodyOptions)[] = [
    "mass",
    "density",
    "thickness",
    "friction",
    "damping",
    ...BODY_OPTION_NAMES,
];
