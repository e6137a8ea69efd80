import { BoundingSphere } from "@babylonjs/core/Culling/boundingSphere";
import { Plane } from "@babylonjs/core/Maths/math.plane";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { ClothBehavior } from "../../../src/index";
import type { ColliderSource } from "../../../src/index";
import { distances, dropSquare, THICKNESS } from "./falling";
import { disposeWorlds, FRAME, listen, makeSquare, makeWorld, messageOf, told } from "./harness";

beforeEach(() => listen("warn"));
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

/** Things to lie on with their top at a height of 0, wider than the cloth. */
const floors: Record<string, (scene: Scene) => ColliderSource> = {
    "a ground": (scene) => MeshBuilder.CreateGround("floor", { width: 5, height: 5 }, scene),
    "a fine ground, scaled": (scene) => {
        const ground = MeshBuilder.CreateGround("floor", { width: 1, height: 1, subdivisions: 8 }, scene);
        ground.scaling.set(5, 1, 5);
        return ground;
    },
    "a plane, turned": (scene) => {
        const plane = MeshBuilder.CreatePlane("floor", { size: 5 }, scene);
        plane.rotation.x = Math.PI / 2;
        return plane;
    },
    "a plane, turned, under a mirroring parent": (scene) => {
        const plane = MeshBuilder.CreatePlane("floor", { size: 5 }, scene);
        const parent = new TransformNode("parent", scene);
        parent.scaling.set(1, -1, 1);
        parent.position.y = 1;
        plane.parent = parent;
        plane.position.y = 1;
        plane.rotation.x = -Math.PI / 2;
        return plane;
    },
    "a Plane": () => Plane.FromPositionAndNormal(Vector3.Zero(), Vector3.Up()),
    "a Plane that is not normalised": () => new Plane(0, 20, 0, 0),
};

describe("cloth comes to lie", () => {
    test.each(Object.keys(floors))("on %s", (name) => {
        const { scene, cloth, frame, heights } = dropSquare(0.2, {});
        cloth.addCollider(floors[name](scene));
        frame(FRAME, 90);
        expect(Math.min(...heights())).toBeGreaterThan(THICKNESS - 1e-3);
        expect(Math.max(...heights())).toBeLessThan(THICKNESS + 5e-3);
    });

    test("on a sphere", () => {
        const { scene, cloth, frame } = dropSquare(0.6, {});
        const ball = MeshBuilder.CreateSphere("ball", { diameter: 1 }, scene);
        cloth.addCollider(ball);
        for (let i = 0; i < 60; i++) {
            frame();
            expect(Math.min(...distances(cloth, ball.position))).toBeGreaterThan(0.5 + THICKNESS - 2e-3);
        }
        expect(Math.min(...distances(cloth, ball.position))).toBeLessThan(0.53);
    });

    test("on an ellipsoid: a sphere scaled by itself and by its parent", () => {
        const { scene, cloth, frame } = dropSquare(1.3, {});
        const ball = MeshBuilder.CreateSphere("ball", { diameter: 1 }, scene);
        const parent = new TransformNode("parent", scene);
        parent.scaling.set(2, -1, 1);
        ball.parent = parent;
        ball.scaling.set(0.5, 2.4, 1);
        cloth.addCollider(ball);
        frame(FRAME, 40);
        const x = cloth.getParticlePositions();
        let nearest = Infinity;
        for (let i = 0; i < x.length; i += 3) {
            const k = Math.hypot(x[i] / 0.5, x[i + 1] / 1.2, x[i + 2] / 0.5);
            nearest = Math.min(nearest, k);
            expect(k).toBeGreaterThan(1);
        }
        expect(nearest).toBeLessThan(1.05);
    });

    test("on a BoundingSphere", () => {
        const { cloth, frame } = dropSquare(0.9, {});
        const sphere = new BoundingSphere(new Vector3(-0.5, -0.5, -0.5), new Vector3(0.5, 0.5, 0.5));
        cloth.addCollider(sphere);
        frame(FRAME, 40);
        expect(Math.min(...distances(cloth, Vector3.Zero()))).toBeGreaterThan(sphere.radiusWorld);
        expect(sphere.radiusWorld).toBeGreaterThan(0.8);
    });

    test("a ball that rises carries it up; one that moves on leaves it", () => {
        const { scene, cloth, frame, heights } = dropSquare(0.6, { fabric: { friction: 1 } });
        const ball = MeshBuilder.CreateSphere("ball", { diameter: 1 }, scene);
        cloth.addCollider(ball);
        for (let i = 0; i < 60; i++) {
            ball.position.y += 2 / 60;
            frame();
            expect(Math.min(...distances(cloth, ball.position))).toBeGreaterThan(0.5 + THICKNESS - 5e-3);
        }
        expect(Math.max(...heights())).toBeGreaterThan(2.5);
        ball.position.x = 50;
        frame(FRAME, 60);
        expect(Math.max(...heights())).toBeLessThan(2.3);
    });

    test("a floor that rises under it", () => {
        const { scene, cloth, frame, heights } = dropSquare(0.1, {});
        const ground = MeshBuilder.CreateGround("floor", { width: 5, height: 5 }, scene);
        const lift = new TransformNode("lift", scene);
        ground.parent = lift;
        cloth.addCollider(ground);
        for (let i = 0; i < 60; i++) {
            lift.position.y += 3 / 60;
            frame();
            expect(Math.min(...heights())).toBeGreaterThan(lift.position.y + THICKNESS - 1e-3);
        }
    });
});

describe("options", () => {
    test("margin: distance kept in addition to the thickness, changed at run time", () => {
        const { cloth, frame, heights } = dropSquare(0.2);
        const collider = cloth.addCollider(new Plane(0, 1, 0, 0), { margin: 0.05 });
        expect([collider.margin, collider.friction, collider.shape]).toEqual([0.05, null, "halfSpace"]);
        const lowest = (): number => Math.min(...heights());
        frame(FRAME, 90);
        expect(lowest()).toBeCloseTo(0.06, 2);
        collider.margin = 0.1;
        frame(FRAME, 30);
        expect(lowest()).toBeCloseTo(0.11, 2);
        cloth.fabric = { thickness: 0.05 };
        frame(FRAME, 30);
        expect(lowest()).toBeCloseTo(0.15, 2);
        collider.margin = -0.2;
        frame(FRAME, 90);
        expect(lowest()).toBeCloseTo(-0.15, 2);
    });

    test.each([1, -1])("a negative margin lets cloth sink into a rectangle by as much, on the side on which it was: %d", (side) => {
        const { scene, mesh, cloth, frame, heights } = dropSquare(0, { gravity: new Vector3(0, -9.81 * side, 0) });
        mesh.position.y = 0.05 * side;
        cloth.reset();
        const ground = MeshBuilder.CreateGround("floor", { width: 5, height: 5 }, scene);
        const collider = cloth.addCollider(ground, { margin: -0.03 });
        frame(FRAME, 60);
        for (const y of [Math.min(...heights()), Math.max(...heights())]) expect(y * side).toBeCloseTo(-0.02, 3);
        collider.margin = -0.2;
        frame(FRAME, 60);
        for (const y of [Math.min(...heights()), Math.max(...heights())]) expect(y * side).toBeCloseTo(-0.19, 3);
        collider.margin = 0.01;
        frame(FRAME, 60);
        for (const y of [Math.min(...heights()), Math.max(...heights())]) expect(y * side).toBeCloseTo(0.02, 3);
    });

    test("friction: its own, else the fabric's, changed at run time", () => {
        const slide = (friction: number | undefined, fabric: number): number => {
            const { cloth, mesh, frame } = dropSquare(0.02, { fabric: { friction: fabric }, gravity: new Vector3(3, -9, 0) });
            cloth.addCollider(new Plane(0, 1, 0, 0), friction === undefined ? {} : { friction });
            frame(FRAME, 60);
            expect(mesh.isDisposed()).toBe(false);
            return cloth.getParticlePositions()[0] + 0.5;
        };
        expect(slide(undefined, 1)).toBeLessThan(0.05);
        expect(slide(1, 0)).toBeLessThan(0.05);
        expect(slide(undefined, 0)).toBeGreaterThan(0.8);
        expect(slide(0, 1)).toBeGreaterThan(0.8);

        const { cloth, frame } = dropSquare(0.02, { fabric: { friction: 1 }, gravity: new Vector3(3, -9, 0) });
        const collider = cloth.addCollider(new Plane(0, 1, 0, 0), { friction: 1 });
        frame(FRAME, 30);
        collider.friction = 0;
        frame(FRAME, 60);
        expect(cloth.getParticlePositions()[0]).toBeGreaterThan(0);
        // Back to the fabric's, which is more than the slope.
        collider.friction = null;
        expect(collider.friction).toBeNull();
        frame(FRAME, 60);
        const rested = cloth.getParticlePositions()[0];
        frame(FRAME, 60);
        expect(cloth.getParticlePositions()[0]).toBeCloseTo(rested, 2);
    });

    test.each([
        [
            { shape: "cube" },
            'ClothBehavior: addCollider: shape must be "sphere", "plane", "box", "capsule", "cylinder", "hull", "mesh", got "cube"',
        ],
        [{ restitution: 1.1 }, "ClothBehavior: addCollider: restitution must be a number from 0 to 1, got 1.1"],
        [{ friction: -1 }, "ClothBehavior: addCollider: friction must be a finite number >= 0, got -1"],
        [{ margin: NaN }, "ClothBehavior: addCollider: margin must be a finite number, got NaN"],
        [{ group: "all" }, 'ClothBehavior: addCollider: group must be an integer from -2147483648 to 4294967295, got "all"'],
        [{ mask: NaN }, "ClothBehavior: addCollider: mask must be an integer from -2147483648 to 4294967295, got NaN"],
        [
            { radius: 1 },
            'ClothBehavior: addCollider: unknown option "radius"; the options are shape, inside, twoSided, friction, restitution, influence, margin, group, mask',
        ],
    ])("wrong: %p", (options, message) => {
        const { cloth, frame } = dropSquare();
        expect(messageOf(() => cloth.addCollider(new Plane(0, 1, 0, 0), options as object))).toBe(message);
        expect(cloth.colliders).toEqual([]);
        const collider = cloth.addCollider(new Plane(0, 1, 0, 0));
        expect(() => {
            collider.friction = -1;
        }).toThrow("ClothBehavior: addCollider: friction must be a finite number >= 0, got -1");
        expect(() => {
            collider.margin = Infinity;
        }).toThrow("ClothBehavior: addCollider: margin must be a finite number, got Infinity");
        frame();
    });

    test.each([
        ["undefined", undefined, "undefined"],
        ["a string", "ball", '"ball"'],
        ["an object", {}, "an object (Object)"],
        ["a vector", Vector3.Up(), "an object (Vector3)"],
    ])("no source: %s", (_, source, shown) => {
        expect(messageOf(() => new ClothBehavior().addCollider(source as never))).toBe(
            `ClothBehavior: addCollider: source must be a mesh, a Plane, a BoundingSphere, a BoundingBox or a PhysicsBody, got ${shown}`,
        );
    });
});

describe("coming and going", () => {
    test("added and removed at run time", () => {
        const { scene, cloth, frame, heights } = dropSquare(0.1);
        const floor = cloth.addCollider(MeshBuilder.CreateGround("floor", { width: 5, height: 5 }, scene));
        frame(FRAME, 30);
        expect(Math.min(...heights())).toBeGreaterThan(0);
        cloth.removeCollider(floor);
        frame(FRAME, 60);
        expect(Math.max(...heights())).toBeLessThan(-0.5);
        cloth.removeCollider(floor);
        cloth.removeCollider(undefined as never);
        cloth.addCollider(new Plane(0, 1, 0, 5));
        frame(FRAME, 120);
        expect(Math.min(...heights())).toBeGreaterThan(-5);
        expect(Math.max(...heights())).toBeLessThan(-4.9);
    });

    test("disposed while it is in use: dropped, and the developer told once by name", () => {
        const { scene, cloth, frame, heights } = dropSquare(0.1);
        const [floor, ball] = [
            MeshBuilder.CreateGround("floor", { width: 5, height: 5 }, scene),
            MeshBuilder.CreateSphere("ball", {}, scene),
        ];
        ball.position.y = -5;
        cloth.addCollider(floor);
        cloth.addCollider(ball);
        frame(FRAME, 30);
        floor.dispose();
        frame(FRAME, 30);
        expect(told("warn")).toEqual(['ClothBehavior: the collider "floor" was disposed; it is dropped']);
        expect(cloth.colliders.map((collider) => (collider.source as Mesh).name)).toEqual(["ball"]);
        expect(Math.max(...heights())).toBeLessThan(0);
        ball.dispose();
        frame(FRAME, 30);
        expect(told("warn").length).toBe(2);
        expect(cloth.colliders).toEqual([]);
    });

    test("the mesh that is cloth is no collider of itself, before attach or after", () => {
        const message = 'ClothBehavior: addCollider: source must be another mesh than the one that is cloth, got "square"';
        const { mesh, cloth, frame, heights } = dropSquare(0.1);
        expect(messageOf(() => cloth.addCollider(mesh))).toBe(message);
        expect(cloth.colliders).toEqual([]);
        frame(FRAME, 10);
        expect(Math.max(...heights())).toBeLessThan(0.1);
        mesh.removeBehavior(cloth);
        const early = new ClothBehavior({ colliders: [mesh] });
        expect(messageOf(() => mesh.addBehavior(early))).toBe(message);
        expect(early.attachedNode).toBeNull();
    });

    test("disposed before the cloth is attached", () => {
        const { scene, frame } = makeWorld();
        const ball = MeshBuilder.CreateSphere("ball", {}, scene);
        const cloth = new ClothBehavior({ colliders: [ball] });
        ball.dispose();
        expect(messageOf(() => cloth.addCollider(ball))).toBe(
            'ClothBehavior: addCollider: source must be a node that is not disposed, got "ball"',
        );
        makeSquare(scene).addBehavior(cloth);
        frame();
        expect(cloth.colliders).toEqual([]);
    });

    test("added, removed and disposed inside the step observers", () => {
        const { scene, cloth, frame, heights } = dropSquare(0.3);
        let step = 0;
        cloth.onBeforeStepObservable.add(() => {
            step++;
            if (step % 4 === 0) cloth.addCollider(MeshBuilder.CreateSphere(`ball ${step}`, {}, scene));
            if (step % 4 === 1 && cloth.colliders[0]) cloth.removeCollider(cloth.colliders[0]);
        });
        cloth.onAfterStepObservable.add(() => {
            if (step % 4 === 2 && cloth.colliders[0]) (cloth.colliders[0].source as Mesh).dispose();
        });
        frame(2 * FRAME, 60);
        expect(step).toBeGreaterThan(100);
        expect(heights().every(Number.isFinite)).toBe(true);
    });

    test("one mesh is a collider of two clothes", () => {
        const { scene, cloth, frame } = dropSquare(0.6);
        const ball = MeshBuilder.CreateSphere("ball", { diameter: 1 }, scene);
        const other = new ClothBehavior({ colliders: [ball] });
        const mesh = makeSquare(scene, 6, "other");
        mesh.position.y = 0.7;
        mesh.addBehavior(other);
        cloth.addCollider(ball);
        frame(FRAME, 20);
        cloth.removeCollider(cloth.colliders[0]);
        frame(FRAME, 20);
        expect(Math.min(...distances(other, Vector3.Zero()))).toBeGreaterThan(0.5);
        expect(Math.min(...distances(cloth, Vector3.Zero()))).toBeLessThan(0.5);
    });

    test("colliders outlive detach and work on the next mesh", () => {
        const { scene, mesh, cloth, frame, heights } = dropSquare(0.1, { colliders: [new Plane(0, 1, 0, 0)] });
        frame();
        mesh.removeBehavior(cloth);
        const other = makeSquare(scene, 4, "other");
        other.position.y = 0.1;
        other.addBehavior(cloth);
        frame(FRAME, 60);
        expect(Math.min(...heights())).toBeGreaterThan(0);
    });
});
