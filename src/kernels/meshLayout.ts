/** Slots and structs of triangle meshes as colliders: those that stay as they are in their frame, and those that bones carry. For what slots and structs are see layout.ts. */
import { SolidData } from "./contactLayout";
import { asFloats, count, floats, integers, struct } from "./structSchema";
import type { Struct } from "./structSchema";
import { ROW } from "./layout";

/** Slots of a triangle mesh's data: its triangles lie in the frame. */
export const MeshData = {
    ...SolidData,
    /** Distance kept [m]: the thickness, or a little more than nothing. */
    keptDistance: SolidData.dimensions,
    /** 1 where the triangles close a volume, else 0. */
    isClosed: SolidData.dimensions + 1,
    /** More than the mesh measures [m]. */
    size: SolidData.dimensions + 2,
    /** Largest displacement of a corner in the frame within a substep [m]. */
    motion: SolidData.dimensions + 3,
    /** The side of the triangles that is solid alone: 1, to which their normals point, or -1; 0: both are. */
    front: SolidData.dimensions + 4,
    /** Memory of each particle, shape [paddedCount / 4, MeshMemory.count] from this slot. */
    memory: SolidData.dimensions + 8,
} as const;

/**
 * Slots of a mesh collider's memory of four particles in a row, as columns. A *place* is where a particle has been, in the mesh's frame,
 * on its own side of all triangles. In a ball about the place the plane stands for the mesh.
 */
export const MeshMemory = {
    /** Place x y z [m]. */
    safePosition: 0,
    /** Square of the ball's radius [m²]; < 0: there is none; 0: no place is known. */
    radius: 12,
    /** Unit normal x y z, towards the particle, and normal · x on the plane [m]. */
    normal: 16,
    offset: 28,
    count: 32,
} as const;

/**
 * Memory of a mesh whose triangles move in the frame, and carry along the place and the normal of its plane, in
 * coordinates of a triangle a b c, x = v (b - a) + w (c - a) + h n.
 */
export const SkinMemory = {
    ...MeshMemory,
    /** One more than the triangle's number; 0: none is near, and the place stays where it is in the frame. */
    triangle: MeshMemory.count,
    /** The place less a: v w h. */
    point: MeshMemory.count + 4,
    /** The normal: v w h. */
    direction: MeshMemory.count + 16,
    /** Displacement of the place in this substep [m], x y z. */
    carriedMotion: MeshMemory.count + 28,
    count: MeshMemory.count + 40,
} as const;

/** Slots of a node of a mesh's tree; the nodes below it follow it. */
export const MeshNode = {
    /** Box of its triangles [m]. */
    minimum: 0,
    /** The node that comes after those below it, an integer. */
    next: 3,
    maximum: 4,
    /** Its triangles, a range (see {@link rangeOf}); 0: there are nodes below it. */
    triangles: 7,
    count: 8,
} as const;

/** Range of the triangles of a leaf, one integer: the first of them, and their number (1..7). */
export function rangeOf(first: number, count: number): number {
    return (first << 3) | count;
}

/** The first triangle of a range. */
export function firstIn(range: number): number {
    return range >>> 3;
}

/** Number of triangles in a range. */
export function countIn(range: number): number {
    return range & 7;
}

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
    /** Duals of b and c: share = dual · (x - a) [1/m]. */
    dualB: 16,
    dualC: 20,
    count: 24,
} as const;

/** A triangle mesh collider of one body. */
export const MeshLayout = {
    nodeCount: count,
    triangleCount: count,
    slotCount: count,
    /** Corners that move in the frame; 0: the triangles stay as they are. */
    vertexCount: count,
    /** The mesh's tree, depth first, shape [nodeCount, MeshNode.count]; see {@link MeshNode}. */
    nodes: integers("nodeCount", MeshNode.count),
    /** View of the same memory as floats. */
    nodeFloats: asFloats("nodes"),
    /** In the order of the nodes, shape [triangleCount, MeshTriangle.count]; see {@link MeshTriangle}. */
    triangles: floats("triangleCount", MeshTriangle.count),
    /** The collider's data, see {@link MeshData}. */
    data: floats("slotCount"),
};

/** See {@link MeshLayout}. */
export type MeshArrays = Struct<typeof MeshLayout>;

/** Slots of {@link SkinLayout}'s numbers. */
export const SkinBounds = {
    /** Box of the vertices in the last two frames [m], x y z 0 each. */
    minimum: 0,
    maximum: 4,
    /** Largest displacement of a vertex since the last frame [m]. */
    motion: 8,
    count: 12,
} as const;

/** Skinned vertices (linear blend skinning: Magnenat-Thalmann 1988), shared by all bodies that collide with them. */
export const SkinLayout = {
    vertexCount: count,
    triangleCount: count,
    boneCount: count,
    /** Bones that may carry a vertex. */
    influenceCount: count,
    /** Corners of the triangles in the order of the tree: byte offsets of rows, shape [triangleCount, 3]. */
    corners: integers("triangleCount", 3),
    /** As they were bound, x y z 1, shape [vertexCount, 4]. */
    rest: floats("vertexCount", ROW),
    /** Byte offsets of the bones' matrices, shape [vertexCount, influenceCount]. */
    bones: integers("vertexCount", "influenceCount"),
    /** Shape [vertexCount, influenceCount]. */
    weights: floats("vertexCount", "influenceCount"),
    /** Of each bone, from where it was bound to the frame, row vectors, the fourth column 0; shape [boneCount, 4, 4]. */
    matrices: floats("boneCount", 16),
    /** Positions in this frame and in the last one, shape [vertexCount, 4]. */
    posed: floats("vertexCount", ROW),
    posedBefore: floats("vertexCount", ROW),
    /** See {@link SkinBounds}. */
    bounds: floats(SkinBounds.count),
};

/** See {@link SkinLayout}. */
export type SkinArrays = Struct<typeof SkinLayout>;

/** Slots of {@link SkinMeshLayout}'s numbers. */
export const SkinStep = {
    /** Fraction of the present frame's motion at the step's end, 0..1. */
    fraction: 0,
    /** Fraction of the step at the present substep's end, 0..1; share of a substep in the step. */
    share: 1,
    substepShare: 2,
    /** 1 or -1: particles in contact are carried along with the skin, or back. */
    sign: 3,
    count: 4,
} as const;

/** A skinned mesh collider of one body: begins as {@link MeshLayout} does, boxes and triangles as they are in this substep. */
export const SkinMeshLayout = {
    ...MeshLayout,
    skin: struct<SkinArrays>("SkinArrays"),
    /** Corners of the triangles, rows of these in {@link vertices}: byte offsets, shape [triangleCount, 3]. */
    corners: integers("triangleCount", 3),
    /** Vertex positions in this substep, in the frame [m], shape [vertexCount, 4]. */
    vertices: floats("vertexCount", ROW),
    /** Vertex positions at the start and at the end of the present step [m], shape [vertexCount, 4]. */
    from: floats("vertexCount", ROW),
    to: floats("vertexCount", ROW),
    /** See {@link SkinStep}. */
    step: floats(SkinStep.count),
};

/** See {@link SkinMeshLayout}. */
export type SkinMeshArrays = Struct<typeof SkinMeshLayout>;

/** Squares below this are none [m², m⁴]. */
const NO_AREA = 1e-30;

/** Writes the triangle of the corners x, x y z each, to the slots from o, see MeshTriangle. One without an area has no normal, and nothing is over it. */
export function writeTriangle(x: ArrayLike<number>, t: Float32Array, o: number): void {
    const ux = x[3] - x[0], uy = x[4] - x[1], uz = x[5] - x[2]; // prettier-ignore
    const vx = x[6] - x[0], vy = x[7] - x[1], vz = x[8] - x[2]; // prettier-ignore
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const squared = nx * nx + ny * ny + nz * nz;
    const hasArea = squared > NO_AREA;
    // Shares that are no numbers are in no triangle.
    const inverse = hasArea ? 1 / squared : NaN;
    const unit = hasArea ? 1 / Math.sqrt(squared) : 0;
    put(t, o + MeshTriangle.corner, x[0], x[1], x[2], 1 / Math.max(NO_AREA, ux * ux + uy * uy + uz * uz));
    put(t, o + MeshTriangle.ab, ux, uy, uz, 1 / Math.max(NO_AREA, vx * vx + vy * vy + vz * vz));
    put(t, o + MeshTriangle.ac, vx, vy, vz, 1 / Math.max(NO_AREA, (vx - ux) ** 2 + (vy - uy) ** 2 + (vz - uz) ** 2));
    put(t, o + MeshTriangle.normal, nx * unit, ny * unit, nz * unit, (nx * x[0] + ny * x[1] + nz * x[2]) * unit);
    // v × n and n × u over n².
    put(t, o + MeshTriangle.dualB, (vy * nz - vz * ny) * inverse, (vz * nx - vx * nz) * inverse, (vx * ny - vy * nx) * inverse, 0);
    put(t, o + MeshTriangle.dualC, (ny * uz - nz * uy) * inverse, (nz * ux - nx * uz) * inverse, (nx * uy - ny * ux) * inverse, 0);
}

function put(t: Float32Array, o: number, x: number, y: number, z: number, w: number): void {
    t[o] = x;
    t[o + 1] = y;
    t[o + 2] = z;
    t[o + 3] = w;
}
