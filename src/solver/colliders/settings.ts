import { defaultGroups } from "./groups";
import type { Groups } from "./groups";

/** What users set about a collider. Plain data, live; one object for all that bodies make of the collider. */
export interface ColliderSettings extends Groups {
    /** Coulomb friction coefficient; null: the fabric's. */
    friction: number | null;
    /** Extra distance from the surface [m]. */
    margin: number;
}

/** The fabric's friction, no margin, the first group, meeting all. */
export function defaultColliderSettings(): ColliderSettings {
    return { friction: null, margin: 0, ...defaultGroups() };
}
