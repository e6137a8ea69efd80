/** A joint of two rigid bodies, or of one and the world: see engine/rigidbody/jointRows.ts. */

/** Slots of where a joint is. */
export const JointSlots = {
    /** Where it is along the principal axes of both, x y z each [m]. */
    local: 0,
    localOther: 3,
    /** Within a substep: from the centres of both, x y z each [m]. */
    arms: 6,
    /** How far the first's place is from the second's, x y z [m]. */
    gap: 12,
    /** {@link JointTurn}, shape [3, JointTurn.count]. */
    turns: 15,
    count: 27,
} as const;

/** Slots of an axis about which a joint holds the first body against the second. */
export const JointTurn = {
    /** Unit vector; 0 where nothing holds. */
    axis: 0,
    /** By how much the first has turned about it against the second, from where it is held; of a limit, how far it is from that [rad]. */
    angle: 3,
    count: 4,
} as const;

/** Slots of a way that a joint leaves two bodies not: of its place along a direction, or about an axis. */
export const JointRow = {
    /** Direction, or 0: x y z. */
    along: 0,
    /** Its moments about the centres of both [m], or the axis, x y z each. */
    moments: 3,
    /** What a unit of impulse turns both by, x y z each. */
    angularResponses: 9,
    /** How far the first is to go this way against the second in the substep [m], [rad]. */
    target: 15,
    /** How far it goes by a unit of impulse; of a limit, with all joints held. */
    mobility: 16,
    /** What it has been given in this substep [kg m], [kg m²]. */
    impulse: 17,
    count: 18,
} as const;
