import type { Weld } from "./weld";

/** Data of a mesh that a cloth needs, copied out of its geometry; the mesh is only read. */
export interface MeshData {
    readonly vertexCount: number;
    /** Mesh-local units, as drawn now (posed, if skinned or morphed), shape [vertexCount, 3]. */
    readonly positions: Float32Array;
    /** Unit normals as drawn now, shape [vertexCount, 3]; a zero row where the mesh's own is not finite. */
    readonly normals: Float32Array | null;
    /** Positions and normals before skinning and morphing; the same arrays where the mesh has neither. */
    readonly bindPositions: Float32Array;
    readonly bindNormals: Float32Array | null;
    /** Tangents before skinning and morphing with their sign, shape [vertexCount, 4]. */
    readonly bindTangents: Float32Array | null;
    /** Vertices that are joined into one particle; null: those at one place. */
    readonly weld: Weld | null;
    /** Vertices of each triangle, shape [triangleCount, 3], in the mesh's own winding. */
    readonly indices: Uint32Array;
    /** Positions as authored: before skinning and morphing, on the CPU too; shape [vertexCount, 3]. */
    readonly authoredPositions: Float32Array;
}
