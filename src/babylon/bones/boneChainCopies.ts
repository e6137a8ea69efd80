import type { Bone } from "@babylonjs/core/Bones/bone";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { InertiaOptions } from "../behaviors/inertiaBinding";
import type { ColliderEntry, ColliderSource } from "../colliders/colliderOptions";
import { copyOfSource } from "../colliders/colliderBinding";
import type { CopiedHierarchy } from "../mesh/copiedHierarchy";
import type { BoneChainOptions, BoneSelector } from "./boneChainOptions";
import { BoneHierarchy } from "./chainJoints";

/** Options for the copy of a hierarchy: bones, colliders and anchors are the copies, where there are any; names and functions are what they tell of the original. */
export function copyOptions(options: BoneChainOptions, original: TransformNode, hierarchy: CopiedHierarchy): BoneChainOptions {
    const bones = new BoneHierarchy(original);
    const sources = new Map<ColliderSource, ColliderSource>();
    const colliders = (options.colliders as readonly ColliderEntry[]).map((entry) => {
        const source = copyOfSource(entry.source, hierarchy) ?? entry.source;
        sources.set(entry.source, source);
        return { ...entry, source };
    });
    const inertias = new Map<InertiaOptions, InertiaOptions>();
    const inertiaOf = <T extends InertiaOptions | null | undefined>(inertia: T): T => {
        if (!inertia?.anchor) return inertia;
        const copy = inertias.get(inertia) ?? {
            ...inertia,
            anchor: (hierarchy.copyOf(inertia.anchor) as TransformNode | null) ?? inertia.anchor,
        };
        inertias.set(inertia, copy);
        return copy as T;
    };
    const copiesOf = (selector: BoneSelector): (Bone | TransformNode)[] =>
        bones.find("chains", selector).map((target) => (hierarchy.copyOf(target) ?? target) as Bone | TransformNode);
    return {
        ...options,
        colliders,
        inertia: inertiaOf(options.inertia),
        chains: options.chains.flatMap((chain) => {
            const ends = chain.end === undefined ? null : copiesOf(chain.end);
            return (chain.joints ? [chain.root] : copiesOf(chain.root)).map((root) => ({
                ...chain,
                root,
                ...(ends && { end: (target: Bone | TransformNode) => ends.includes(target) }),
                ...(chain.joints && { joints: chain.joints.flatMap(copiesOf) }),
                ...(chain.colliders && { colliders: chain.colliders.map((source) => sources.get(source) ?? source) }),
                ...(chain.inertia !== undefined && { inertia: inertiaOf(chain.inertia) }),
            }));
        }),
    };
}
