/** Spring bones of VRM files: version 1 (`extensions.VRMC_springBone`) and version 0 (`extensions.VRM.secondaryAnimation`), as far as they are read. */
import { reject } from "../../engine/index";
import type { Vector } from "../../engine/index";

export const OWNER = "VrmLoader";

/** A collider in its node's space. */
export interface ColliderOfFile {
    readonly node: number;
    readonly offset: Vector;
    /** Other end of a capsule, normal of a plane; null: a sphere. */
    readonly tail: Vector | null;
    readonly normal: Vector | null;
    readonly radius: number;
    readonly isInside: boolean;
}

/** Numbers of a joint, as the specification names them. */
export interface JointOfFile {
    readonly hitRadius: number;
    readonly stiffness: number;
    readonly gravityPower: number;
    readonly gravityDir: Vector;
    readonly dragForce: number;
}

/** A chain of a file. */
export interface SpringOfFile {
    /** Nodes of the joints, the last is only a tail; of version 0, the root alone. */
    readonly nodes: readonly number[];
    /** True if all descendants of the root are joints, and the last ones have tails of 7 cm. */
    readonly isTree: boolean;
    readonly joints: readonly JointOfFile[];
    /** Indices of colliders. */
    readonly colliders: readonly number[];
    /** Node in whose space inertia counts; -1: none. */
    readonly center: number;
}

/** All spring bones of a file. */
export interface SpringBonesOfFile {
    readonly colliders: readonly ColliderOfFile[];
    readonly springs: readonly SpringOfFile[];
}

interface Shape {
    readonly sphere?: { offset?: number[]; radius?: number; inside?: boolean };
    readonly capsule?: { offset?: number[]; radius?: number; tail?: number[]; inside?: boolean };
    readonly plane?: { offset?: number[]; normal?: number[] };
}

interface Vrm1 {
    readonly colliders?: { node: number; shape?: Shape; extensions?: { VRMC_springBone_extended_collider?: { shape?: Shape } } }[];
    readonly colliderGroups?: { colliders?: number[] }[];
    readonly springs?: {
        joints?: (Partial<Omit<JointOfFile, "gravityDir">> & { node: number; gravityDir?: number[] })[];
        colliderGroups?: number[];
        center?: number;
    }[];
}

interface Place {
    readonly x?: number;
    readonly y?: number;
    readonly z?: number;
}

interface Vrm0 {
    readonly secondaryAnimation?: {
        readonly boneGroups?: {
            stiffiness?: number;
            gravityPower?: number;
            gravityDir?: Place;
            dragForce?: number;
            center?: number;
            hitRadius?: number;
            bones?: number[];
            colliderGroups?: number[];
        }[];
        readonly colliderGroups?: { node: number; colliders?: { offset?: Place; radius?: number }[] }[];
    };
}

/** Spring bones of a file; null: it has none. @throws RangeError on numbers that are none */
export function readSpringBones(extensions: Readonly<Record<string, unknown>> | undefined): SpringBonesOfFile | null {
    const { VRMC_springBone: vrm1, VRM: vrm0 } = extensions ?? {};
    const found = vrm1 ? readVrm1(vrm1 as Vrm1) : (vrm0 as Vrm0 | undefined)?.secondaryAnimation ? readVrm0(vrm0 as Vrm0) : null;
    return found && found.springs.length > 0 ? found : null;
}

function readVrm1({ colliders = [], colliderGroups = [], springs = [] }: Vrm1): SpringBonesOfFile {
    return {
        colliders: colliders.map(({ node, shape, extensions }, i) => {
            const where = `colliders[${i}]`;
            // Readers that know only the core draw its shape in place of the extended one.
            const { sphere, capsule, plane } = extensions?.VRMC_springBone_extended_collider?.shape ?? shape ?? {};
            const { offset, radius = 0, inside = false } = sphere ?? capsule ?? { offset: plane?.offset };
            return {
                node,
                offset: vectorOf(where, offset ?? [0, 0, 0]),
                tail: capsule ? vectorOf(where, capsule.tail ?? [0, 0, 0]) : null,
                normal: plane && !sphere && !capsule ? vectorOf(where, plane.normal ?? [0, 0, 1]) : null,
                radius: numberOf(where, radius),
                isInside: inside,
            };
        }),
        springs: springs.flatMap(({ joints = [], colliderGroups: groups = [], center = -1 }, i) => {
            if (joints.length < 2) return [];
            return {
                nodes: joints.map(({ node }) => node),
                isTree: false,
                joints: joints.map((joint) => jointOf(`springs[${i}]`, joint, joint.gravityDir)),
                colliders: groups.flatMap((group) => colliderGroups[group]?.colliders ?? []),
                center,
            };
        }),
    };
}

function readVrm0({ secondaryAnimation: { boneGroups = [], colliderGroups = [] } = {} }: Vrm0): SpringBonesOfFile {
    const colliders: ColliderOfFile[] = [];
    const ranges = colliderGroups.map(({ node, colliders: own = [] }) =>
        own.map(({ offset: { x = 0, y = 0, z = 0 } = {}, radius = 0 }) => {
            // Written in the left-handed axes of the program that made it.
            const offset = vectorOf("secondaryAnimation", [x, y, -z]);
            return colliders.push({ node, offset, tail: null, normal: null, radius, isInside: false }) - 1;
        }),
    );
    const springs = boneGroups.flatMap(
        ({ bones = [], stiffiness: stiffness, gravityDir, colliderGroups: groups = [], center = -1, ...rest }) => {
            const { x = 0, y = 0, z = 0 } = gravityDir ?? { y: -1 };
            const joint = jointOf("secondaryAnimation", { ...rest, stiffness }, [x, y, z]);
            const own = groups.flatMap((group) => ranges[group] ?? []);
            return bones.map((node) => ({ nodes: [node], isTree: true, joints: [joint], colliders: own, center }));
        },
    );
    return { colliders, springs };
}

function jointOf(where: string, joint: Partial<Omit<JointOfFile, "gravityDir">>, direction = [0, -1, 0]): JointOfFile {
    const { hitRadius = 0, stiffness = 1, gravityPower = 0, dragForce = 0.5 } = joint;
    return {
        hitRadius: numberOf(where, hitRadius),
        stiffness: numberOf(where, stiffness),
        gravityPower: numberOf(where, gravityPower),
        dragForce: Math.min(1, Math.max(0, numberOf(where, dragForce))),
        gravityDir: vectorOf(where, direction),
    };
}

function numberOf(where: string, value: number): number {
    return Number.isFinite(value) ? value : reject(OWNER, where, "of finite numbers", value);
}

function vectorOf(where: string, value: readonly number[]): Vector {
    return value.length === 3 && value.every(Number.isFinite)
        ? (value as unknown as Vector)
        : reject(OWNER, where, "of vectors x, y, z", value);
}
