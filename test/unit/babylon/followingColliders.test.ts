import { BoundingSphere } from "@babylonjs/core/Culling/boundingSphere";
import { Plane } from "@babylonjs/core/Maths/math.plane";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { ColliderSource } from "../../../src/index";
import { distances, dropSquare, THICKNESS } from "./falling";
import { disposeWorlds, FRAME, listen, told } from "./harness";

beforeEach(() => listen("warn"));
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

describe("following", () => {
    test.each<[string, () => [ColliderSource, (y: number) => void]]>([
        [
            "a Plane, changed in place",
            () => {
                const plane = new Plane(0, 1, 0, 0);
                return [plane, (y) => void (plane.d = -y)];
            },
        ],
        [
            "a BoundingSphere, updated",
            () => {
                const sphere = new BoundingSphere(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
                return [sphere, (y) => sphere._update(Matrix.Translation(0, y - sphere.radius, 0))];
            },
        ],
    ])("%s", (_, make) => {
        const { cloth, frame, heights } = dropSquare(0.1);
        const [source, moveTo] = make();
        moveTo(0);
        cloth.addCollider(source);
        frame(FRAME, 30);
        for (let i = 0; i < 30; i++) {
            moveTo(i / 30);
            frame();
        }
        expect(Math.max(...heights())).toBeGreaterThan(0.97);
    });

    test("a Plane or BoundingSphere that is not finite for a while stays where it was", () => {
        const { cloth, frame, heights } = dropSquare(0.1);
        const plane = new Plane(0, 1, 0, 0);
        cloth.addCollider(plane);
        frame(FRAME, 60);
        for (const bad of [NaN, Infinity]) {
            plane.d = bad;
            frame(FRAME, 10);
            plane.d = 0;
            plane.normal.x = bad;
            frame(FRAME, 10);
            plane.normal.set(0, 0, 0);
            frame(FRAME, 10);
            plane.normal.set(0, 1, 0);
        }
        expect(Math.max(...heights().map((y) => Math.abs(y - THICKNESS)))).toBeLessThan(5e-3);
    });

    test("a BoundingSphere that is not finite for a while stays where it was", () => {
        const { cloth, frame, heights } = dropSquare(0.1);
        const sphere = new BoundingSphere(new Vector3(-1, -2.8, -1), new Vector3(1, -0.8, 1));
        const top = sphere.centerWorld.y + sphere.radiusWorld;
        cloth.addCollider(sphere);
        frame(FRAME, 20);
        for (const bad of [NaN, Infinity]) {
            sphere.centerWorld.y = bad;
            frame(FRAME, 10);
            sphere.centerWorld.y = -1.8;
            const radius = sphere.radiusWorld;
            sphere.radiusWorld = bad;
            frame(FRAME, 10);
            sphere.radiusWorld = radius;
        }
        expect(Math.max(...heights())).toBeGreaterThan(top - 0.1);
    });

    test("a ground whose matrix becomes NaN stays where it was, without motion, and the developer is told once", () => {
        const { scene, cloth, frame, heights } = dropSquare(0.02, { fabric: { friction: 1, damping: 5 } });
        const ground = MeshBuilder.CreateGround("lift", { width: 5, height: 5 }, scene);
        cloth.addCollider(ground);
        frame();
        for (let i = 0; i < 20; i++) {
            ground.position.y += 0.05;
            frame();
        }
        const { y } = ground.position;
        ground.position.y = NaN;
        // It replayed its last rise in every frame: the cloth was thrown up, fell and was thrown up again.
        frame(0.7 * FRAME, 60);
        for (let i = 0; i < 60; i++) {
            frame(0.7 * FRAME);
            expect(Math.max(...heights().map((height) => Math.abs(height - y - THICKNESS)))).toBeLessThan(1e-3);
        }
        expect(told("warn")).toEqual(['Colliders: the place of the collider "lift" is not finite; it stays where it was']);
    });

    test("a mesh whose matrix is NaN when it is added is nowhere until it is finite", () => {
        const { scene, cloth, frame, heights } = dropSquare(0.1);
        const ground = MeshBuilder.CreateGround("floor", { width: 5, height: 5 }, scene);
        ground.position.y = NaN;
        cloth.addCollider(ground);
        frame(FRAME, 30);
        expect(Math.max(...heights())).toBeLessThan(-0.5);
        ground.position.y = -5;
        frame(FRAME, 90);
        expect(Math.min(...heights())).toBeGreaterThan(-5);
        expect(Math.max(...heights())).toBeLessThan(-4.9);
    });

    test("a BoundingSphere is as large as it is in the world", () => {
        const { cloth, frame, heights } = dropSquare(1.3);
        cloth.addCollider(new BoundingSphere(new Vector3(-0.3, -0.3, -0.3), new Vector3(0.3, 0.3, 0.3), Matrix.Scaling(2, 2, 2)));
        frame(FRAME, 25);
        // √3 · 0.3 m in its own measure, twice that in the world.
        expect(Math.min(...distances(cloth, Vector3.Zero()))).toBeGreaterThan(0.6 * Math.sqrt(3));
        expect(Math.max(...heights())).toBeGreaterThan(1);
    });

    test("a Plane's distance counts in lengths of its normal", () => {
        const { cloth, frame, heights } = dropSquare(0);
        cloth.addCollider(new Plane(0, 4, 0, 2));
        frame(FRAME, 90);
        expect(Math.max(...heights())).toBeCloseTo(-0.49, 2);
        expect(Math.min(...heights())).toBeCloseTo(-0.49, 2);
    });

    test("a mesh whose scale is 0 or NaN for a while harms nothing", () => {
        const { scene, cloth, frame, heights } = dropSquare(0.6);
        const ball = MeshBuilder.CreateSphere("ball", {}, scene);
        cloth.addCollider(ball);
        for (const scale of [1, 0, NaN, -1, 1e-20, 1e20, 1]) {
            ball.scaling.x = scale;
            frame(FRAME, 10);
            expect(heights().every(Number.isFinite)).toBe(true);
        }
    });

    // Its edges were lost: a plane without end.
    test.each(["y", "all"])(
        "a ground under a scale of 0: across it, it is the rectangle that it was; along it, nothing: %s",
        (axis) => {
            const { scene, mesh, cloth, frame, heights } = dropSquare(0.1);
            const ground = MeshBuilder.CreateGround("floor", { width: 0.6, height: 5 }, scene);
            mesh.getScene().gravity.set(0, -9.81, 0);
            ground.scaling.set(axis === "y" ? 1 : 0, 0, 1);
            cloth.addCollider(ground);
            frame(FRAME, 60);
            if (axis === "all") expect(Math.max(...heights())).toBeLessThan(-1);
            else {
                expect(Math.max(...heights())).toBeCloseTo(THICKNESS, 2);
                expect(Math.min(...heights())).toBeLessThan(-0.05);
            }
            expect(Math.min(...heights().filter((_, i) => Math.abs(cloth.getParticlePositions()[3 * i]) < 0.29))).toBeGreaterThan(
                axis === "y" ? 0 : -9,
            );
        },
    );

    test("an invisible, disabled or frozen mesh is a collider still", () => {
        const { scene, cloth, frame } = dropSquare(0.6);
        const ball = MeshBuilder.CreateSphere("ball", { diameter: 1 }, scene);
        ball.isVisible = false;
        ball.freezeWorldMatrix();
        ball.setEnabled(false);
        cloth.addCollider(ball);
        frame(FRAME, 30);
        expect(Math.min(...distances(cloth, Vector3.Zero()))).toBeGreaterThan(0.5);
    });
});
