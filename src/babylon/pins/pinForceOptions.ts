import { PinForce, boolean, positive } from "../../engine/index";
import type { PinForceLaw } from "../../engine/index";

/** Options of holds that give: of the whole pin, shared evenly by its particles. */
export interface PinForceOptions {
    /** Spring constant of the whole pin [N/m], > 0, shared evenly by its particles; Infinity: it does not give. Default Infinity. */
    stiffness?: number;
    /** Largest force of the whole pin [N], > 0, shared evenly by its particles. Default Infinity. */
    maxForce?: number;
    /** False (default): a particle that is pulled harder is released for good. True: it slips, pulled by no more than that. */
    slips?: boolean;
}

export const PIN_FORCE_OPTION_NAMES: readonly (keyof PinForceOptions)[] = ["stiffness", "maxForce", "slips"];

/** @throws RangeError on a value out of range */
export function readPinForceLaw(owner: string, options: PinForceOptions): PinForceLaw {
    const { stiffness = Infinity, maxForce = Infinity, slips = false } = options;
    return {
        stiffness: stiffness === Infinity ? stiffness : positive(owner, "stiffness", stiffness),
        maxForce: maxForce === Infinity ? maxForce : positive(owner, "maxForce", maxForce),
        slips: boolean(owner, "slips", slips),
    };
}

/** Force law for so many particles; null for a rigid pin that never lets go. */
export function pinForceOf(firmness: PinForceLaw, count: number): PinForce | null {
    if (firmness.stiffness === Infinity && firmness.maxForce === Infinity) return null;
    return new PinForce(count, sharePinForceLaw(firmness, Math.max(1, count)));
}

/** Of each of so many particles. */
export function sharePinForceLaw({ stiffness, maxForce, slips }: PinForceLaw, count: number): PinForceLaw {
    return { stiffness: stiffness / count, maxForce: maxForce / count, slips };
}
