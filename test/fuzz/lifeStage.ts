/** Where lives take place: a scene of a few nodes, the cloths in it and what they may meet. */
import { FreeCamera } from "@babylonjs/core/Cameras/freeCamera";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Scene } from "@babylonjs/core/scene";
import type { ClothMesh } from "../../src/index";

export interface Stage {
    readonly engine: NullEngine;
    readonly scene: Scene;
    /** Carriers of pins and parents, and colliders' meshes. */
    readonly nodes: TransformNode[];
    readonly cloths: ClothMesh[];
    /** Takes back what the scene was given: colliders, winds, hands. */
    readonly undo: (() => void)[];
}

export function makeStage(): Stage {
    const engine = new NullEngine();
    const scene = new Scene(engine);
    new FreeCamera("camera", new Vector3(0, 0, -10), scene);
    return { engine, scene, nodes: [0, 1].map((i) => new TransformNode(`node ${i}`, scene)), cloths: [], undo: [] };
}
