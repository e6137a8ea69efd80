import type { Bone } from "@babylonjs/core/Bones/bone";
import type { Plane } from "@babylonjs/core/Maths/math.plane";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { knownOptions, reject } from "../../engine/index";
import type { ColliderSource } from "../colliders/colliderOptions";
import type { NamedNodes, Reference, SourceReference } from "./format/fileFormat";

/** @throws RangeError if its name is not unique in its scene */
export function makeReference(owner: string, option: string, target: TransformNode | Bone): Reference {
    if (target.getClassName() === "Bone") {
        const skeleton = (target as Bone).getSkeleton();
        const reference = { bone: target.name, skeleton: skeleton.name };
        requireUnique(owner, option, bonesOf(skeleton.getScene(), reference), reference);
        return reference;
    }
    const reference = { node: target.name };
    requireUnique(owner, option, nodesOf(target.getScene(), target.name), reference);
    return reference;
}

/** @throws RangeError if the scene has none, or several, of that name */
export function resolveReference(owner: string, option: string, reference: unknown, scene: NamedNodes): TransformNode | Bone {
    const names = reference as { node?: string; bone?: string; skeleton?: string };
    if (typeof reference === "object" && reference !== null) {
        if (typeof names.node === "string") {
            knownOptions(`${owner}: ${option}`, reference, ["node"]);
            return requireUnique(owner, option, nodesOf(scene, names.node), names);
        }
        if (typeof names.bone === "string" && typeof names.skeleton === "string") {
            knownOptions(`${owner}: ${option}`, reference, ["bone", "skeleton"]);
            return requireUnique(owner, option, bonesOf(scene, { bone: names.bone, skeleton: names.skeleton }), names);
        }
    }
    return reject(owner, option, "{ node } or { bone, skeleton }, names in the scene", reference);
}

/** @throws RangeError if files do not support the source */
export function makeSourceReference(owner: string, option: string, source: ColliderSource): SourceReference {
    if ("computeWorldMatrix" in source) return makeReference(owner, option, source);
    if ("normal" in source && "d" in source) return { plane: [source.normal.x, source.normal.y, source.normal.z, source.d] };
    return reject(owner, option, "a node or a Plane to be written to a file", source);
}

/** @throws RangeError if there is no such source */
export function resolveSource(owner: string, option: string, reference: unknown, scene: NamedNodes): ColliderSource {
    const { plane } = (reference ?? {}) as { plane?: number[] };
    if (plane === undefined) return resolveReference(owner, option, reference, scene) as TransformNode;
    if (!Array.isArray(plane) || plane.length !== 4 || !plane.every(Number.isFinite)) {
        reject(owner, `${option}.plane`, "four numbers", plane);
    }
    // What a half-space reads of a plane.
    return { normal: { x: plane[0], y: plane[1], z: plane[2] }, d: plane[3] } as Plane;
}

function nodesOf(scene: NamedNodes, name: string): TransformNode[] {
    return [...scene.meshes, ...scene.transformNodes].filter((node) => node.name === name);
}

function bonesOf(scene: NamedNodes, names: { bone: string; skeleton: string }): Bone[] {
    const skeletons = scene.skeletons.filter(({ name }) => name === names.skeleton);
    return skeletons.flatMap(({ bones }) => bones.filter(({ name }) => name === names.bone));
}

/** The only element found. @throws RangeError if there is not exactly one */
function requireUnique<T>(owner: string, option: string, found: readonly T[], names: object): T {
    const value = Object.values(names).join(" of ");
    if (found.length > 1) reject(owner, option, "a name that is the scene's only one", value);
    return found.length === 1 ? found[0] : reject(owner, option, "a name that is in the scene", value);
}
