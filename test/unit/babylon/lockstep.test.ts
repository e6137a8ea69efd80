import { Animation } from "@babylonjs/core/Animations/animation";
import "@babylonjs/core/Animations/animatable";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, describe, expect, test } from "@jest/globals";
import { ClothBehavior, select } from "../../../src/index";
import type { ClothOptions } from "../../../src/index";
import { difference, disposeWorlds, FRAME, makeSquare, makeWorld, worldVertices } from "./harness";
import type { World } from "./harness";

afterEach(disposeWorlds);

function hang(world: World, options: ClothOptions = {}): { cloth: ClothBehavior; steps(): number } {
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("-x") }], ...options });
    makeSquare(world.scene).addBehavior(cloth);
    let steps = 0;
    cloth.onAfterStepObservable.add(() => steps++);
    return { cloth, steps: () => steps };
}

describe("an engine in deterministic lockstep", () => {
    test("one step of the cloth for each of the engine's, whatever the frames", () => {
        const world = makeWorld({ lockstepMaxSteps: 4 });
        const { steps } = hang(world);
        world.frame(1);
        expect(steps()).toBe(0);
        world.frame(FRAME);
        expect(steps()).toBe(1);
        world.frame(2.5 * FRAME);
        expect(steps()).toBe(3);
        expect(world.scene.getStepId()).toBe(3);
        world.frame(900);
        expect(steps()).toBe(7);
        expect(world.scene.getStepId()).toBe(7);
    });

    test("the same steps give the same bits, whatever the frames", () => {
        const [smooth, rough] = [1.0001, 2.7].map((frames) => {
            const world = makeWorld({ lockstepMaxSteps: 4 });
            const node = new TransformNode("node", world.scene);
            const slide = new Animation(
                "slide",
                "position.x",
                60,
                Animation.ANIMATIONTYPE_FLOAT,
                Animation.ANIMATIONLOOPMODE_CYCLE,
            );
            slide.setKeys([
                { frame: 0, value: 0 },
                { frame: 60, value: 2 },
            ]);
            node.animations.push(slide);
            world.scene.beginAnimation(node, 0, 60, true);
            const { cloth } = hang(world, { pins: [{ select: [0, 1, 2, 3, 4, 5, 6], target: node }] });
            while (world.scene.getStepId() < 40) {
                // The last frame may not pass the goal.
                world.frame(Math.min(frames, 40.5 - world.scene.getStepId()) * FRAME);
            }
            expect(world.scene.getStepId()).toBe(40);
            return cloth.getParticlePositions();
        });
        expect(smooth).toEqual(rough);
    });

    test("pins are where an animation has put their target in this step", () => {
        const world = makeWorld({ lockstepMaxSteps: 4 });
        const node = new TransformNode("node", world.scene);
        const slide = new Animation("slide", "position.x", 60, Animation.ANIMATIONTYPE_FLOAT, Animation.ANIMATIONLOOPMODE_CYCLE);
        slide.setKeys([
            { frame: 0, value: 0 },
            { frame: 60, value: 60 },
        ]);
        node.animations.push(slide);
        world.scene.beginAnimation(node, 0, 60, true);
        const { cloth } = hang(world, { pins: [{ select: [0], target: node }] });
        const mesh = cloth.attachedNode!;
        for (let i = 0; i < 20; i++) {
            world.frame(1.3 * FRAME);
            expect(worldVertices(mesh)[0]).toBeCloseTo(node.position.x - 0.5, 4);
        }
        expect(node.position.x).toBeGreaterThan(10);
    });

    test("enabled and autoStep hold it, step() goes on by hand", () => {
        const world = makeWorld({ lockstepMaxSteps: 4 });
        const { cloth, steps } = hang(world, { enabled: false });
        world.frame(FRAME, 3);
        cloth.enabled = true;
        cloth.autoStep = false;
        world.frame(FRAME, 3);
        expect(steps()).toBe(0);
        cloth.step(1 / 60);
        expect(steps()).toBe(1);
        cloth.autoStep = true;
        world.frame(FRAME, 3);
        expect(steps()).toBe(4);
    });

    test("the mesh shows the step's state", () => {
        const world = makeWorld({ lockstepMaxSteps: 4 });
        const { cloth } = hang(world);
        world.frame(1.5 * FRAME, 5);
        const mesh = cloth.attachedNode!;
        const vertices = worldVertices(mesh);
        const particles = cloth.getParticlePositions();
        expect(difference(vertices, particles)).toBeLessThan(1e-5);
        expect(cloth.particleOfVertex(5)).toBe(5);
    });

    test("detach takes its observers back", async () => {
        const world = makeWorld({ lockstepMaxSteps: 4 });
        const counts = (): number[] =>
            [
                world.scene.onBeforeStepObservable,
                world.scene.onAfterStepObservable,
                world.scene.onBeforeRenderObservable,
                world.scene.onBeforeAnimationsObservable,
            ].map((observable) => observable.observers.length);
        const before = counts();
        const { cloth, steps } = hang(world);
        world.frame();
        expect(counts()).not.toEqual(before);
        cloth.attachedNode!.removeBehavior(cloth);
        await new Promise((resolve) => setTimeout(resolve, 1));
        expect(counts()).toEqual(before);
        world.frame();
        expect(steps()).toBe(1);
    });
});
