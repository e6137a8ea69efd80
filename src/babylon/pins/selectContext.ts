import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";

/** A mesh at rest as selectors see it. */
export interface SelectContext {
    readonly vertexCount: number;
    /** Authored vertex positions, mesh-local, before skinning and morphing; shape [vertexCount, 3]. */
    readonly positions: Float32Array;
    /** Authored vertex colours r g b a, shape [vertexCount, 4], or null. */
    readonly colors: Float32Array | null;
    /** The mesh itself, for its other attributes, parts and materials. */
    readonly mesh: Mesh;
    /** The mesh and the {@link ClothBehavior.parts} after it, whose vertices are numbered one after the other. Left out: it alone. */
    readonly meshes?: readonly Mesh[] | undefined;
    /** A vector to hand to predicates. */
    readonly scratch: Vector3;
    /** The particle of each vertex, where it is simulated. */
    readonly particleOfVertex?: Uint32Array;
    /** Logs a warning, each text once; of cloth alone, whose border selections may mean. */
    readonly warn?: ((message: string) => void) | undefined;
}

/** Source of a context. */
interface MeshAtRest {
    readonly mesh: Mesh;
    readonly parts?: { readonly meshes: readonly Mesh[] } | null;
    readonly vertexCount: number;
    readonly authoredPositions: Float32Array;
    readonly particleOfVertex: Uint32Array;
    getVertexColors(): Float32Array | null;
}

/** A mesh that is cloth, as selectors see it. Colours are read when they are asked for. */
export function contextOf(binding: MeshAtRest, warn?: (message: string) => void): SelectContext {
    return {
        warn,
        vertexCount: binding.vertexCount,
        positions: binding.authoredPositions,
        get colors() {
            return binding.getVertexColors();
        },
        mesh: binding.mesh,
        meshes: binding.parts?.meshes,
        particleOfVertex: binding.particleOfVertex,
        scratch: binding.mesh.position.clone(),
    };
}

/** Picks vertices of a mesh at rest; made by {@link select}. */
export interface Selector {
    /** Indices of the chosen vertices. */
    pick(context: SelectContext): number[];
}

/**
 * Selection of vertices: indices, or a predicate on rest positions in mesh-local space (authored, before skinning and morphing; the vector is reused between
 * calls), or a helper of {@link select}.
 */
export type Select = ArrayLike<number> | ((position: Vector3, vertexIndex: number) => boolean) | Selector;
