/** A rigid body of four particles and six sticks, and the points that are embedded in it; see layout.ts. */
import { count, floats, integers, struct } from "./fields";
import type { Struct } from "./fields";
import { ROW } from "./layout";
import type { ParticleArrays } from "./layout";

/** Slots of what a body is, and of where it is in the present substep; {@link StickBodyArrays.pose}. */
export const StickBodyPose = {
    /** Its centre of mass [m], x y z 0, and its principal axes, unit vectors, shape [3, 4]. */
    centre: 0,
    axes: 4,
    /** By how much those have moved in the substep, as its velocity has it: centre [m], axes. */
    move: 16,
    turns: 20,
    /** Radii of its second moments along the axes [m], x y z: its particles lie at (± x, ± y, ± z). */
    radii: 32,
    /** One over its moments of inertia about the axes [1/(kg m²)], x y z. */
    inverseInertia: 36,
    /** One over its mass [1/kg]. */
    inverseMass: 39,
    /** Within a call: the move before contacts are answered, as from `move`, shape [4, 4]. */
    moveBefore: 40,
    /** Within a call: what contacts have done to it, x y z [kg m], and its moment about the collider's centre, x y z [kg m²]. */
    given: 56,
    moment: 59,
    /** Within a call: by how much it turns in the substep [rad], x y z: what its points move by across it, where the axes' moves are chords. */
    spin: 64,
    slots: 68,
} as const;

/** Slots of a contact of a body with a collider: the plane that holds a point of it. */
export const StickBodyContact = {
    /** The point's coordinates along the principal axes [m], x y z. */
    local: 0,
    /** Least of normal · x on the side that is out [m]. */
    offset: 3,
    /** Unit normal out of the collider, x y z. */
    normal: 4,
    /** By how much the point came off the surface in the substep before anything was pushed [m]. */
    approach: 7,
    /** By what it has been pushed off [kg m]. */
    pushed: 8,
    /** By what friction has held it, x y z [kg m]. */
    held: 9,
    count: 12,
} as const;

/** A rigid body: the first four particles carry it, the others are points of it. */
export const StickBodyLayout = {
    particleCount: count,
    particles: struct<ParticleArrays>("ParticleArrays"),
    /** Rows of the particles, as in ParticleLayout. */
    paddedCount: count,
    /** Coordinates of the particles along the principal axes, from the centre of mass [m], x y z, and 1 of those that pins hold, else 0; shape [paddedCount, 4]. */
    locals: floats("paddedCount", ROW),
    /** See {@link StickBodyPose}. */
    pose: floats(StickBodyPose.slots),
    /** Points that pins hold, the first of {@link heldCount}, shape [paddedCount] and [1]. */
    held: integers("paddedCount"),
    heldCount: integers(1),
    /** Most contacts that are answered together. */
    contactCapacity: count,
    /** Within a call, shape [contactCapacity, StickBodyContact.count]; see {@link StickBodyContact}. */
    contacts: floats("contactCapacity", StickBodyContact.count),
};

/** See {@link StickBodyLayout}. */
export type StickBodyArrays = Struct<typeof StickBodyLayout>;
