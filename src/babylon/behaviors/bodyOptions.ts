import type { ColliderEntry, ColliderSource } from "../colliders/colliderOptions";
import type { PinOptions } from "../pins/pin";
import type { VectorLike } from "../../engine/index";

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
