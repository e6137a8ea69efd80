// Large worlds: a game moves the roots of its scene back to the origin, and all bodies come along, without motion.
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Logger } from "@babylonjs/core/Misc/logger";
import { Scene } from "@babylonjs/core/scene";
import { ClothBehavior, ClothOrigin, RigidBodyBehavior, RigidBodyHinge, select } from "babylon-cloth";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { disposeWorlds, makeWorld } from "./harness";

afterEach(disposeWorlds);

const OFFSET = new Vector3(-1024, 0, 256);

/** A scene with a hung curtain, a free cloth on a box, a crate on a floor and a door, and their state as numbers from the root. */
function makeScene() {
    const world = makeWorld();
    const { scene } = world;
    scene.gravity.set(0, -9.81, 0);
    const root = new TransformNode("root", scene);
    const curtainMesh = MeshBuilder.CreateGround("curtain", { width: 1, height: 1, subdivisions: 6 }, scene);
    curtainMesh.parent = root;
    curtainMesh.position.set(3, 2, 0);
    const curtain = new ClothBehavior({ pins: [{ select: select.edge("-x") }], wind: null });
    curtainMesh.addBehavior(curtain);
    const table = MeshBuilder.CreateBox("table", { size: 0.6 }, scene);
    table.parent = root;
    const freeMesh = MeshBuilder.CreateGround("free", { width: 1, height: 1, subdivisions: 8 }, scene);
    freeMesh.position.y = 0.5;
    const free = new ClothBehavior({ colliders: [table], wind: null });
    freeMesh.addBehavior(free);
    const floor = MeshBuilder.CreateBox("floor", { width: 20, depth: 20, height: 1 }, scene);
    floor.parent = root;
    floor.position.y = -1;
    const crate = MeshBuilder.CreateBox("crate", { size: 0.4 }, scene);
    crate.position.set(-3, 0.5, 0);
    const body = new RigidBodyBehavior({ colliders: [floor] });
    crate.addBehavior(body);
    const doorMesh = MeshBuilder.CreateBox("door", { width: 1, height: 2, depth: 0.05 }, scene);
    doorMesh.position.set(-6, 1, 0);
    const door = new RigidBodyBehavior();
    doorMesh.addBehavior(door);
    new RigidBodyHinge(door, null, { point: new Vector3(-6.5, 1, 0), axis: Vector3.Up() });
    const bodies = [curtain, free, body, door];
    const nodes = [freeMesh, crate, doorMesh];
    const places = (): number[] =>
        bodies.flatMap((each) => Array.from(each.getParticlePositions(), (x, i) => x - root.position.asArray()[i % 3]));
    return { ...world, root, bodies, nodes, places, crate, freeMesh, free };
}

/** Frames with a shift after some of them. */
function play(milliseconds: () => number, shiftAt: number, isRootMoved: boolean, isBefore = true) {
    const made = makeScene();
    const fastest: number[] = [];
    let before = made.places();
    for (let f = 0; f < 150; f++) {
        if (f === shiftAt) {
            if (isBefore) ClothOrigin.shift(made.scene, OFFSET);
            made.root.position.addInPlace(OFFSET);
            if (isRootMoved) for (const node of made.nodes) node.position.addInPlace(OFFSET);
            if (!isBefore) ClothOrigin.shift(made.scene, OFFSET);
        }
        made.frame(milliseconds());
        const now = made.places();
        fastest.push(Math.max(...now.map((x, i) => Math.abs(x - before[i]))));
        before = now;
    }
    return { ...made, fastest };
}

describe.each([
    [60, true, true],
    [60, false, false],
    [144, true, false],
    [59.94, false, true],
])("at %d Hz, nodes of bodies moved: %p, called first: %p", (rate, isRootMoved, isBefore) => {
    test("nothing moves but with the world", () => {
        const without = play(() => 1000 / rate, Infinity, false);
        const shifted = play(() => 1000 / rate, 70, isRootMoved, isBefore);
        const [a, b] = [without.places(), shifted.places()];
        for (let i = 0; i < a.length; i++) expect(Math.abs(a[i] - b[i])).toBeLessThan(0.01);
        shifted.fastest.forEach((way, f) => expect(way).toBeLessThan(without.fastest[f] + 2e-3));
        // Drawn, too.
        expect(Vector3.Distance(shifted.crate.position, without.crate.position.add(OFFSET))).toBeLessThan(0.01);
    });
});

test("free cloth whose node jumps stays, and warns once", () => {
    const warn = jest.spyOn(Logger, "Warn").mockImplementation(() => {});
    const { freeMesh, frame } = play(() => 1000 / 60, Infinity, false);
    for (let f = 0; f < 10; f++) {
        freeMesh.position.x += 1000;
        frame();
    }
    expect(warn.mock.calls.map(([text]) => text)).toEqual([
        'ClothBehavior: the node of "free" has jumped, but nothing carries its cloth, which stays: teleport() takes it along, ClothOrigin.shift() all of a scene',
    ]);
    warn.mockRestore();
});

test("a shift by hand, and by teleport(), does not warn", () => {
    const warn = jest.spyOn(Logger, "Warn").mockImplementation(() => {});
    const { freeMesh, frame, free } = play(() => 1000 / 60, 20, true);
    free.teleport();
    freeMesh.position.x += 500;
    frame(undefined, 5);
    expect(warn).not.toHaveBeenCalled();
    expect(free.getParticlePositions()[0]).toBeGreaterThan(-1024 + 400);
    warn.mockRestore();
});

test("under a floating origin nothing moves: cloth hangs where it is at a million metres", () => {
    const engine = new NullEngine();
    const scene = new Scene(engine, { useFloatingOrigin: true } as object);
    const hook = new TransformNode("hook", scene);
    hook.position.set(1e6, 0, -1e6);
    const mesh = MeshBuilder.CreateGround("far", { width: 1, height: 1, subdivisions: 6 }, scene);
    mesh.parent = hook;
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("-x") }], wind: null });
    mesh.addBehavior(cloth);
    for (let f = 0; f < 60; f++) cloth.step(1 / 60);
    const points = cloth.getParticlePositions();
    expect(Math.abs(points[0] - 1e6)).toBeLessThan(1);
    expect(cloth.stats.maxStretch).toBeLessThan(0.05);
    engine.dispose();
});

test("errors name the rule", () => {
    const { scene } = makeWorld();
    expect(() => ClothOrigin.shift(scene, { x: NaN, y: 0, z: 0 })).toThrow("ClothOrigin: shift: offset.x must be a finite number");
    expect(() => ClothOrigin.shift({} as Scene, OFFSET)).toThrow("ClothOrigin: shift: scene must be a Scene");
});
