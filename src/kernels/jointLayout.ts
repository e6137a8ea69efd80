/** A joint of two rigid bodies, or of one and the world: see engine/rigidbody/jointRows.ts. */

/** Slots of where a joint is. */
export const JointSlots = {
    /** Anchor along the principal axes of both bodies, x y z each [m]. */
    local: 0,
    localOther: 3,
    /** Within a substep: from the centres of both, x y z each [m]. */
    arms: 6,
    /** Vector from the second body's anchor to the first's, x y z [m]. */
    gap: 12,
    /** {@link JointTurn}, shape [3, JointTurn.count]. */
    turns: 15,
    count: 27,
} as const;

/** Slots of an axis about which a joint holds the first body against the second. */
export const JointTurn = {
    /** Unit vector; 0 where nothing holds. */
    axis: 0,
    /** Rotation of the first body about it relative to the second, from the held pose; for a limit, the distance from the limit [rad]. */
    angle: 3,
    count: 4,
} as const;

/** Slots of a constrained degree of freedom of a joint: along a direction, or about an axis. */
export const JointRow = {
    /** Direction, or 0: x y z. */
    along: 0,
    /** Its moments about the centres of both [m], or the axis, x y z each. */
    moments: 3,
    /** Rotation of both bodies per unit of impulse, x y z each. */
    angularResponses: 9,
    /** Target displacement of the first body relative to the second along this row in the substep [m], [rad]. */
    target: 15,
    /** Displacement per unit of impulse; for a limit, with all joints held. */
    mobility: 16,
    /** Accumulated impulse of this substep [kg m], [kg m²]. */
    impulse: 17,
    count: 18,
} as const;
