import type { Bone } from "@babylonjs/core/Bones/bone";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import type { VectorLike } from "../../engine/index";
import { finite, finiteVector, knownOptions, reject } from "../../engine/index";
import type { BoneChainBehavior } from "../bones/boneChainBehavior";
import type { AlongChain, BoneChain, BoneSelector } from "../bones/boneChainOptions";
import { BoneHierarchy, findJoints, parentOf } from "../bones/chainJoints";
import type { ColliderEntry } from "../colliders/colliderOptions";
import { readCollider, readOption, writeCollider, writeOption } from "./clothData";
import { decodeNumbers, encodeNumbers, fileChains } from "./format/fileFormat";
import type { BoneChainData, Reference } from "./format/fileFormat";
import type { NodeMarks } from "./nodeMarks";
import { makeReference, resolveReference } from "./references";
import type { NodeLookup } from "./references";

const [WRITE, PARSE] = ["ClothFiles: serialize", "ClothFiles: parse"];
const NUMBERS = ["stiffness", "damping", "radius", "limitAngle"] as const;
const CHAIN_NAMES = [...NUMBERS, "root", "end", "joints", "endLength", "gravity", "colliders", "inertia"];
const OPTION_NAMES = [
    ...NUMBERS,
    "gravity",
    "links",
    "wind",
    "windDrag",
    "inertia",
    "blend",
    "target",
    "mode",
    "enabled",
    "alwaysUpdate",
    "pauseDistance",
];
const DATA_NAMES = ["format", "version", "kind", "axes", "options", "chains", "colliders", "unitScale"];

/** Bone chains as data. Selectors are bones, curves are lists. @throws RangeError if a bone or collider is not in its scene */
export function writeChains(behavior: BoneChainBehavior, marks?: NodeMarks): BoneChainData {
    const node = behavior.attachedNode ?? reject(WRITE, "chains", "on a node", "none");
    const { options, colliders, unitScale } = behavior._read();
    const hierarchy = new BoneHierarchy(node);
    const reference = (target: Bone | TransformNode) => makeReference(WRITE, "chains", target, marks);
    const chains = options.chains.flatMap((chain) => {
        const roots = chain.joints ? chain.joints.slice(0, 1) : hierarchy.find("chains", chain.root);
        const ends = chain.end === undefined ? null : hierarchy.find("chains", chain.end);
        return roots.map((root): BoneChainData["chains"][number] => {
            const end = ends?.find((each) => isBelow(each, root));
            const own = { ...chain, root, ...(end && { end }) };
            const joints = findJoints(hierarchy, [own]);
            const numbers: Record<string, unknown> = {};
            for (const name of NUMBERS) {
                const value = chain[name] ?? (typeof options[name] === "function" ? options[name] : undefined);
                if (value !== undefined) numbers[name] = encodeNumbers(alongJoints(value, joints));
            }
            return {
                ...numbers,
                root: reference(root),
                ...(end && { end: reference(end) }),
                ...(chain.joints && { joints: chain.joints.map(reference) }),
                ...(chain.endLength !== undefined && { endLength: chain.endLength }),
                ...(chain.gravity && { gravity: vectorsOf(chain.gravity) }),
                ...(chain.colliders && {
                    colliders: chain.colliders.flatMap((source) => {
                        const index = colliders.findIndex((each) => each.source === source);
                        // Removed from the behavior since.
                        return index < 0 ? [] : [index];
                    }),
                }),
                ...(chain.inertia !== undefined && { inertia: writeOption("inertia", chain, marks) }),
            };
        });
    });
    const plain: Record<string, unknown> = {};
    for (const name of OPTION_NAMES) {
        const value = (options as unknown as Record<string, unknown>)[name];
        if (name === "gravity") plain[name] = vectorsOf(options.gravity!);
        else if (name === "wind" || name === "inertia") plain[name] = writeOption(name, options, marks);
        else if (typeof value !== "function") plain[name] = encodeNumbers(value);
    }
    return {
        format: "babylon-cloth",
        version: 1,
        kind: "boneChains",
        axes: node.getScene().useRightHandedSystem ? "right-handed" : "left-handed",
        options: plain,
        chains,
        colliders: colliders.map((collider, i) => writeCollider(collider, `colliders[${i}]`, marks)),
        ...(unitScale !== null && { unitScale }),
    };
}

/** @throws RangeError on invalid data or a bone that is not in the scene; Error if the app does not import BoneChainBehavior */
export function parseChains(data: BoneChainData, scene: NodeLookup): BoneChainBehavior {
    knownOptions(PARSE, data, DATA_NAMES);
    if (data.version !== 1) reject(PARSE, "version", "1", data.version);
    if (!fileChains.make) throw new Error(`${PARSE}: bone chains need BoneChainBehavior: import it from babylon-cloth`);
    const { options = {}, chains, colliders = [], unitScale = null } = data;
    knownOptions(`${PARSE}: options`, options, OPTION_NAMES);
    const all: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(options)) {
        const isNode = name === "wind" || name === "inertia";
        all[name] = name === "gravity" ? readVectors(value) : isNode ? readOption(name, value, scene) : decodeNumbers(value);
    }
    const entries = colliders.map((collider, i) => readCollider(collider, `colliders[${i}]`, scene));
    if (!Array.isArray(chains)) reject(PARSE, "chains", "a list", chains);
    all.chains = chains.map((chain, i) => readChain(chain, `chains[${i}]`, entries, scene));
    all.colliders = entries;
    const scale = unitScale === null ? null : finite(PARSE, "unitScale", unitScale);
    return fileChains.make(all, scale) as BoneChainBehavior;
}

/** All chains of a scene that files can hold. */
export function attachedChains(scene: Scene): { node: TransformNode; chains: BoneChainBehavior }[] {
    return [...scene.meshes, ...scene.transformNodes].flatMap((node) =>
        node.behaviors
            .filter(({ name }) => name === "BoneChains")
            .map((behavior) => ({ node, chains: behavior as unknown as BoneChainBehavior })),
    );
}

function readChain(chain: unknown, option: string, entries: readonly ColliderEntry[], scene: NodeLookup): BoneChain {
    if (typeof chain !== "object" || chain === null) return reject(PARSE, option, "{ root, … }", chain);
    knownOptions(`${PARSE}: ${option}`, chain, CHAIN_NAMES);
    const { root, end, joints, gravity, colliders, inertia, ...rest } = chain as BoneChainData["chains"][number];
    const read = (name: string, reference: Reference) => resolveReference(PARSE, `${option}.${name}`, reference, scene);
    return {
        ...(decodeNumbers(rest) as object),
        root: read("root", root),
        ...(end && { end: read("end", end) as BoneSelector }),
        ...(joints && { joints: joints.map((each) => read("joints", each)) }),
        ...(gravity && { gravity: readVectors(gravity) }),
        ...(colliders && {
            colliders: colliders.map(
                (index) => entries[index]?.source ?? reject(PARSE, `${option}.colliders`, "indices of colliders", index),
            ),
        }),
        ...(inertia !== undefined && { inertia: readOption("inertia", inertia, scene) as BoneChain["inertia"] }),
    };
}

/** A property as a number or a list, one for each generation of joints. */
function alongJoints(value: AlongChain, joints: ReturnType<typeof findJoints>): number | readonly number[] {
    if (typeof value !== "function") return value;
    const places: number[] = [];
    for (const { depth, place } of joints) if (Number.isInteger(depth)) places[depth] ??= place;
    return places.map(value);
}

function isBelow(target: Bone | TransformNode, root: Bone | TransformNode): boolean {
    for (let node: Bone | TransformNode | null = target; node; node = parentOf(node)) if (node === root) return true;
    return false;
}

/** Vectors as lists of x, y and z. */
function vectorsOf(value: VectorLike | readonly VectorLike[]): readonly (readonly number[])[] {
    return [value].flat().map(({ x, y, z }: VectorLike) => [x, y, z]);
}

function readVectors(value: unknown): VectorLike | readonly VectorLike[] {
    if (!Array.isArray(value) || value.length === 0) return reject(PARSE, "gravity", "lists of x, y and z", value);
    const vectors = value.map((each: unknown) => {
        const [x, y, z] = Array.isArray(each) ? (each as number[]) : [];
        finiteVector(PARSE, "gravity", { x, y, z });
        return { x, y, z };
    });
    return vectors.length === 1 ? vectors[0] : vectors;
}
