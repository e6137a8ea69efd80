import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { withExtras } from "./nodeMarks";
import type { FileExtras } from "./nodeMarks";

/** Extras that nodes have in a file. */
export type ExtrasOfNodes = ReadonlyMap<TransformNode, FileExtras>;

/** Metadata of a node, and what stands for it. */
interface ShownMetadata {
    readonly node: TransformNode;
    readonly own: unknown;
    readonly shown: unknown;
}

/** Files of a scene that are being written at the same time; nodes have the metadata of the last one. */
class SceneWritings {
    private readonly _files: ExtrasOfNodes[] = [];
    private _shown: ShownMetadata[] = [];

    begin(extras: ExtrasOfNodes): void {
        this._files.push(extras);
        this._show();
    }

    end(extras: ExtrasOfNodes): void {
        this._files.splice(this._files.indexOf(extras), 1);
        this._show();
    }

    private _show(): void {
        for (const { node, own, shown } of this._shown) if (node.metadata === shown) node.metadata = own;
        this._shown = Array.from(this._files.at(-1) ?? [], ([node, extras]) => {
            const own: unknown = node.metadata;
            const shown = (node.metadata = withExtras(node, extras));
            return { node, own, shown };
        });
    }
}

const writings = new WeakMap<Scene, SceneWritings>();

/** Gives nodes extras in their metadata, for a file. @returns function that gives them their own metadata back */
export function showExtras(scene: Scene, extras: ExtrasOfNodes): () => void {
    let all = writings.get(scene);
    if (!all) writings.set(scene, (all = new SceneWritings()));
    all.begin(extras);
    return () => all.end(extras);
}
