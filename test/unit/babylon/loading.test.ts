import { Plane } from "@babylonjs/core/Maths/math.plane";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { ClothBehavior, select, Wind } from "../../../src/index";
import { disposeWorlds, listen, makeSquare, makeWorld, told } from "./harness";
import type { World } from "./harness";

beforeEach(() => listen("error"));
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

const ITEM = "a file";

function loadingWorld(): World {
    const world = makeWorld();
    world.scene.addPendingData(ITEM);
    expect(world.scene.isLoading).toBe(true);
    return world;
}

function finish({ scene }: World): void {
    scene.removePendingData(ITEM);
    expect(scene.isLoading).toBe(false);
}

describe("while the scene is loading", () => {
    test("the attach waits until everything has arrived", () => {
        const world = loadingWorld();
        const mesh = makeSquare(world.scene);
        const cloth = new ClothBehavior({ pins: [{ select: select.edge("-x") }] });
        mesh.addBehavior(cloth);
        world.frame();
        expect([cloth.attachedNode, cloth.particleCount]).toEqual([null, 0]);
        finish(world);
        expect(cloth.attachedNode).toBe(mesh);
        expect(cloth.pins[0].particleCount).toBe(7);
        world.frame(undefined, 10);
        expect(cloth.stats.kineticEnergy).toBeGreaterThan(0);
        expect(told("error")).toEqual([]);
    });

    test("setters and methods work before it, and their outcome holds after it", () => {
        const world = loadingWorld();
        const mesh = makeSquare(world.scene);
        const ball = makeSquare(world.scene, 1, "ball");
        const cloth = new ClothBehavior();
        mesh.addBehavior(cloth);
        const pin = cloth.pin(select.edge("-x"));
        const dropped = cloth.pin([48]);
        const collider = cloth.addCollider(ball);
        cloth.addCollider(Plane.FromPositionAndNormal(new Vector3(0, -1, 0), Vector3.Up()));
        cloth.removeCollider(collider);
        cloth.unpin(dropped);
        cloth.substepCount = 2;
        cloth.fabric = { damping: 2 };
        cloth.wind = new Wind({ velocity: new Vector3(1, 0, 0) });
        cloth.gravity = { x: 0, y: -1, z: 0 };
        cloth.enabled = true;
        cloth.applyImpulse(Vector3.Zero(), Vector3.Up());
        cloth.step(1 / 60);
        cloth.reset();
        expect(cloth.getParticlePositions()).toEqual(new Float32Array(0));
        expect([cloth.stats.particleCount, cloth.stats.counts.structural, cloth.stats.kineticEnergy]).toEqual([0, 0, 0]);
        expect(cloth.stats.milliseconds.total).toBe(0);
        finish(world);
        world.frame();
        expect(cloth.pins).toEqual([pin]);
        expect(cloth.colliders.length).toBe(1);
        expect([cloth.substepCount, cloth.fabric.damping]).toEqual([2, 2]);
        expect(pin.particleCount).toBe(7);
    });

    test("a mesh that cannot be cloth is told on the console; other observers and clothes go on", () => {
        const world = loadingWorld();
        const bad = new Mesh("bad", world.scene);
        const good = makeSquare(world.scene);
        const after = jest.fn();
        const [first, second] = [new ClothBehavior(), new ClothBehavior()];
        bad.addBehavior(first);
        good.addBehavior(second);
        world.scene.onDataLoadedObservable.add(after);
        expect(() => finish(world)).not.toThrow();
        expect(told("error")).toEqual(['Error: ClothBehavior: mesh "bad" must have a geometry, got none (Mesh)']);
        expect(after).toHaveBeenCalledTimes(1);
        expect([first.attachedNode, second.attachedNode]).toEqual([null, good]);
        world.frame();
        bad.removeBehavior(first);
        bad.dispose();
        world.frame();
    });

    test("one cloth on two meshes, two on one: told on the console", () => {
        const world = loadingWorld();
        const [mesh, other] = [makeSquare(world.scene), makeSquare(world.scene, 2, "other")];
        const [first, second] = [new ClothBehavior(), new ClothBehavior()];
        mesh.addBehavior(first);
        other.addBehavior(first);
        mesh.addBehavior(second);
        expect(() => finish(world)).not.toThrow();
        expect(told("error")).toEqual([
            'Error: ClothBehavior: it can be on one mesh only; this one is on "square"',
            'Error: ClothBehavior: a mesh can be one body only; "square" is one by its "Cloth"',
        ]);
        world.frame();
        // The ones that failed can be taken off without harm to the one that works.
        mesh.removeBehavior(second);
        expect(first.attachedNode).toBe(mesh);
    });

    test("removed before it: it stays away", () => {
        const world = loadingWorld();
        const mesh = makeSquare(world.scene);
        const cloth = new ClothBehavior();
        mesh.addBehavior(cloth);
        mesh.removeBehavior(cloth);
        finish(world);
        expect(cloth.attachedNode).toBeNull();
        world.frame();
    });

    test("moved to another mesh, or taken off and on again, before it", () => {
        const world = loadingWorld();
        const [mesh, other] = [makeSquare(world.scene), makeSquare(world.scene, 2, "other")];
        const cloth = new ClothBehavior();
        mesh.addBehavior(cloth);
        mesh.removeBehavior(cloth);
        mesh.addBehavior(cloth);
        mesh.removeBehavior(cloth);
        other.addBehavior(cloth);
        other.removeBehavior(cloth);
        other.addBehavior(cloth);
        expect(() => finish(world)).not.toThrow();
        expect(told("error")).toEqual([]);
        expect(cloth.attachedNode).toBe(other);
        world.frame();
    });

    test("mesh, scene or engine disposed before it", () => {
        for (const victim of ["mesh", "scene", "engine"] as const) {
            const world = loadingWorld();
            const mesh = makeSquare(world.scene);
            const cloth = new ClothBehavior();
            mesh.addBehavior(cloth);
            ({ mesh, scene: world.scene, engine: world.engine })[victim].dispose();
            world.scene.removePendingData(ITEM);
            expect(cloth.attachedNode).toBeNull();
        }
        expect(told("error")).toEqual([]);
    });
});
