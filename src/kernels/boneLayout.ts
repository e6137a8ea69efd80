/** Bone chains: the joints of one rig, see engine/bones/boneRig.ts and assembly/boneChains.ts. Slots of records of doubles count doubles. */
import { count, doubles, flag, integers } from "./structSchema";
import type { Struct } from "./structSchema";

/** Slots of {@link BoneChainLayout.poses}: a joint's pose in its parent's space, in the order of Babylon: scaling, rotation, translation. */
export const JointPose = {
    /** Rotation, a unit quaternion x y z w. */
    rotation: 0,
    /** Translation x y z. */
    translation: 4,
    /** The tail in the joint's space, its scaling applied, x y z; zeros: the joint has none. */
    tail: 7,
    /** Scaling x y z. */
    scaling: 10,
    count: 13,
} as const;

/** Slots of {@link BoneChainLayout.rates}. */
export const JointRate = {
    /** Of a whole step: share of the displacement that is kept. */
    keep: 0,
    /** Pull towards the pose, in bone lengths (in the exact mode: in metres). */
    pull: 1,
    /** Displacement per acceleration [s²]. */
    push: 2,
    /** That of the time between the last step and the end of the frame. */
    lateKeep: 3,
    latePull: 4,
    latePush: 5,
    /** Radius of the tail [m]. */
    radius: 6,
    /** Cosine of the largest angle between the bone and its pose. */
    limitCosine: 7,
    /** Acceleration by gravity and wind [m/s²], x y z. */
    acceleration: 8,
    count: 11,
} as const;

/** Slots of {@link BoneChainLayout.states}. */
export const JointState = {
    /** Place of the tail at the end of the last step [m], x y z. */
    tail: 0,
    /** Displacement of the tail in the last step [m], x y z. */
    displacement: 3,
    count: 6,
} as const;

/** Slots of {@link BoneChainLayout.frames}: within a step, what a joint carries. */
export const JointFrame = {
    /** Linear map from the joint's space to the world, rows. */
    linear: 0,
    /** Place of the joint [m], x y z. */
    head: 9,
    /** Rotation times the parent's map: the same without the joint's scaling and bending, rows. */
    posed: 12,
    /** Place of the tail [m], x y z. */
    tail: 21,
    /** Length of the bone [m]. */
    length: 24,
    count: 25,
} as const;

/** Words of a joint in {@link BoneChainLayout.joints}. */
export const JointIndex = {
    /** Index of the parent joint; with the top bit, of a root. */
    parent: 0,
    /** Index of the anchor that carries it; NONE: none. */
    anchor: 1,
    /** Range in colliderLists. */
    firstCollider: 2,
    colliderEnd: 3,
    count: 4,
} as const;

/** Top bit of {@link JointIndex.parent}: the parent is a root. */
export const IS_ROOT = 0x80000000;

/** Slots of a map of roots and anchors: linear rows, then the translation. */
export const BoneMap = { linear: 0, translation: 9, count: 12 } as const;

/** Slots of a collider of bones. */
export const BoneCollider = {
    /** See {@link BoneColliderKind}. */
    kind: 0,
    /** Capsule: the middle of its first sphere. Half-space: a point of its plane. Box: its middle [m], x y z. */
    place: 1,
    /** Capsule: from there to the middle of the other sphere. Half-space: its normal. Box: its unit axes, three rows. */
    axes: 4,
    /** Capsule: radii of both spheres. Box: half extents x y z [m]. */
    sizes: 13,
    count: 16,
} as const;

/** Values of {@link BoneCollider.kind}. */
export const BoneColliderKind = { none: 0, capsule: 1, insideCapsule: 2, halfSpace: 3, box: 4 } as const;

/** Slots of {@link BoneChainLayout.frame}. */
export const BoneFrame = {
    /** Share of the frame at which its first step ends, and that a step is. */
    firstShare: 0,
    stepShare: 1,
    /** Scale of the links' lengths: that of the world now over that at the begin. */
    linkScale: 2,
    count: 3,
} as const;

/** Joints of one rig. Parents come before their children. Records hold doubles: the world's coordinates are exact however far away. */
export const BoneChainLayout = {
    jointCount: count,
    rootCount: count,
    anchorCount: count,
    colliderCount: count,
    listCount: count,
    linkCount: count,
    levelCount: count,
    /** Most steps of a frame, and one more. */
    mapCount: count,
    /** Steps of this frame. */
    stepCount: count,
    /** True for the algorithm of VRMC_springBone: one step a frame, which is drawn. */
    isExact: flag,
    /** Address of the rig's descriptor that comes next; 0: none. */
    next: count,
    /** See {@link JointIndex}. */
    joints: integers("jointCount", JointIndex.count),
    /** Colliders of joints, by index. */
    colliderLists: integers("listCount"),
    /** Joints whose tails a link ties, two each. */
    links: integers("linkCount", 2),
    /** Joints and links that are solved together: first and end of each, shape [levelCount, 4]. */
    levels: integers("levelCount", 4),
    /** Poses at the end of this frame and of the last one, see {@link JointPose}. */
    poses: doubles("jointCount", JointPose.count),
    previousPoses: doubles("jointCount", JointPose.count),
    /** See {@link JointRate}. */
    rates: doubles("jointCount", JointRate.count),
    /** See {@link JointState}. */
    states: doubles("jointCount", JointState.count),
    /** See {@link JointFrame}. */
    frames: doubles("jointCount", JointFrame.count),
    /** Result: the rotation that bends each joint out of its pose, in its own space, a unit quaternion. */
    bends: doubles("jointCount", 4),
    /** World maps of what carries the chains, at the end of this frame, of the last one, and within a step, see {@link BoneMap}. */
    roots: doubles("rootCount", BoneMap.count),
    previousRoots: doubles("rootCount", BoneMap.count),
    currentRoots: doubles("rootCount", BoneMap.count),
    /** Motion of each anchor that is not felt, step by step and after the last one, see {@link BoneMap}. */
    anchorMaps: doubles("anchorCount", "mapCount", BoneMap.count),
    /** See {@link BoneCollider}; as of {@link BoneChainLayout.roots}. */
    colliders: doubles("colliderCount", BoneCollider.count),
    previousColliders: doubles("colliderCount", BoneCollider.count),
    currentColliders: doubles("colliderCount", BoneCollider.count),
    /** Lengths of the links at rest [m]. */
    linkLengths: doubles("linkCount"),
    /** See {@link BoneFrame}. */
    frame: doubles(BoneFrame.count),
};

/** See {@link BoneChainLayout}. */
export type BoneChainArrays = Struct<typeof BoneChainLayout>;
