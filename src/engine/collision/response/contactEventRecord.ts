/** Slots of an impact's numbers. */
export const ContactEventRecord = {
    /** The particle; of a triangle, the corner nearest to where it touches. */
    particle: 0,
    /** Contact point on the surface, simulation space [m], x y z. */
    point: 1,
    /** Unit normal out of the collider, x y z. */
    normal: 4,
    /** Approach speed against the collider's material, along the normal [m/s]. */
    speed: 7,
    count: 8,
} as const;
