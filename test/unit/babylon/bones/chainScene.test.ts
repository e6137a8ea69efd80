/** Bone chains beside others of their scene: colliders and winds of all, ragdolls, cloth pinned to bones, pauses. */
import { readFileSync } from "node:fs";
import { ImportMeshAsync } from "@babylonjs/core/Loading/sceneLoader";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import "@babylonjs/loaders/glTF/2.0";
import { afterEach, describe, expect, test } from "@jest/globals";
import { BoneChainBehavior, ClothBehavior, Colliders, Ragdoll, Wind, Winds } from "../../../../src/index";
import type { BoneChainOptions } from "../../../../src/index";
import { disposeWorlds, FRAME, makeSquare, makeWorld } from "../harness";
import { directionsOf, makeTail } from "./rigs";

afterEach(() => disposeWorlds());

const GRAVITY = new Vector3(0, -9.81, 0);

/** A tail that hangs from the origin. */
function makeHanging(options: Partial<BoneChainOptions> = {}) {
    const world = makeWorld();
    const root = MeshBuilder.CreateBox("root", { size: 0.05 }, world.scene);
    const nodes = makeTail(world.scene, root);
    const chains = new BoneChainBehavior({
        chains: [{ root: "Tail_0" }],
        stiffness: 2,
        damping: 5,
        radius: 0.01,
        gravity: GRAVITY,
        ...options,
    });
    root.addBehavior(chains);
    world.frame(0);
    return { ...world, root, nodes, chains };
}

const placesOf = (nodes: readonly TransformNode[]): Vector3[] =>
    nodes.map((node) => (node.computeWorldMatrix(true), node.absolutePosition.clone()));
const nearest = (nodes: readonly TransformNode[], to: Vector3): number =>
    Math.min(...placesOf(nodes.slice(1)).map((place) => Vector3.Distance(place, to)));

describe("colliders of the scene", () => {
    test("are met, while they are there; the chains' motion goes on as they come and go", () => {
        const { scene, frame, root, nodes } = makeHanging();
        const sphere = MeshBuilder.CreateSphere("sphere", { diameter: 0.4 }, scene);
        sphere.position.set(0.02, -0.35, 0);
        // Neither what chains do not meet nor what is not for them is in the way.
        Colliders.add(scene, MeshBuilder.CreateTorus("torus", {}, scene));
        Colliders.add(scene, MeshBuilder.CreateSphere("other", {}, scene), { mask: 2 });
        const collider = Colliders.add(scene, sphere);
        frame(FRAME, 120);
        expect(nearest(nodes, sphere.position)).toBeGreaterThan(0.209);
        expect(nearest(nodes, sphere.position)).toBeLessThan(0.22);
        for (let i = 0; i < 30; i++) {
            root.position.x = 0.3 * Math.sin(i / 4);
            frame();
        }
        const before = placesOf(nodes);
        Colliders.remove(scene, collider);
        frame(1);
        // A millisecond later, they are where they swung, and not in their pose.
        placesOf(nodes).forEach((place, j) => expect(Vector3.Distance(place, before[j])).toBeLessThan(0.01));
        expect(Math.min(...directionsOf(nodes).map(({ y }) => -y))).toBeLessThan(0.9);
        root.position.x = 0;
        frame(FRAME, 200);
        expect(nearest(nodes, sphere.position)).toBeLessThan(0.15);
    });

    test("that joints carry are not met by them", () => {
        const { scene, frame, nodes } = makeHanging();
        const lantern = MeshBuilder.CreateSphere("lantern", { diameter: 0.2 }, scene);
        lantern.parent = nodes[5];
        Colliders.add(scene, lantern);
        frame(FRAME, 60);
        expect(Math.min(...directionsOf(nodes).map(({ y }) => -y))).toBeGreaterThan(0.999);
    });
});

describe("winds", () => {
    const sideways = (nodes: readonly TransformNode[]): number => directionsOf(nodes)[5].x;

    test("of the scene blow; a wind in a zone as strong as it is there, and not beside it", () => {
        const { scene, frame, nodes, chains } = makeHanging({ gravity: Vector3.Zero(), stiffness: 10, damping: 15 });
        const wind = new Wind({ velocity: new Vector3(5, 0, 0), turbulence: 0 });
        Winds.add(scene, wind);
        frame(FRAME, 120);
        const open = sideways(nodes);
        expect(open).toBeGreaterThan(0.2);
        Winds.remove(scene, wind);
        frame(FRAME, 200);
        expect(Math.abs(sideways(nodes))).toBeLessThan(0.01);
        for (const shape of ["box", "sphere", "cone"] as const) {
            const node = new TransformNode("zone", scene);
            node.scaling.setAll(4);
            node.position.z = shape === "cone" ? -1 : 0;
            chains.wind = new Wind({ velocity: new Vector3(5, 0, 0), turbulence: 0, zone: { shape, node, falloff: 0.1 } });
            frame(FRAME, 120);
            // A cone's stream slows on its way.
            expect(sideways(nodes)).toBeGreaterThan(shape === "cone" ? open / 2 : open - 0.01);
            node.position.x = 3;
            frame(FRAME, 200);
            expect(Math.abs(sideways(nodes))).toBeLessThan(0.01);
        }
    });
});

/** The gallery's figure, and a tail on its head. */
async function makeFigure() {
    const world = makeWorld();
    const file = `data:;base64,${readFileSync("playground/assets/walker.glb").toString("base64")}`;
    const { meshes, animationGroups } = await ImportMeshAsync(file, world.scene, { pluginExtension: ".glb" });
    for (const group of animationGroups) group.stop();
    const figure = world.scene.getMeshByName("Walker") as Mesh;
    const head = figure.skeleton!.bones.find(({ name }) => /head/i.test(name))!.getTransformNode()!;
    const nodes = makeTail(world.scene, head, { length: 0.06, at: new Vector3(0, 0.1, -0.1) });
    const chains = new BoneChainBehavior({ chains: [{ root: nodes[0] }], stiffness: 10, gravity: GRAVITY });
    meshes[0].addBehavior(chains);
    return { ...world, root: meshes[0], figure, head, nodes, chains };
}

/** Distance between where the kernel has the last tail, and its node [m]. */
function offTail(chains: BoneChainBehavior, nodes: readonly TransformNode[]): number {
    const { frames, jointCount } = (chains as unknown as { _runtime: { _rig: { frames: Float64Array; jointCount: number } } })
        ._runtime._rig;
    const o = 25 * (jointCount - 2) + 21;
    return Vector3.Distance(placesOf(nodes).at(-1)!, Vector3.FromArray(frames, o));
}

test("a ragdoll that is made later takes over and gives back: chains hang on what it has posed in the same frame", async () => {
    const { frame, figure, head, nodes, chains } = await makeFigure();
    frame(FRAME, 10);
    const ragdoll = Ragdoll.fromSkeleton(figure, { blend: 0 });
    await ragdoll.whenReady();
    const before = head.rotationQuaternion!.clone();
    ragdoll.blend = 1;
    let most = 0;
    const start = placesOf([head])[0].y;
    for (let i = 0; i < 40; i++) {
        frame();
        most = Math.max(most, offTail(chains, nodes));
    }
    expect(start - placesOf([head])[0].y).toBeGreaterThan(0.5);
    expect(most).toBeLessThan(1e-6);
    ragdoll.blend = 0;
    frame(FRAME, 3);
    expect(head.rotationQuaternion!.equalsWithEpsilon(before, 1e-9)).toBe(true);
    frame(FRAME, 120);
    const rest = placesOf(nodes);
    frame(FRAME, 60);
    placesOf(nodes).forEach((place, j) => expect(Vector3.Distance(place, rest[j])).toBeLessThan(1e-3));
    expect(offTail(chains, nodes)).toBeLessThan(1e-6);
});

test("cloth pinned to a simulated bone is where the bone is drawn, without a frame's delay", () => {
    const { scene, root, nodes, frame } = makeHanging();
    const square = makeSquare(scene);
    square.position.set(0, -0.48, 0);
    const cloth = new ClothBehavior({ pins: [{ select: [0], target: nodes[6] }] });
    square.addBehavior(cloth);
    frame(0);
    const place = (): Vector3 =>
        Vector3.TransformCoordinates(Vector3.FromArray(square.getVerticesData("position")!), square.computeWorldMatrix(true));
    placesOf(nodes);
    const offset = Vector3.TransformCoordinates(place(), nodes[6].getWorldMatrix().clone().invert());
    let swing = 0;
    for (let i = 0; i < 60; i++) {
        root.position.x = 0.2 * Math.sin(i / 6);
        frame();
        placesOf(nodes);
        swing = Math.max(swing, Math.abs(directionsOf(nodes)[5].x));
        expect(Vector3.Distance(place(), Vector3.TransformCoordinates(offset, nodes[6].getWorldMatrix()))).toBeLessThan(1e-4);
    }
    expect(swing).toBeGreaterThan(0.3);
});

describe("pauses", () => {
    /** Swings the root for a while. @returns how far the tail bends */
    const bend = ({
        root,
        nodes,
        frame,
    }: {
        root: AbstractMesh;
        nodes: readonly TransformNode[];
        frame: (ms?: number, n?: number) => void;
    }): number => {
        let most = 0;
        for (let i = 0; i < 40; i++) {
            root.position.x = 0.2 * Math.sin(i / 3);
            frame();
            if (i > 15) most = Math.max(most, ...directionsOf(nodes).map(({ x }) => Math.abs(x)));
        }
        return most;
    };

    test("out of view after ten frames, but with alwaysUpdate; in the pose, and on again in view", () => {
        const hanging = makeHanging();
        const { engine, scene, root, chains, camera } = hanging;
        engine.getRenderingCanvas = () => ({}) as HTMLCanvasElement;
        camera.position.set(0, 0, -5);
        camera.rotation.setAll(0);
        expect(bend(hanging)).toBeGreaterThan(0.2);
        camera.rotation.y = Math.PI;
        expect(bend(hanging)).toBeLessThan(1e-9);
        chains.alwaysUpdate = true;
        expect(bend(hanging)).toBeGreaterThan(0.2);
        chains.alwaysUpdate = false;
        expect(bend(hanging)).toBeLessThan(1e-9);
        camera.rotation.y = 0;
        expect(bend(hanging)).toBeGreaterThan(0.2);
        root.dispose();
        expect((scene as unknown as { meshes: unknown[] }).meshes).toHaveLength(0);
    });

    test("beyond pauseDistance, to which the chains fade", () => {
        const hanging = makeHanging();
        const { camera, chains, nodes, frame } = hanging;
        camera.position.set(0, 0, -4.95);
        hanging.engine.getRenderingCanvas = () => ({}) as HTMLCanvasElement;
        chains.pauseDistance = 5;
        const near = bend(hanging);
        expect(near).toBeLessThan(0.3);
        camera.position.z = -2;
        expect(bend(hanging)).toBeGreaterThan(2 * near);
        camera.position.z = -6;
        frame();
        expect(Math.max(...directionsOf(nodes).map(({ x }) => Math.abs(x)))).toBeLessThan(1e-9);
        expect(() => (chains.pauseDistance = 0)).toThrow(/BoneChainBehavior: pauseDistance must be/);
    });
});
