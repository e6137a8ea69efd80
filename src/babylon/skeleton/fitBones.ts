import type { Bone } from "@babylonjs/core/Bones/bone";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { identity, invert } from "../../engine/math/affine";
import type { Affine } from "../../engine/math/affine";
import { reject, share } from "../../engine/state/validate";
import type { Vector } from "../../engine/math/vector";
import { fitCapsule, principalAxis } from "./fitCapsule";
import type { Axis, Capsule } from "./fitCapsule";

/** How capsules are fitted to the bones of a skinned mesh. */
export interface FitOptions {
    /** Share of a bone's vertices that its capsule's radii hold, 0..1. Default 0.85: what sticks out is cut off. */
    percentile?: number;
    /** Bones whose capsule measures less than this share of the mesh's size get none; what they move counts with their parents. 0..1. Default 0.05. */
    least?: number;
}

/** A bone with the capsule about what it moves, in the mesh's local space as it was bound. */
export interface FittedBone {
    readonly bone: Bone;
    readonly capsule: Capsule;
}

/** Points of a bone, in the mesh's local space as it was bound, shape [n, 3]. */
type Cloud = number[];

/** Fewer points show no shape. */
const MIN_POINTS = 4;
/** A joint nearer to another than this share of the mesh's size is the same one. */
const COINCIDENCE_TOLERANCE = 1e-4;

/** Whether bones carry a mesh. @throws RangeError otherwise */
export function checkSkinned(owner: string, mesh: AbstractMesh): void {
    if (!mesh?.skeleton || typeof mesh.getVerticesData !== "function")
        reject(owner, "mesh", "a mesh with a skeleton", mesh?.name ?? mesh);
    if (mesh.isDisposed()) reject(owner, "mesh", "a mesh that is not disposed", mesh.name);
}

/** Tapered capsules about what bones move most, parents first. @throws RangeError on a mesh without weights, or an option out of range */
export function fitBones(owner: string, mesh: AbstractMesh, options: FitOptions): FittedBone[] {
    const { percentile = 0.85, least = 0.05 } = options;
    share(owner, "percentile", percentile);
    share(owner, "least", least);
    const { bones } = mesh.skeleton!;
    const clouds = cloudsOf(owner, mesh);
    const size = sizeOf(clouds.flat());
    const heads = bones.map(headOf);
    const fitted: FittedBone[] = [];
    // Children come after their parents: what is small is the parents' when they are seen.
    for (let i = bones.length - 1; i >= 0; i--) {
        const bone = bones[i];
        const parent = bones.indexOf(bone.getParent()!);
        const capsule =
            clouds[i].length >= 3 * MIN_POINTS ? fitCapsule(clouds[i], axisOf(bone, bones, heads, clouds, size), percentile) : null;
        if (!capsule || measure(capsule) < least * size) {
            if (parent >= 0) clouds[parent].push(...clouds[i]);
            clouds[i].length = 0;
            continue;
        }
        fitted.push({ bone, capsule });
    }
    return fitted.reverse();
}

/** Along which a bone's points lie: from its joint to that of the child that goes on, or their longest axis. */
function axisOf(bone: Bone, bones: readonly Bone[], heads: readonly Vector[], clouds: readonly Cloud[], size: number): Axis {
    const i = bones.indexOf(bone);
    const children = bone.children.map((child) => bones.indexOf(child)).filter((k) => clouds[k].length > 0);
    if (children.length !== 1) return principalAxis(clouds[i]);
    const along = heads[children[0]].map((x, c) => x - heads[i][c]);
    const length = Math.hypot(...along);
    if (!(length > COINCIDENCE_TOLERANCE * size)) return principalAxis(clouds[i]);
    const hasParent = clouds[bones.indexOf(bone.getParent()!)]?.length > 0;
    const direction = along.map((x) => x / length) as unknown as Vector;
    return { base: heads[i], direction, from: hasParent ? 0 : NaN, to: length };
}

/** The vertices that each bone moves most. */
function cloudsOf(owner: string, mesh: AbstractMesh): Cloud[] {
    const bones = mesh.skeleton!.bones;
    const clouds: Cloud[] = bones.map(() => []);
    const boneAt = new Map(bones.map((bone, i) => [bone.getIndex(), i]));
    const positions = mesh.getVerticesData("position");
    const kinds = ["", "Extra"].map((more) => ({
        indices: mesh.getVerticesData(`matricesIndices${more}`),
        weights: mesh.getVerticesData(`matricesWeights${more}`),
    }));
    if (!positions || !kinds[0].indices || !kinds[0].weights) reject(owner, "mesh", "a mesh with bones' weights", mesh.name);
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
    const bind = bindOf(bone);
    return [bind[12], bind[13], bind[14]];
}

/** From a bone's space to the mesh's as it was bound. */
export function bindOf(bone: Bone): Affine {
    const bind = identity();
    invert(bone.getAbsoluteInverseBindMatrix().m, bind);
    return bind;
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
