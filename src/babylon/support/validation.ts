import type { Scene } from "@babylonjs/core/scene";
import { reject } from "../../engine/index";

/** Rejects anything but a scene. Meshes have an onBeforeRenderObservable, too. @throws RangeError otherwise */
export function checkScene(owner: string, scene: Scene): void {
    if (typeof scene !== "object" || !scene?.onBeforeAnimationsObservable) reject(owner, "scene", "a Scene", scene);
}
