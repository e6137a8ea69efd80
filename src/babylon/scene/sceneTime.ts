import { nonNegative, Budget, reject } from "../../engine/index";
import type { Scene } from "@babylonjs/core/scene";
import { sceneLoopOf } from "./sceneLoop";

/** Time scale of all that a scene simulates: cloths, ropes, plants, rigid bodies, ragdolls, particles, and its winds. */
export const ClothTime = {
    /**
     * Sets how fast time passes, beside the engine's: 0.25 is slow motion, with the same fixed steps and drawn between them. At 0 nothing moves but by {@link step}; it is drawn as it is.
     * What moves colliders and pins should keep the same pace: `scene.animationTimeScale` for animations, the physics engine's time step; else they
     * strike as much harder. `scene.animationsEnabled` and `scene.animationTimeScale` do not act on cloth, as they do not act on Babylon's physics. What is
     * stepped by hand (`autoStep: false`) is not concerned.
     * @param scale >= 0. 1 at first
     * @throws RangeError on what is no scene, or no such number
     */
    setScale(scene: Scene, scale: number): void {
        sceneLoopOf("ClothTime: setScale", scene).timeScale = nonNegative("ClothTime: setScale", "scale", scale);
    },

    /** Scale as set. @throws RangeError when it is no scene */
    getScale(scene: Scene): number {
        return sceneLoopOf("ClothTime: getScale", scene).timeScale;
    },

    /** Time that has passed in a scene while it had cloth [s]. @throws RangeError when it is no scene */
    get(scene: Scene): number {
        return sceneLoopOf("ClothTime: get", scene).clock.time;
    },

    /**
     * Puts the clock, of which gusts and turbulence of winds are functions, to a time: what begins anew from the same time, by the same steps, moves the same.
     * @param seconds >= 0 [s]
     * @throws RangeError on what is no scene, or no such number
     */
    set(scene: Scene, seconds: number): void {
        sceneLoopOf("ClothTime: set", scene).clock.time = nonNegative("ClothTime: set", "seconds", seconds);
    },

    /**
     * Takes all that moves with the scene's frames through one by hand: fixed steps together, whoever sees them, then write-back. For servers, tests and films: what
     * lies on or hangs from each other moves as in a running scene, and costs as little, where `cloth.step` takes one after the other. Set the scale to 0 where the scene is rendered, too.
     * @param seconds time that passes, >= 0 [s]; of each body beyond its maxStepsPerFrame steps it is dropped
     * @throws RangeError on what is no scene, or no such number
     * @throws Error within a step
     */
    step(scene: Scene, seconds: number): void {
        const frames = sceneLoopOf("ClothTime: step", scene);
        nonNegative("ClothTime: step", "seconds", seconds);
        if (frames.isRunningFrame) throw new Error("ClothTime: step: a step of the scene's cloths is being taken");
        frames.step(seconds);
    },
};

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
