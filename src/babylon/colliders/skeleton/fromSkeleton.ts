import type { Bone } from "@babylonjs/core/Bones/bone";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { knownOptions, reject } from "../../../engine/index";
import { humanoidBoneNames, humanoidBones } from "../../support/humanoid";
import type { HumanoidBone } from "../../support/humanoid";
import { onBone, SkinPose } from "./boneShape";
import type { BoneShape } from "../colliderOptions";
import { checkSkinned, fitBones } from "./fitBones";
import type { FitOptions } from "./fitBones";
import { springBoneShapes } from "./springBones";

const OWNER = "Colliders: fromSkeleton";

/** Options of shapes on bones. */
export interface SkeletonShapeOptions extends FitOptions {
    /**
     * `"around"` holds most vertices of a bone, and bulges out where a limb is flat or narrows; `"inside"` stays within the mesh's vertices, and clothes in their bind pose lie outside it; `percentile` is then not used.
     * Default `"around"`.
     */
    fit?: "around" | "inside";
    /** Bones that have one, by what they are, such as `["leftUpperLeg", "rightUpperLeg"]`; see {@link humanoidBones}. Left out: all. A VRM's own are all taken. */
    bones?: readonly HumanoidBone[];
    /**
     * The file that the mesh was loaded from, as the glTF loader has parsed it (`loader.onParsedObservable`, `json`): colliders of a VRM's
     * spring bones, of version 0 or 1, are taken as they are, in place of fitted ones. Left out: what `metadata.gltf` of the mesh or a
     * parent holds (`extensions`, or `extras`).
     */
    gltf?: object;
}

/** See {@link Colliders.fromSkeleton}. */
export function fromSkeleton(mesh: AbstractMesh, options: SkeletonShapeOptions = {}): BoneShape[] {
    knownOptions(OWNER, options, ["percentile", "fit", "least", "gltf", "bones"]);
    checkSkinned(OWNER, mesh);
    const wanted = wantedBones(mesh, options.bones);
    const given = springBoneShapes(options.gltf ?? metadataOf(mesh), nodesAbout(mesh), OWNER);
    if (given.length > 0) return given;
    const skin = new SkinPose(mesh);
    return fitBones(OWNER, mesh, options, options.fit)
        .filter(({ bone }) => wanted?.has(bone) ?? true)
        .map(({ bone, capsule }) => onBone({ name: bone.name, carrier: bone, ...capsule }, bone, skin));
}

/** The bones of these names; null: all. @throws RangeError on a name that there is not, or a bone that the skeleton does not have */
function wantedBones(mesh: AbstractMesh, names: readonly HumanoidBone[] | undefined): Set<Bone> | null {
    if (names === undefined) return null;
    if (!Array.isArray(names)) reject(OWNER, "bones", "a list of names", names);
    const found = humanoidBones(mesh.skeleton!);
    return new Set(
        (names as HumanoidBone[]).map((name, i) => {
            const known = humanoidBoneNames();
            if (!known.includes(name)) reject(OWNER, `bones[${i}]`, `one of ${known.join(", ")}`, name);
            return found[name] ?? reject(OWNER, `bones[${i}]`, `a bone of "${mesh.name}" (${Object.keys(found).join(", ")})`, name);
        }),
    );
}

/** All nodes of a mesh's hierarchy. */
function nodesAbout(mesh: AbstractMesh): TransformNode[] {
    let root: TransformNode = mesh;
    while (root.parent) root = root.parent as TransformNode;
    return [root, ...(root.getDescendants(false) as TransformNode[])];
}

/** glTF metadata of a mesh or a parent. */
function metadataOf(mesh: AbstractMesh): object | undefined {
    for (let node: TransformNode | null = mesh; node; node = node.parent as TransformNode | null) {
        const { gltf } = (node.metadata ?? {}) as { gltf?: { extensions?: object; extras?: { extensions?: object } } };
        if (gltf?.extensions) return gltf;
        if (gltf?.extras) return gltf.extras.extensions ? gltf.extras : { extensions: gltf.extras };
    }
    return undefined;
}
