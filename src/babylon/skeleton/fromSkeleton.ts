import type { Bone } from "@babylonjs/core/Bones/bone";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { invert } from "../../solver/affine";
import { knownOptions, reject } from "../../solver/validate";
import type { Vector } from "../../solver/vector";
import { onBone } from "./boneShape";
import type { BoneShape } from "./boneShape";
import { fitCapsule, principalAxis } from "./fitCapsule";
import type { Axis, Capsule } from "./fitCapsule";
import { SkinPose } from "./skinPose";
import { springBoneShapes } from "./springBones";

const OWNER = "Colliders: fromSkeleton";

/** Options of {@link Colliders.fromSkeleton}. */
export interface SkeletonOptions {
    /** Share of a bone's vertices that its capsule's radii hold, 0..1. Default 0.85: what sticks out is cut off. */
    percentile?: number;
    /** Bones whose capsule measures less than this share of the mesh's size get none; what they move counts with their parents. 0..1. Default 0.05. */
    least?: number;
    /**
     * The file that the mesh was loaded from, as the glTF loader has parsed it (`loader.onParsedObservable`, `json`): colliders of a VRM's
     * spring bones, of version 0 or 1, are taken as they are, in place of fitted ones. Left out: what `metadata.gltf` of the mesh or a
     * parent holds (`extensions`, or `extras`).
     */
    gltf?: object;
}

/** Points of a bone, in the mesh's local space as it was bound, shape [n, 3]. */
type Cloud = number[];

/** Fewer points show no shape. */
const FEWEST = 4;
/** A joint nearer to another than this share of the mesh's size is the same one. */
const SAME = 1e-4;

/** See {@link Colliders.fromSkeleton}. */
export function fromSkeleton(mesh: AbstractMesh, options: SkeletonOptions = {}): BoneShape[] {
    knownOptions(OWNER, options, ["percentile", "least", "gltf"]);
    const { percentile = 0.85, least = 0.05, gltf } = options;
    for (const [name, value] of Object.entries({ percentile, least })) {
        if (!(typeof value === "number" && value >= 0 && value <= 1)) reject(OWNER, name, "a number from 0 to 1", value);
    }
    if (!mesh?.skeleton || typeof mesh.getVerticesData !== "function")
        reject(OWNER, "mesh", "a mesh with a skeleton", mesh?.name ?? mesh);
    if (mesh.isDisposed()) reject(OWNER, "mesh", "a mesh that is not disposed", mesh.name);
    const given = springBoneShapes(gltf ?? metadataOf(mesh), nodesAbout(mesh), OWNER);
    return given.length > 0 ? given : fitBones(mesh, percentile, least);
}

/** All nodes that were loaded with a mesh: those that hang together with it. */
function nodesAbout(mesh: AbstractMesh): TransformNode[] {
    let root: TransformNode = mesh;
    while (root.parent) root = root.parent as TransformNode;
    return [root, ...(root.getDescendants(false) as TransformNode[])];
}

/** What the loader has left of a file at a mesh or a parent. */
function metadataOf(mesh: AbstractMesh): object | undefined {
    for (let node: TransformNode | null = mesh; node; node = node.parent as TransformNode | null) {
        const { gltf } = (node.metadata ?? {}) as { gltf?: { extensions?: object; extras?: { extensions?: object } } };
        if (gltf?.extensions) return gltf;
        if (gltf?.extras) return gltf.extras.extensions ? gltf.extras : { extensions: gltf.extras };
    }
    return undefined;
}

function fitBones(mesh: AbstractMesh, percentile: number, least: number): BoneShape[] {
    const { bones } = mesh.skeleton!;
    const clouds = cloudsOf(mesh);
    const size = sizeOf(clouds.flat());
    const heads = bones.map(headOf);
    const skin = new SkinPose(mesh);
    const shapes: BoneShape[] = [];
    // Children come after their parents: what is small is the parents' when they are seen.
    for (let i = bones.length - 1; i >= 0; i--) {
        const bone = bones[i];
        const parent = bones.indexOf(bone.getParent()!);
        const capsule =
            clouds[i].length >= 3 * FEWEST ? fitCapsule(clouds[i], axisOf(bone, bones, heads, clouds, size), percentile) : null;
        if (!capsule || measure(capsule) < least * size) {
            if (parent >= 0) clouds[parent].push(...clouds[i]);
            clouds[i].length = 0;
            continue;
        }
        shapes.push(onBone({ name: bone.name, carrier: bone, ...capsule }, bone, skin));
    }
    return shapes.reverse();
}

/** Along which a bone's points lie: from its joint to that of the child that goes on, or their longest axis. */
function axisOf(bone: Bone, bones: readonly Bone[], heads: readonly Vector[], clouds: readonly Cloud[], size: number): Axis {
    const i = bones.indexOf(bone);
    const children = bone.children.map((child) => bones.indexOf(child)).filter((k) => clouds[k].length > 0);
    if (children.length !== 1) return principalAxis(clouds[i]);
    const along = heads[children[0]].map((x, c) => x - heads[i][c]);
    const length = Math.hypot(...along);
    if (!(length > SAME * size)) return principalAxis(clouds[i]);
    const hasParent = clouds[bones.indexOf(bone.getParent()!)]?.length > 0;
    const direction = along.map((x) => x / length) as unknown as Vector;
    return { base: heads[i], direction, from: hasParent ? 0 : NaN, to: length };
}

/** The vertices that each bone moves most. */
function cloudsOf(mesh: AbstractMesh): Cloud[] {
    const bones = mesh.skeleton!.bones;
    const clouds: Cloud[] = bones.map(() => []);
    const boneAt = new Map(bones.map((bone, i) => [bone.getIndex(), i]));
    const positions = mesh.getVerticesData("position");
    const kinds = ["", "Extra"].map((more) => ({
        indices: mesh.getVerticesData(`matricesIndices${more}`),
        weights: mesh.getVerticesData(`matricesWeights${more}`),
    }));
    if (!positions || !kinds[0].indices || !kinds[0].weights) reject(OWNER, "mesh", "a mesh with bones' weights", mesh.name);
    for (let v = 0; v < positions.length / 3; v++) {
        let heaviest = 0;
        let cloud: Cloud | undefined;
        for (const { indices, weights } of kinds) {
            for (let k = 4 * v; indices && weights && k < 4 * v + 4; k++) {
                if (!(weights[k] > heaviest)) continue;
                heaviest = weights[k];
                cloud = clouds[boneAt.get(indices[k]) ?? -1];
            }
        }
        const at = [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]];
        if (at.every(Number.isFinite)) cloud?.push(...at);
    }
    return clouds;
}

/** Where a bone begins, in the mesh's local space as it was bound. */
function headOf(bone: Bone): Vector {
    const bind = new Float64Array(16);
    if (!invert(bone.getAbsoluteInverseBindMatrix().m, bind)) return [0, 0, 0];
    return [bind[12], bind[13], bind[14]];
}

function measure({ start, end, startRadius, endRadius }: Capsule): number {
    return Math.hypot(...end.map((x, c) => x - start[c])) + startRadius + endRadius;
}

function sizeOf(points: Cloud): number {
    let largest = 0;
    for (let c = 0; c < 3; c++) {
        let low = Infinity;
        let high = -Infinity;
        for (let i = c; i < points.length; i += 3) {
            low = Math.min(low, points[i]);
            high = Math.max(high, points[i]);
        }
        largest = Math.max(largest, high - low);
    }
    return largest;
}
