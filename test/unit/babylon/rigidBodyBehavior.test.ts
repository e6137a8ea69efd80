import { afterEach, describe, expect, test } from "@jest/globals";
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { ClothBehavior, ClothTime, RigidBodyBehavior, select } from "babylon-cloth";
import type { RigidBodyOptions } from "babylon-cloth";
import { disposeWorlds, makeWorld, worldVertices } from "./harness";

afterEach(disposeWorlds);

const newScene = (rightHanded = false): Scene => {
    const { scene } = makeWorld({ rightHanded });
    scene.gravity = new Vector3(0, -9.81, 0);
    return scene;
};
const run = (body: RigidBodyBehavior, seconds: number): void => {
    for (let k = 0; k < 60 * seconds; k++) body.step(1 / 60);
};
const groundOf = (scene: Scene): Mesh => MeshBuilder.CreateGround("ground", { width: 20, height: 20 }, scene);
const lowestOf = (mesh: Mesh): number => worldVertices(mesh).reduce((y, v, i) => (i % 3 === 1 ? Math.min(y, v) : y), Infinity);

describe("RigidBodyBehavior", () => {
    test("pinned in flight it stays where it is", () => {
        const scene = newScene();
        const mesh = MeshBuilder.CreateBox("box", { size: 0.4 }, scene);
        mesh.position.set(3, 5, -2);
        const body = new RigidBodyBehavior({ autoStep: false });
        mesh.addBehavior(body);
        body.applyImpulse(new Vector3(3, 5, -2), new Vector3(1, 0, 0), 1);
        run(body, 0.5);
        const before = mesh.position.clone();
        expect(before.y).toBeLessThan(4);
        body.pin(select.all());
        run(body, 0.5);
        expect(Vector3.Distance(mesh.position, before)).toBeLessThan(0.15);
    });

    test.each<[string, (scene: Scene) => Mesh, number]>([
        ["a box", (scene) => MeshBuilder.CreateBox("m", { width: 1, height: 0.5, depth: 0.25 }, scene), 0.125],
        ["a box with its back turned out", (scene) => flipped(MeshBuilder.CreateBox("m", { size: 0.5 }, scene)), 0.125],
        [
            "a cylinder",
            (scene) => MeshBuilder.CreateCylinder("m", { height: 1, diameter: 0.5, tessellation: 96 }, scene),
            Math.PI / 16,
        ],
        ["a ball", (scene) => MeshBuilder.CreateSphere("m", { diameter: 1, segments: 32 }, scene), Math.PI / 6],
        [
            "a torus",
            (scene) => MeshBuilder.CreateTorus("m", { diameter: 1, thickness: 0.3, tessellation: 64 }, scene),
            Math.PI ** 2 * 0.0225,
        ],
    ])("weighs what %s encloses, and lies on the ground by its faces", (_name, make, volume) => {
        const scene = newScene();
        const mesh = make(scene);
        const body = new RigidBodyBehavior({ density: 100, colliders: [groundOf(scene)] });
        mesh.position.y = 0.8;
        mesh.addBehavior(body);
        expect(Math.abs(body.mass! / (100 * volume) - 1)).toBeLessThan(0.01);
        const authored = mesh.getVerticesData("position")!.slice();
        run(body, 3);
        expect(lowestOf(mesh)).toBeCloseTo(0.001, 2);
        expect(mesh.getVerticesData("position")).toEqual(authored);
        expect(body.stats.isAsleep).toBe(true);
    });

    test.each([false, true])("falls and turns alike under any parent, with any scale and pivot, right-handed %s", (rightHanded) => {
        const scene = newScene(rightHanded);
        const parts = (parent: TransformNode | null, pivot: Vector3 | null): Mesh => {
            const mesh = MeshBuilder.CreateBox("m", { width: 1, height: 0.5, depth: 0.25 }, scene);
            mesh.scaling.set(2, 1, -1);
            if (pivot) mesh.setPivotPoint(pivot);
            mesh.parent = parent;
            return mesh;
        };
        const parent = new TransformNode("parent", scene);
        parent.position.set(3, 1, -2);
        parent.rotation.set(0.3, 0.7, -0.2);
        parent.scaling.setAll(0.5);
        const inner = parts(parent, new Vector3(0.5, 0.25, 0));
        inner.position.set(0.2, 0.4, 0.1);
        inner.rotation.set(0.1, 0.2, 0.3);
        const wanted = inner.computeWorldMatrix(true).clone();
        const free = parts(null, null);
        free.bakeTransformIntoVertices(wanted);
        free.scaling.set(1, 1, 1);
        const bodies = [inner, free].map((mesh) => {
            const body = new RigidBodyBehavior({ mass: 2, autoStep: false });
            mesh.addBehavior(body);
            body.applyImpulse(mesh.getAbsolutePosition().add(new Vector3(0, 0.1, 0.2)), new Vector3(1, 2, 0.5));
            return body;
        });
        const at = inner.getAbsolutePosition().add(new Vector3(0, 0.1, 0.2));
        expect(at.y).not.toBe(0);
        run(bodies[0], 0.5);
        expect(inner.getAbsolutePosition().y).toBeGreaterThan(-10);
        expect(inner.rotationQuaternion).not.toBeNull();
        expect(inner.scaling.asArray()).toEqual([2, 1, -1]);
        // Rigid: distances between vertices are what they were.
        const before = worldVertices(free);
        const now = worldVertices(inner);
        const span = (v: Float64Array, a: number, b: number): number =>
            Math.hypot(v[3 * a] - v[3 * b], v[3 * a + 1] - v[3 * b + 1], v[3 * a + 2] - v[3 * b + 2]);
        for (let i = 1; i < 24; i++) expect(span(now, 0, i)).toBeCloseTo(span(before, 0, i), 4);
        expect(span(now, 0, 1)).toBeGreaterThan(0.1);
    });

    test("lies where its particles are", () => {
        const scene = newScene();
        const mesh = MeshBuilder.CreateBox("m", { size: 0.5 }, scene);
        mesh.position.set(0, 2, 0);
        mesh.rotation.set(0.3, 0.2, 0.5);
        const body = new RigidBodyBehavior({ colliders: [groundOf(scene)] });
        mesh.addBehavior(body);
        for (let k = 0; k < 90; k++) {
            body.step(1 / 60);
            const particles = body.getParticlePositions();
            const vertices = worldVertices(mesh);
            for (let v = 0; v < 24; v++)
                for (let c = 0; c < 3; c++) expect(vertices[3 * v + c]).toBeCloseTo(particles[3 * body.particleOfVertex(v) + c], 3);
        }
    });

    test("who moves the node moves the body, without motion; a parent that moves does not", () => {
        const scene = newScene();
        const parent = new TransformNode("parent", scene);
        const mesh = MeshBuilder.CreateBox("m", { size: 0.5 }, scene);
        mesh.parent = parent;
        const body = new RigidBodyBehavior({ gravity: Vector3.Zero(), sleepSpeed: 0 });
        mesh.addBehavior(body);
        run(body, 0.1);
        mesh.position.set(5, 1, 2);
        mesh.rotationQuaternion = Quaternion.FromEulerAngles(0, 0.5, 0);
        run(body, 0.5);
        expect(mesh.position.subtract(new Vector3(5, 1, 2)).length()).toBeLessThan(1e-4);
        expect(Math.abs(Quaternion.Dot(mesh.rotationQuaternion, Quaternion.FromEulerAngles(0, 0.5, 0)))).toBeCloseTo(1, 6);
        parent.position.x = 3;
        run(body, 0.5);
        expect(
            mesh
                .getAbsolutePosition()
                .subtract(new Vector3(5, 1, 2))
                .length(),
        ).toBeLessThan(1e-4);
    });

    test("a pin is a ball joint in the world, or on what carries it", () => {
        const scene = newScene();
        const mesh = MeshBuilder.CreateBox("m", { size: 0.5 }, scene);
        mesh.position.y = 3;
        const body = new RigidBodyBehavior({ pins: [{ select: [0] }] });
        mesh.addBehavior(body);
        const held = worldVertices(mesh).slice(0, 3);
        run(body, 0.6);
        worldVertices(mesh)
            .slice(0, 3)
            .forEach((x, c) => expect(x).toBeCloseTo(held[c], 3));
        expect(mesh.position.y).toBeLessThan(2.9);
        body.unpin(body.pins[0]);
        run(body, 1);
        expect(mesh.position.y).toBeLessThan(0);
    });

    test("cloth lies on it where it is a collider", () => {
        const scene = newScene();
        const mesh = MeshBuilder.CreateBox("m", { size: 0.5 }, scene);
        const body = new RigidBodyBehavior({ colliders: [groundOf(scene)] });
        mesh.position.y = 0.25;
        mesh.addBehavior(body);
        const sheet = MeshBuilder.CreateGround("sheet", { width: 0.4, height: 0.4, subdivisions: 8 }, scene);
        sheet.position.y = 0.8;
        const cloth = new ClothBehavior({ colliders: [mesh] });
        sheet.addBehavior(cloth);
        for (let k = 0; k < 90; k++) {
            body.step(1 / 60);
            cloth.step(1 / 60);
        }
        expect(lowestOf(sheet)).toBeGreaterThan(0.49);
    });

    test.each<[string, (scene: Scene) => Mesh, RegExp]>([
        [
            "an open mesh",
            (scene) => MeshBuilder.CreateCylinder("m", { cap: Mesh.NO_CAP }, scene),
            /must be closed: cap its holes.*open edges/,
        ],
        ["a flat one", (scene) => MeshBuilder.CreateGround("m", {}, scene), /must be closed/],
        [
            "two sides of a plane",
            (scene) => MeshBuilder.CreatePlane("m", { sideOrientation: Mesh.DOUBLESIDE }, scene),
            /must (be closed|enclose|have all)/,
        ],
        ["a line", (scene) => MeshBuilder.CreateLines("m", { points: [Vector3.Zero(), Vector3.One()] }, scene), /triangles/],
    ])("refuses %s, saying what to do", (_name, make, message) => {
        const mesh = make(newScene());
        expect(() => mesh.addBehavior(new RigidBodyBehavior())).toThrow(message);
        expect(mesh.behaviors.filter((b) => (b as RigidBodyBehavior).attachedNode)).toEqual([]);
    });

    test.each<[RigidBodyOptions, RegExp]>([
        [{ mass: 0 }, /RigidBodyBehavior: mass must be a finite number > 0, got 0/],
        [{ mass: NaN }, /mass must be/],
        [{ density: -1 }, /density must be/],
        [{ thickness: -1 }, /thickness must be/],
        [{ friction: Infinity }, /friction must be/],
        [{ wind: null } as RigidBodyOptions, /unknown option "wind"/],
    ])("refuses %p", (options, message) => {
        expect(() => new RigidBodyBehavior(options)).toThrow(message);
    });

    test("stays where it is when the behavior goes, and can come back", () => {
        const scene = newScene();
        const mesh = MeshBuilder.CreateBox("m", { size: 0.5 }, scene);
        mesh.position.y = 2;
        const body = new RigidBodyBehavior();
        mesh.addBehavior(body);
        run(body, 0.3);
        const { y } = mesh.position;
        expect(y).toBeLessThan(1.8);
        mesh.removeBehavior(body);
        scene.render();
        expect(mesh.position.y).toBe(y);
        mesh.addBehavior(body);
        run(body, 0.3);
        expect(mesh.position.y).toBeLessThan(y - 0.2);
        mesh.dispose();
        expect(body.attachedNode).toBeNull();
    });

    test.each(["a body comes", "another one begins anew"])(
        "lies on the ground, at one substep, while in each frame %s",
        (event) => {
            const scene = newScene();
            const ground = groundOf(scene);
            const add = (x: number, y: number): { mesh: Mesh; body: RigidBodyBehavior } => {
                const mesh = MeshBuilder.CreateBox("m", { size: 0.3 }, scene);
                mesh.position.set(x, y, 0);
                const body = new RigidBodyBehavior({ colliders: [ground], substepCount: 1 });
                mesh.addBehavior(body);
                return { mesh, body };
            };
            const { mesh } = add(0, 0.16);
            const other = add(-1, 5);
            for (let frame = 0; frame < 20; frame++) {
                if (event === "a body comes") add(1 + frame / 2, 5);
                else other.body.reset();
                ClothTime.step(scene, 1 / 60);
                expect(lowestOf(mesh)).toBeGreaterThan(-1e-3);
            }
        },
    );

    test("flies on as it did where another one asks for other steps", () => {
        const fly = (change: (other: RigidBodyBehavior) => void): number[] => {
            const { scene, frame } = makeWorld();
            scene.gravity = Vector3.Zero();
            const [body, other] = [0, 5].map((x) => {
                const mesh = MeshBuilder.CreateBox("box", { size: 0.5 }, scene);
                mesh.position.x = x;
                const behavior = new RigidBodyBehavior({ mass: 1 });
                mesh.addBehavior(behavior);
                return behavior;
            });
            body.applyImpulse(Vector3.Zero(), new Vector3(0, 2, 1));
            frame(1000 / 60, 10);
            change(other);
            frame(1000 / 60, 50);
            return body.attachedNode!.position.asArray();
        };
        const [, y, z] = fly(() => {});
        expect(y).toBeCloseTo(2, 1);
        for (const change of [
            (other: RigidBodyBehavior): void => void (other.substepCount = 20),
            (other: RigidBodyBehavior): void => void (other.fixedTimeStep = 1 / 240),
            (other: RigidBodyBehavior): void => other.attachedNode!.dispose(),
        ]) {
            const now = fly((other) => {
                other.substepCount = 10;
                change(other);
            });
            expect(now[1]).toBeCloseTo(y, 1);
            expect(now[2]).toBeCloseTo(z, 1);
        }
    });
});

/** The same with all triangles wound the other way round. */
function flipped(mesh: Mesh): Mesh {
    mesh.flipFaces();
    return mesh;
}
