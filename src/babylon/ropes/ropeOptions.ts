import type { Bone } from "@babylonjs/core/Bones/bone";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { BODY_OPTION_NAMES } from "../bodyOptions";
import type { BodyOptions } from "../bodyOptions";
import type { Wind } from "../wind/wind";
import type { ClothVertex } from "./ropeEnds";

/** What the end of a rope can be tied to. */
export type RopeEnd = TransformNode | Bone | ClothVertex;

/** Options of a rope; each is also a property of {@link RopeBehavior}, where its meaning is told. Those of cloth mean the same. */
export interface RopeOptions extends BodyOptions {
    length?: number | null;
    linearDensity?: number;
    stretchStiffness?: number;
    bendStiffness?: number;
    twistStiffness?: number;
    startMass?: number;
    endMass?: number;
    radius?: number;
    selfCollision?: boolean;
    wind?: Wind | null;
    friction?: number;
    damping?: number;
    segmentCount?: number | null;
    start?: RopeEnd | null;
    end?: RopeEnd | null;
}

export const ROPE_OPTION_NAMES: readonly (keyof RopeOptions)[] = [
    "segmentCount",
    "twistStiffness",
    "start",
    "end",
    "length",
    "linearDensity",
    "stretchStiffness",
    "bendStiffness",
    "startMass",
    "endMass",
    "radius",
    "selfCollision",
    "wind",
    "friction",
    "damping",
    ...BODY_OPTION_NAMES,
];
