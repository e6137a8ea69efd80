import { World } from "../../engine/index";
import type { SceneLoop } from "./sceneLoop";

/** World of a scene's bodies; made for the first: an app of bone chains alone need not load it. */
export function worldOf(loop: SceneLoop): World {
    return (loop.world ??= new World(loop.clock));
}
