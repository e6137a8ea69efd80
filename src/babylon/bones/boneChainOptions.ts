import type { Bone } from "@babylonjs/core/Bones/bone";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { finiteVector, knownOptions, nonNegative, reject } from "../../engine/index";
import type { VectorLike } from "../../engine/index";
import type { InertiaOptions } from "../behaviors/inertiaBinding";
import type { ColliderEntry, ColliderSource } from "../colliders/colliderOptions";
import type { Wind } from "../wind/wind";

export const OWNER = "BoneChainBehavior";

/**
 * A property along a chain: one number; a list with a number for each joint, of which the last holds for the rest; or a curve, a function of
 * the place along the chain, 0 at the root to 1 at the last joint.
 */
export type AlongChain = number | readonly number[] | ((place: number) => number);

/** A bone or node: itself, its name, or a function that tells it; the function may tell several. */
export type BoneSelector = Bone | TransformNode | string | ((node: Bone | TransformNode) => boolean);

/** Properties of the joints, for all chains or for one. */
export interface BoneJointOptions {
    /** Angular frequency of the spring that turns each joint back to its pose [1/s], >= 0; 0: none. A joint alone swings once in 2π / stiffness seconds. Default 20. */
    stiffness?: AlongChain;
    /** Rate at which the tails lose their velocity [1/s], >= 0; Infinity: at once. Default 12. */
    damping?: AlongChain;
    /** Radius of each joint's tail, which keeps out of colliders [m], >= 0. Default 0.02. */
    radius?: AlongChain;
    /** Largest angle between a joint and its pose [rad], 0..π. Default 2π/3; π: none. */
    limitAngle?: AlongChain;
    /** Acceleration [m/s²], world axes; one vector, or one for each joint. Default (0, 0, 0): the pose hangs already. */
    gravity?: VectorLike | readonly VectorLike[];
}

/** A chain of joints: see {@link BoneChainOptions.chains}. */
export interface BoneChain extends BoneJointOptions {
    /** First joint. A function may tell several: each is the root of a chain. */
    root: BoneSelector;
    /** Last joint: it does not turn, and is the tail of the one before. Left out: all descendants are joints, branches included; what has no child has a tail of {@link endLength}. */
    end?: BoneSelector;
    /** Joints of the chain one after the other, in place of the hierarchy below the root; those between them keep their pose. The last is only a tail, unless there is an {@link endLength}. */
    joints?: readonly (Bone | TransformNode)[];
    /** Length of the tail of joints without children [m]; 0 (default): they keep their pose. */
    endLength?: number;
    /** Colliders of this chain, among those of the behavior. Left out: all. */
    colliders?: readonly ColliderSource[];
    /** Inertia of this chain. Left out: that of the behavior. */
    inertia?: InertiaOptions | null;
}

/** Options of {@link BoneChainBehavior}; those that are no longer than a number or a vector are also properties. */
export interface BoneChainOptions extends BoneJointOptions {
    /** The chains. */
    chains: readonly BoneChain[];
    /** Ties the tails of neighbouring chains, in the order of `chains`, at equal depth: `"line"` each to the next, `"loop"` the last to the first, too. Default `"none"`. */
    links?: BoneLinks;
    /** Wind that blows on the tails, beside those of `Winds.add`; null (default): none. One with a zone is as strong as at the first root. */
    wind?: Wind | null;
    /** Acceleration by wind of 1 m/s, which grows with the square of the speed [1/m]. Default 0.5. */
    windDrag?: number;
    /** Colliders of the chains: spheres, capsules, boxes, planes, and the shapes of `Colliders.fromSkeleton`; beside those of `Colliders.add` that are one of these. */
    colliders?: readonly (ColliderSource | ColliderEntry)[];
    /** Node that the chains ride on, see {@link InertiaOptions}: with `linear: 0, angular: 0` they do not feel its motion. `air` has no effect. Default null. */
    inertia?: InertiaOptions | null;
    /** Share of the simulated pose, 0 (as animated) to 1 (default). */
    blend?: number;
    /** Pose that joints return to: that of the animation (default), or that of the file. */
    target?: "animation" | "rest";
    /**
     * `"stable"` (default): fixed steps; independent of frame rate, of scale and of teleports. `"exact"`: the algorithm of VRMC_springBone 1.0, one step a
     * frame, towards the file's pose; its motion depends on the frame rate.
     */
    mode?: BoneMode;
    /** False: the bones are as animated. Default true. */
    enabled?: boolean;
    /** True if the chains move while no one sees them. Default false: after ten frames out of view, the bones are as animated. */
    alwaysUpdate?: boolean;
    /** Distance from the nearest camera beyond which the bones are as animated [m], > 0. Default Infinity. */
    pauseDistance?: number;
}

export type BoneLinks = "none" | "line" | "loop";
export type BoneMode = "stable" | "exact";

export const JOINT_NAMES = ["stiffness", "damping", "radius", "limitAngle", "gravity"] as const;
const CHAIN_NAMES = [...JOINT_NAMES, "root", "end", "joints", "endLength", "colliders", "inertia"];
export const OPTION_NAMES: readonly (keyof BoneChainOptions)[] = [
    ...JOINT_NAMES,
    "chains",
    "links",
    "wind",
    "windDrag",
    "colliders",
    "inertia",
    "blend",
    "target",
    "mode",
    "enabled",
    "alwaysUpdate",
    "pauseDistance",
];

/** Defaults of the joints' properties. */
export const JOINT_DEFAULTS: Required<BoneJointOptions> = {
    stiffness: 20,
    damping: 12,
    radius: 0.02,
    limitAngle: (2 * Math.PI) / 3,
    gravity: { x: 0, y: 0, z: 0 },
};

/** One of some names. @throws RangeError otherwise */
export function oneOf<T extends string>(option: string, names: readonly T[], value: T): T {
    return names.includes(value) ? value : reject(OWNER, option, names.map((name) => `"${name}"`).join(" or "), value);
}

/** @throws RangeError on what is no list of chains, or a property of one that is out of range */
export function checkChains(chains: readonly BoneChain[]): readonly BoneChain[] {
    if (!Array.isArray(chains) || chains.length === 0) return reject(OWNER, "chains", "a list of { root, … }, not empty", chains);
    chains.forEach((chain, i) => {
        knownOptions(`${OWNER}: chains[${i}]`, chain, CHAIN_NAMES);
        const kind = typeof chain.root;
        if (kind !== "string" && kind !== "function" && !(kind === "object" && chain.root !== null))
            reject(OWNER, `chains[${i}].root`, "a bone, a node, a name or a function", chain.root);
        for (const name of JOINT_NAMES) checkJointOption(`chains[${i}].${name}`, name, chain[name]);
        if (chain.endLength !== undefined) nonNegative(OWNER, `chains[${i}].endLength`, chain.endLength);
    });
    return chains;
}

/** @throws RangeError on a value out of range */
export function checkJointOption(option: string, name: (typeof JOINT_NAMES)[number], value: unknown): void {
    if (value === undefined || typeof value === "function") return;
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) checkNumber(option, name, each);
    if (Array.isArray(value) && value.length === 0) reject(OWNER, option, "a list that is not empty", value);
}

function checkNumber(option: string, name: (typeof JOINT_NAMES)[number], value: unknown): void {
    if (name === "gravity") finiteVector(OWNER, option, value as VectorLike);
    else if (!(name === "damping" && value === Infinity)) nonNegative(OWNER, option, value);
}

/** Value of a property at a joint. @param index number of the joint in its chain; `place` the same, 0..1 @throws RangeError on what a curve returns */
export function valueAlong(name: (typeof JOINT_NAMES)[number], value: AlongChain, index: number, place: number): number {
    if (typeof value === "number") return value;
    if (typeof value !== "function") return value[Math.min(index, value.length - 1)];
    const found = value(place);
    checkNumber(name, name, found);
    return found;
}

/** Gravity at a joint. */
export function gravityAlong(value: VectorLike | readonly VectorLike[], index: number): VectorLike {
    return Array.isArray(value) ? (value as VectorLike[])[Math.min(index, value.length - 1)] : (value as VectorLike);
}
