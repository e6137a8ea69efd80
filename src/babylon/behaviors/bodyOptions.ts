import type { Bone } from "@babylonjs/core/Bones/bone";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { VectorLike } from "../../engine/math/vector";
import type { Collider, ColliderSource } from "./types";
import type { PinHold } from "../pins/pinHold";
import type { Select } from "../pins/select";

/** What to hold, and what carries it: see {@link ClothBehavior.pin}. */
export interface PinOptions {
    select: Select;
    target?: TransformNode | Bone | null;
    hold?: PinHold | null;
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
     * Whether a mesh's own triangles are solid on both sides. Where it is false, what is behind them comes out through them, and is kept
     * before them from then on; their front is where the normals point. Default true.
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

/** Whether it is one. Babylon's meshes have a `source` too: that of an instance. */
export function isColliderEntry(entry: ColliderSource | ColliderEntry | Collider): entry is ColliderEntry {
    return typeof entry === "object" && entry !== null && "source" in entry && !("computeWorldMatrix" in entry);
}

/** Options of every behavior that simulates its mesh; each is also a property of it: see {@link ClothBehavior}. */
export interface BodyOptions {
    pins?: readonly PinOptions[];
    colliders?: readonly (ColliderSource | ColliderEntry)[];
    gravity?: VectorLike | null;
    substepCount?: number;
    fixedTimeStep?: number;
    maxStepsPerFrame?: number;
    sleepSpeed?: number;
    collideWithPhysics?: boolean;
    collisionGroup?: number;
    collisionMask?: number;
    priority?: number;
    alwaysUpdate?: boolean;
    fullDetailDistance?: number;
    pauseDistance?: number;
    teleportSpeed?: number;
    autoStep?: boolean;
    enabled?: boolean;
}

export const BODY_OPTION_NAMES: readonly (keyof BodyOptions)[] = [
    "pins",
    "colliders",
    "gravity",
    "substepCount",
    "fixedTimeStep",
    "maxStepsPerFrame",
    "sleepSpeed",
    "collideWithPhysics",
    "collisionGroup",
    "collisionMask",
    "priority",
    "alwaysUpdate",
    "fullDetailDistance",
    "pauseDistance",
    "teleportSpeed",
    "autoStep",
    "enabled",
];
