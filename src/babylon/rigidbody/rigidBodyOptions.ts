import { BODY_OPTION_NAMES } from "../bodyOptions";
import type { BodyOptions } from "../bodyOptions";

/** Options of a rigid body; each is also a property of {@link RigidBodyBehavior}, where its meaning is told. Those of cloth mean the same. */
export interface RigidBodyOptions extends BodyOptions {
    mass?: number | null;
    density?: number;
    thickness?: number;
    friction?: number;
    damping?: number;
}

export const RIGID_BODY_OPTION_NAMES: readonly (keyof RigidBodyOptions)[] = [
    "mass",
    "density",
    "thickness",
    "friction",
    "damping",
    ...BODY_OPTION_NAMES,
];
