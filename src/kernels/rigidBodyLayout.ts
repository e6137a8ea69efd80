/** A rigid body of four particles and six distance constraints, and the points that are embedded in it; see layout.ts. */
import { count, floats, struct } from "./structSchema";
import type { Struct } from "./structSchema";
import { ROW } from "./layout";
import type { ParticleArrays } from "./layout";

/** Slots of a body's constants, and of its pose in the present substep; {@link RigidBodyArrays.pose}. */
export const RigidBodyPose = {
    /** Its centre of mass [m], x y z 0, and its principal axes, unit vectors, shape [3, 4]. */
    centre: 0,
    axes: 4,
    /** Motion of those in the substep, from its velocity: centre [m], axes. */
    move: 16,
    axisMoves: 20,
    /** Radii of its second moments along the axes [m], x y z: its particles lie at (± x, ± y, ± z). */
    radii: 32,
    /** One over its moments of inertia about the axes [1/(kg m²)], x y z. */
    inverseInertia: 36,
    /** One over its mass [1/kg]. */
    inverseMass: 39,
    /** Within a call: its rotation in the substep [rad], x y z: points move by its cross product, where the axes' moves are chords. */
    spin: 40,
    /** Centre and axes before the substep, as from `centre`. */
    before: 44,
    /** Half of its rotation without contact, about its axes, x y z; and the angular impulse accumulated since, x y z [kg m²]. */
    halfTurn: 60,
    moment: 64,
    /** Its {@link spin} before the last change of its speed alone. */
    spinBefore: 68,
    slots: 72,
} as const;

/** Slots of a contact of a body with a collider (the plane that holds a point of it) or with another body (whose point is held off). */
export const RigidContact = {
    /** The point's coordinates along the principal axes [m], x y z. */
    local: 0,
    /** Coulomb friction coefficient. */
    friction: 3,
    /** Coordinates of the point in the other body [m], x y z; for a collider, the least of normal · x on the outer side [m]. */
    localOther: 4,
    offset: 4,
    /** Distance that two bodies keep [m]. */
    separation: 7,
    /** Unit normal towards the first body, x y z. */
    normal: 8,
    /** Separating displacement of the point in the substep before any impulse [m]. */
    approach: 11,
    /** Accumulated normal impulse, in this substep or the last [kg m]. */
    normalImpulse: 12,
    /** Accumulated friction impulse, x y z [kg m]. */
    frictionImpulse: 13,
    /** Creep while friction held it, x y z [m]. */
    creep: 16,
    restitution: 19,
    /** Within a substep: where it acts from the centres of both, x y z each [m]. */
    arms: 20,
    /** Gap [m], and its growth per unit of impulse [1/kg]. */
    gap: 26,
    mobility: 27,
    /** Moment of the normal about the centres of both, x y z each [m], and what a unit of impulse turns them by [1/(kg m)]. */
    moments: 28,
    angularResponses: 34,
    /** Displacement of the collider's material at the point, x y z [m]; 0 between bodies. */
    surfaceMotion: 40,
    /** Relative displacement per unit of impulse, any direction: xx yy zz xy yz zx [1/kg]. */
    mobilityMatrix: 43,
    /** Above 0: between bodies, and known from `arms` on, but for the gap. */
    hasFrame: 49,
    count: 50,
} as const;

/** Motion of a body of an island in a substep: displacement of its centre [m], x y z, and rotation [rad]; and its inverse mass and inertia, in the island's axes: 0 for a static body. */
export const SolverVelocity = {
    spin: 3,
    /** [1/kg] */
    inverseMass: 6,
    /** xx yy zz xy yz zx [1/(kg m²)]. */
    inverseInertia: 7,
    count: 13,
} as const;

/** Owners of a contact: numbers of bodies in their island, the second -1 for a collider, whose number follows; and the feature key, a particle or another feature, -1: none. */
export const RigidContactOwners = { first: 0, second: 1, collider: 2, featureKey: 3, count: 4 } as const;

/** Slots of a point's memory of its contact with a collider in the last substep; see {@link RigidContact}. */
export const RigidContactMemory = { normalImpulse: 0, frictionImpulse: 1, creep: 4, normal: 7, substep: 10, count: 12 } as const;

/** Slots of how a point is held that is free to go some ways, see engine/rigidbody/pinImpulses.ts; the first eight are those of Grasp. */
export const RigidPinRecord = {
    /** The way by which what stands still would draw back a particle of {@link mass} there, x y z [m]. */
    delta: 0,
    /** A unit vector, and what of the point is held across it and along it, from 0 (free) to 1 (fast). */
    axis: 3,
    across: 6,
    along: 7,
    /** Position of the point when the record was computed, x y z [m]. */
    point: 8,
    /** [kg] */
    mass: 11,
    /** Accumulated impulse of the substep, x y z [kg m]. */
    impulse: 12,
    /** Within a call: where it is from the centre of mass, x y z [m]. */
    arm: 15,
    particle: 18,
    /** Within a call: m / (1 - h), h what is held across and along [kg]. */
    effectiveMassAcross: 19,
    effectiveMassAlong: 20,
    count: 21,
} as const;

/** A rigid body: the first four particles carry it, the others are points of it. */
export const RigidBodyLayout = {
    particleCount: count,
    particles: struct<ParticleArrays>("ParticleArrays"),
    /** Rows of the particles, as in ParticleLayout. */
    paddedCount: count,
    /** Coordinates of the particles along the principal axes, from the centre of mass [m], x y z, and 1 of those that pins hold, else 0; shape [paddedCount, 4]. */
    locals: floats("paddedCount", ROW),
    /** See {@link RigidBodyPose}. */
    pose: floats(RigidBodyPose.slots),
    /** Shape [paddedCount, RigidContactMemory.count]. */
    memory: floats("paddedCount", RigidContactMemory.count),
};

/** See {@link RigidBodyLayout}. */
export type RigidBodyArrays = Struct<typeof RigidBodyLayout>;

/** Pins of a body that leave some axes free, in a substep. */
export interface RigidPinArrays {
    /** Shape [n, RigidPinRecord.count], of which the first {@link pinCount} count. */
    readonly records: Float64Array;
    readonly pinCount: number;
    /** Each point's share of the body [kg]. */
    readonly pointMass: number;
}

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
