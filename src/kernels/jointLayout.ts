/** A joint of two rigid bodies, or of one and the world: see kernels/scalar/joint.ts. */

/** Slots of a joint. */
export const JointSlots = {
    /** Where it is along the principal axes of both, x y z each [m]. */
    local: 0,
    other: 3,
    /** Within a substep: from the centres of both, x y z each [m]. */
    arms: 6,
    /** How far the first's place is from the second's, x y z [m]. */
    gap: 12,
    /** By what impulse a way of the two apart is undone, any way: xx yy zz xy yz zx [kg]. */
    weight: 15,
    /** By what it has pulled the first, in this substep or the last, x y z [kg m]. */
    pulled: 21,
    /** {@link JointTurn}, shape [3, JointTurn.count]. */
    turns: 24,
    count: 63,
} as const;

/** Slots of an axis about which a joint holds the first body against the second. */
export const JointTurn = {
    /** Unit vector. */
    axis: 0,
    /** By how much the first has turned about it against the second, from where it is held; of a limit, how far it is from that [rad]. */
    angle: 3,
    /** The least impulse: 0 of a limit, -∞ of what is held; and what has been given [kg m²]. */
    least: 4,
    given: 5,
    /** What a unit of impulse turns [1/(kg m²)]; 0: none is given. */
    mobility: 6,
    /** What a unit turns both by, x y z each. */
    turns: 7,
    count: 13,
} as const;

/** How many axes. */
export const JOINT_TURNS = 3;
