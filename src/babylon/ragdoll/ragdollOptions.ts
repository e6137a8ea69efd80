import type { Bone } from "@babylonjs/core/Bones/bone";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { RigidBodyJoint } from "../rigidbody/joints";
import type { RigidBodyBehavior, RigidBodyOptions } from "../rigidbody/rigidBodyBehavior";
import { RIGID_BODY_OPTION_NAMES } from "../rigidbody/rigidBodyBehavior";
import { finiteVector, knownOptions, positive, reject } from "../../engine/index";
import type { VectorLike } from "../../engine/index";
import type { FitOptions } from "../colliders/skeleton/fitBones";

/** Names the class in errors. */
export const OWNER = "Ragdoll";

/** A bone of a {@link Ragdoll} that has a body. */
export interface RagdollLimb {
    readonly bone: Bone;
    /** A hidden box; its behavior moves it. */
    readonly mesh: Mesh;
    readonly body: RigidBodyBehavior;
    /** At the bone's head, to the nearest parent that is a limb; null before the ragdoll falls, and of the first. */
    readonly joint: RigidBodyJoint | null;
}

/** Joint limits of limbs. */
export interface RagdollLimit {
    /** Names of their bones. */
    bones: RegExp;
    /** Largest swing from the bind pose [rad], 0 to π. Default: unlimited. */
    swing?: number;
    /** Largest twist about their axis, either way [rad], 0 to π. Default: unlimited. */
    twist?: number;
    /** A hinge instead of swing and twist, as of elbows and knees: they turn only about an axis, relative to their parents. */
    hinge?: RagdollHinge;
}

/** Hinge axis and limits of a limb. */
export interface RagdollHinge {
    /** Direction in the mesh's local space in the bind pose; any length but 0. */
    axis: VectorLike;
    /** Angle limits from the bind pose [rad]: -π <= min <= 0 <= max <= π. */
    min: number;
    max: number;
}

/**
 * Options of {@link Ragdoll.fromSkeleton}: those of capsules fitted to bones, and those of {@link RigidBodyBehavior}, for all limbs. `mass` is that of the whole, shared by volume; `density`
 * is half that of a body, as of any: boxes overlap at joints. `damping` is 0.2 /s, `sleepSpeed` 0.02 m/s, `alwaysUpdate` true.
 */
export interface RagdollOptions extends FitOptions, Omit<RigidBodyOptions, "pins" | "enabled"> {
    /** See {@link Ragdoll.blend}. Default 1. */
    blend?: number;
    /** For each limb the first whose name fits counts. Default: trunk, neck and head 0.4 rad both; any other 1.2 rad of swing and 0.4 rad of twist. */
    limits?: readonly RagdollLimit[];
}

/** Limits of limbs that match none of the user's. */
const DEFAULT_LIMITS: readonly RagdollLimit[] = [
    { bones: /spine|chest|torso|trunk|neck|head/i, swing: 0.4, twist: 0.4 },
    { bones: /(?:)/, swing: 1.2, twist: 0.4 },
];

const NAMES: readonly string[] = [
    "blend",
    "limits",
    "percentile",
    "least",
    ...RIGID_BODY_OPTION_NAMES.filter((name) => name !== "pins" && name !== "enabled"),
];

/** Options of the bodies, and the total mass. @throws RangeError on an unknown option, or a mass or limit out of range */
export function readOptions(options: RagdollOptions): { bodies: RigidBodyOptions; mass: number | null } {
    knownOptions(OWNER, options, NAMES);
    const { blend: _blend, percentile: _percentile, least: _least, limits: _limits, mass = null, ...bodies } = options;
    if (mass !== null) positive(OWNER, "mass", mass);
    return { bodies: { damping: 0.2, sleepSpeed: 0.02, alwaysUpdate: true, ...bodies }, mass };
}

/** Limits of a limb by its bone's name. @throws RangeError on invalid limits */
export function readLimits({ limits = [] }: RagdollOptions): (bone: string) => RagdollLimit {
    if (!Array.isArray(limits)) reject(OWNER, "limits", "an array of { bones, swing?, twist?, hinge? }", limits);
    (limits as readonly RagdollLimit[]).forEach((limit, i) => checkLimit(`limits[${i}]`, limit));
    const all: RagdollLimit[] = [...limits, ...DEFAULT_LIMITS];
    return (bone) => all.find(({ bones }) => bone.search(bones) >= 0)!;
}

function checkLimit(option: string, limit: RagdollLimit): void {
    if (!(limit?.bones instanceof RegExp)) reject(OWNER, `${option}.bones`, "a regular expression", limit?.bones);
    const { bones: _bones, hinge, ...angles } = limit;
    if (hinge !== undefined) checkHinge(`${option}.hinge`, hinge);
    knownOptions(OWNER, angles, ["swing", "twist"]);
    if (hinge !== undefined && Object.keys(angles).length > 0)
        reject(OWNER, option, "a hinge, or swing and twist", Object.keys(limit));
    for (const [name, value] of Object.entries(angles))
        if (!(value >= 0 && value <= Math.PI)) reject(OWNER, `${option}.${name}`, "an angle from 0 to π", value);
}

function checkHinge(option: string, hinge: RagdollHinge): void {
    if (typeof hinge !== "object" || hinge === null) reject(OWNER, option, "{ axis, min, max }", hinge);
    knownOptions(OWNER, hinge, ["axis", "min", "max"]);
    const { axis, min, max } = hinge;
    finiteVector(OWNER, `${option}.axis`, axis);
    if (!(Math.hypot(axis.x, axis.y, axis.z) > 0)) reject(OWNER, `${option}.axis`, "a direction, not 0", axis);
    if (!(min >= -Math.PI && min <= 0 && max >= 0 && max <= Math.PI))
        reject(OWNER, option, "of -π <= min <= 0 <= max <= π: as bound it is at 0", hinge);
}
