import type { BoundingBox } from "@babylonjs/core/Culling/boundingBox";
import type { BoundingSphere } from "@babylonjs/core/Culling/boundingSphere";
import type { Plane } from "@babylonjs/core/Maths/math.plane";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import type { Bone } from "@babylonjs/core/Bones/bone";

/**
 * A capsule, tapered or not, or a sphere that follows a bone or a node: the source of a collider. Made by
 * {@link Colliders.fromSkeleton}.
 */
export interface BoneShape {
    /** Name of its bone or node. */
    readonly name: string;
    /** Bone or node that it follows. */
    readonly carrier: Bone | TransformNode;
    /** Middle of the sphere at its start and at its end: in the mesh's local space as it was bound, or in the node's, x y z. */
    readonly start: readonly [number, number, number];
    readonly end: readonly [number, number, number];
    /** Radii of those spheres, in the same space. */
    readonly startRadius: number;
    readonly endRadius: number;
}

/**
 * Shapes that a mesh can have as a collider: an ellipsoid, a rectangle that is solid on both faces, a box, a capsule or
 * cylinder along one of the mesh's axes, a convex hull of at most 64 planes (around a mesh that is none, an outer one), or the
 * mesh's own triangles, solid on both sides.
 */
export type MeshShape = "sphere" | "plane" | "box" | "capsule" | "cylinder" | "hull" | "mesh";

/** Options of `addCollider` and `Colliders.add`. */
export interface ColliderOptions {
    /** Shape to take for a mesh; inferred from its geometry when left out. */
    shape?: MeshShape;
    /**
     * Keeps cloth within: a sphere, a box (also BoundingSphere and BoundingBox), or a mesh of any other form, as a room. What is outside of
     * it stays outside. Default false.
     */
    inside?: boolean;
    /**
     * True if a mesh's own triangles are solid on both sides. If false, cloth behind them comes out through them and is kept in front from then on; the normals
     * point to the front. Default true.
     */
    twoSided?: boolean;
    /** Coulomb friction coefficient; the fabric's when left out. */
    friction?: number;
    /** Share of the speed of an impact with which cloth leaves, 0..1. Default 0. */
    restitution?: number;
    /** Share of the impulses of contact that a dynamic physics body gets back from the cloth, 0..1. Default 1; 0: the cloth does not move it. */
    influence?: number;
    /** Distance kept in addition to the fabric's thickness [m]. Default 0. May be negative. */
    margin?: number;
    /** Groups in which it is, one bit each of a 32-bit integer. Default 1. */
    group?: number;
    /** Groups of the cloths that it meets, as bits. Default -1: all. */
    mask?: number;
}

/** A collider with its options: see {@link ClothBehavior.addCollider}. */
export interface ColliderEntry extends ColliderOptions {
    source: ColliderSource;
}

/** True if it is an entry. Babylon's meshes have a `source` too: that of an instance. */
export function isColliderEntry(entry: ColliderSource | ColliderEntry | Collider): entry is ColliderEntry {
    return typeof entry === "object" && entry !== null && "source" in entry && !("computeWorldMatrix" in entry);
}

/**
 * Source of a collider: a node with geometry, a Plane (solid behind it), a BoundingSphere, a BoundingBox, a physics body, or the shapes of
 * {@link Colliders.fromSkeleton}.
 */
export type ColliderSource = TransformNode | Plane | BoundingSphere | BoundingBox | BoneShape | PhysicsBody;

/** Something that cloth lies on, followed every frame; made by {@link ClothBehavior.addCollider} or {@link Colliders.add}. */
export interface Collider {
    /** Source of the shape. */
    readonly source: ColliderSource;
    /** The shape that stands for it: `"sphere"` (or ellipsoid), `"plane"` (a rectangle), `"box"`, `"capsule"`, `"cylinder"`, `"hull"`, `"mesh"` (its triangles) or `"halfSpace"`. */
    readonly shape: string;
    /** Coulomb friction coefficient, >= 0; null takes the fabric's. */
    friction: number | null;
    /** Share of the speed of an impact with which cloth leaves, 0..1. */
    restitution: number;
    /** Share of the impulses of contact that a dynamic physics body gets back from the cloth, 0..1; of what has none it does nothing. */
    influence: number;
    /** Distance kept in addition to the fabric's thickness [m]; may be negative. */
    margin: number;
    /** Groups in which it is, one bit each of a 32-bit integer; see {@link ClothBehavior.collisionGroup}. */
    group: number;
    /** Groups of the cloths that it meets, as bits; -1: all. */
    mask: number;
    /** True if the source is gone. */
    readonly isDisposed: boolean;
}
