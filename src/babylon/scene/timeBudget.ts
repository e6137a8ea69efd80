import type { Scene } from "@babylonjs/core/scene";
import { Budget, reject } from "../../engine/index";
import { sceneLoopOf } from "./sceneLoop";

/** Time budget of a scene's cloths in each frame. */
export const TimeBudget = {
    /**
     * Sets the most milliseconds that all cloths of a scene may take of a frame, on the processor: motion, write-back, upload.
     *
     * Cloths have their turns in the order of `cloth.priority` and of the frames that they have waited. One that would not fit any more
     * does not move in this frame and is so much sooner in the next: it is carried along with its pins as it is, and time does not
     * count for it, so that it moves slower rather than wildly. What a cloth takes is known from its last turns, so a frame may
     * take a little more. The most urgent cloth always has its turn, even if it alone takes more than all may. What rests and is not
     * computed needs no turn, nor what you step by hand.
     *
     * Motion then depends on how fast the machine is. Without a budget nothing is measured, and the motion is the same everywhere.
     * @param milliseconds > 0 [ms]; Infinity: no budget, as at first. With an engine of deterministic lockstep, of each of its steps
     * @throws RangeError on what is no scene, or no such number
     */
    set(scene: Scene, milliseconds: number): void {
        const frames = sceneLoopOf("TimeBudget: set", scene);
        if (!(typeof milliseconds === "number" && milliseconds > 0)) {
            reject("TimeBudget: set", "milliseconds", "a number > 0 (Infinity = no budget)", milliseconds);
        }
        frames.budget = milliseconds < Infinity ? new Budget(milliseconds) : null;
    },

    /** Budget as set [ms]; Infinity: none. @throws RangeError when it is no scene */
    get(scene: Scene): number {
        return sceneLoopOf("TimeBudget: get", scene).budget?.milliseconds ?? Infinity;
    },
};
