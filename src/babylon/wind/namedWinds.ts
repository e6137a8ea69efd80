import { rejectName } from "../../engine/index";
import type { VectorLike } from "../../engine/index";

/** Speeds of winds by name [m/s]: the middle of their ranges on the Beaufort scale (forces 0, 2, 3, 5, 6, 8 and 10). */
export const WindSpeeds = {
    /** Still air: drag only. */
    still: 0,
    /** Felt on the face; flags stir. */
    lightBreeze: 2.5,
    /** Extends light flags. */
    breeze: 4.4,
    /** Small trees sway. */
    freshBreeze: 9.4,
    /** Wires whistle. */
    strongBreeze: 12.3,
    /** Breaks twigs. */
    gale: 19,
    /** Uproots trees. */
    storm: 26.5,
} as const;

/** A wind that is known by name. All of them blow along the world's x axis, and a little along its z axis: (1, 0, 0.25). */
export type WindName = keyof typeof WindSpeeds;

/** Velocity of a wind by its name, world axes [m/s]. @throws RangeError on an unknown name */
export function namedVelocity(owner: string, name: WindName): VectorLike {
    if (!Object.hasOwn(WindSpeeds, name)) rejectName(owner, "wind", Object.keys(WindSpeeds), name);
    const x = WindSpeeds[name] / Math.hypot(1, 0.25);
    return { x, y: 0, z: 0.25 * x };
}
