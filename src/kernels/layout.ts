/**
 * The one source of what lies where in the memory that kernels share: slots of records, arrays of structs, scratch. The
 * build (wasm/build.mjs) writes the AssemblyScript side of it and the bindings from here and from kernels.ts.
 *
 * *Slots* name the places of a record of 32-bit numbers: constants in TypeScript, and the same names as byte offsets in
 * AssemblyScript. A *struct* names arrays and the numbers that belong to them: views in TypeScript (structs.ts cuts them from
 * an arena), and in AssemblyScript a class over a *descriptor*, which holds the numbers and the addresses of the arrays.
 *
 * Every view may be replaced when the arena grows (see arena.ts): hold the owning object, never a view. Addresses stay.
 *
 * Space, unless said otherwise: world axes [m], relative to the simulation's origin.
 */
import { asFloats, count, flag, floats, integers } from "./fields";
import type { Struct } from "./fields";

export { struct } from "./fields";
export type { Struct, StructDeclaration } from "./fields";

/** Slots of a row: x y z and a fourth lane that stays zero. */
export const ROW = 4;

/** First slot of a particle's row. */
export function rowOf(particle: number): number {
    return particle * ROW;
}

/** Byte offset of a particle's row. */
export function rowOffset(particle: number): number {
    return particle << 4;
}

/** First slot of the row at a byte offset. */
export function rowAt(rowOffset: number): number {
    return rowOffset >>> 2;
}

/** The particle whose row lies at a byte offset. */
export function particleAt(rowOffset: number): number {
    return rowOffset >>> 4;
}

/** Rounded up to whole groups of four, the width of the SIMD loops. */
export function roundUpToFour(count: number): number {
    return (count + 3) & ~3;
}

/** Rows for so many particles: at least one spare at rest, for padding. */
export function paddedCountOf(particleCount: number): number {
    return roundUpToFour(particleCount + 1);
}

/** Particles in a row whose box is kept, see {@link ParticleLayout}; a multiple of four. */
export const BLOCK = 64;

/** Blocks of so many rows. */
export function blockCountOf(paddedCount: number): number {
    return Math.ceil(paddedCount / BLOCK);
}

/** Slots of {@link ParticleArrays.uniforms}: the numbers that are the same for every particle of a substep. */
export const Uniform = {
    /** Share of a substep's displacement that survives damping, (0, 1]. */
    keep: 0,
    /** Displacement by gravity in one substep, g dt² [m], x y z. */
    gravity: 1,
    /** Largest displacement of a particle in one substep along any axis [m]. */
    maxDisplacement: 4,
    /** Steady wind [m/s], x y z. */
    windVelocity: 8,
    /** Amplitude of the travelling gust [m/s], x y z. */
    gustVelocity: 11,
    /** Wave vector of the gust [cycles/m], x y z. */
    gustWave: 14,
    /** Phase of the gust [cycles]. */
    gustPhase: 17,
    /**
     * What the air does to a unit of speed in one fixed step, per metre a second of it, across a particle's face: half the density of
     * air times its coefficient times the step, over the areal density of the sheet [s/m].
     */
    dragRate: 18,
    /** Substep [s]. */
    substep: 19,
    /** Smallest coordinates in the last substep [m], x y z 0, written by measureBounds. */
    minimum: 20,
    /** Largest coordinates in the last substep [m], x y z 0, written by measureBounds. */
    maximum: 24,
    /** Largest displacement of a particle along any axis in the last fixed step [m], written by measureMotion. */
    motion: 28,
    /** The same along the face: skin friction. */
    frictionRate: 29,
    /** Density of the air [kg/m³], its coefficients across and along a face; written by a wind. */
    airDensity: 30,
    drag: 31,
    skinFriction: 32,
    /** Share of a fixed step that a substep is. */
    substepShare: 33,
    /** Middle of the box of the body [m], x y z, and its extents [m], x y z, written by lookAhead: what air streams over. */
    middle: 36,
    extent: 40,
    /** Affine map to the unit frame of a wind's zone, row vectors, shape [4, 4], and one over the share of it in which the wind sets in. */
    zone: 44,
    zoneEdge: 60,
    /** Number of slots. */
    count: 64,
} as const;

/** The particles of one cloth. */
export const ParticleLayout = {
    /** Number of simulated particles. */
    particleCount: count,
    /** Rows in the arrays: particleCount, at least one spare at rest for padding, rounded up to a multiple of four. */
    paddedCount: count,
    /** Blocks of {@link BLOCK} particles; the last may be shorter. */
    blockCount: count,
    /** Positions [m], shape [paddedCount, 4] as x y z 0; written each substep. The fourth lane stays zero. */
    positions: floats("paddedCount", ROW),
    /** Positions one substep ago [m], same shape: velocity is (positions - previous) / substep (Verlet). */
    previous: floats("paddedCount", ROW),
    /**
     * What positions are too coarse to show of the last displacement [m], same shape: the velocity is
     * (positions - previous + residuals) / substep. Without it, 32-bit positions round gravity away far from the origin.
     */
    residuals: floats("paddedCount", ROW),
    /** Positions at the start of the last fixed step [m], same shape: what rendering interpolates from. */
    stepStart: floats("paddedCount", ROW),
    /** Inverse masses [1/kg], shape [paddedCount]; 0 = pinned or padding. */
    inverseMasses: floats("paddedCount"),
    /**
     * Box of each block over positions and previous, smallest x y z 0, largest x y z 0 [m], shape [blockCount, 2, ROW]: written
     * by measureBounds, widened by answerContacts. Shapes pass over blocks that they cannot touch.
     */
    blockBounds: floats("blockCount", 2 * ROW),
    /** See {@link Uniform}. */
    uniforms: floats(Uniform.count),
};

/** See {@link ParticleLayout}. */
export type ParticleArrays = Struct<typeof ParticleLayout>;

/**
 * Slots of a record of four sticks: one pointer streams through all that a stick needs.
 *
 *     | a0 b0 a1 b1 a2 b2 a3 b3 | L0 L1 L2 L3 | sA0 sA1 sA2 sA3 | sB0 sB1 sB2 sB3 |   80 bytes
 */
export const StickRecord = {
    /** Rows of each stick's particles, as byte offsets into the positions (16 times the particle), a b of each stick. */
    rows: 0,
    /** Rest lengths [m]. */
    restLengths: 8,
    /** Share of a stick's violation that particle A is moved by: wA / (wA + wB + compliance/dt²). */
    weightsA: 12,
    /** The same for particle B. */
    weightsB: 16,
    /** Number of slots. */
    count: 20,
} as const;

/**
 * Sticks of one kind, four to a record; sorted by colour. Every colour is padded with sticks of the spare particle to whole
 * records and one more, so that neither four sticks of a record nor those of two records in a row share a particle: a
 * backend may take up a record before it has finished the last.
 */
export const StickLayout = {
    /** Sticks, padding included; a multiple of four. */
    stickCount: count,
    /** Records, shape [stickCount / 4, StickRecord.count]. */
    records: integers("stickCount", StickRecord.count / 4),
    /** The same memory as floats. */
    recordFloats: asFloats("records"),
};

/** See {@link StickLayout}. */
export type StickArrays = Struct<typeof StickLayout>;

/**
 * Slots of a bending stencil of three particles a b c, on a line.
 *
 *     | a b c | Ka Kc | ma mb mc |   32 bytes
 */
export const LineStencilRecord = {
    /** Rows of a b c, as byte offsets into the positions. */
    rows: 0,
    /** Weights of a - b and c - b in the curvature vector d [1/m²]. */
    weights: 3,
    /** What a b c move by, times d [m²]. */
    moves: 5,
    /** Number of slots. */
    count: 8,
} as const;

/** Bending stencils of three particles, each for itself: one that follows may share particles. */
export const LineStencilLayout = {
    recordCount: count,
    /** Shape [recordCount, LineStencilRecord.count]. */
    records: integers("recordCount", LineStencilRecord.count),
    /** The same memory as floats. */
    recordFloats: asFloats("records"),
};

/** See {@link LineStencilLayout}. */
export type LineStencilArrays = Struct<typeof LineStencilLayout>;

/**
 * Slots of a bending stencil of four particles a b c e, of which e may be b.
 *
 *     | a b c e | Ka Kc Ke κ0 | ma mb mc me |   48 bytes
 */
export const StencilRecord = {
    /** Rows of a b c e, as byte offsets into the positions. */
    rows: 0,
    /** Weights of a - b, c - b and e - b in the curvature vector d [1/m²]. */
    weights: 4,
    /** Curvature at rest, a length of d [1/m]. */
    curvature: 7,
    /** What a b c e move by, times what d exceeds it by [m²]. */
    moves: 8,
    /** Number of slots. */
    count: 12,
} as const;

/** Bending stencils of four particles. Where they have a curvature at rest, four in a row from a multiple of four share no particle but padding's. */
export const StencilLayout = {
    recordCount: count,
    /** Shape [recordCount, StencilRecord.count]. */
    records: integers("recordCount", StencilRecord.count),
    /** The same memory as floats. */
    recordFloats: asFloats("records"),
};

/** See {@link StencilLayout}. */
export type StencilArrays = Struct<typeof StencilLayout>;

/**
 * Tethers: unilateral distance limits between a particle and a pinned one. Sorted so that every particle's tethers come in
 * `rounds`: round r holds each particle's r-th tether, in one order of the anchors for all, and no particle twice.
 */
export const TetherLayout = {
    /** Tethers, padded to a multiple of four with tethers of the spare particle. */
    tetherCount: count,
    /** The particle that is held, shape [tetherCount]. */
    particles: integers("tetherCount"),
    /** The pinned particle that holds it, shape [tetherCount]. */
    anchors: integers("tetherCount"),
    /** Largest distances [m], slack included, shape [tetherCount]. */
    maxLengths: floats("tetherCount"),
};

/** See {@link TetherLayout}. */
export type TetherArrays = Struct<typeof TetherLayout>;

/** Triangles of the simulated surface. */
export const TriangleLayout = {
    triangleCount: count,
    /** Particles of each triangle, shape [triangleCount, 3]. */
    triangles: integers("triangleCount", 3),
};

/** See {@link TriangleLayout}. */
export type TriangleArrays = Struct<typeof TriangleLayout>;

/** The air about the particles of one surface. */
export const AirLayout = {
    paddedCount: count,
    /**
     * Byte offsets of the rows of the particles 0 to 5 around each, in order, shape [paddedCount, 6]: the polygon of them is its
     * face, of area vector ½ ((2 - 0)×(3 - 1) + (4 - 0)×(5 - 3)). Shorter polygons repeat their last one.
     */
    neighbours: integers("paddedCount", 6),
    /**
     * Velocity of the air at each particle [m/s], shape [paddedCount, 4]; fourth lane: how much air there is, 0..1. applyAir turns
     * it into what the air adds to a displacement in each substep of the fixed step [m], and 0.
     */
    pushes: floats("paddedCount", ROW),
    /**
     * Displacements a substep that the air alone would have led to by the end of the fixed step [m], shape [paddedCount, 4]: what
     * the particles did beyond that is weight, threads and contact.
     */
    attempts: floats("paddedCount", ROW),
};

/** See {@link AirLayout}. */
export type AirArrays = Struct<typeof AirLayout>;

/** Slots of {@link SurfaceArrays.frame}. */
export const Frame = {
    /** Rows of the affine map from simulation space to mesh-local space, row vectors as in Babylon, shape [4, 4]. */
    toLocal: 0,
    /** Interpolation from the start of the last fixed step (0) to its end (1). */
    alpha: 16,
    /** Smallest local coordinates, x y z 0, written by transformPoints. */
    minimum: 20,
    /** Largest local coordinates, x y z 0, written by transformPoints. */
    maximum: 24,
    count: 28,
} as const;

/**
 * The rendered surface of one cloth, in mesh-local space. A *point* is a particle seen with one smooth normal: vertices at
 * one place whose authored normals agree share a point; a hard edge has several points on one particle.
 */
export const SurfaceLayout = {
    pointCount: count,
    /** Triangles that carry normals (a double-sided mesh has both sides). */
    surfaceTriangleCount: count,
    vertexCount: count,
    hasNormals: flag,
    hasTangents: flag,
    /** Particle of each point, shape [pointCount]. */
    particleOfPoint: integers("pointCount"),
    /** Points of each triangle, shape [surfaceTriangleCount, 3], wound so that (b-a)×(c-a) is the outward normal. */
    surfaceTriangles: integers("surfaceTriangleCount", 3),
    /** Point of each vertex, shape [vertexCount]. */
    pointOfVertex: integers("vertexCount"),
    /** Positions of the points [mesh-local units], shape [pointCount, 4]. */
    points: floats("pointCount", ROW),
    /** Unit normals of the points, shape [pointCount, 4]. */
    pointNormals: floats("pointCount", ROW),
    /**
     * How a vertex finds its tangent again: along (b-a) u + (c-a) v of one triangle a b c. Shape [vertexCount, 2] for the
     * weights u v, and [vertexCount] for the triangle's index; empty without tangents.
     */
    tangentWeights: floats("vertexCount", "hasTangents", 2),
    tangentTriangles: integers("vertexCount", "hasTangents"),
    /**
     * Vertex buffers as Babylon uploads them: [vertexCount, 3], [vertexCount, 3], [vertexCount, 4] (w is left alone). Without
     * tangents, positions and normals may begin where those of the points do, if each vertex is the point of its number: written in
     * ascending order, they never reach a point that is still to be read.
     */
    vertexPositions: floats("vertexCount", 3),
    vertexNormals: floats("vertexCount", "hasNormals", 3),
    vertexTangents: floats("vertexCount", "hasTangents", 4),
    /** See {@link Frame}. */
    frame: floats(Frame.count),
};

/** See {@link SurfaceLayout}. */
export type SurfaceArrays = Struct<typeof SurfaceLayout>;

/** Slots that the data of every collider begins with; a shape's own slots follow from `shape`. */
export const Contact = {
    /** Coulomb friction coefficient. */
    friction: 0,
    /** Distance kept between particle and surface [m]: the cloth's thickness plus the collider's margin. */
    thickness: 1,
    /** So much farther than the thickness a solid still holds particles against what would push them into it [m]. */
    near: 2,
    /**
     * Displacement of the collider's material in this substep as an affine map of the contact point, row vectors:
     * d = x·m0 + y·m1 + z·m2 + m3 [m], shape [4, 4] from this slot.
     */
    motion: 4,
    /** Box outside of which it finds no contact [m], x y z 0; of shapes that have one. */
    minimum: 20,
    maximum: 24,
    /** First slot of the shape's own data. */
    shape: 28,
} as const;

/**
 * Slots of a record of contacts: those of one collider with four particles in a row, as columns (one number of each of the
 * four). Shapes find them, answerContacts answers them.
 */
export const ContactRecord = {
    /** Byte offset of the first particle's row, an integer. */
    row: 0,
    /** How deep each particle is inside, thickness included [m]; below 0: near; 0: none. */
    depths: 4,
    /** Unit normals out of the solid, columns x y z. */
    normals: 8,
    count: 20,
} as const;

/**
 * Slots of what four particles in a row must not be pushed into, as columns: a solid's unit normal x y z, and the least of
 * normal · x [m]. Zeros: nothing.
 */
export const SupportRecord = {
    normals: 0,
    offsets: 12,
    count: 16,
} as const;

/** Contacts of one collider with the particles of one body; found anew for every answer. */
export const ContactLayout = {
    /** Most records: one for every four particles. */
    capacity: count,
    /** Records in use, shape [1]. */
    recordCount: integers(1),
    /** In the order of the particles, shape [capacity, ContactRecord.count]; see {@link ContactRecord}. */
    records: integers("capacity", ContactRecord.count),
    /** The same memory as floats. */
    recordFloats: asFloats("records"),
    /** 1: what is answered gives way to the supports, and becomes one where there is none yet; shape [1]. */
    areHeeded: integers(1),
    /** Of every four particles in a row, shape [capacity, SupportRecord.count]; see {@link SupportRecord}. */
    supports: floats("capacity", SupportRecord.count),
};

/** See {@link ContactLayout}. */
export type ContactArrays = Struct<typeof ContactLayout>;

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
    excesses: Contact.shape + 20,
    count: Contact.shape + 24,
} as const;

/** Slots of a plane's data. */
export const PlaneData = {
    ...Contact,
    /** Unit normal, x y z, and normal · x on the plane [m]. */
    normal: Contact.shape,
    offset: Contact.shape + 3,
    /** The same of the plane as it stood a substep ago. */
    normalBefore: Contact.shape + 4,
    offsetBefore: Contact.shape + 7,
    /** How deep behind a rectangle's face a particle must be to be the other face's, when it comes from beyond the edges [m]; Infinity: a half-space. */
    recovery: Contact.shape + 8,
    /** Affine map to the frame in which the rectangle is [-1, 1]² in x y, row vectors, shape [4, 4]; zero: no edges. */
    toUnit: Contact.shape + 12,
    /** The same of the rectangle as it stood a substep ago. */
    toUnitBefore: Contact.shape + 28,
    /**
     * The face that each particle belongs to, shape [paddedCount] from this slot: 1 = front, -1 = back, 0 = not told yet;
     * written by findSides. A half-space has none.
     */
    sides: Contact.shape + 44,
} as const;

/**
 * Slots of a solid's data: a shape that is given by its distance function in a rigid frame of its own. What it is made of
 * follows from `dimensions`.
 */
export const SolidData = {
    ...Contact,
    /**
     * Where the frame lies: its turn as a linear map from simulation space, row vectors, shape [3, 4], and its origin there [m], x y z 0.
     * A point is seen from the origin first: far from that of simulation space a product with both would round it away.
     */
    toFrame: Contact.shape,
    /** The same as the solid stood a substep ago. */
    toFrameBefore: Contact.shape + 16,
    /** Motion against the solid, within a substep, beyond which the particle's path is searched for where it meets it [m]. */
    sweep: Contact.shape + 32,
    dimensions: Contact.shape + 36,
} as const;

/** Slots of a sphere or ellipsoid that is met on the way: along its half axes, the shortest first. */
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
 * Slots of a capsule along y, tapered or not: the hull of two spheres at y = ∓halfLength. Its mantle is the cone that touches
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

/** Slots of a triangle mesh's data: its triangles lie in the frame. */
export const MeshData = {
    ...SolidData,
    /** Distance kept [m]: the thickness, or a little more than nothing. */
    reach: SolidData.dimensions,
    /** 1 where the triangles close a volume, else 0. */
    isClosed: SolidData.dimensions + 1,
    /** More than the mesh measures [m]. */
    size: SolidData.dimensions + 2,
    /** What is known of each particle, shape [paddedCount / 4, MeshPlace.count] from this slot. */
    places: SolidData.dimensions + 4,
} as const;

/**
 * Slots of what a mesh knows of four particles in a row, as columns. A *place* is where a particle has been, in the mesh's frame,
 * on its own side of all triangles. In a ball about the place the plane stands for the mesh.
 */
export const MeshPlace = {
    /** Place x y z [m]. */
    place: 0,
    /** Square of the ball's radius [m²]; < 0: there is none; 0: no place is known. */
    radius: 12,
    /** Unit normal x y z, towards the particle, and normal · x on the plane [m]. */
    normal: 16,
    offset: 28,
    count: 32,
} as const;

/** Slots of a node of a mesh's tree; the nodes below it follow it. */
export const MeshNode = {
    /** Box of its triangles [m]. */
    minimum: 0,
    /** The node that comes after those below it, an integer. */
    next: 3,
    maximum: 4,
    /** Eight times its first triangle, and their number (1..4), an integer; 0: there are nodes below it. */
    triangles: 7,
    count: 8,
} as const;

/** Slots of a triangle a b c of a mesh. */
export const MeshTriangle = {
    /** Corner a [m], and edges from it; behind each, one over the squared length of an edge: ab, ac, bc [1/m²]. */
    corner: 0,
    inverseAB: 3,
    ab: 4,
    inverseAC: 7,
    ac: 8,
    inverseBC: 11,
    /** Unit normal, and normal · x on its plane [m]. */
    normal: 12,
    offset: 15,
    /** What gives the shares of b and c in a point of its plane: share = dual · (x - a) [1/m]. */
    dualB: 16,
    dualC: 20,
    count: 24,
} as const;

/** A triangle mesh as one body meets it. */
export const MeshLayout = {
    nodeCount: count,
    triangleCount: count,
    slotCount: count,
    /** The mesh's tree, depth first, shape [nodeCount, MeshNode.count]; see {@link MeshNode}. */
    nodes: integers("nodeCount", MeshNode.count),
    /** The same memory as floats. */
    nodeFloats: asFloats("nodes"),
    /** In the order of the nodes, shape [triangleCount, MeshTriangle.count]; see {@link MeshTriangle}. */
    triangles: floats("triangleCount", MeshTriangle.count),
    /** The collider's data, see {@link MeshData}. */
    data: floats("slotCount"),
};

/** See {@link MeshLayout}. */
export type MeshArrays = Struct<typeof MeshLayout>;

/** Slots of the bytes that are one instance's own, for what a kernel puts aside within a call. */
export const Scratch = {
    /** Constants of a loop, see `hoist` in assembly/lanes.ts; shape [8, 4]. */
    constants: 0,
    /** Of four points near a solid: distances and gradients x y z, columns, shape [4, 4]. */
    surface: 32,
    /** What a search of a mesh has found for four particles, columns; see `search` in assembly/mesh.ts. */
    found: 48,
    count: 100,
} as const;
