/**
 * Slots and structs of contacts: detection, response, and the data of every shape of collider. For slots and
 * structs see layout.ts.
 */
import { asFloats, count, floats, integers, struct } from "./structSchema";
import type { Struct } from "./structSchema";

/** Slots that the data of every collider begins with; a shape's own slots follow from `shape`. */
export const Contact = {
    /** Coulomb friction coefficient. */
    friction: 0,
    /** Distance kept between particle and surface [m]: the cloth's thickness plus the collider's margin. */
    thickness: 1,
    /** Distance beyond the thickness at which a solid still supports particles against opposing contacts [m]. */
    supportDistance: 2,
    /** Share of the speed of an impact with which particles leave, 0..1. */
    restitution: 3,
    /**
     * Displacement of the collider's material in this substep as an affine map of the contact point, row vectors:
     * d = x·m0 + y·m1 + z·m2 + m3 [m], shape [4, 4] from this slot.
     */
    motion: 4,
    /** Box outside of which it finds no contact [m], x y z 0; of shapes that have one. */
    minimum: 20,
    maximum: 24,
    /** Point about which the angular impulse is taken [m], x y z. */
    centre: 28,
    /** Mass of the dynamic body that receives the reaction impulses [kg]; 0: none, and they are not measured. */
    dynamicMass: 31,
    /** Sum of the contacts' changes of the particles' momentum: mass times change of displacement [kg m], x y z; added to by resolveContacts. */
    impulse: 32,
    /** Mass of the particles in contact at the last response [kg]; written by resolveContacts for dynamic bodies. */
    contactMass: 35,
    /** Sum of the moments of the same about the centre [kg m²], x y z. */
    angularImpulse: 36,
    /** The collider's own number, > 0. */
    id: 40,
    /** Steps at rest; {@link STATIC_PRIORITY} for a collider that has never moved. */
    priority: 41,
    /** The depth that friction reckons with at most [m]; 0: any. */
    maxFrictionDepth: 42,
    /** First slot of the shape's own data. */
    shape: 44,
} as const;

/** Priority of static colliders, and of those processed last. */
export const STATIC_PRIORITY = 1e9;

/**
 * Slots of a record of contacts: those of one collider with four particles in a row, as columns (one number of each of the
 * four). Shapes detect them, resolveContacts resolves them.
 */
export const ContactRecord = {
    /** Byte offset of the first particle's row, an integer. */
    row: 0,
    /** Depth of each particle, thickness included [m]; below 0: near; 0: none. */
    depths: 4,
    /** Unit normals out of the solid, columns x y z. */
    normals: 8,
    count: 20,
} as const;

/**
 * Slots of the supports of four particles in a row, into which nothing may push them, as columns: a solid's unit normal x y z, the least of
 * normal · x [m], and the solid's priority, see Contact.priority. Zeros: no support.
 */
export const SupportRecord = {
    normals: 0,
    offsets: 12,
    priority: 16,
    count: 20,
} as const;

/** Contacts of one collider with the particles of one body; detected anew for every response. */
export const ContactLayout = {
    /** Most records: one for every four particles. */
    capacity: count,
    /** Records in use, shape [1]. */
    recordCount: integers(1),
    /** In the order of the particles, shape [capacity, ContactRecord.count]; see {@link ContactRecord}. */
    records: integers("capacity", ContactRecord.count),
    /** View of the same memory as floats. */
    recordFloats: asFloats("records"),
    /** 1: resolved contacts yield to the supports, and become one where there is none yet; 2: opposing contacts are recorded in {@link newOpposing} too; shape [1]. */
    supportMode: integers(1),
    /** Of every four particles in a row, shape [capacity, SupportRecord.count]; see {@link SupportRecord}. */
    supports: floats("capacity", SupportRecord.count),
    /** Numbers of the colliders (Contact.id) that pressed the particles against a support in the last pass; 0: none. */
    opposing: floats("capacity", 4),
    /** Opposing contacts of the present pass. */
    newOpposing: floats("capacity", 4),
    /** 2 if an opposing contact was recorded since this was last read, shape [1]. */
    hasOpposing: integers(1),
};

/** See {@link ContactLayout}. */
export type ContactArrays = Struct<typeof ContactLayout>;

/** Slots of a contact of a triangle with a solid: the plane that holds a point of it. */
export const FaceContactRecord = {
    /** Byte offsets of the corners' rows, integers. */
    rows: 0,
    /** Least of normal · x on the side that is out [m]. */
    offset: 3,
    /** Unit normal out of the solid, x y z 0. */
    normal: 4,
    /** The point, as shares of the corners, and 0. */
    shares: 8,
    count: 12,
} as const;

/** Slots of the progress of triangle contacts. */
export const FaceContactCounter = {
    /** Range of candidates still to be tested against the present collider. */
    next: 0,
    end: 1,
    recordCount: 2,
    /** Number of candidates in all: new ones are appended. */
    candidateCount: 3,
    count: 4,
} as const;

/** Triangles in a row that are passed over together. */
export const TRIANGLE_GROUP = 64;

/** Slots of such a group. */
export const TriangleGroup = {
    /** First and last block of the particles at its corners, integers. */
    firstBlock: 0,
    lastBlock: 1,
    /** Square of its longest edge, with room for stretch [m²], a float. */
    longestEdge: 2,
    count: 4,
} as const;

/** Contacts of triangles of a body with solids. */
export const FaceContactLayout = {
    triangleCount: count,
    /** Groups of {@link TRIANGLE_GROUP} triangles; the last may be shorter. */
    groupCount: count,
    /** Most records. */
    capacity: count,
    /** Of the particles. */
    paddedCount: count,
    /** See TriangleLayout. */
    triangles: integers("triangleCount", 3),
    contacts: struct<ContactArrays>("ContactArrays"),
    /** See {@link TriangleGroup}. */
    groups: integers("groupCount", TriangleGroup.count),
    /** View of the same memory as floats. */
    groupFloats: asFloats("groups"),
    /**
     * Search box of candidates [m], x y z and the square of the shortest edge that counts, x y z 0; and half of the box in
     * coordinates of the core, x y z and Infinity.
     */
    bounds: floats(12),
    /** Triangles near colliders in the present step, one collider's after another's, shape [triangleCount]. */
    candidates: integers("triangleCount"),
    /** See {@link FaceContactCounter}. */
    progress: integers(FaceContactCounter.count),
    /** See {@link FaceContactRecord}. */
    records: integers("capacity", FaceContactRecord.count),
    /** View of the same memory as floats. */
    recordFloats: asFloats("records"),
    /** Accumulated push of each corner by the records of the present response [m], x y z 0; zeros between the calls. */
    pushes: floats("paddedCount", 4),
    /** Supports of the last pass (see {@link SupportRecord}): the opposing surfaces of particles between two contacts. */
    previousSupports: floats("paddedCount", SupportRecord.count / 4),
};

/** See {@link FaceContactLayout}. */
export type FaceContactArrays = Struct<typeof FaceContactLayout>;

/** Slots of a sphere's data. */
export const SphereData = {
    ...Contact,
    /** Centre [m], x y z. */
    centre: Contact.shape,
    /** Beyond this distance from the centre there is no contact [m]: largest half axis plus thickness. */
    reach: Contact.shape + 3,
    /**
     * Linear map from (x - centre) to the frame in which the surface is the unit sphere, row vectors, shape [3, 4]. Its
     * columns are orthogonal: along the half axes, the shortest first, each as long as one over its half axis.
     */
    toUnit: Contact.shape + 4,
    /** Squares of the half axes [m²], the shortest first. */
    squares: Contact.shape + 16,
    /** 1 where the half axes are equal, else 0. */
    isRound: Contact.shape + 19,
    /** Squares of the half axes less the first [m²]. */
    squareDifferences: Contact.shape + 20,
    count: Contact.shape + 24,
} as const;

/** Slots of a plane's data. */
export const PlaneData = {
    ...Contact,
    /** Unit normal, x y z, and normal · x on the plane [m]. */
    normal: Contact.shape,
    offset: Contact.shape + 3,
    /** Plane a substep ago. */
    normalBefore: Contact.shape + 4,
    offsetBefore: Contact.shape + 7,
    /** Depth behind a rectangle's face at which a particle from beyond the edges belongs to the other face [m]; Infinity: a half-space. */
    recovery: Contact.shape + 8,
    /** Affine map to the frame in which the rectangle is [-1, 1]² in x y, row vectors, shape [4, 4]; zero: no edges. */
    toUnit: Contact.shape + 12,
    /** Unit map of the rectangle a substep ago. */
    toUnitBefore: Contact.shape + 28,
    /**
     * The face that each particle belongs to, shape [paddedCount] from this slot: 1 = front, -1 = back, 0 = not told yet;
     * written by detectSides. A half-space has none.
     */
    sides: Contact.shape + 44,
} as const;

/**
 * Slots of a solid's data: a shape that is given by its distance function in a rigid frame of its own. Its dimensions
 * follow from `dimensions`.
 */
export const SolidData = {
    ...Contact,
    /**
     * Frame of the solid: its turn as a linear map from simulation space, row vectors, shape [3, 4], and its origin there [m], x y z 0.
     * A point is seen from the origin first: far from that of simulation space a product with both would round it away.
     */
    toFrame: Contact.shape,
    /** Map of the solid a substep ago. */
    toFrameBefore: Contact.shape + 16,
    /** Motion relative to the solid, within a substep, beyond which the particle's path is swept for a contact [m]. */
    sweep: Contact.shape + 32,
    /**
     * *Core* of a solid, which triangles keep off: the box of these half extents x y z in the frame, and the distance of the solid's own
     * faces beyond those of the core, or of a core that even deep triangles do not cut [m]; see assembly/faceContacts.ts.
     */
    core: Contact.shape + 36,
    coreMargin: Contact.shape + 39,
    deepCoreMargin: Contact.shape + 35,
    /** Least distance from the core with a direction out, in coordinates of the core. */
    coreTolerance: Contact.shape + 34,
    /** Radius of the balls about the points of the core where y is 0 [m], its slope along y, and the y component of the mantle's normals. */
    radius: Contact.shape + 40,
    slope: Contact.shape + 41,
    normalSlope: Contact.shape + 42,
    /** Square of the edge from which on a triangle's corners alone do not keep it out [m²]; Infinity: there is no core. */
    minEdge: Contact.shape + 43,
    /** The core is one of coordinates that are so many times those of the frame, x y z: of ellipsoids [1/m], else 1. */
    scale: Contact.shape + 44,
    /** Distance that triangles keep [m]: less than the thickness, since surfaces bow between their corners. */
    keptDistance: Contact.shape + 47,
    dimensions: Contact.shape + 48,
} as const;

/** Slots of a sphere or ellipsoid with a swept test: along its half axes, the shortest first. */
export const EllipsoidData = {
    ...SolidData,
    /** One over the half axes [1/m]. */
    inverseHalfAxes: SolidData.dimensions,
    /** The shortest half axis [m]. */
    shortest: SolidData.dimensions + 3,
    count: SolidData.dimensions + 4,
} as const;

/** Slots of an oriented box: half extents [m]. */
export const BoxData = {
    ...SolidData,
    halfX: SolidData.dimensions,
    halfY: SolidData.dimensions + 1,
    halfZ: SolidData.dimensions + 2,
    count: SolidData.dimensions + 4,
} as const;

/**
 * Slots of a capsule along y, tapered or not: the hull of two spheres at y = ∓halfLength. Its mantle is the cone tangent to
 * both, whose normals have the component `sin` along y and `cos` across: sin = (bottom - top) / (2 halfLength).
 */
export const CapsuleData = {
    ...SolidData,
    /** Half the distance of the centres [m]. */
    halfLength: SolidData.dimensions,
    /** Radii of the spheres below and above [m]. */
    bottom: SolidData.dimensions + 1,
    top: SolidData.dimensions + 2,
    sin: SolidData.dimensions + 3,
    cos: SolidData.dimensions + 4,
    count: SolidData.dimensions + 8,
} as const;

/** Slots of a cylinder along y: radius and half height [m]. */
export const CylinderData = {
    ...SolidData,
    radius: SolidData.dimensions,
    halfHeight: SolidData.dimensions + 1,
    count: SolidData.dimensions + 4,
} as const;

/** Slots of a convex hull: where all of its planes have the point behind them. */
export const HullData = {
    ...SolidData,
    /** Number of planes. */
    planeCount: SolidData.dimensions,
    /** Unit normals x y z and normal · x on the plane [m], shape [planeCount, 4] from this slot. */
    planes: SolidData.dimensions + 4,
} as const;
