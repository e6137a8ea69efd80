import { Grip } from "../../solver/pins/grip";
import type { Firmness } from "../../solver/pins/grip";
import { boolean, positive } from "../../solver/validate";

/** Options of holds that give: of the whole pin, shared evenly by its particles. */
export interface FirmnessOptions {
    /** Spring constant of the whole pin [N/m], > 0, shared evenly by its particles; Infinity: it does not give. Default Infinity. */
    stiffness?: number;
    /** Largest force of the whole pin [N], > 0, shared evenly by its particles. Default Infinity. */
    maxForce?: number;
    /** What happens to a particle that is pulled harder: it is let go for good (false, default), or slips (true): it is pulled by no more. */
    slips?: boolean;
}

export const FIRMNESS_NAMES: readonly (keyof FirmnessOptions)[] = ["stiffness", "maxForce", "slips"];

/** @throws RangeError on a value out of range */
export function readFirmness(owner: string, options: FirmnessOptions): Firmness {
    const { stiffness = Infinity, maxForce = Infinity, slips = false } = options;
    return {
        stiffness: stiffness === Infinity ? stiffness : positive(owner, "stiffness", stiffness),
        maxForce: maxForce === Infinity ? maxForce : positive(owner, "maxForce", maxForce),
        slips: boolean(owner, "slips", slips),
    };
}

/** What so many particles share; null: it neither gives nor lets go. */
export function gripOf(firmness: Firmness, count: number): Grip | null {
    if (firmness.stiffness === Infinity && firmness.maxForce === Infinity) return null;
    return new Grip(count, shareOf(firmness, Math.max(1, count)));
}

/** Of each of so many particles. */
export function shareOf({ stiffness, maxForce, slips }: Firmness, count: number): Firmness {
    return { stiffness: stiffness / count, maxForce: maxForce / count, slips };
}
