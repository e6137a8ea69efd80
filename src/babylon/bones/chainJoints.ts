import type { Bone } from "@babylonjs/core/Bones/bone";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Node } from "@babylonjs/core/node";
import { nearestName, reject } from "../../engine/index";
import { OWNER } from "./boneChainOptions";
import type { BoneChain, BoneSelector } from "./boneChainOptions";

type Target = Bone | TransformNode;

/** A joint as it is found: parents first. */
export interface FoundJoint {
    readonly target: Target;
    /** Linked bone of a node; null: none. */
    readonly bone: Bone | null;
    readonly chain: BoneChain;
    /** Number of the chain, and of the joint in it: generations from the root, fractions between given joints. */
    readonly chainIndex: number;
    readonly depth: number;
    /** Place along the chain, 0..1. */
    readonly place: number;
    /** Node or bone at the joint's tail; null: it has a tail of {@link BoneChain.endLength}, or keeps its pose. */
    readonly tail: Target | null;
    /** True if it keeps its pose, as what lies between given joints. */
    readonly isPassive: boolean;
}

/** Nodes below an attached one, and bones of the skeletons of meshes there. Bones that are linked to a node are that node. */
export class BoneHierarchy {
    private readonly _targets: Target[] = [];
    private readonly _boneOf = new Map<Target, Bone>();

    constructor(root: TransformNode) {
        const nodes = [root, ...(root.getDescendants(false) as TransformNode[])];
        const all = new Set<Target>(nodes.filter((node) => typeof node.computeWorldMatrix === "function"));
        for (const skeleton of new Set(nodes.map((node) => (node as AbstractMesh).skeleton))) {
            for (const bone of skeleton?.bones ?? []) {
                const node = bone.getTransformNode();
                if (node) this._boneOf.set(node, bone);
                all.add(node ?? bone);
            }
        }
        this._targets = Array.from(all);
    }

    /** Linked bone of a node; null: none. */
    boneOf(target: Target): Bone | null {
        return isBone(target) ? target : (this._boneOf.get(target) ?? null);
    }

    /** Result of a selector. @throws RangeError if it finds nothing */
    find(option: string, selector: BoneSelector): Target[] {
        if (typeof selector === "object") return [targetOf(selector)];
        const { _targets: targets } = this;
        const isTold = typeof selector === "string" ? (target: Target) => this._isNamed(target, selector) : selector;
        const found = targets.filter((target) => isTold(target));
        if (found.length > 0) return typeof selector === "string" ? found.slice(0, 1) : found;
        if (typeof selector !== "string") return reject(OWNER, option, "a function that tells bones or nodes of the mesh", "none");
        const names = targets.map(({ name }) => name);
        const nearest = nearestName(selector, names);
        const hint = nearest === null ? "" : ` (did you mean "${nearest}"?)`;
        return reject(OWNER, option, `the name of a bone or node of the mesh${hint}`, selector);
    }

    private _isNamed(target: Target, name: string): boolean {
        return target.name === name || this._boneOf.get(target)?.name === name;
    }
}

/** A bone is the node that it is linked to. */
export function targetOf(target: Target): Target {
    return isBone(target) ? (target.getTransformNode() ?? target) : target;
}

export function isBone(target: Node): target is Bone {
    return target.getClassName() === "Bone";
}

/** Parent of a target. */
export function parentOf(target: Target): Target | null {
    return target.parent as Target | null;
}

/** Joints may be among these. */
export function childrenOf(target: Target): Target[] {
    if (isBone(target)) return target.children.map(targetOf);
    // Bones of nodes have children among the nodes; geometry below a joint is none.
    return (target.getChildren(undefined, true) as Target[]).filter(
        (child) =>
            typeof (child as TransformNode).computeWorldMatrix === "function" && !(child as AbstractMesh).getTotalVertices?.(),
    );
}

/** Joints of chains, parents before children. @throws RangeError where there are none, or a joint is in two chains */
export function findJoints(hierarchy: BoneHierarchy, chains: readonly BoneChain[]): FoundJoint[] {
    const found: FoundJoint[] = [];
    const chainOf = new Map<Target, number>();
    let chainIndex = 0;
    const add = (joint: FoundJoint): void => {
        const other = chainOf.get(joint.target);
        if (other !== undefined) reject(OWNER, "chains", "chains without common joints", joint.target.name);
        chainOf.set(joint.target, joint.chainIndex);
        found.push(joint);
    };
    chains.forEach((chain, i) => {
        const roots = chain.joints ? [targetOf(chain.joints[0])] : hierarchy.find(`chains[${i}].root`, chain.root);
        for (const root of roots) {
            const own = { chain, chainIndex: chainIndex++ };
            if (chain.joints) {
                listed(chain, (target, depth, count, tail, isPassive) =>
                    add({ ...own, target, bone: hierarchy.boneOf(target), depth, place: share(depth, count - 1), tail, isPassive }),
                );
                continue;
            }
            const end = chain.end === undefined ? null : hierarchy.find(`chains[${i}].end`, chain.end);
            const path = end && pathTo(root, end);
            if (end && !path) reject(OWNER, `chains[${i}].end`, `below the root "${root.name}"`, end[0].name);
            const height = path ? path.length - 1 : Math.max(1, heightOf(root));
            const visit = (target: Target, depth: number): void => {
                const children = path ? path.slice(depth + 1, depth + 2) : childrenOf(target);
                if (path && children.length === 0) return;
                const tail = children.length > 0 ? children[0] : null;
                add({
                    ...own,
                    target,
                    bone: hierarchy.boneOf(target),
                    depth,
                    place: share(depth, height - 1),
                    tail,
                    isPassive: !tail && !chain.endLength,
                });
                for (const child of children) visit(child, depth + 1);
            };
            visit(root, 0);
        }
    });
    if (!found.some(({ isPassive }) => !isPassive)) reject(OWNER, "chains", "chains of two bones or more", "none");
    return parentsFirst(found);
}

/** Joints of a list, and those between them. */
function listed(
    { joints: given, endLength }: BoneChain,
    add: (target: Target, depth: number, count: number, tail: Target | null, isPassive: boolean) => void,
): void {
    const joints = given!.map(targetOf);
    const count = endLength ? joints.length : joints.length - 1;
    joints.slice(0, -1).forEach((joint, k) => {
        const path = pathTo(joint, [joints[k + 1]]);
        if (!path) reject(OWNER, "chains", `joints each below the one before ("${joint.name}")`, joints[k + 1].name);
        add(joint, k, count, joints[k + 1], false);
        path.slice(1, -1).forEach((between, i) => add(between, k + (i + 1) / path.length, count, null, true));
    });
    if (endLength) add(joints[joints.length - 1], joints.length - 1, count, null, false);
}

function share(depth: number, last: number): number {
    return last > 0 ? Math.min(1, depth / last) : 0;
}

function pathTo(root: Target, ends: readonly Target[]): Target[] | null {
    for (const end of ends) {
        const path: Target[] = [];
        for (let node: Target | null = end; node; node = parentOf(node)) {
            path.unshift(node);
            if (node === root) return path;
        }
    }
    return null;
}

function heightOf(target: Target): number {
    return childrenOf(target).reduce((height, child) => Math.max(height, 1 + heightOf(child)), 0);
}

/** Chains may begin below joints of others. */
function parentsFirst(joints: FoundJoint[]): FoundJoint[] {
    const targets = new Set(joints.map(({ target }) => target));
    const generation = (target: Target): number => {
        let count = 0;
        for (let node = parentOf(target); node; node = parentOf(node)) if (targets.has(node)) count++;
        return count;
    };
    const generations = new Map(joints.map((joint) => [joint, generation(joint.target)]));
    return [...joints].sort((a, b) => generations.get(a)! - generations.get(b)!);
}
