// Cloth that no one sees pauses, what is far away moves less finely, and neither shows when it comes back.
import { FreeCamera } from "@babylonjs/core/Cameras/freeCamera";
import { DirectionalLight } from "@babylonjs/core/Lights/directionalLight";
import { ShadowGenerator } from "@babylonjs/core/Lights/Shadows/shadowGenerator";
import { RenderTargetTexture } from "@babylonjs/core/Materials/Textures/renderTargetTexture";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import "@babylonjs/core/Meshes/instancedMesh";
import { afterEach, describe, expect, test } from "@jest/globals";
import { ClothBehavior, select, Wind } from "../../../src/index";
import type { ClothOptions } from "../../../src/index";
import { difference, disposeWorlds, FRAME, makeSquare, makeWorld, messageOf, worldVertices } from "./harness";
import type { World } from "./harness";

afterEach(disposeWorlds);

/** A world that is drawn on something. */
function makeSeen(): World {
    const world = makeWorld();
    world.engine.getRenderingCanvas = () => ({}) as HTMLCanvasElement;
    world.camera.maxZ = 1e4;
    return world;
}

/** A flag at a place, and how many steps it has taken since it was last asked. */
function hang({ scene }: World, place: Vector3, options: ClothOptions = {}) {
    const mesh = makeSquare(scene, 8);
    mesh.position.copyFrom(place);
    const wind = new Wind({ velocity: new Vector3(4, 0, 1) });
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("-x") }], wind, ...options });
    mesh.addBehavior(cloth);
    let steps = 0;
    cloth.onAfterStepObservable.add(() => steps++);
    const takeSteps = (): number => {
        const taken = steps;
        steps = 0;
        return taken;
    };
    return { mesh, cloth, takeSteps };
}

const SEEN = Vector3.Zero();
const BEHIND = new Vector3(0, 0, -40);

/** Steps in twenty frames, once the pause has begun if there is one. */
function stepsOf(world: World, takeSteps: () => number): number {
    world.frame(FRAME, 15);
    takeSteps();
    world.frame(FRAME, 20);
    return takeSteps();
}

describe("out of view", () => {
    test("cloth pauses, and moves where it is seen", () => {
        const world = makeSeen();
        const [seen, behind] = [hang(world, SEEN), hang(world, BEHIND)];
        expect([stepsOf(world, seen.takeSteps), stepsOf(world, behind.takeSteps)]).toEqual([20, 0]);
        world.camera.rotation.y = Math.PI;
        expect([stepsOf(world, seen.takeSteps), stepsOf(world, behind.takeSteps)]).toEqual([0, 20]);
    });

    test("it goes on where it shall, or is stepped by hand, or it cannot be told who sees it", () => {
        const world = makeSeen();
        const always = hang(world, BEHIND, { alwaysUpdate: true });
        expect(stepsOf(world, always.takeSteps)).toBe(20);
        const byHand = hang(world, BEHIND, { autoStep: false });
        expect(stepsOf(world, byHand.takeSteps)).toBe(0);
        byHand.cloth.step(1 / 60);
        expect(byHand.takeSteps()).toBe(1);
        const behind = hang(world, BEHIND);
        expect(stepsOf(world, behind.takeSteps)).toBe(0);
        behind.cloth.step(1 / 60);
        expect(behind.takeSteps()).toBe(1);
        world.scene.skipFrustumClipping = true;
        expect(stepsOf(world, behind.takeSteps)).toBe(20);
        world.scene.skipFrustumClipping = false;
        world.engine.getRenderingCanvas = () => null;
        expect(stepsOf(world, behind.takeSteps)).toBe(20);
    });

    test("every active camera counts, by its layers", () => {
        const world = makeSeen();
        const behind = hang(world, BEHIND);
        const second = new FreeCamera("second", new Vector3(0, 0, -20), world.scene);
        second.setTarget(BEHIND);
        expect(stepsOf(world, behind.takeSteps)).toBe(0);
        world.scene.activeCameras = [world.camera, second];
        expect(stepsOf(world, behind.takeSteps)).toBe(20);
        behind.mesh.layerMask = 0x10000000;
        expect(stepsOf(world, behind.takeSteps)).toBe(0);
        second.layerMask = 0x30000000;
        expect(stepsOf(world, behind.takeSteps)).toBe(20);
    });

    test("shadow maps and other render targets count, while the mesh is on their lists", () => {
        const world = makeSeen();
        const behind = hang(world, BEHIND);
        const mirror = new RenderTargetTexture("mirror", 64, world.scene);
        expect(stepsOf(world, behind.takeSteps)).toBe(0);
        mirror.renderList = [behind.mesh];
        expect(stepsOf(world, behind.takeSteps)).toBe(20);
        mirror.renderList = [];
        expect(stepsOf(world, behind.takeSteps)).toBe(0);
        const light = new DirectionalLight("sun", new Vector3(0, -1, 0), world.scene);
        new ShadowGenerator(64, light).addShadowCaster(behind.mesh);
        expect(stepsOf(world, behind.takeSteps)).toBe(20);
    });

    test("instances of it count where they are", () => {
        const world = makeSeen();
        const behind = hang(world, BEHIND);
        expect(stepsOf(world, behind.takeSteps)).toBe(0);
        const instance = behind.mesh.createInstance("instance");
        instance.position.copyFrom(SEEN);
        expect(stepsOf(world, behind.takeSteps)).toBe(20);
    });

    test("what carries it into view brings it along as it was, and it moves on from there", () => {
        const world = makeSeen();
        const hand = new TransformNode("hand", world.scene);
        hand.position.copyFrom(BEHIND);
        const { mesh, cloth, takeSteps } = hang(world, BEHIND, { pins: [{ select: select.edge("-x"), target: hand }] });
        world.frame(FRAME, 60);
        expect(stepsOf(world, takeSteps)).toBe(0);
        const before = worldVertices(mesh);
        hand.position.x = 30;
        world.frame(FRAME, 3);
        expect(takeSteps()).toBe(0);
        hand.position.copyFrom(SEEN);
        world.frame();
        expect(takeSteps()).toBe(1);
        const shift = (points: Float64Array) => points.map((x, k) => x + [0, 0, 40][k % 3]);
        // Within what a step moves at the speed that it had.
        expect(difference(worldVertices(mesh), shift(before))).toBeLessThan(0.06);
        expect(cloth.stats.maxStretch).toBeLessThan(0.03);
    });

    test("coming back shows no jump: no vertex moves farther in a frame than while it was always seen", () => {
        /** The largest motion of a vertex from frame to frame [m]. @param isPaused whether the camera looks away for a while */
        const largestMotion = (isPaused: boolean): number => {
            const world = makeSeen();
            const { mesh, takeSteps } = hang(world, SEEN);
            world.frame(FRAME, 90);
            takeSteps();
            if (isPaused) {
                world.camera.rotation.y = Math.PI;
                expect(stepsOf(world, takeSteps)).toBe(0);
                world.frame(FRAME, 100);
                world.camera.rotation.y = 0;
            }
            let largest = 0;
            for (let f = 0, last = worldVertices(mesh); f < 120; f++) {
                world.frame();
                const now = worldVertices(mesh);
                largest = Math.max(largest, difference(now, last));
                last = now;
            }
            return largest;
        };
        expect(largestMotion(true)).toBeLessThan(1.3 * largestMotion(false));
    });
});

describe("far away", () => {
    test("cloth moves in fewer substeps, then in longer steps, then not at all; and comes back to what it was", () => {
        const world = makeSeen();
        const options = { fullDetailDistance: 10, pauseDistance: 200 };
        const { cloth, mesh, takeSteps } = hang(world, SEEN, options);
        const { settings } = (cloth as unknown as { _runtime: { instance: { cloth: { settings: Record<string, number> } } } })
            ._runtime.instance.cloth;
        const seen: number[][] = [];
        for (const z of [-8, -16, -30, -60, -120, -300, -190, -170, -60, -8]) {
            world.camera.position.z = z;
            const steps = stepsOf(world, takeSteps);
            seen.push([z, settings.substepCount, Math.round(1 / settings.fixedTimeStep), steps]);
            expect([cloth.substepCount, cloth.fixedTimeStep]).toEqual([4, 1 / 60]);
            expect(cloth.stats.maxStretch).toBeLessThan(0.15);
        }
        expect(seen).toEqual([
            [-8, 4, 60, 20],
            [-16, 2, 60, 20],
            [-30, 1, 60, 20],
            [-60, 1, 30, 10],
            [-120, 1, 30, 10],
            [-300, 1, 30, 0],
            [-190, 1, 30, 0],
            [-170, 1, 30, 10],
            [-60, 1, 30, 10],
            [-8, 4, 60, 20],
        ]);
        expect(mesh.isDisposed()).toBe(false);
    });

    test("without a camera it is as near as can be", () => {
        const world = makeSeen();
        const { cloth, takeSteps } = hang(world, SEEN, { fullDetailDistance: 10, pauseDistance: 20 });
        world.camera.position.z = -100;
        expect(stepsOf(world, takeSteps)).toBe(0);
        world.scene.render = () => world.scene.onBeforeRenderObservable.notifyObservers(world.scene);
        world.scene.activeCamera = null;
        expect(stepsOf(world, takeSteps)).toBe(20);
        expect(cloth.attachedNode).not.toBeNull();
    });

    test("coming near shows no jump", () => {
        const world = makeSeen();
        const { mesh } = hang(world, SEEN, { fullDetailDistance: 10 });
        world.camera.position.z = -100;
        world.frame(FRAME, 120);
        let largest = 0;
        for (let f = 0, last = worldVertices(mesh); f < 300; f++) {
            world.camera.position.z = -100 + f / 3;
            world.frame();
            const now = worldVertices(mesh);
            largest = Math.max(largest, difference(now, last));
            last = now;
        }
        expect(largest).toBeLessThan(0.12);
    });

    test("wrong", () => {
        for (const name of ["fullDetailDistance", "pauseDistance"] as const) {
            expect(messageOf(() => new ClothBehavior({ [name]: 0 }))).toBe(
                `ClothBehavior: ${name} must be a number > 0 (Infinity = any), got 0`,
            );
        }
        expect(messageOf(() => new ClothBehavior({ alwaysUpdate: 1 as unknown as boolean }))).toBe(
            "ClothBehavior: alwaysUpdate must be true or false, got 1",
        );
    });
});
