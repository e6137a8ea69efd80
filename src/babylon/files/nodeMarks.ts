import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";

/** Mark of a node that a cloth of the same file refers to, in its `metadata.gltf.extras.clothNode`: names need not be unique. */
export interface NodeMark {
    /** Number of the node in the file. */
    readonly id: number;
    /** Number of the topmost parent, if that converts glTF's axes: exporters leave it out, and then do not mirror what is below it. */
    readonly root?: number;
}

/** Node metadata that files keep: glTF exporters write `gltf.extras`, and SceneSerializer writes all metadata. */
export interface FileMetadata {
    readonly gltf?: { readonly extras?: FileExtras };
}

/** Parts of the extras that cloth reads. */
export interface FileExtras {
    readonly cloth?: unknown;
    readonly boneChains?: unknown;
    readonly clothNode?: NodeMark | undefined;
}

/** The extras of a node. */
export function extrasOf({ metadata }: TransformNode): FileExtras | undefined {
    return (metadata as FileMetadata | null)?.gltf?.extras;
}

/** Metadata with other extras; new objects, since a file that is not written out yet holds on to them. */
export function withExtras({ metadata }: TransformNode, extras: FileExtras): FileMetadata {
    const { gltf, ...rest } = (metadata ?? {}) as FileMetadata;
    return { ...rest, gltf: { ...gltf, extras: { ...gltf?.extras, ...extras } } };
}

/** Marks of the nodes of a file that is being written. */
export class NodeMarks {
    private readonly _ids = new Map<TransformNode, number>();

    /** The number of a node, which is marked with it. */
    idOf(node: TransformNode): number {
        let id = this._ids.get(node);
        if (id === undefined) this._ids.set(node, (id = this._ids.size));
        return id;
    }

    /** The mark of a node; undefined: none. */
    markOf(node: TransformNode): NodeMark | undefined {
        const id = this._ids.get(node);
        if (id === undefined) return undefined;
        const root = this._ids.get(topOf(node));
        return root === undefined || !convertsAxes(topOf(node)) ? { id } : { id, root };
    }

    /** Numbers the roots that convert axes above the marked nodes. */
    addRoots(): void {
        for (const node of Array.from(this._ids.keys())) if (convertsAxes(topOf(node))) this.idOf(topOf(node));
    }
}

function topOf(node: TransformNode): TransformNode {
    let top = node;
    while (top.parent) top = top.parent as TransformNode;
    return top;
}

/** True of the root that the glTF loader puts above all nodes of a file: it mirrors x, and nothing else. */
function convertsAxes(root: TransformNode): boolean {
    const { m } = root.computeWorldMatrix(true);
    return m.every((value, i) => Math.abs(value - (i === 0 ? -1 : i % 5 === 0 ? 1 : 0)) < 1e-6);
}

/** Nodes of a file by the numbers of their marks; more than one where it was loaded more than once. */
export type MarkedNodes = ReadonlyMap<number, readonly TransformNode[]>;

/** The marked nodes of a scene or container. */
export function markedNodes({ meshes, transformNodes }: Pick<Scene, "meshes" | "transformNodes">): MarkedNodes {
    const found = new Map<number, TransformNode[]>();
    for (const node of [...meshes, ...transformNodes]) {
        const mark = extrasOf(node)?.clothNode;
        if (!mark) continue;
        if (!found.has(mark.id)) found.set(mark.id, []);
        found.get(mark.id)!.push(node);
    }
    return found;
}

/** Takes marks off nodes, once they are read: the next file has the same numbers. */
export function removeMarks(nodes: Iterable<TransformNode>): void {
    for (const node of nodes) {
        const extras = extrasOf(node);
        if (extras) delete (extras as { clothNode?: unknown }).clothNode;
    }
}
