import type { VectorLike } from "../../engine/math/vector";
import type { ColliderEntry } from "../bodyOptions";
import type { ClothBehavior } from "../clothBehavior";
import type { ColliderSource } from "../handles";
import type { PlantBehavior } from "../plants/plantBehavior";
import type { Wind } from "../wind/wind";

/** Options of {@link ClothParticles}; each is also a property of it, where its meaning is told. */
export interface ClothParticlesOptions {
    mass?: number;
    radius?: number;
    drag?: number;
    restitution?: number;
    friction?: number;
    wind?: Wind | null;
    gravity?: VectorLike | null;
    colliders?: readonly (ColliderSource | ColliderEntry)[];
    cloths?: readonly (ClothBehavior | PlantBehavior)[];
    dieOnImpact?: boolean;
    substepCount?: number;
}

export const PARTICLE_OPTION_NAMES: readonly (keyof ClothParticlesOptions)[] = [
    "mass",
    "radius",
    "drag",
    "restitution",
    "friction",
    "wind",
    "gravity",
    "colliders",
    "cloths",
    "dieOnImpact",
    "substepCount",
];
