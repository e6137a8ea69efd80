// A source is one collider of its scene, however many cloths meet it; what differs from cloth to cloth stays theirs.
import { BoundingSphere } from "@babylonjs/core/Culling/boundingSphere";
import { Plane } from "@babylonjs/core/Maths/math.plane";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { Scene } from "@babylonjs/core/scene";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { ClothBehavior } from "../../../src/index";
import type { ClothOptions, ColliderSource } from "../../../src/index";
import { SceneLoop } from "../../../src/babylon/scene/sceneLoop";
import { column, disposeWorlds, FRAME, listen, makeSquare, makeWorld, told } from "./harness";

beforeEach(() => listen("warn"));
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

/** Squares of cloth in a row along x, 2 m apart, each at its own height. */
function makeCloths(scene: Scene, count: number, options: ClothOptions = {}, order = Array.from({ length: count }, (_, i) => i)) {
    const cloths: ClothBehavior[] = [];
    for (const i of order) {
        const mesh = makeSquare(scene, 6, `square ${i}`);
        mesh.position.set(2 * i, 0.3 + 0.1 * i, 0);
        mesh.addBehavior((cloths[i] = new ClothBehavior(options)));
    }
    return cloths;
}

const lowest = (cloth: ClothBehavior): number => Math.min(...column(cloth.getParticlePositions(), 1));

/** The colliders that a scene has, by source. */
const inScene = (scene: Scene): ReadonlyMap<ColliderSource, readonly { referenceCount: number }[]> =>
    (SceneLoop.of(scene).colliders as unknown as { _colliders: Map<ColliderSource, { referenceCount: number }[]> })._colliders;

/** A sphere that counts how often its place is read. */
function countedSphere(y: number, radius = 1) {
    const sphere = new BoundingSphere(new Vector3(-radius, -radius, -radius), new Vector3(radius, radius, radius));
    const { centerWorld } = sphere;
    centerWorld.y = y;
    const counted = { sphere, centerWorld, reads: 0 };
    Object.defineProperty(sphere, "centerWorld", { get: () => (counted.reads++, centerWorld) });
    return counted;
}

describe("one source, many cloths", () => {
    test("its place is read once a frame, and once a step by hand", () => {
        const { scene, frame } = makeWorld();
        const counted = countedSphere(-5);
        const cloths = makeCloths(scene, 5, { colliders: [counted.sphere] });
        frame();
        counted.reads = 0;
        frame(FRAME, 10);
        // Frames of several steps, too.
        frame(3 * FRAME, 2);
        expect(counted.reads).toBe(12);
        cloths[0].autoStep = false;
        for (let i = 0; i < 3; i++) cloths[0].step(1 / 60);
        expect(counted.reads).toBe(15);
    });

    test("each meets it with its own thickness, friction and margin", () => {
        const { scene, frame } = makeWorld();
        const ground = MeshBuilder.CreateGround("ground", { width: 20, height: 5 }, scene);
        const cloths = makeCloths(scene, 3, {});
        const colliders = cloths.map((cloth, i) => cloth.addCollider(ground, { margin: 0.02 * i }));
        cloths[2].fabric = { thickness: 0.03 };
        frame(FRAME, 120);
        [0.01, 0.03, 0.07].forEach((height, i) => expect(lowest(cloths[i])).toBeCloseTo(height, 3));
        colliders[0].margin = 0.1;
        frame(FRAME, 60);
        [0.11, 0.03, 0.07].forEach((height, i) => expect(lowest(cloths[i])).toBeCloseTo(height, 3));
        expect(inScene(scene).get(ground)!.length).toBe(1);
    });

    test("the order of cloths changes nothing, to the bit", () => {
        const play = (order: number[]): Float32Array[] => {
            const { scene, frame } = makeWorld();
            const ball = MeshBuilder.CreateSphere("ball", { diameter: 1 }, scene);
            const colliders = [ball, new Plane(0, 1, 0, 1)];
            const cloths = makeCloths(scene, 3, { colliders }, order);
            for (let f = 0; f < 60; f++) {
                ball.position.set(0.1 * f, 0.2 * Math.sin(f / 5), 0);
                frame([FRAME, 0.4 * FRAME, 2.3 * FRAME][f % 3]);
            }
            return cloths.map((cloth) => cloth.getParticlePositions());
        };
        expect(play([2, 0, 1])).toEqual(play([0, 1, 2]));
    });

    test("two shapes of a source, and a source of another geometry since, are colliders of their own", () => {
        const { scene } = makeWorld();
        const disc = MeshBuilder.CreateDisc("disc", {}, scene);
        const cloths = makeCloths(scene, 3);
        cloths[0].addCollider(disc, { shape: "plane" });
        cloths[1].addCollider(disc, { shape: "mesh" });
        expect(inScene(scene).get(disc)!.length).toBe(2);
        const plane = MeshBuilder.CreatePlane("plane", { updatable: true }, scene);
        cloths[0].addCollider(plane);
        cloths[1].addCollider(plane);
        expect(inScene(scene).get(plane)!.length).toBe(1);
        plane.updateVerticesData("position", plane.getVerticesData("position")!.map((x) => 3 * x) as Float32Array);
        cloths[2].addCollider(plane);
        expect(inScene(scene).get(plane)!.length).toBe(2);
    });

    test("a place that is not finite is told once, whoever meets it", () => {
        const { scene, frame } = makeWorld();
        const ground = MeshBuilder.CreateGround("lift", { width: 20, height: 5 }, scene);
        makeCloths(scene, 3, { colliders: [ground] });
        frame();
        ground.position.y = NaN;
        frame(FRAME, 5);
        expect(told("warn")).toEqual(['Colliders: the place of the collider "lift" is not finite; it stays where it was']);
    });

    test("far from each other, each has it in its own space", () => {
        const { scene, frame } = makeWorld();
        const floor = new Plane(0, 1, 0, 0);
        const cloths = [0, 5000].map((x) => {
            const mesh = makeSquare(scene, 6);
            mesh.position.set(x, 0.1, 0);
            const cloth = new ClothBehavior({ colliders: [floor], fabric: { friction: 1, damping: 2 } });
            mesh.addBehavior(cloth);
            return cloth;
        });
        frame(FRAME, 120);
        const [near, far] = cloths.map((cloth) => cloth.getParticlePositions());
        for (let i = 0; i < near.length; i++) expect(Math.abs(near[i] + (i % 3 === 0 ? 5000 : 0) - far[i])).toBeLessThan(5e-4);
    });
});

describe("what is left behind", () => {
    const sources: Record<string, (scene: Scene) => ColliderSource> = {
        "a mesh": (scene) => MeshBuilder.CreateSphere("ball", {}, scene),
        "a Plane": () => new Plane(0, 1, 0, 9),
    };
    test.each(Object.keys(sources))("%s is the scene's until the last cloth lets go", (name) => {
        const { scene, frame } = makeWorld();
        const source = sources[name](scene);
        const cloths = makeCloths(scene, 3, { colliders: [source] });
        frame();
        expect(
            inScene(scene)
                .get(source)!
                .map(({ referenceCount: users }) => users),
        ).toEqual([3]);
        cloths[0].colliders = [];
        cloths[1].attachedNode!.removeBehavior(cloths[1]);
        expect(
            inScene(scene)
                .get(source)!
                .map(({ referenceCount: users }) => users),
        ).toEqual([1]);
        frame();
        cloths[2].attachedNode!.dispose();
        expect(inScene(scene).size).toBe(0);
    });

    test("nothing, where a cloth is built anew, or its source is disposed", () => {
        const { scene, frame } = makeWorld();
        const ball = MeshBuilder.CreateSphere("ball", {}, scene);
        const [cloth, other] = makeCloths(scene, 2, { colliders: [ball] });
        const { attachedNode: mesh } = cloth;
        mesh!.removeBehavior(cloth);
        mesh!.addBehavior(cloth);
        frame();
        expect(
            inScene(scene)
                .get(ball)!
                .map(({ referenceCount: users }) => users),
        ).toEqual([2]);
        ball.dispose();
        frame();
        expect([cloth.colliders, other.colliders, inScene(scene).size]).toEqual([[], [], 0]);
    });
});
