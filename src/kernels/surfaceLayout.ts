/**
 * Structs of the kernels that build a surface from a mesh: positions, faces, points. Like all build kernels they run once at
 * attach, in a memory of their own (see {@link Kernels.createSeparate}), and their results are copied out. They compute in doubles and round on store, so
 * that the results are the same to the bit on every machine. For structs see layout.ts.
 */
import { count, doubles, flag, floats, integers } from "./structSchema";
import type { Struct } from "./structSchema";

/** Slots of the box in {@link WeldLayout}, in words of four bytes: each is a double. */
export const WeldBox = {
    /** Smallest and largest coordinates, x y z each: of the vertices used, then wider by the tolerance. */
    minimum: 0,
    maximum: 6,
    /** Two vertices closer than this are one place. */
    tolerance: 12,
    count: 14,
} as const;

/** Vertices by place; see engine/meshmap/weld.ts. */
export const WeldLayout = {
    vertexCount: count,
    indexCount: count,
    /** Slots of the hash, a power of two. */
    slotCount: count,
    /** Mesh-local, shape [vertexCount, 3]. */
    positions: floats("vertexCount", 3),
    /** Vertices that are used, shape [indexCount]. */
    indices: integers("indexCount"),
    /** See {@link WeldBox}; measureUsedBounds writes the box. */
    box: doubles(WeldBox.count / 2),
    /** First place of each slot, NONE before; the next in a slot. */
    heads: integers("slotCount"),
    next: integers("vertexCount"),
    /** Out: place of each vertex, first vertex of each place, number of places. */
    placeOfVertex: integers("vertexCount"),
    vertexOfPlace: integers("vertexCount"),
    placeCount: integers(1),
};

/** See {@link WeldLayout}. */
export type WeldArrays = Struct<typeof WeldLayout>;

/** Slots of {@link WeldedTriangleLayout}'s counts. */
export const WeldedTriangleCount = { corners: 0, undecided: 1, particles: 2, strays: 3, count: 4 } as const;

/** The triangles that have an area, and the particles at their corners; see engine/meshmap/weldedTriangles.ts. */
export const WeldedTriangleLayout = {
    vertexCount: count,
    indexCount: count,
    placeCount: count,
    hasNormals: flag,
    positions: floats("vertexCount", 3),
    normals: floats("vertexCount", "hasNormals", 3),
    indices: integers("indexCount"),
    placeOfVertex: integers("vertexCount"),
    vertexOfPlace: integers("placeCount"),
    /** First corners of the faces whose normals do not determine the outer side. */
    undecided: integers("indexCount"),
    /** Out: vertices of each face; particles of the same. */
    corners: integers("indexCount"),
    cornerParticles: integers("indexCount"),
    /** Out: particle of each place and vertex, NONE where there is none; first vertex of each particle. */
    particleOfPlace: integers("placeCount"),
    particleOfVertex: integers("vertexCount"),
    vertexOfParticle: integers("placeCount"),
    /** Out: see {@link WeldedTriangleCount}. */
    counts: integers(WeldedTriangleCount.count),
};

/** See {@link WeldedTriangleLayout}. */
export type WeldedTriangleArrays = Struct<typeof WeldedTriangleLayout>;

/** Each set of three corners once; see uniqueTriangles in engine/meshmap/weldedTriangles.ts. */
export const UniqueTriangleLayout = {
    cornerCount: count,
    /** Slots of the hash, a power of two. */
    slotCount: count,
    corners: integers("cornerCount"),
    /** First corner of the triangle in each slot; NONE before. */
    slots: integers("slotCount"),
    sorted: integers("cornerCount"),
    /** Out: the triangles, and the number of their corners. */
    triangles: integers("cornerCount"),
    end: integers(1),
};

/** See {@link UniqueTriangleLayout}. */
export type UniqueTriangleArrays = Struct<typeof UniqueTriangleLayout>;

/** Particles split along hard edges; see engine/meshmap/shadingPoints.ts. */
export const ShadingPointLayout = {
    vertexCount: count,
    cornerCount: count,
    particleCount: count,
    hasNormals: flag,
    normals: floats("vertexCount", "hasNormals", 3),
    corners: integers("cornerCount"),
    particleOfVertex: integers("vertexCount"),
    isCorner: integers("vertexCount"),
    /** First point of each particle, NONE before; the next of the same particle. */
    firstPoint: integers("particleCount"),
    nextPoint: integers("vertexCount"),
    vertexOfPoint: integers("vertexCount"),
    /** Out. */
    particleOfPoint: integers("vertexCount"),
    pointOfVertex: integers("vertexCount"),
    surfaceTriangles: integers("cornerCount"),
    pointCount: integers(1),
};

/** See {@link ShadingPointLayout}. */
export type ShadingPointArrays = Struct<typeof ShadingPointLayout>;

/** Edges far below the mesh's scale; see engine/meshmap/clusters.ts. */
export const ShortEdgeLayout = {
    placeCount: count,
    cornerCount: count,
    positions: floats("placeCount", 3),
    triangles: integers("cornerCount"),
    /** In: the share of the scale, the side of a square of a place's mean share of the area, below which an edge is short. Out: that length. */
    shortest: doubles(1),
    /** Out: ends of the short edges, and their number. */
    short: integers("cornerCount", 2),
    shortCount: integers(1),
};

/** See {@link ShortEdgeLayout}. */
export type ShortEdgeArrays = Struct<typeof ShortEdgeLayout>;

/** Points, and where a map brings them. */
export const PointCloudLayout = {
    pointCount: count,
    /** Affine map, row vectors, shape [4, 4]. */
    map: doubles(16),
    /** Shape [pointCount, 3]. */
    points: floats("pointCount", 3),
    /** Out: the box of the points, smallest and largest, x y z each. */
    box: doubles(6),
    /** Out: the points mapped. */
    mapped: floats("pointCount", 3),
};

/** See {@link PointCloudLayout}. */
export type PointCloudArrays = Struct<typeof PointCloudLayout>;
