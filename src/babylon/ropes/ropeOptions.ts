import type { Bone } from "@babylonjs/core/Bones/bone";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { ClothOptions } from "../clothOptions";

/** Options of a rope; each is also a property of {@link RopeBehavior}, where its meaning is told. Those of cloth mean the same: see {@link ClothOptions}. */
export interface RopeOptions extends Pick<
    ClothOptions,
    | "pins"
    | "colliders"
    | "gravity"
    | "substepCount"
    | "fixedTimeStep"
    | "maxStepsPerFrame"
    | "sleepSpeed"
    | "collideWithPhysics"
    | "collisionGroup"
    | "collisionMask"
    | "priority"
    | "alwaysUpdate"
    | "fullDetailDistance"
    | "pauseDistance"
    | "backend"
    | "teleportSpeed"
    | "autoStep"
    | "enabled"
> {
    length?: number | null;
    linearDensity?: number;
    stretchStiffness?: number;
    bendStiffness?: number;
    startMass?: number;
    endMass?: number;
    radius?: number;
    friction?: number;
    damping?: number;
    segmentCount?: number | null;
    start?: TransformNode | Bone | null;
    end?: TransformNode | Bone | null;
}

export const ROPE_OPTION_NAMES: readonly (keyof RopeOptions)[] = [
    "segmentCount",
    "start",
    "end",
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
    "backend",
    "teleportSpeed",
    "autoStep",
    "enabled",
    "length",
    "linearDensity",
    "stretchStiffness",
    "bendStiffness",
    "startMass",
    "endMass",
    "radius",
    "friction",
    "damping",
];
