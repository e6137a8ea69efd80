import type { Bone } from "@babylonjs/core/Bones/bone";
import type { Plane } from "@babylonjs/core/Maths/math.plane";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { integer, knownOptions, nonNegative, reject } from "../../engine/index";
import type { BoneShape, ColliderSource } from "../colliders/colliderOptions";
import { onBone, onNode, skinOf, skinnedMeshOf } from "../colliders/skeleton/boneShape";
import type { BoneReference, CapsuleData, NamedNodes, NodeReference, Reference, SourceReference } from "./format/fileFormat";
import type { MarkedNodes, NodeMarks } from "./nodeMarks";
import { extrasOf } from "./nodeMarks";

/** Nodes that references are resolved in. */
export interface NodeLookup extends NamedNodes {
    /** Nodes by the numbers of their marks. Left out: none is marked. */
    readonly marked?: MarkedNodes;
    /** The mesh that becomes cloth: of several nodes that a reference fits, the nearest in its hierarchy is meant. */
    readonly near?: TransformNode;
}

/**
 * Reference to a node by its name, and where the scene has several of it, by the names of its parents and its number among those that are alike; to a bone by
 * its name and that of its skeleton, and where they are not unique, by a mesh that wears the skeleton.
 * @param marks of the file that is being written; left out: none
 * @throws RangeError if it is not in its scene
 */
export function makeReference(owner: string, option: string, target: TransformNode | Bone, marks?: NodeMarks): Reference {
    return target.getClassName() === "Bone"
        ? boneReference(owner, option, target as Bone, marks)
        : nodeReference(owner, option, target as TransformNode, marks);
}

function nodeReference(owner: string, option: string, node: TransformNode, marks?: NodeMarks): NodeReference {
    const { name } = node;
    const id = marks && { id: marks.idOf(node) };
    const same = nodesOf(node.getScene(), name).filter((other) => !other.doNotSerialize || other === node);
    if (!same.includes(node)) reject(owner, option, "a node of the scene", name);
    if (same.length === 1) return { node: name, ...id };
    const parents = parentsOf(node);
    const alike = same.filter(
        (other) => sharedParents(other, parents) === parents.length && parentsOf(other).length === parents.length,
    );
    return { node: name, ...id, parents, ...(alike.length > 1 && { index: alike.indexOf(node) }) };
}

function boneReference(owner: string, option: string, bone: Bone, marks?: NodeMarks): BoneReference {
    const skeleton = bone.getSkeleton();
    const scene = skeleton.getScene();
    const names = { bone: bone.name, skeleton: skeleton.name };
    const isUnique = bonesOf(scene, names).length === 1;
    const wearer = scene.meshes.find((mesh) => mesh.skeleton === skeleton);
    if ((isUnique && !marks) || !wearer)
        return isUnique
            ? names
            : reject(owner, option, "a bone of a skeleton that a mesh wears, or of a name of its own", bone.name);
    const node = marks && bone.getTransformNode();
    return {
        ...names,
        ...(node && { id: marks.idOf(node) }),
        index: skeleton.bones.indexOf(bone),
        wearer: nodeReference(owner, option, wearer, marks),
    };
}

/** @throws RangeError if the scene has none, or several that the reference fits */
export function resolveReference(owner: string, option: string, reference: unknown, lookup: NodeLookup): TransformNode | Bone {
    const { node, bone, skeleton } = (reference ?? {}) as Partial<NodeReference & BoneReference>;
    if (typeof node === "string") return resolveNode(owner, option, reference as NodeReference, lookup);
    if (typeof bone === "string" && typeof skeleton === "string")
        return resolveBone(owner, option, reference as BoneReference, lookup);
    return reject(owner, option, "{ node } or { bone, skeleton }, names in the scene", reference);
}

function resolveNode(owner: string, option: string, reference: NodeReference, lookup: NodeLookup): TransformNode {
    knownOptions(`${owner}: ${option}`, reference, ["node", "id", "parents", "index"]);
    const { node: name, id, parents = [], index } = reference;
    if (!Array.isArray(parents)) reject(owner, `${option}.parents`, "a list of names", parents);
    if (index !== undefined) integer(owner, `${option}.index`, 0, index);
    const marked = (id === undefined ? undefined : lookup.marked?.get(id)) ?? [];
    if (marked.length > 0) return copyFor(lookup, marked) ?? requireUnique(owner, option, marked, { name });
    const named = nodesOf(lookup, name);
    const nearest = bestBy(named, (node) => sharedParents(node, parents));
    const found = lookup.near ? bestBy(nearest, (node) => sharedAncestors(node, lookup.near!)) : nearest;
    return found.length > 1 && index !== undefined && index < found.length
        ? found[index]
        : requireUnique(owner, option, found, { name });
}

function resolveBone(owner: string, option: string, reference: BoneReference, lookup: NodeLookup): Bone {
    knownOptions(`${owner}: ${option}`, reference, ["bone", "skeleton", "id", "index", "wearer"]);
    const { bone: name, skeleton, wearer, index, id } = reference;
    const named = bonesOf(lookup, { bone: name, skeleton });
    if (wearer === undefined || (named.length === 1 && id === undefined))
        return requireUnique(owner, option, named, { name, skeleton });
    const worn = skinnedPartOf(resolveReference(owner, `${option}.wearer`, wearer, lookup) as TransformNode)?.skeleton;
    if (!worn) return requireUnique(owner, option, named, { name, skeleton });
    const linked = id === undefined ? undefined : lookup.marked?.get(id);
    const bones = worn.bones.filter((bone) => linked?.includes(bone.getTransformNode()!) ?? bone.name === name);
    const found = bones.length > 0 ? bones : worn.bones.filter((bone) => bone.name === name);
    return found.length > 1 && found.includes(worn.bones[index!])
        ? worn.bones[index!]
        : requireUnique(owner, option, found, { name, skeleton });
}

/** A node that is a skinned mesh, or that part of it where a mesh has several materials. */
function skinnedPartOf(node: TransformNode): AbstractMesh | undefined {
    const parts = [node, ...node.getChildMeshes(true)] as AbstractMesh[];
    return parts.find(({ skeleton }) => skeleton);
}

/** @throws RangeError if files do not support the source */
export function makeSourceReference(owner: string, option: string, source: ColliderSource, marks?: NodeMarks): SourceReference {
    if ("computeWorldMatrix" in source) return makeReference(owner, option, source, marks);
    if ("normal" in source && "d" in source) return { plane: [source.normal.x, source.normal.y, source.normal.z, source.d] };
    if ("startRadius" in source) return { capsule: capsuleData(owner, option, source, marks) };
    return reject(owner, option, "a node or a Plane, or a shape of Colliders.fromSkeleton, to be written to a file", source);
}

/** @throws RangeError if there is no such source */
export function resolveSource(owner: string, option: string, reference: unknown, lookup: NodeLookup): ColliderSource {
    const { plane, capsule } = (reference ?? {}) as { plane?: number[]; capsule?: CapsuleData };
    if (capsule !== undefined) return readCapsule(owner, `${option}.capsule`, capsule, lookup);
    if (plane === undefined) return resolveReference(owner, option, reference, lookup) as TransformNode;
    if (!Array.isArray(plane) || plane.length !== 4 || !plane.every(Number.isFinite)) {
        reject(owner, `${option}.plane`, "four numbers", plane);
    }
    // What a half-space reads of a plane.
    return { normal: { x: plane[0], y: plane[1], z: plane[2] }, d: plane[3] } as Plane;
}

function capsuleData(owner: string, option: string, shape: BoneShape, marks?: NodeMarks): CapsuleData {
    const { carrier, start, end, startRadius, endRadius } = shape;
    const mesh = skinnedMeshOf(shape);
    return {
        carrier: makeReference(owner, option, carrier, marks),
        ...(mesh && { mesh: nodeReference(owner, option, mesh, marks) }),
        start: [...start],
        end: [...end],
        startRadius,
        endRadius,
    };
}

function readCapsule(owner: string, option: string, data: CapsuleData, lookup: NodeLookup): BoneShape {
    knownOptions(`${owner}: ${option}`, data, ["carrier", "mesh", "start", "end", "startRadius", "endRadius"]);
    const carrier = resolveReference(owner, `${option}.carrier`, data.carrier, lookup);
    const vector = (name: "start" | "end"): BoneShape["start"] => {
        const value: unknown = data[name];
        const isVector = Array.isArray(value) && value.length === 3 && value.every(Number.isFinite);
        return isVector ? (value as unknown as BoneShape["start"]) : reject(owner, `${option}.${name}`, "three numbers", value);
    };
    const shape: BoneShape = {
        name: carrier.name,
        carrier,
        start: vector("start"),
        end: vector("end"),
        startRadius: nonNegative(owner, `${option}.startRadius`, data.startRadius),
        endRadius: nonNegative(owner, `${option}.endRadius`, data.endRadius),
    };
    if (data.mesh === undefined) return onNode(shape, carrier as TransformNode);
    const mesh = skinnedPartOf(resolveReference(owner, `${option}.mesh`, data.mesh, lookup) as TransformNode);
    if (carrier.getClassName() !== "Bone" || mesh?.skeleton !== (carrier as Bone).getSkeleton())
        reject(owner, `${option}.mesh`, "a mesh that wears the skeleton of the carrier", data.mesh.node);
    return onBone(shape, carrier as Bone, skinOf(mesh!));
}

function nodesOf(scene: NamedNodes, name: string): TransformNode[] {
    return [...scene.meshes, ...scene.transformNodes].filter((node) => node.name === name);
}

function bonesOf(scene: NamedNodes, names: { bone: string; skeleton: string }): Bone[] {
    const skeletons = scene.skeletons.filter(({ name }) => name === names.skeleton);
    return skeletons.flatMap(({ bones }) => bones.filter(({ name }) => name === names.bone));
}

/** Names of a node's parents, the nearest first. */
function parentsOf(node: TransformNode): string[] {
    return node.parent ? [node.parent.name, ...parentsOf(node.parent as TransformNode)] : [];
}

/** Number of a node's parents that have these names, the nearest first. */
function sharedParents(node: TransformNode, parents: readonly string[]): number {
    const own = parentsOf(node);
    const other = parents.findIndex((name, i) => name !== own[i]);
    return other < 0 ? parents.length : other;
}

/** Number of parents that two nodes have in common; either may be one of the other. */
function sharedAncestors(a: TransformNode, b: TransformNode): number {
    let count = 0;
    for (let node: TransformNode | null = a; node; node = node.parent as TransformNode | null)
        if (node === b || b.isDescendantOf(node)) count++;
    return count;
}

/** Of nodes with one mark, which are of one file loaded several times, the one of the same loading as the mesh; null: not known. */
function copyFor({ near, marked }: NodeLookup, nodes: readonly TransformNode[]): TransformNode | null {
    if (!near || nodes.length === 1) return nodes.length === 1 ? nodes[0] : null;
    const nearest = bestBy(nodes, (node) => sharedAncestors(node, near));
    const own = marked?.get(extrasOf(near)?.clothNode?.id ?? -1) ?? [];
    if (nearest.length === 1) return nearest[0];
    return own.length === nodes.length ? (nodes[own.indexOf(near)] ?? null) : null;
}

/** The elements of the highest score. */
function bestBy<T>(list: readonly T[], score: (element: T) => number): T[] {
    const scores = list.map(score);
    const best = Math.max(...scores);
    return list.filter((_, i) => scores[i] === best);
}

/** The only element found. @throws RangeError if there is not exactly one */
function requireUnique<T>(owner: string, option: string, found: readonly T[], names: object): T {
    const value = Object.values(names).join(" of ");
    if (found.length > 1) reject(owner, option, "a name that is the scene's only one", value);
    return found.length === 1 ? found[0] : reject(owner, option, "a name that is in the scene", value);
}
