import type { Scene } from "@babylonjs/core/scene";
import { reject, windFieldOf } from "../../engine/index";
import { sceneLoopOf } from "../scene/sceneLoop";
import type { Wind } from "./wind";

/** Winds of a scene: they act on all its cloths, present and future, in addition to each cloth's own wind. */
export const Winds = {
    /**
     * Adds a wind to a scene; it acts on all its cloths. Velocities of several winds add up; density and coefficients are those of
     * the cloth's own wind, else of the first.
     * @throws RangeError on an invalid scene or wind
     */
    add(scene: Scene, wind: Wind): void {
        const { winds } = sceneLoopOf("Winds: add", scene).world;
        const field = windFieldOf(wind) ?? reject("Winds: add", "wind", "a Wind", wind);
        if (!winds.includes(field)) winds.push(field);
    },

    /**
     * Removes a wind. No effect if it is not the scene's.
     * @throws RangeError on an invalid scene or wind
     */
    remove(scene: Scene, wind: Wind): void {
        const { winds } = sceneLoopOf("Winds: remove", scene).world;
        const index = winds.indexOf(windFieldOf(wind) ?? reject("Winds: remove", "wind", "a Wind", wind));
        if (index >= 0) winds.splice(index, 1);
    },
};
