import type { Bone } from "@babylonjs/core/Bones/bone";
import type { Skeleton } from "@babylonjs/core/Bones/skeleton";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { Node } from "@babylonjs/core/node";

/**
 * Nodes of a hierarchy, and those of its copy: of a character that was cloned, whatever made it (`clone`, `instantiateHierarchy`,
 * `instantiateModelsToScene`). Babylon does not tell who is whose copy: it is by place, and by names that contain the original's.
 */
export class CopiedHierarchy {
    private readonly _original: Node;
    private readonly _copy: Node;

    /** @param original a node of the hierarchy; `copy` its copy. Both hierarchies are complete */
    constructor(original: Node, copy: Node) {
        let [first, second] = [original, copy];
        while (first.parent && second.parent && first.parent !== second.parent && isCopiedParent(first.parent, second.parent)) {
            first = first.parent;
            second = second.parent;
        }
        this._original = first;
        this._copy = second;
    }

    /** The copy of a node or bone; null where it was not copied. */
    copyOf(node: Node): Node | null {
        if (node.getClassName() === "Bone") return this._copyOfBone(node as Bone);
        if (node === this._original) return this._copy;
        const parent = node.parent && this.copyOf(node.parent);
        if (!parent) return null;
        const before = node.parent!.getChildren();
        const after = parent.getChildren();
        const index = before.indexOf(node);
        if (before.length === after.length && isCopy(node, after[index])) return after[index];
        const same = before.filter(({ name }) => name === node.name).indexOf(node);
        return after.filter((child) => isCopy(node, child))[same] ?? null;
    }

    /** By a mesh of the hierarchy that wears its skeleton, where the copy wears another. */
    private _copyOfBone(bone: Bone): Node | null {
        const skeleton = bone.getSkeleton();
        // The scene has no list of what is in a container.
        for (const wearer of [this._original, ...this._original.getDescendants()] as AbstractMesh[]) {
            if (wearer.skeleton !== skeleton) continue;
            const copy = (this.copyOf(wearer) as AbstractMesh | null)?.skeleton as Skeleton | null | undefined;
            if (copy && copy !== skeleton) return copy.bones[skeleton.bones.indexOf(bone)] ?? null;
        }
        return null;
    }
}

/** True of a parent that was copied, too: the root is given any name, but its children are as many and their names contain the originals'. */
function isCopiedParent(parent: Node, copy: Node): boolean {
    const [before, after] = [parent.getChildren(), copy.getChildren()];
    const hasSameChildren = before.length === after.length && before.every((child, i) => isCopy(child, after[i]));
    return isCopy(parent, copy) || hasSameChildren;
}

/** By name alone: Babylon copies a GroundMesh as a Mesh. */
function isCopy(node: Node, copy: Node): boolean {
    return copy.name.includes(node.name);
}
