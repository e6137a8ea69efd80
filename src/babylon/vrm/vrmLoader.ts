import { RegisterSceneLoaderPlugin } from "@babylonjs/core/Loading/sceneLoader";
import type { SceneLoaderPluginOptions } from "@babylonjs/core/Loading/sceneLoader";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { GLTFFileLoader } from "@babylonjs/loaders/glTF/glTFFileLoader";
import type { GLTFLoader } from "@babylonjs/loaders/glTF/2.0/glTFLoader";
import type { IGLTFLoaderExtension } from "@babylonjs/loaders/glTF/2.0/glTFLoaderExtension";
import { registerGLTFExtension } from "@babylonjs/loaders/glTF/2.0/glTFLoaderExtensionRegistry";
import { reject } from "../../engine/index";
import { BoneChainBehavior } from "../bones/boneChainBehavior";
import type { BoneChain, BoneMode } from "../bones/boneChainOptions";
import { childrenOf } from "../bones/chainJoints";
import { onNode } from "../colliders/skeleton/boneShape";
import type { ColliderEntry } from "../colliders/colliderOptions";
import { planeOnNode } from "./nodePlane";
import { OWNER, readSpringBones } from "./springBoneData";
import type { ColliderOfFile, SpringOfFile } from "./springBoneData";

/** Name of the extension, for `extensionOptions` and `onExtensionLoadedObservable`. */
export const VRM_EXTENSION = "VRMC_springBone";

/** Frames a second for which a VRM's numbers are made. */
const VRM_RATE = 60;
/** Length of the tails of last bones of version 0 [m]. */
const VRM0_END_LENGTH = 0.07;

/**
 * Makes bone chains of the spring bones of VRM files, 1.0 with extended colliders and 0.x: one {@link BoneChainBehavior} on the root of the file, in world units of a
 * character at scale 1. Chooses the mode by `pluginOptions: { gltf: { extensionOptions: { VRMC_springBone: { mode: "exact" } } } }`.
 */
export class VrmLoader implements IGLTFLoaderExtension {
    readonly name = VRM_EXTENSION;
    enabled = true;
    private _loader: GLTFLoader | null;

    constructor(loader: GLTFLoader) {
        this._loader = loader;
    }

    dispose(): void {
        this._loader = null;
    }

    /** Called when all nodes are loaded. */
    onReady(): void {
        const loader = this._loader;
        const found = loader && readSpringBones(loader.gltf.extensions as Record<string, unknown> | undefined);
        if (!found) return;
        const options = loader.parent.extensionOptions[VRM_EXTENSION] as { mode?: BoneMode } | undefined;
        const nodes = loader.gltf.nodes ?? [];
        const nodeOf = (index: number): TransformNode =>
            nodes[index]?._babylonTransformNode ?? reject(OWNER, "node", "the index of a node of the file's scene", index);
        const entries = found.colliders.map((collider) => colliderOf(collider, nodeOf(collider.node)));
        const anchors = new Map<number, NonNullable<BoneChain["inertia"]>>();
        const isRightHanded = loader.babylonScene.useRightHandedSystem;
        const taken = new Set<TransformNode>();
        const chains = found.springs.flatMap((spring): BoneChain[] => {
            const joints = spring.nodes.map(nodeOf);
            // A joint in two springs is prohibited: the first one has it.
            const all = spring.isTree ? branchesOf(joints[0]).flat() : joints.slice(0, -1);
            if (all.some((joint) => taken.has(joint))) return [];
            for (const joint of all) taken.add(joint);
            const { center } = spring;
            if (center >= 0 && !anchors.has(center)) anchors.set(center, { anchor: nodeOf(center), linear: 0, angular: 0 });
            const inertia = center >= 0 ? anchors.get(center)! : null;
            const colliders = spring.colliders.flatMap((index) => (entries[index] ? [entries[index].source] : []));
            return chainsOf(spring, joints, isRightHanded).map((chain) => ({ ...chain, colliders, inertia }));
        });
        const root = loader.rootBabylonMesh as TransformNode | null;
        if (chains.length === 0 || !root) return;
        const behavior = new BoneChainBehavior({
            chains,
            colliders: entries.filter((entry) => !!entry),
            mode: options?.mode ?? "stable",
        });
        behavior._setUnitScale(1);
        root.addBehavior(behavior);
    }
}

function colliderOf({ offset, tail, normal, radius, isInside }: ColliderOfFile, node: TransformNode): ColliderEntry {
    if (normal) return { source: planeOnNode(node, offset, normal) };
    const ends = { start: offset, end: tail ?? offset, startRadius: Math.max(radius, 1e-6), endRadius: Math.max(radius, 1e-6) };
    return { source: onNode({ name: node.name, carrier: node, ...ends }, node), inside: isInside };
}

/** A spring as chains, in physical units: a pull of f m a frame is an acceleration of 60 f m/s² towards the pose, and a share that is lost a frame a rate. */
function chainsOf({ joints, isTree }: SpringOfFile, nodes: readonly TransformNode[], isRightHanded: boolean): BoneChain[] {
    const physics = {
        damping: joints.map(({ dragForce }) => -VRM_RATE * Math.log(1 - dragForce)),
        radius: joints.map(({ hitRadius }) => hitRadius),
        // A root that mirrors the file's axes turns it about y, too.
        gravity: joints.map(({ gravityPower, gravityDir: [x, y, z] }) =>
            new Vector3(isRightHanded ? x : -x, y, z).scaleInPlace(VRM_RATE * gravityPower),
        ),
    };
    const rateOf = (stiffness: number, length: number): number => (length > 0 ? Math.sqrt((VRM_RATE * stiffness) / length) : 0);
    if (!isTree) {
        const stiffness = joints.slice(0, -1).map((joint, j) => rateOf(joint.stiffness, distance(nodes[j], nodes[j + 1])));
        return [{ ...physics, root: nodes[0], joints: nodes, stiffness }];
    }
    return branchesOf(nodes[0]).map((branch) => {
        const stiffness = branch.map((node, j) => {
            const length = j + 1 < branch.length ? distance(node, branch[j + 1]) : VRM0_END_LENGTH;
            return rateOf(joints[0].stiffness, length);
        });
        return { ...physics, root: branch[0], joints: branch, endLength: VRM0_END_LENGTH, stiffness };
    });
}

/** A tree as chains: along first children, each other child begins a chain. */
function branchesOf(root: TransformNode): TransformNode[][] {
    const branch = [root];
    const others: TransformNode[] = [];
    for (let node: TransformNode | undefined = root; node;) {
        const [first, ...rest] = childrenOf(node) as TransformNode[];
        others.push(...rest);
        if (first) branch.push(first);
        node = first;
    }
    return [branch, ...others.flatMap(branchesOf)];
}

function distance(a: TransformNode, b: TransformNode): number {
    a.computeWorldMatrix(true);
    b.computeWorldMatrix(true);
    return Vector3.Distance(a.absolutePosition, b.absolutePosition);
}

/** Registers the extension with Babylon's glTF loader, and that loader for `.vrm`. */
export function registerVrmLoader(): void {
    registerGLTFExtension(VRM_EXTENSION, false, (loader) => new VrmLoader(loader));
    RegisterSceneLoaderPlugin({
        name: "vrm",
        extensions: { ".vrm": { isBinary: true } },
        createPlugin: (options: SceneLoaderPluginOptions) => new GLTFFileLoader(options.gltf as never),
    });
}
