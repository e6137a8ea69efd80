/** Babylon without a screen: scenes for the parts of the benchmark that measure whole frames. */
import "../parts";
import { FreeCamera } from "@babylonjs/core/Cameras/freeCamera";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { Logger } from "@babylonjs/core/Misc/logger";
import { EventState } from "@babylonjs/core/Misc/observable";
import { Scene } from "@babylonjs/core/scene";
import type { ClothBehavior } from "../../src/babylon/behaviors/clothBehavior";
import type { BodyInstance } from "../../src/babylon/behaviors/bodyInstance";

Logger.LogLevels = Logger.ErrorLogLevel;

/** Length of a frame [s]. */
export const FRAME = 1 / 60;

/** A new scene with a camera. */
export function createWorld(): Scene {
    const scene = new Scene(new NullEngine());
    new FreeCamera("camera", new Vector3(0, 1, -6), scene);
    return scene;
}

/** A 2 m square of n × n particles. */
export function createSquare(scene: Scene, n: number): Mesh {
    return MeshBuilder.CreateGround(`square ${n}`, { width: 2, height: 2, subdivisions: n - 1 }, scene);
}

/**
 * What the cloths of a scene do in a frame of {@link FRAME}: their observers alone, without what Babylon does around them.
 * To be called once all are attached.
 */
export function ownFrameOf(scene: Scene): () => void {
    scene.getEngine().getDeltaTime = () => 1000 * FRAME;
    // Once as the engine does it: everything that is made in a first frame is there then.
    scene.render();
    const { observers } = scene.onBeforeRenderObservable;
    const state = new EventState(0);
    return () => {
        for (let i = 0; i < observers.length; i++) observers[i].callback(scene, state);
    };
}

/** The running cloth of a behavior: the benchmark looks behind the public surface, to tell the phases of a frame apart. */
export function instanceOf(behavior: ClothBehavior): BodyInstance {
    return (behavior as unknown as { _runtime: { instance: BodyInstance } })._runtime.instance;
}
