/** The debug view: one mesh a layer, written in place, of any cloth, and nothing left of it in the end. */
import "@babylonjs/core/Materials/standardMaterial";
import { Bone } from "@babylonjs/core/Bones/bone";
import { Skeleton } from "@babylonjs/core/Bones/skeleton";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { Scene } from "@babylonjs/core/scene";
import { afterEach, describe, expect, test } from "@jest/globals";
import {
    BoneChainBehavior,
    ClothBehavior,
    ClothMeasures,
    ClothViewer,
    PlantBehavior,
    RopeBehavior,
    select,
    RigidBodyBehavior,
} from "../../../src/index";
import type { ClothViewerLayers } from "../../../src/index";
import { makeTail } from "./bones/rigs";
import { disposeWorlds, makeSquare, makeWorld, messageOf } from "./harness";
import type { World } from "./harness";
import { makeSleeve } from "./skins";

afterEach(disposeWorlds);

const LAYERS = Object.keys(new ClothViewer(makeWorld().scene).layers) as (keyof ClothViewerLayers)[];
const allOn = Object.fromEntries(LAYERS.map((name) => [name, true]));

function drawings(scene: Scene): Mesh[] {
    return scene.meshes.filter(({ name }) => name.startsWith("ClothViewer")) as Mesh[];
}

function layerOf(scene: Scene, layer: string, of = "square"): Mesh | undefined {
    return drawings(scene).find(({ name }) => name === `ClothViewer: ${layer} of ${of}`);
}

/** Ends of the lines that a layer draws, in the world, shape [n, 3]. */
function ends(mesh: Mesh): number[] {
    const count = mesh.subMeshes[0].indexCount;
    const { x, y, z } = mesh.position;
    return Array.from(mesh.getVerticesData("position")!.slice(0, 3 * count), (value, i) => value + [x, y, z][i % 3]);
}

/** A square hung by an edge over a ball, at rest in its middle. */
function hang({ scene, frame }: World, subdivisions = 6): { cloth: ClothBehavior; mesh: Mesh } {
    const mesh = makeSquare(scene, subdivisions);
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("-x") }], fabric: { thickness: 0.02 } });
    const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.4 }, scene);
    ball.position.set(0.1, -0.21, 0);
    mesh.addBehavior(cloth);
    cloth.addCollider(ball);
    frame(undefined, 30);
    return { cloth, mesh };
}

describe("ClothViewer", () => {
    test("draws every layer that is on, each as one mesh that nobody picks or saves", () => {
        const world = makeWorld();
        const { cloth } = hang(world);
        const viewer = new ClothViewer(world.scene, allOn);
        viewer.showCloth(cloth);
        viewer.showCloth(cloth);
        world.frame();
        expect(drawings(world.scene).map(({ name }) => name.split(" ")[1])).toEqual(expect.arrayContaining(LAYERS));
        expect(drawings(world.scene)).toHaveLength(LAYERS.length);
        for (const mesh of drawings(world.scene)) expect([mesh.isPickable, mesh.doNotSerialize]).toEqual([false, true]);
        const { counts } = cloth.stats;
        const lines = (layer: string): number => ends(layerOf(world.scene, layer)!).length / 6;
        for (const kind of ["structural", "shear", "unilateralLimits", "tethers"])
            expect([kind, lines(kind)]).toEqual([kind, counts[kind]]);
        expect(lines("bend")).toBe(2 * counts.bend);
        expect(ends(layerOf(world.scene, "particles")!)).toHaveLength(3 * cloth.particleCount);
        expect(lines("pins")).toBe(3 * 7);
        expect(lines("sleep")).toBe(12);
        expect(lines("thickness")).toBe(3 * cloth.particleCount);
    });

    test("of a cloth on a skin: its edges on the skin, max distances and backstops about free particles", async () => {
        const world = makeWorld();
        const { mesh, bones } = makeSleeve(world.scene);
        const count = mesh.getTotalVertices();
        const cloth = new ClothBehavior({
            maxDistance: Array.from({ length: count }, (_, v) => (v < 120 ? 0 : 0.2)),
            backstop: { distance: 0.03 },
        });
        mesh.addBehavior(cloth);
        await cloth.whenReady();
        const viewer = new ClothViewer(world.scene, { skin: true, maxDistance: true, backstop: true });
        viewer.showCloth(cloth);
        bones[0].setPosition(new Vector3(0.1, 0, 0));
        world.frame(undefined, 20);
        const free = count - 120;
        const skin = ends(layerOf(world.scene, "skin", "sleeve")!);
        expect(skin.length / 6).toBe(cloth.stats.counts.structural);
        // Places on the skin are on the tube, which has moved along x.
        for (let o = 0; o < skin.length; o += 3) expect(Math.hypot(skin[o] - 0.1, skin[o + 2])).toBeCloseTo(0.15, 4);
        const limits = ends(layerOf(world.scene, "maxDistance", "sleeve")!);
        expect(limits.length / 6).toBe(2 * free);
        expect(Math.hypot(limits[9] - 0.1, limits[11])).toBeCloseTo(0.35, 4);
        const backstops = ends(layerOf(world.scene, "backstop", "sleeve")!);
        expect(backstops.length / 6).toBe(4 * free);
        expect(Math.hypot(backstops[3] - 0.1, backstops[5])).toBeCloseTo(0.12, 4);
    });

    test("shows particles where they are, contacts on the ball, and the ball round its middle", () => {
        const world = makeWorld();
        const { cloth } = hang(world);
        new ClothViewer(world.scene, allOn).showCloth(cloth);
        world.frame();
        const particles = cloth.getParticlePositions();
        const shown = ends(layerOf(world.scene, "particles")!);
        // The picture is up to a step behind.
        for (let i = 0; i < shown.length; i++) expect(Math.abs(shown[i] - particles[i])).toBeLessThan(0.03);
        const centre = new Vector3(0.1, -0.21, 0);
        const contacts = ends(layerOf(world.scene, "contacts")!);
        expect(contacts.length).toBeGreaterThan(0);
        for (let i = 0; i < contacts.length; i += 6) {
            const from = Vector3.FromArray(contacts, i).subtract(centre);
            const to = Vector3.FromArray(contacts, i + 3).subtract(centre);
            expect(Math.abs(from.length() - 0.21)).toBeLessThan(0.03);
            expect(Vector3.Dot(to.subtract(from).normalize(), from.normalize())).toBeGreaterThan(0.95);
        }
        const ball = ends(layerOf(world.scene, "colliders")!);
        for (let i = 0; i < ball.length; i += 3) expect(Vector3.FromArray(ball, i).subtract(centre).length()).toBeCloseTo(0.2, 4);
    });

    test("shows contacts of cloth that lies on its triangles alone", () => {
        const world = makeWorld();
        const { cloth } = hang(world, 1);
        new ClothViewer(world.scene, { contacts: true }).showCloth(cloth);
        world.frame();
        const centre = new Vector3(0.1, -0.21, 0);
        const particles = cloth.getParticlePositions();
        for (let i = 0; i < 12; i += 3) expect(Vector3.FromArray(particles, i).subtract(centre).length()).toBeGreaterThan(0.4);
        const contacts = ends(layerOf(world.scene, "contacts")!);
        expect(contacts.length).toBeGreaterThan(0);
        for (let i = 0; i < contacts.length; i += 6) {
            const from = Vector3.FromArray(contacts, i).subtract(centre);
            const along = Vector3.FromArray(contacts, i + 3)
                .subtract(centre)
                .subtract(from)
                .normalize();
            // The triangles keep half the thickness.
            expect(Math.abs(from.length() - 0.21)).toBeLessThan(0.005);
            expect(Vector3.Dot(along, from.normalize())).toBeGreaterThan(0.999);
        }
    });

    test("writes into the buffers there are, frame after frame", () => {
        const world = makeWorld();
        const { cloth } = hang(world);
        new ClothViewer(world.scene, allOn).showCloth(cloth);
        world.frame();
        const before = drawings(world.scene).map((mesh) => [mesh, mesh.getVertexBuffer("position")]);
        const first = ends(layerOf(world.scene, "particles")!);
        cloth.applyImpulse(new Vector3(0, 0, 0), new Vector3(0, 0, 0.1));
        world.frame(undefined, 5);
        expect(drawings(world.scene).map((mesh) => [mesh, mesh.getVertexBuffer("position")])).toEqual(before);
        expect(ends(layerOf(world.scene, "particles")!)).not.toEqual(first);
    });

    test("layers are switched at any time; what is off is not there until it is on", () => {
        const world = makeWorld();
        const { cloth } = hang(world);
        const viewer = new ClothViewer(world.scene, { structural: false, particles: false, pins: false, colliders: false });
        viewer.showCloth(cloth);
        world.frame();
        expect(drawings(world.scene)).toHaveLength(1);
        viewer.layers.tethers = true;
        viewer.layers.contacts = false;
        world.frame();
        expect(layerOf(world.scene, "tethers")!.isEnabled()).toBe(true);
        expect(layerOf(world.scene, "contacts")!.isEnabled()).toBe(false);
    });

    test("red is stretched, by the range", () => {
        const world = makeWorld();
        const { cloth } = hang(world);
        const viewer = new ClothViewer(world.scene);
        viewer.showCloth(cloth);
        viewer.strainRange = 1e-6;
        world.frame();
        const colours = layerOf(world.scene, "structural")!.getVerticesData("color")!;
        const isFull = Array.from({ length: 10 }, (_, i) => colours[8 * i] === 1 || colours[8 * i + 2] === 1);
        expect(isFull).toContain(true);
        viewer.strainRange = 1e6;
        world.frame();
        const [r, g, b] = layerOf(world.scene, "structural")!.getVerticesData("color")!;
        expect([r, g, b].map((x) => Number(x.toFixed(3)))).toEqual([0.85, 0.9, 0.8]);
    });

    test("motion is the same to the bit with it and without", () => {
        const run = (isSeen: boolean): Float32Array => {
            const world = makeWorld();
            const mesh = makeSquare(world.scene, 12);
            const cloth = new ClothBehavior({ fabric: { thickness: 0.01 } });
            mesh.addBehavior(cloth);
            const torus = MeshBuilder.CreateTorus("torus", { diameter: 0.6, thickness: 0.2 }, world.scene);
            torus.position.y = -0.2;
            const ground = MeshBuilder.CreateGround("ground", { width: 4, height: 4 }, world.scene);
            ground.position.y = -0.5;
            for (const collider of [torus, ground]) cloth.addCollider(collider);
            if (isSeen) new ClothViewer(world.scene, allOn).showCloth(cloth);
            for (let f = 0; f < 60; f++) {
                torus.position.x = 0.2 * Math.sin(f / 10);
                world.frame();
            }
            return cloth.getParticlePositions();
        };
        expect(run(true)).toEqual(run(false));
    });

    test("several cloths, before they are on a mesh, rebuilt, detached and disposed", () => {
        const world = makeWorld();
        const { cloth, mesh } = hang(world);
        const other = new ClothBehavior();
        const viewer = new ClothViewer(world.scene);
        viewer.showCloth(cloth);
        viewer.showCloth(other);
        world.frame();
        const second = makeSquare(world.scene, 3, "second");
        second.addBehavior(other);
        world.frame();
        expect(layerOf(world.scene, "structural", "second")).toBeDefined();
        mesh.removeBehavior(cloth);
        mesh.addBehavior(cloth);
        world.frame();
        expect(layerOf(world.scene, "structural")).toBeDefined();
        mesh.removeBehavior(cloth);
        world.frame();
        expect(layerOf(world.scene, "structural")).toBeUndefined();
        second.dispose();
        world.frame();
        expect(drawings(world.scene)).toEqual([]);
    });

    test("every shape of collider has a wireframe about where it is", () => {
        const world = makeWorld();
        const { scene } = world;
        const { cloth } = hang(world);
        const make: [string, Mesh][] = [
            ["box", MeshBuilder.CreateBox("m", {}, scene)],
            ["capsule", MeshBuilder.CreateCapsule("m", { height: 2, radius: 0.25 }, scene)],
            ["capsule", MeshBuilder.CreateCapsule("m", { radiusTop: 0.14, radiusBottom: 0.34, radius: 0.34, height: 1 }, scene)],
            ["cylinder", MeshBuilder.CreateCylinder("m", {}, scene)],
            ["hull", MeshBuilder.CreatePolyhedron("m", { type: 1 }, scene)],
            ["mesh", MeshBuilder.CreateTorus("m", {}, scene)],
            ["plane", MeshBuilder.CreatePlane("m", {}, scene)],
        ];
        new ClothViewer(scene, allOn).showCloth(cloth);
        for (const [shape, mesh] of make) {
            cloth.colliders = [];
            mesh.position.set(3, 40, 5);
            mesh.rotation.set(0.4, 0.3, 0.2);
            mesh.scaling.set(1.1, 1.1, 1.1);
            const options = shape === "hull" ? { shape: "hull" as const } : {};
            expect(cloth.addCollider(mesh, options).shape).toBe(shape);
            world.frame();
            const drawn = ends(layerOf(scene, "colliders")!);
            const { minimumWorld, maximumWorld } = mesh.getBoundingInfo().boundingBox;
            const vertices = mesh.getVerticesData("position")!;
            const far = (points: ArrayLike<number>, direction: Vector3, m = mesh.computeWorldMatrix(true)): number => {
                let most = -Infinity;
                for (let i = 0; i < points.length; i += 3) {
                    const point = Vector3.FromArray(points, i);
                    most = Math.max(
                        most,
                        Vector3.Dot(points === vertices ? Vector3.TransformCoordinates(point, m) : point, direction),
                    );
                }
                return most;
            };
            expect(minimumWorld.x).toBeLessThan(maximumWorld.x);
            for (const d of [Vector3.Up(), Vector3.Down(), Vector3.Right(), Vector3.Forward()]) {
                expect([shape, Math.abs(far(drawn, d) - far(vertices, d)) < 0.06]).toEqual([shape, true]);
            }
        }
    });

    test("a skinned collider is drawn as it is posed", () => {
        const { scene, frame } = makeWorld();
        const board = MeshBuilder.CreateTiledBox("board", { width: 4, height: 0.2, depth: 4, tileSize: 0.2 }, scene);
        const skeleton = new Skeleton("skeleton", "skeleton", scene);
        const root = new Bone("root", skeleton, null, Matrix.Identity());
        const half = new Bone("half", skeleton, root, Matrix.Translation(0.5, 0, 0));
        const sides = Array.from(
            board.getVerticesData("position")!.filter((_, i) => i % 3 === 0),
            (x) => (x > 0 ? 1 : 0),
        );
        board.setVerticesData(
            "matricesIndices",
            sides.flatMap(() => [0, 1, 0, 0]),
        );
        board.setVerticesData(
            "matricesWeights",
            sides.flatMap((side) => [1 - side, side, 0, 0]),
        );
        board.skeleton = skeleton;
        board.position.set(1, 2, 3);
        const mesh = makeSquare(scene);
        const cloth = new ClothBehavior({ colliders: [board] });
        mesh.addBehavior(cloth);
        new ClothViewer(scene, { colliders: true }).showCloth(cloth);
        const boundsOf = (x: ArrayLike<number>, { x: dx, y: dy, z: dz }: Vector3): number[] =>
            [dx, dy, dz].flatMap((by, c) => {
                const column = Array.from(x).flatMap((value, i) => (i % 3 === c ? [value + by] : []));
                return [Math.min(...column), Math.max(...column)];
            });
        for (const height of [0.3, 0.7]) {
            half.setPosition(new Vector3(0.5, height, 0));
            frame();
            const shown = boundsOf(ends(layerOf(scene, "colliders")!), Vector3.Zero());
            const posed = boundsOf(board.getPositionData(true, true)!, board.position);
            expect(posed[3]).toBeCloseTo(2.1 + height, 5);
            shown.forEach((bound, i) => expect(bound).toBeCloseTo(posed[i], 4));
        }
    });

    test("hides, and disposes of everything, with the scene too", () => {
        const world = makeWorld();
        const { scene } = world;
        const { cloth } = hang(world);
        const materials = scene.materials.length;
        const viewer = new ClothViewer(scene, allOn);
        viewer.showCloth(cloth);
        world.frame();
        viewer.hideCloth(cloth);
        viewer.hideCloth(cloth);
        expect(drawings(scene)).toEqual([]);
        viewer.showCloth(cloth);
        world.frame();
        viewer.dispose();
        viewer.dispose();
        world.frame(undefined, 2);
        expect(drawings(scene)).toEqual([]);
        // The scene's default material has come to stay.
        expect(scene.materials.length - materials).toBeLessThanOrEqual(1);
        expect(scene.onBeforeActiveMeshesEvaluationObservable.hasObservers()).toBe(false);
        new ClothViewer(scene).showCloth(cloth);
        expect(() => scene.dispose()).not.toThrow();
    });

    test("of ropes, plants and rigid bodies it shows what they have", () => {
        const { scene, frame } = makeWorld();
        const viewer = new ClothViewer(scene, allOn);
        for (const body of [new RopeBehavior(), new PlantBehavior({ pins: [{ select: [0] }] }), new RigidBodyBehavior()]) {
            const stem = { diameter: 0.1, height: 1, subdivisions: 4, tessellation: 6 };
            const mesh = MeshBuilder.CreateCylinder(body.name, stem, scene);
            mesh.addBehavior(body);
            viewer.showCloth(body);
            // Measured from the first question on.
            ClothMeasures.cost(body);
            frame(undefined, 30);
            // Without sticks to measure by, a cross had no length and no end.
            if (body.pins.length > 0) expect(ends(layerOf(scene, "pins", body.name)!).length).toBe(18);
            expect(ends(layerOf(scene, "particles", body.name)!).length).toBe(3 * body.particleCount);
            const cost = ClothMeasures.cost(body).reduce((sum, value) => sum + value, 0);
            expect(cost).toBeGreaterThan(0);
            expect(cost / body.stats.milliseconds.total).toBeCloseTo(1, 3);
            expect(Math.max(...ClothMeasures.stretch(body))).toBe(0);
        }
    });

    test("says what it cannot use", () => {
        const { scene } = makeWorld();
        expect(messageOf(() => new ClothViewer(null as never))).toBe("ClothViewer: scene must be a Scene, got null");
        expect(messageOf(() => new ClothViewer(scene, { sticks: true } as never))).toMatch(/^ClothViewer: unknown option "sticks"/);
        expect(messageOf(() => new ClothViewer(scene, { pins: 1 } as never))).toBe(
            "ClothViewer: pins must be true or false, got 1",
        );
        const { layers } = new ClothViewer(scene);
        expect(messageOf(() => (layers.tethers = "no" as never))).toBe('ClothViewer: tethers must be true or false, got "no"');
        expect(() => Object.assign(layers, { sticks: true })).toThrow(TypeError);
        expect(messageOf(() => new ClothViewer(scene).showCloth({} as never))).toMatch(
            /^ClothViewer: showCloth\(cloth\) must be a ClothBehavior/,
        );
        expect(messageOf(() => (new ClothViewer(scene).strainRange = 0))).toMatch(/^ClothViewer: strainRange must be/);
    });
});

test("bone chains are drawn where their bones are, with radii and colliders", () => {
    const { scene, frame } = makeWorld();
    const root = MeshBuilder.CreateBox("root", { size: 0.1 }, scene);
    root.position.x = 50;
    const nodes = makeTail(scene, root, { joints: 3 });
    const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.2 }, scene);
    ball.position.x = 51;
    const chains = new BoneChainBehavior({ chains: [{ root: nodes[0] }], colliders: [ball] });
    root.addBehavior(chains);
    const viewer = new ClothViewer(scene, allOn);
    viewer.showChains(chains);
    root.rotation.z = 0.3;
    frame(undefined, 5);
    const bones = ends(layerOf(scene, "structural", "root")!);
    expect(bones).toHaveLength(3 * 6);
    nodes.forEach((node, j) => {
        node.computeWorldMatrix(true);
        const o = j < 3 ? 6 * j : 15;
        expect(Vector3.Distance(node.absolutePosition, Vector3.FromArray(bones, o))).toBeLessThan(1e-4);
    });
    expect(ends(layerOf(scene, "thickness", "root")!)).toHaveLength(3 * 18);
    const wires = ends(layerOf(scene, "colliders", "root")!);
    for (let o = 0; o < wires.length; o += 3) expect(Math.hypot(wires[o] - 51, wires[o + 1], wires[o + 2])).toBeCloseTo(0.1, 4);
    expect(layerOf(scene, "pins", "root")).toBeUndefined();
    root.removeBehavior(chains);
    frame();
    expect(drawings(scene)).toHaveLength(0);
    root.addBehavior(chains);
    frame();
    expect(drawings(scene).length).toBeGreaterThan(0);
    viewer.hideChains(chains);
    expect(drawings(scene)).toHaveLength(0);
    expect(messageOf(() => viewer.showChains(root as never))).toMatch(
        /ClothViewer: showChains\(chains\) must be a BoneChainBehavior/,
    );
});
