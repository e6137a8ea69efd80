import { World } from "../../engine/index";
import { SceneImpulses } from "../physics/bodyImpulses";
import type { SceneLoop } from "./sceneLoop";

/** World of a scene's bodies; made for the first: an app of bone chains alone need not load it. */
export function worldOf(loop: SceneLoop): World {
    loop.colliders.impulses ??= new SceneImpulses();
    return (loop.world ??= new World(loop.clock));
}
