import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { ClothBehavior, Wind } from "../../../src/index";
import { hang } from "./hung";
import { difference, disposeWorlds, FRAME, listen, makeSquare, makeWorld } from "./harness";

beforeEach(() => {
    listen("warn");
    listen("error");
});
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

describe("reset", () => {
    test("puts the cloth back to its rest shape at the mesh's present place, at rest", () => {
        const world = makeWorld();
        const { mesh, cloth } = hang(world, "square");
        world.frame(FRAME, 30);
        mesh.position.set(3, 4, 5);
        mesh.rotation.y = 1;
        cloth.reset();
        const plain = makeSquare(world.scene, 6, "plain");
        expect(difference(mesh.getVerticesData("position")!, plain.getVerticesData("position")!)).toBeLessThan(1e-6);
        expect(cloth.stats.kineticEnergy).toBe(0);
    });

    test.each(["frames", "hand"])("begins anew in time as well: the same motion again, to the bit (by %s)", (by) => {
        const world = makeWorld();
        const { cloth } = hang(world, "square");
        // The wind of a running scene goes on.
        cloth.wind = new Wind({ velocity: new Vector3(3, 1, 2), turbulence: by === "hand" ? 1 : 0 });
        const run = (): Float32Array => {
            if (by === "hand") for (let i = 0; i < 20; i++) cloth.step((1.7 * FRAME) / 1000);
            else world.frame(1.7 * FRAME, 20);
            return cloth.getParticlePositions();
        };
        const first = run();
        cloth.reset();
        expect(run()).toEqual(first);
    });

    test("takes the size that the mesh has by then", () => {
        const world = makeWorld();
        const { mesh, cloth } = hang(world, "square");
        const parent = new TransformNode("parent", world.scene);
        mesh.parent = parent;
        world.frame(FRAME, 30);
        parent.scaling.set(2, 1, 3);
        cloth.reset();
        expect(cloth.stats.maxStretch).toBeLessThan(1e-5);
        expect([cloth.pins[0].particleCount, cloth.colliders.length]).toEqual([7, 1]);
        world.frame(FRAME, 30);
        expect(cloth.stats.maxStretch).toBeLessThan(0.1);
        expect(cloth.attachedNode).toBe(mesh);
        mesh.removeBehavior(cloth);
        const plain = makeSquare(world.scene, 6, "plain");
        expect(difference(mesh.getVerticesData("position")!, plain.getVerticesData("position")!)).toBe(0);
    });

    test("takes the shape that the mesh has by then, when only the angles between its axes have changed", () => {
        const world = makeWorld();
        const mesh = makeSquare(world.scene, 6);
        const parent = new TransformNode("parent", world.scene);
        mesh.parent = parent;
        mesh.rotation.y = Math.PI / 4;
        const cloth = new ClothBehavior({ gravity: Vector3.Zero(), fabric: { shearStiffness: Infinity } });
        mesh.addBehavior(cloth);
        world.frame();
        // Along x and z of the mesh lengths stay: (1.2² + 0.56) / 2 = 1.
        parent.scaling.set(1.2, 1, Math.sqrt(0.56));
        cloth.reset();
        const start = cloth.getParticlePositions();
        world.frame(FRAME, 20);
        expect(difference(cloth.getParticlePositions(), start)).toBeLessThan(1e-5);
    });

    test("colliders stand where they are then, and have not come there through the cloth", () => {
        const world = makeWorld();
        const { mesh, ball, cloth } = hang(world, "square");
        cloth.gravity = Vector3.Zero();
        // What jumps does not sweep, either; here no speed is a jump.
        cloth.teleportSpeed = Infinity;
        ball.position.x = -3;
        world.frame(FRAME, 2);
        ball.position.x = 3;
        cloth.reset();
        const start = cloth.getParticlePositions();
        world.frame(FRAME, 3);
        expect(cloth.attachedNode).toBe(mesh);
        expect(difference(cloth.getParticlePositions(), start)).toBeLessThan(1e-5);
    });

    test("does no harm while the mesh has no size", () => {
        const world = makeWorld();
        const { mesh, cloth } = hang(world, "square");
        for (const scale of [0, NaN]) {
            mesh.scaling.x = scale;
            cloth.reset();
            world.frame(FRAME, 3);
        }
        mesh.scaling.x = 1;
        cloth.reset();
        world.frame(FRAME, 3);
        expect(cloth.getParticlePositions().every(Number.isFinite)).toBe(true);
        expect(cloth.stats.maxStretch).toBeLessThan(0.1);
    });
});
