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
    /** A vector to hand to predicates. */
    readonly scratch: Vector3;
}

/** Picks vertices of a mesh at rest; made by {@link select}. */
export interface Selector {
    /** Indices of the chosen vertices. */
    pick(context: SelectContext): number[];
}

/**
 * Which vertices: indices, or a predicate on rest positions in mesh-local space (authored, before skinning and morphing; the
 * vector is reused between calls), or a helper of {@link select}.
 */
export type Select = ArrayLike<number> | ((position: Vector3, vertexIndex: number) => boolean) | Selector;
