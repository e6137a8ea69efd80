import { MATRIX_SIZE } from "../../../kernels/rowIndex";
import type { MeshGeometry } from "../broadphase/meshBvhPlan";

/** Vertices that bones carry, and the triangles between them: what does not change. */
export interface SkinGeometry {
    /** As a mesh that was bound: from it comes the tree. */
    readonly mesh: MeshGeometry;
    /** Vertices at the corners of its triangles, shape [triangleCount, 3]. */
    readonly corners: Uint32Array;
    readonly vertexCount: number;
    readonly boneCount: number;
    /** Bones that may carry a vertex. */
    readonly influenceCount: number;
    /** The bones of each vertex and their weights, shape [vertexCount, influenceCount]. */
    readonly bones: ArrayLike<number>;
    readonly weights: ArrayLike<number>;
}

/** A skin as it is in this frame; whoever follows it writes it. */
export class Skin {
    /** Number of poses so far; 0: none yet. */
    revision = 0;
    /** Vertices as they were bound, in the mesh's local space, shape [vertexCount, 3]; rewritten where targets morph them. */
    readonly rest: Float32Array;
    /** Of each bone, from where it was bound to the mesh's local space, as row vectors, shape [boneCount, 4, 4]. */
    readonly matrices: Float32Array;

    constructor(readonly geometry: SkinGeometry) {
        this.rest = new Float32Array(3 * geometry.vertexCount);
        this.matrices = new Float32Array(MATRIX_SIZE * geometry.boneCount);
    }
}
