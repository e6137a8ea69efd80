/** Colliders of a VRM's spring bones: of version 0 (`extensions.VRM.secondaryAnimation`) and of version 1 (`extensions.VRMC_springBone`). */
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { reject } from "../../../engine/index";
import type { Vector } from "../../../engine/index";
import { onNode } from "./boneShape";
import type { BoneShape } from "../colliderOptions";

/** Part of a VRM file that is read; all of it is optional. */
interface Vrm {
    extensions?: {
        VRM?: { secondaryAnimation?: { colliderGroups?: { node?: number; colliders?: Vrm0Collider[] }[] } };
        VRMC_springBone?: { colliders?: { node?: number; shape?: Vrm1Shape }[] };
    };
}

interface Vrm0Collider {
    offset?: { x?: number; y?: number; z?: number };
    radius?: number;
}

interface Vrm1Shape {
    sphere?: { offset?: number[]; radius?: number };
    capsule?: { offset?: number[]; radius?: number; tail?: number[] };
}

/** Metadata of the glTF loader: JSON pointers into the file. */
interface Loaded {
    _internalMetadata?: { gltf?: { pointers?: string[] } };
}

/** A shape of a file, and the index of its node. */
interface Entry {
    node?: number;
    start: number[];
    end: number[];
    radius?: number;
}

/**
 * @param nodes nodes that were loaded from the file
 * @throws RangeError on a collider whose node or numbers cannot be used
 */
export function springBoneShapes(file: object | undefined, nodes: readonly TransformNode[], owner: string): BoneShape[] {
    const { extensions } = (file ?? {}) as Vrm;
    const entries = [...vrm0Entries(extensions?.VRM), ...vrm1Entries(extensions?.VRMC_springBone)];
    return entries
        .map(({ node: number, start, end, radius = 0 }) => {
            const node = nodes.find((candidate) => isNode(candidate, number));
            if (!node)
                reject(owner, "gltf", "the file of the mesh (a spring bone's collider is on a node that is not there)", number);
            if (![...start, ...end, radius].every(Number.isFinite) || radius < 0)
                reject(owner, "gltf", "of spring bones' colliders with finite numbers", node.name);
            const ends = { start: start as unknown as Vector, end: end as unknown as Vector };
            return onNode({ name: node.name, carrier: node, ...ends, startRadius: radius, endRadius: radius }, node);
        })
        .filter(({ startRadius }) => startRadius > 0);
}

function vrm0Entries(vrm: NonNullable<Vrm["extensions"]>["VRM"]): Entry[] {
    return (vrm?.secondaryAnimation?.colliderGroups ?? []).flatMap(({ node, colliders = [] }) =>
        colliders.map(({ offset: { x = 0, y = 0, z = 0 } = {}, radius }) => {
            // Written in the left-handed axes of the program that made it.
            const middle = [x, y, -z];
            return { node, radius, start: middle, end: middle };
        }),
    );
}

function vrm1Entries(vrm: NonNullable<Vrm["extensions"]>["VRMC_springBone"]): Entry[] {
    return (vrm?.colliders ?? []).flatMap(({ node, shape: { sphere, capsule } = {} }) => {
        const { offset = [0, 0, 0], radius } = sphere ?? capsule ?? {};
        return sphere || capsule ? [{ node, radius, start: offset, end: capsule?.tail ?? offset }] : [];
    });
}

function isNode(candidate: TransformNode, number: number | undefined): boolean {
    return (candidate as Loaded)._internalMetadata?.gltf?.pointers?.includes(`/nodes/${number}`) ?? false;
}
