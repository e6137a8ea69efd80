import { finiteVector } from "../../engine/index";
import type { VectorLike } from "../../engine/index";
import type { Scene } from "@babylonjs/core/scene";
import { sceneLoopOf } from "./sceneLoop";

/** The origin of large worlds. */
export const ClothOrigin = {
    /**
     * Moves all cloths, ropes, plants and rigid bodies of a scene, as they are and in their motion. Call it where a game moves the roots of its scene back to
     * the origin, in the same frame, before or after. Roots are yours to move, and so are Planes and what particle systems have emitted; gusts of a wind go
     * on by the new places. With Babylon's `useFloatingOrigin` nothing of the scene moves: it is not needed.
     * @param offset added to all places, world axes [m]
     * @throws RangeError on what is no scene, or no finite vector
     */
    shift(scene: Scene, offset: VectorLike): void {
        const loop = sceneLoopOf("ClothOrigin: shift", scene);
        finiteVector("ClothOrigin: shift", "offset", offset);
        loop.shiftOrigin(offset);
    },
};
