/**
 * Single source of the memory layout that kernels share: slots of records, arrays of structs, scratch. The build
 * (kernels/build.mjs) generates the AssemblyScript side and the bindings from this file and kernelTable.ts.
 *
 * *Slots* name the places of a record of 32-bit numbers: constants in TypeScript, and the same names as byte offsets in
 * AssemblyScript. A *struct* names arrays and the numbers that belong to them: views in TypeScript (structs.ts cuts them from
 * an arena), and in AssemblyScript a class over a *descriptor*, which holds the numbers and the addresses of the arrays.
 *
 * Every view may be replaced when the arena grows (see arena.ts): hold the owning object, never a view. Addresses stay.
 *
 * Space, unless said otherwise: world axes [m], relative to the simulation's origin.
 */
import { asFloats, count, flag, floats, integers } from "./structSchema";
import type { Struct } from "./structSchema";
import { ROW, roundUpToFour } from "./rowIndex";

export { NONE } from "./structSchema";
export * from "./rowIndex";
export type { Struct, StructDeclaration } from "./structSchema";

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
    displacementFactor: 0,
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
     * Normal drag rate: change of speed in one fixed step per unit of relative speed and per m/s of it, across a particle's face.
     * Half the density of air times the drag coefficient times the step, over the areal density of the sheet [s/m].
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
    /** Tangential drag rate along the face: skin friction [s/m]. */
    frictionRate: 29,
    /** Density of the air [kg/m³], its coefficients across and along a face; written by a wind. */
    airDensity: 30,
    drag: 31,
    skinFriction: 32,
    /** Share of a fixed step that a substep is. */
    substepShare: 33,
    /** Largest strain of a material length that the last pass over those found, written by projectLengths. */
    strain: 34,
    /** Middle of the box of the body [m], x y z, and its extents [m], x y z, written by predictMidstep; used by the air. */
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
     * Part of the last displacement that is below the resolution of positions [m], same shape: the velocity is
     * (positions - previous + residuals) / substep. Without it, 32-bit positions round gravity away far from the origin.
     */
    residuals: floats("paddedCount", ROW),
    /** Positions at the start of the last fixed step [m], same shape: start of the render interpolation. predictMidstep overwrites them just before a step. */
    stepStart: floats("paddedCount", ROW),
    /** Inverse masses [1/kg], shape [paddedCount]; 0 = pinned or padding. */
    inverseMasses: floats("paddedCount"),
    /**
     * Box of each block over positions and previous, smallest x y z 0, largest x y z 0 [m], shape [blockCount, 2, ROW]: written
     * by measureBounds, widened by resolveContacts. Shapes skip blocks out of their reach.
     */
    blockBounds: floats("blockCount", 2 * ROW),
    /** See {@link Uniform}. */
    uniforms: floats(Uniform.count),
};

/** See {@link ParticleLayout}. */
export type ParticleArrays = Struct<typeof ParticleLayout>;

/**
 * Slots of a record of four distance constraints: one pointer streams through all their data.
 *
 *     | a0 b0 a1 b1 a2 b2 a3 b3 | L0 L1 L2 L3 | sA0 sA1 sA2 sA3 | sB0 sB1 sB2 sB3 |   80 bytes
 */
export const DistanceRecord = {
    /** Rows of each distance constraint's particles, as byte offsets into the positions (16 times the particle), a b of each. */
    rows: 0,
    /** Rest lengths [m]. */
    restLengths: 8,
    /** Share of a constraint's violation by which particle A moves: wA / (wA + wB + compliance/dt²). */
    weightsA: 12,
    /** Share of a constraint's violation by which particle B moves. */
    weightsB: 16,
    /** Number of slots. */
    count: 20,
} as const;

/**
 * Distance constraints of one kind, four to a record; sorted by colour. Every colour is padded with constraints of the spare particle to
 * whole records and one more, so that neither the four constraints of a record nor those of two records in a row share a particle: a
 * kernel may start a record before it has finished the last.
 */
export const DistanceLayout = {
    /** Distance constraints, padding included; a multiple of four. */
    constraintCount: count,
    /** Records, shape [constraintCount / 4, DistanceRecord.count]. */
    records: integers("constraintCount", DistanceRecord.count / 4),
    /** View of the same memory as floats. */
    recordFloats: asFloats("records"),
    /** Largest push of a compressed constraint in a pass, as a share of its present length. */
    maxPush: floats(1),
};

/** See {@link DistanceLayout}. */
export type DistanceArrays = Struct<typeof DistanceLayout>;

/**
 * Slots of a record of four limits between unsplit masses: a {@link DistanceRecord} without weights, which follow from the masses where a
 * limit pulls. Most are slack. A record whose first row is greater than its second is *marked*: the ends of each of its limits have
 * equal masses, and move by half. projectUnsplitLimits marks records by turning their first limit round, when they pull at the latest; that changes no
 * bit of the result. Code that changes masses has to turn it back.
 *
 *     | a0 b0 a1 b1 a2 b2 a3 b3 | L0 L1 L2 L3 |   48 bytes
 */
export const LimitRecord = {
    rows: DistanceRecord.rows,
    restLengths: DistanceRecord.restLengths,
    count: 12,
} as const;

/** Limits in the order of {@link DistanceLayout}. */
export const LimitLayout = {
    constraintCount: count,
    /** Records, shape [constraintCount / 4, LimitRecord.count]. */
    records: integers("constraintCount", LimitRecord.count / 4),
    recordFloats: asFloats("records"),
    /** Over-relaxation of the limits between two free ends: the factor on a correction that restores the length. */
    overRelaxation: floats(1),
};

/** See {@link LimitLayout}. */
export type LimitArrays = Struct<typeof LimitLayout>;

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
    /** Moves of a b c per unit of d [m²]. */
    moves: 5,
    /** Number of slots. */
    count: 8,
} as const;

/** Bending stencils of three particles, each for itself: one that follows may share particles. */
export const LineStencilLayout = {
    recordCount: count,
    /** Shape [recordCount, LineStencilRecord.count]. */
    records: integers("recordCount", LineStencilRecord.count),
    /** View of the same memory as floats. */
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
    /** Moves of a b c e per unit of d's excess [m²]. */
    moves: 8,
    /** Number of slots. */
    count: 12,
} as const;

/** Bending stencils of four particles. Where they have a curvature at rest, four in a row from a multiple of four share no particle but padding's. */
export const StencilLayout = {
    recordCount: count,
    /** Shape [recordCount, StencilRecord.count]. */
    records: integers("recordCount", StencilRecord.count),
    /** View of the same memory as floats. */
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
     * Byte offsets of the rows of six particles about each, in order, shape [paddedCount, 6]: the polygon of them is its
     * face, of area vector ½ ((2 - 0)×(3 - 1) + (4 - 0)×(5 - 3)). Shorter polygons repeat their last one.
     */
    neighbours: integers("paddedCount", 6),
    /** Connected pieces of the surface, and of each particle the byte offset of its piece's box, shape [paddedCount]. */
    pieceCount: count,
    boxOffsets: integers("paddedCount"),
    /** Middle and extent of each piece [m], x y z 0 each, written by applyAir, shape [pieceCount, 8]. */
    boxes: floats("pieceCount", 2 * ROW),
    /**
     * Velocity of the air at each particle [m/s], shape [paddedCount, 4]; fourth lane: excess of the air's density, as a share. applyAir replaces
     * it by the displacement that the air adds in each substep of the fixed step [m], and 0.
     */
    airMotion: floats("paddedCount", ROW),
    /**
     * Displacements a substep that the air alone would have led to by the end of the fixed step [m], shape [paddedCount, 4]: what
     * the particles did beyond that is weight, threads and contact. Fourth lane: largest square of twice the area of each face [m⁴].
     */
    predictedDisplacements: floats("paddedCount", ROW),
    /**
     * Way of the air past each particle in about the last second [m]: x of four particles, then y, z, and its length along the path, shape
     * [paddedCount / 4, 4, 4].
     */
    airPaths: floats("paddedCount", ROW),
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
    /** True if the triangles are wound the other way round: the mesh is mirrored in the world, where the winding is right. */
    isMirrored: flag,
    /** Particle of each point, shape [pointCount]. */
    particleOfPoint: integers("pointCount"),
    /** Points of each triangle, shape [surfaceTriangleCount, 3], wound so that (b-a)×(c-a) is the outward normal in the world. */
    surfaceTriangles: integers("surfaceTriangleCount", 3),
    /** Point of each vertex, shape [vertexCount]. */
    pointOfVertex: integers("vertexCount"),
    /** Positions of the points [mesh-local units], shape [pointCount, 4]. */
    points: floats("pointCount", ROW),
    /** Unit normals of the points, shape [pointCount, 4]. */
    pointNormals: floats("pointCount", ROW),
    /**
     * Reconstruction of a vertex tangent: along (b-a) u + (c-a) v of one triangle a b c. Shape [vertexCount, 2] for the
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

/** Slots of the bytes that are one instance's own, for what a kernel puts aside within a call. */
export const Scratch = {
    /** Constants of a loop, see `hoist` in assembly/simd.ts; shape [8, 4]. */
    constants: 0,
    /** Of four points near a solid: distances and gradients x y z, columns, shape [4, 4]. */
    surface: 32,
    /** Results of a mesh search for four particles, columns; see `search` in assembly/mesh.ts. */
    found: 48,
    /** Corners a b c of four triangles, columns x y z each, shape [9, 4]. */
    corners: 104,
    count: 140,
} as const;
