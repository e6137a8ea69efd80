/** What colliders may be given and what may happen to them: an error that names the rule, or one warning, and the cloth goes on. */
import { BoundingBox } from "@babylonjs/core/Culling/boundingBox";
import { BoundingSphere } from "@babylonjs/core/Culling/boundingSphere";
import { Plane } from "@babylonjs/core/Maths/math.plane";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import "@babylonjs/core/Meshes/thinInstanceMesh";
import type { Scene } from "@babylonjs/core/scene";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { ClothBehavior } from "../../../src/index";
import type { ColliderOptions } from "../../../src/index";
import { disposeWorlds, FRAME, listen, makeSquare, makeWorld, messageOf, told } from "./harness";
import type { World } from "./harness";

beforeEach(() => listen("warn"));
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

const SHAPES: [string, (scene: Scene) => Mesh][] = [
    ["sphere", (scene) => MeshBuilder.CreateSphere("m", { diameter: 0.5 }, scene)],
    ["plane", (scene) => MeshBuilder.CreateGround("m", { width: 2, height: 2 }, scene)],
    ["box", (scene) => MeshBuilder.CreateBox("m", { size: 0.5 }, scene)],
    ["capsule", (scene) => MeshBuilder.CreateCapsule("m", { radius: 0.2, height: 0.8 }, scene)],
    ["cylinder", (scene) => MeshBuilder.CreateCylinder("m", { diameter: 0.5, height: 0.5 }, scene)],
    ["hull", (scene) => MeshBuilder.CreatePolyhedron("m", { type: 2, size: 0.3 }, scene)],
    ["mesh", (scene) => MeshBuilder.CreateTorus("m", { diameter: 0.6, thickness: 0.2 }, scene)],
];

/** A square of cloth over something. */
function over(world: World, make: (scene: Scene) => Mesh, options: ColliderOptions = {}) {
    const sheet = makeSquare(world.scene, 10);
    sheet.position.y = 0.45;
    const cloth = new ClothBehavior({ fabric: { thickness: 0.01 } });
    sheet.addBehavior(cloth);
    const mesh = make(world.scene);
    cloth.addCollider(mesh, options);
    world.frame(undefined, 20);
    return { cloth, mesh };
}

function isSound(cloth: ClothBehavior): boolean {
    const { maxStretch, kineticEnergy } = cloth.stats;
    return cloth.getParticlePositions().every(Number.isFinite) && maxStretch < 2 && kineticEnergy < 300;
}

function heights(cloth: ClothBehavior): number[] {
    return Array.from(cloth.getParticlePositions()).filter((_, i) => i % 3 === 1);
}

describe.each(SHAPES)("a %s", (shape, make) => {
    const options: ColliderOptions = shape === "hull" ? { shape } : {};

    test("scaled to zero, mirrored, and back", () => {
        const world = makeWorld();
        const { cloth, mesh } = over(world, make, options);
        for (const [x, y, z] of [
            [0, 0, 0],
            [1, 1, 1],
            [1, 0, 1],
            [0, 1, 0],
            [-1, 1, 1],
            [-1, -1, -1],
            [1e-9, 1, 1],
            [1, 1, 1],
        ]) {
            mesh.scaling.set(x, y, z);
            world.frame(undefined, 5);
            expect([x, y, z, cloth.getParticlePositions().every(Number.isFinite)]).toEqual([x, y, z, true]);
        }
        world.frame(undefined, 60);
        // A torus that has come back through the cloth may hold it pierced, at rest.
        expect(cloth.stats.maxStretch).toBeLessThan(shape === "mesh" ? 2 : 0.5);
        expect(told("warn")).toEqual([]);
    });

    test("of a place that is not finite: it stays where it was, with one warning", () => {
        const world = makeWorld();
        const { cloth, mesh } = over(world, make, options);
        for (const bad of [NaN, Infinity, NaN]) {
            mesh.position.x = bad;
            world.frame(undefined, 3);
        }
        mesh.position.x = 0;
        mesh.rotation.y = NaN;
        world.frame(undefined, 3);
        expect(isSound(cloth)).toBe(true);
        expect(told("warn")).toHaveLength(1);
        expect(told("warn")[0]).toMatch(/the place of the collider "m" is not finite; it stays where it was/);
    });

    test("teleported across the world, and back", () => {
        const world = makeWorld();
        const { cloth, mesh } = over(world, make, options);
        for (const far of [1e6, 0, -1e15, 0, 1e30, 0]) {
            mesh.position.x = far;
            world.frame(undefined, 3);
            // A torus that comes back through the cloth may hold it pierced.
            const isWell = shape === "mesh" ? cloth.getParticlePositions().every(Number.isFinite) : isSound(cloth);
            expect([far, isWell]).toEqual([far, true]);
        }
    });

    test("disposed between substeps, in an observer of the steps", () => {
        const world = makeWorld();
        const { cloth, mesh } = over(world, make, options);
        cloth.onBeforeStepObservable.addOnce(() => mesh.dispose());
        world.frame(undefined, 30);
        expect([isSound(cloth), cloth.colliders.length]).toEqual([true, 0]);
        expect(told("warn")).toEqual(['ClothBehavior: the collider "m" was disposed; it is dropped']);
    });
});

describe("a room to be within", () => {
    const rooms = SHAPES.filter(([shape]) => shape !== "plane");

    test.each(rooms)("a %s that is scaled to zero, no number, and far away: one warning at most", (_, make) => {
        const world = makeWorld();
        const { cloth, mesh } = over(world, make, { inside: true });
        for (const scale of [0, 1, NaN, 1, -1, 1e-9, 1]) {
            mesh.scaling.setAll(scale);
            for (let f = 0; f < 5; f++) {
                world.frame();
                expect([scale, f, isSound(cloth)]).toEqual([scale, f, true]);
            }
        }
        for (const far of [1e6, 0, 1e30, 0]) {
            mesh.position.x = far;
            world.frame(undefined, 3);
            expect([far, isSound(cloth)]).toEqual([far, true]);
        }
        expect(told("warn")).toHaveLength(1);
    });
});

describe("between two steps of a frame", () => {
    const DEEDS: Record<string, (mesh: Mesh, isOdd: boolean) => void> = {
        "shrinks and grows": (mesh, isOdd) =>
            mesh.updateVerticesData(
                "position",
                mesh.getVerticesData("position")!.map((x) => x * (isOdd ? 0.5 : 2)),
            ),
        "loses triangles": (mesh) => mesh.setIndices(Array.from(mesh.getIndices()!).slice(3)),
        "gets vertices that are no numbers": (mesh, isOdd) =>
            mesh.updateVerticesData("position", mesh.getVerticesData("position")!.fill(isOdd ? NaN : 0.1)),
        "is nowhere": (mesh, isOdd) => mesh.position.setAll(isOdd ? NaN : 0),
        "is scaled to zero": (mesh, isOdd) => mesh.scaling.setAll(isOdd ? 0 : 1),
        "is across the world": (mesh, isOdd) => mesh.position.setAll(isOdd ? 1e8 : 0),
    };

    test.each(Object.keys(DEEDS))("a mesh %s: the cloth goes on", (deed) => {
        const world = makeWorld();
        const sheet = makeSquare(world.scene, 8);
        sheet.position.y = 0.3;
        const cloth = new ClothBehavior({});
        sheet.addBehavior(cloth);
        const mesh = MeshBuilder.CreateTorus("m", { diameter: 0.6, thickness: 0.3, updatable: true }, world.scene);
        cloth.addCollider(mesh);
        let step = 0;
        cloth.onBeforeStepObservable.add(() => {
            if (++step >= 20 && step < 40) DEEDS[deed](mesh, step % 2 > 0);
        });
        world.frame(2 * FRAME, 30);
        expect(step).toBeGreaterThan(50);
        expect(isSound(cloth)).toBe(true);
        expect(told("warn").length).toBeLessThanOrEqual(1);
    });
});

describe("geometry that changes", () => {
    const floor = (scene: Scene): Mesh =>
        MeshBuilder.CreateGround("floor", { width: 3, height: 3, subdivisions: 8, updatable: true }, scene);

    function raise(mesh: Mesh, height: (x: number, z: number) => number, inPlace = false): void {
        const own = mesh.getVerticesData("position")!;
        const positions = inPlace ? own : Float32Array.from(own);
        for (let o = 0; o < positions.length; o += 3) positions[o + 1] = height(positions[o], positions[o + 2]);
        mesh.updateVerticesData("position", positions);
    }

    test.each([false, true])("is adopted once it rests, its shape found anew (in place: %s)", (inPlace) => {
        const world = makeWorld();
        const { cloth, mesh } = over(world, floor);
        expect(cloth.colliders[0].shape).toBe("plane");
        raise(mesh, (x, z) => -0.3 * Math.exp(-6 * (x * x + z * z)), inPlace);
        world.frame(undefined, 8);
        expect(cloth.colliders[0].shape).toBe("mesh");
        world.frame(undefined, 60);
        expect(Math.min(...heights(cloth))).toBeLessThan(-0.1);
        expect(Math.min(...heights(cloth))).toBeGreaterThan(-0.3);
        expect(isSound(cloth)).toBe(true);
    });

    test("of all frames: the shape that it had goes on until it rests", () => {
        const world = makeWorld();
        const { cloth, mesh } = over(world, floor);
        for (let f = 0; f < 30; f++) {
            raise(mesh, (x) => 0.05 * Math.sin(x + f));
            world.frame();
        }
        expect([cloth.colliders[0].shape, isSound(cloth)]).toEqual(["plane", true]);
        world.frame(undefined, 2);
        expect([cloth.colliders[0].shape, isSound(cloth)]).toEqual(["mesh", true]);
    });

    test("that can be no collider any more is dropped, with one warning", () => {
        const world = makeWorld();
        const { cloth, mesh } = over(world, floor);
        raise(mesh, () => NaN);
        world.frame(undefined, 8);
        expect([cloth.colliders.length, isSound(cloth)]).toEqual([0, true]);
        expect(told("warn")).toEqual([
            expect.stringMatching(/the collider "floor" cannot be one any more \(.*finite vertices.*\); it is dropped/),
        ]);
    });

    test("triangles taken away, or all of it", () => {
        const world = makeWorld();
        const { cloth, mesh } = over(world, floor);
        mesh.setIndices(Array.from(mesh.getIndices()!).slice(0, 6));
        world.frame(undefined, 4);
        expect(cloth.colliders).toHaveLength(1);
        mesh.setIndices([]);
        world.frame(undefined, 4);
        expect(isSound(cloth)).toBe(true);
        new VertexData().applyToMesh(mesh);
        world.frame(undefined, 4);
        expect(isSound(cloth)).toBe(true);
    });
});

describe("inside", () => {
    /** The farthest that particles come from the middle, along any axis and in all, while a room shakes them. */
    function shake(make: (world: World) => Parameters<ClothBehavior["addCollider"]>[0], move?: (time: number) => void) {
        const world = makeWorld();
        const sheet = makeSquare(world.scene, 10);
        const cloth = new ClothBehavior({ fabric: { thickness: 0.01 } });
        sheet.addBehavior(cloth);
        cloth.addCollider(make(world), { inside: true });
        let along = 0;
        let away = 0;
        for (let f = 0; f < 150; f++) {
            move?.(f / 60);
            if (f % 30 === 10) cloth.applyImpulse(Vector3.Zero(), new Vector3(1, 1, 0.5), 2);
            world.frame();
            const x = cloth.getParticlePositions();
            for (let i = 0; i < x.length; i += 3) {
                along = Math.max(along, Math.abs(x[i]), Math.abs(x[i + 1]), Math.abs(x[i + 2]));
                away = Math.max(away, Math.hypot(x[i], x[i + 1], x[i + 2]));
            }
        }
        expect(isSound(cloth)).toBe(true);
        return { along, away };
    }

    test("a sphere, given and as a mesh, keeps cloth in it", () => {
        const given = shake(() => new BoundingSphere(new Vector3(-0.6, -0.6, -0.6), new Vector3(0.6, 0.6, 0.6)));
        // The radius of Babylon's sphere is half of the box's diagonal.
        expect(given.away).toBeLessThan(0.6 * Math.sqrt(3));
        expect(given.away).toBeGreaterThan(0.6 * Math.sqrt(3) - 0.03);
        expect(shake(({ scene }) => MeshBuilder.CreateSphere("m", { diameter: 1.5 }, scene)).away).toBeLessThan(0.75);
    });

    test("a box, given and as a mesh, keeps cloth in it", () => {
        const given = shake(() => new BoundingBox(new Vector3(-0.6, -0.6, -0.6), new Vector3(0.6, 0.6, 0.6)));
        expect(given.along).toBeLessThan(0.591);
        expect(given.along).toBeGreaterThan(0.58);
        expect(shake(({ scene }) => MeshBuilder.CreateBox("m", { size: 1.2 }, scene)).along).toBeLessThan(0.591);
    });

    test("a room of another form that moves takes it along", () => {
        let room!: Mesh;
        const { along } = shake(
            ({ scene }) => (room = MeshBuilder.CreateCylinder("m", { diameter: 1.6, height: 1.2, tessellation: 6 }, scene)),
            (time) => room.position.set(2 * time, 0, 0),
        );
        expect(along).toBeGreaterThan(4.5);
        expect(along).toBeLessThan(5.8);
    });
});

describe("an error at addCollider", () => {
    const add = (source: unknown, options: ColliderOptions = {}): string =>
        messageOf(() => new ClothBehavior().addCollider(source as Mesh, options));

    test("names the rule", () => {
        const { scene } = makeWorld();
        const empty = new Mesh("empty", scene);
        const flat = MeshBuilder.CreateGround("flat", {}, scene);
        const bare = MeshBuilder.CreateBox("bare", {}, scene);
        bare.setIndices([0, 0, 0]);
        const gone = MeshBuilder.CreateBox("gone", {}, scene);
        gone.dispose();
        expect(add(empty)).toBe('ClothBehavior: addCollider: "empty" must have vertices, got none');
        expect(add(flat, { shape: "hull" })).toBe('ClothBehavior: addCollider: source must be a solid to be a "hull", got "flat"');
        expect(add(bare)).toMatch(/source must be a mesh with triangles/);
        expect(add(gone)).toBe('ClothBehavior: addCollider: source must be a node that is not disposed, got "gone"');
        expect(add(flat, { inside: true })).toBe(
            'ClothBehavior: addCollider: inside must be false but for a sphere, a box or a mesh\'s own triangles, got "plane"',
        );
        expect(add(new Plane(0, 1, 0, 0), { inside: true })).toMatch(/inside must be false but for/);
        expect(add(flat, { inside: 1 } as never)).toMatch(/inside must be true or false, got 1/);
        expect(add(flat, { shape: "cone" } as never)).toMatch(/shape must be "sphere"/);
        const sheet = makeSquare(scene);
        const cloth = new ClothBehavior();
        sheet.addBehavior(cloth);
        expect(messageOf(() => cloth.addCollider(sheet))).toMatch(/source must be another mesh than the one that is cloth/);
    });

    test.each(["sphere", "plane", "box", "capsule", "cylinder", "hull", "mesh"] as const)(
        "vertices that are no numbers, told to be a %s, are no collider",
        (shape) => {
            const broken = MeshBuilder.CreateBox("broken", { updatable: true }, makeWorld().scene);
            broken.updateVerticesData("position", broken.getVerticesData("position")!.fill(NaN, 4, 5));
            expect(add(broken, { shape })).toMatch(/^ClothBehavior: addCollider: source must be .*, got "broken"$/);
        },
    );

    const FLAT: Record<string, (scene: Scene) => Mesh> = {
        "a disc": (scene) => MeshBuilder.CreateDisc("flat", { radius: 1 }, scene),
        "points in a row": (scene) => makePoints(scene, [0, 0, 0, 1, 0, 0, 2, 0, 0]),
        "points at one place": (scene) => makePoints(scene, [1, 2, 3, 1, 2, 3, 1, 2, 3]),
    };

    function makePoints(scene: Scene, positions: number[]): Mesh {
        const points = new Mesh("flat", scene);
        points.setVerticesData("position", positions);
        return points;
    }

    test.each(["sphere", "box", "capsule", "cylinder", "hull"] as const)("what is flat is no %s", (shape) => {
        const { scene } = makeWorld();
        for (const make of Object.values(FLAT)) {
            expect(add(make(scene), { shape })).toBe(
                `ClothBehavior: addCollider: source must be a solid to be a "${shape}", got "flat"`,
            );
        }
        const lines = MeshBuilder.CreateLines("lines", { points: [Vector3.Zero(), Vector3.One()] }, scene);
        expect(add(lines, { shape })).toBe('ClothBehavior: addCollider: source must be a mesh made of triangles, got "lines"');
    });

    test("points that fill a space may be told to be a solid", () => {
        const { scene } = makeWorld();
        const points = makePoints(scene, [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
        for (const shape of ["sphere", "box", "hull"] as const)
            expect(() => new ClothBehavior().addCollider(points, { shape })).not.toThrow();
    });

    test("radii of zero, below it and no number: the cloth goes on", () => {
        const world = makeWorld();
        const sheet = makeSquare(world.scene);
        const cloth = new ClothBehavior();
        sheet.addBehavior(cloth);
        for (const radius of [0, -1, NaN]) {
            const sphere = new BoundingSphere(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
            sphere.radiusWorld = radius;
            cloth.addCollider(sphere);
        }
        cloth.addCollider(new BoundingBox(Vector3.Zero(), Vector3.Zero()));
        cloth.addCollider(new Plane(0, 0, 0, 0));
        world.frame(undefined, 30);
        expect(isSound(cloth)).toBe(true);
        expect(told("warn")).toHaveLength(3);
    });

    test("thin instances without a finite place, and none at all", () => {
        const world = makeWorld();
        world.engine.getCaps().instancedArrays = true;
        const box = MeshBuilder.CreateBox("box", { size: 0.3 }, world.scene);
        box.thinInstanceAdd([Matrix.Identity(), Matrix.Translation(NaN, 0, 0)]);
        const sheet = makeSquare(world.scene, 10);
        sheet.position.y = 0.4;
        const cloth = new ClothBehavior({ colliders: [box] });
        sheet.addBehavior(cloth);
        world.frame(undefined, 40);
        expect(isSound(cloth)).toBe(true);
        expect(Math.max(...heights(cloth))).toBeGreaterThan(0.14);
        expect(told("warn")).toHaveLength(1);
        box.thinInstanceAdd([Matrix.Translation(NaN, 0, 0)]);
        world.frame(undefined, 2);
        expect(told("warn")).toHaveLength(1);
        box.thinInstanceCount = 0;
        world.frame(undefined, 2);
        expect(isSound(cloth)).toBe(true);
    });
});
