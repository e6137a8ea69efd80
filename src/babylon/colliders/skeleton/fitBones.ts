import type { Bone } from "@babylonjs/core/Bones/bone";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { identity, invert, reject, share } from "../../../engine/index";
import type { Affine, Vector } from "../../../engine/index";
import { fitCapsule, insideCapsule, principalAxis } from "./fitCapsule";
import type { Axis, Capsule } from "./fitCapsule";

/** Options of capsules fitted to the bones of a skinned mesh. */
export interface FitOptions {
    /** Share of a bone's vertices inside the radii of its capsule, 0..1. Default 0.85: ignores outliers. */
    percentile?: number;
    /** Smallest capsule as a share of the mesh's size, 0..1; vertices of smaller bones count with their parents. Default 0.05. */
    least?: number;
}

/** A bone with the capsule around its vertices, in the mesh's local space in the bind pose. */
export interface FittedBone {
    readonly bone: Bone;
    readonly capsule: Capsule;
}

/** Points of a bone, in the mesh's local space in the bind pose, shape [n, 3]. */
type Cloud = number[];

/** Fewest points that a capsule is fitted to. */
const MIN_POINTS = 4;
/** Distance within which two joints coincide, as a share of the mesh's size. */
const COINCIDENCE_TOLERANCE = 1e-4;

/** @throws RangeError if the mesh has no skeleton or is disposed */
export function checkSkinned(owner: string, mesh: AbstractMesh): void {
    if (!mesh?.skeleton || typeof mesh.getVerticesData !== "function")
        reject(owner, "mesh", "a mesh with a skeleton", mesh?.name ?? mesh);
    if (mesh.isDisposed()) reject(owner, "mesh", "a mesh that is not disposed", mesh.name);
}

/** Tapered capsules around the vertices that each bone influences most, parents first. @throws RangeError on a mesh without weights, or an option out of range */
export function fitBones(
    owner: string,
    mesh: AbstractMesh,
    options: FitOptions,
    fit: "around" | "inside" = "around",
): FittedBone[] {
    if (fit !== "around" && fit !== "inside") reject(owner, "fit", '"around" or "inside"', fit);
    const { percentile = 0.85, least = 0.05 } = options;
    share(owner, "percentile", percentile);
    share(owner, "least", least);
    const { bones } = mesh.skeleton!;
    const clouds = cloudsOf(owner, mesh);
    const skin = clouds.flat();
    const size = sizeOf(skin);
    const heads = bones.map(headOf);
    const fitted: FittedBone[] = [];
    // Children come after their parents: a small bone's points are added to its parent before that is fitted.
    for (let i = bones.length - 1; i >= 0; i--) {
        const bone = bones[i];
        const parent = bones.indexOf(bone.getParent()!);
        const axis = clouds[i].length >= 3 * MIN_POINTS ? axisOf(bone, bones, heads, clouds, size) : null;
        const capsule = axis && (fit === "inside" ? insideCapsule(clouds[i], axis, skin) : fitCapsule(clouds[i], axis, percentile));
        if (!capsule || measure(capsule) < least * size) {
            if (parent >= 0) clouds[parent].push(...clouds[i]);
            clouds[i].length = 0;
            continue;
        }
        fitted.push({ bone, capsule });
    }
    return fitted.reverse();
}

/** Axis of a bone: from its head to that of its only child, else the principal axis of its points. */
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

/** Vertices that each bone influences most. */
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

/** Head of a bone, in the mesh's local space in the bind pose. */
function headOf(bone: Bone): Vector {
    const bind = bindOf(bone);
    return [bind[12], bind[13], bind[14]];
}

/** From a bone's space to the mesh's local space in the bind pose. */
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
