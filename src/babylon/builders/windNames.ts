import { reject } from "../../engine/state/validate";
import { Wind } from "../wind/wind";
import type { WindOptions } from "../wind/wind";

/** Speeds of winds by name [m/s]: the middle of their ranges on the Beaufort scale (forces 0, 2, 3, 5, 6, 8 and 10). */
export const WindSpeeds = {
    /** Still air, which brakes and carries. */
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

/** A wind that builders know by name. */
export type WindName = keyof typeof WindSpeeds;

/**
 * The wind that an option means.
 * @param direction of a wind that is given by name, world axes, of any length
 * @throws RangeError on an unknown name or an option of a wind that is out of range
 */
export function windOf(owner: string, wind: WindName | WindOptions | Wind | null, direction: readonly number[]): Wind | null {
    if (typeof wind === "string") {
        if (!Object.hasOwn(WindSpeeds, wind)) reject(owner, "wind", `one of ${Object.keys(WindSpeeds).join(", ")}`, wind);
        const share = WindSpeeds[wind] / Math.hypot(...direction);
        return new Wind({ velocity: { x: direction[0] * share, y: direction[1] * share, z: direction[2] * share } });
    }
    if (wind === null) return null;
    if (typeof wind !== "object") reject(owner, "wind", "a wind's name, its options, a Wind or null", wind);
    // What blows already, whichever copy of this library it is of, does not have its options as own properties.
    return "velocity" in (Object.getPrototypeOf(wind) ?? {}) ? (wind as Wind) : new Wind(wind);
}
