/** Stages of a body's substep in their order (see pipeline.ts), as the stopwatch counts them. */
export const Stage = {
    /** Air, and forces of users: displacements. */
    forces: 0,
    /** Verlet integration, or the body's own solver. */
    integrate: 1,
    /** Pins go to their poses of the substep. */
    attachments: 2,
    /** Bending, shear, limits, tethers, lengths. */
    constraints: 3,
    /** Largest strain of the material. */
    strainLimit: 4,
    /** Colliders that can touch the body in this substep. */
    broadPhase: 5,
    /** Detection and response with all colliders that are near. */
    contacts: 6,
    /** Lengths once more where contact has moved particles, and the strain limit. */
    contactConstraints: 7,
    /** Second response, and recovery of what is squeezed or left inside. */
    recovery: 8,
    /** Pins have the last word; carriers take reactions. */
    reactions: 9,
} as const;

/** Names of the stages, by their number. */
export const stageNames = Object.keys(Stage) as readonly (keyof typeof Stage)[];
