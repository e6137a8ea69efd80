import type { Scene } from "@babylonjs/core/scene";
import { windFieldOf } from "../../engine/forces/windFields";
import { reject } from "../../engine/state/validate";
import { framesOf } from "../frames/sceneFrames";
import type { Wind } from "./wind";

/** Winds of a whole scene: they blow on all its cloths, present and future, beside the wind that each may have of its own. */
export const Winds = {
    /**
     * Has a wind blow on all cloths of a scene. Where several blow, their velocities add up; density and coefficients are those of
     * the cloth's own wind, else of the first.
     * @throws RangeError on a scene or wind that cannot be used
     */
    add(scene: Scene, wind: Wind): void {
        const { winds } = framesOf("Winds: add", scene).world;
        const field = windFieldOf(wind) ?? reject("Winds: add", "wind", "a Wind", wind);
        if (!winds.includes(field)) winds.push(field);
    },

    /**
     * Ends it. A wind that is not the scene's is passed over.
     * @throws RangeError on what is no scene or no wind
     */
    remove(scene: Scene, wind: Wind): void {
        const { winds } = framesOf("Winds: remove", scene).world;
        const index = winds.indexOf(windFieldOf(wind) ?? reject("Winds: remove", "wind", "a Wind", wind));
        if (index >= 0) winds.splice(index, 1);
    },
};
