import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { ColliderEntry, ColliderSource } from "../colliders/colliderOptions";
import type { PinOptions } from "../pins/pinHold";
import type { VectorLike, Fabric, FabricName, SolverName } from "../../engine/index";
import type { Backstop, MaxDistance } from "../pins/maxDistance";
import type { InertiaOptions } from "./inertiaBinding";
import type { WindName } from "../wind/namedWinds";
import type { Wind } from "../wind/wind";

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

/** Self-collision: none, by particles, by triangles, or by triangles with a guarantee that nothing passes. */
export type SelfCollision = false | "particles" | "triangles" | "robust";

/** Options of a cloth; each is also a property of {@link ClothBehavior}, where its meaning is told. */
export interface ClothOptions extends BodyOptions {
    fabric?: FabricName | Partial<Fabric>;
    wind?: Wind | WindName | null;
    inertia?: InertiaOptions | null;
    tetherSlack?: number;
    parts?: readonly Mesh[];
    skin?: boolean;
    skinStiffness?: number;
    skinBlend?: number;
    maxDistance?: MaxDistance | null;
    backstop?: Backstop | null;
    selfCollision?: SelfCollision;
    selfThickness?: number | null;
    adaptiveStep?: boolean;
    solver?: SolverName;
    springDamping?: number;
}

export const OPTION_NAMES: readonly (keyof ClothOptions)[] = [
    "fabric",
    "wind",
    "inertia",
    "tetherSlack",
    "parts",
    "skin",
    "skinStiffness",
    "skinBlend",
    "maxDistance",
    "backstop",
    "selfCollision",
    "selfThickness",
    "adaptiveStep",
    "solver",
    "springDamping",
    ...BODY_OPTION_NAMES,
];
