/** In which groups something is, and which it meets: one bit each of 32. */
export interface Groups {
    group: number;
    mask: number;
}

/** In the first group; meets all. As Babylon's masks, -1 has all bits. */
export function defaultGroups(): Groups {
    return { group: 1, mask: -1 };
}

/** True if two meet: each is in a group that the other's mask has. */
export function canCollide(a: Groups, b: Groups): boolean {
    return (a.group & b.mask) !== 0 && (b.group & a.mask) !== 0;
}

/** User settings of a collider. Plain data, live; one object shared by all bodies that meet the collider. */
export interface ColliderSettings extends Groups {
    /** Coulomb friction coefficient; null: the fabric's. */
    friction: number | null;
    /** Share of the speed of an impact with which cloth leaves, 0..1. */
    restitution: number;
    /** Share of the impulses of contact that what it follows takes, 0..1; for the caller of takeImpulse. */
    influence: number;
    /** Extra distance from the surface [m]. */
    margin: number;
}

/** The fabric's friction, no bounce, its influence, no margin, the first group, meeting all. */
export function defaultColliderSettings(): ColliderSettings {
    return { friction: null, restitution: 0, influence: 1, margin: 0, ...defaultGroups() };
}
