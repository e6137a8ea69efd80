// One warning for each mistake that shows in nothing else, with the numbers and the cure.
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { Mesh as RealMesh } from "@babylonjs/core/Meshes/mesh";
import { Plane } from "@babylonjs/core/Maths/math.plane";
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { ClothBehavior, Forces, select } from "../../../src/index";
import type { ClothOptions } from "../../../src/index";
import { disposeWorlds, listen, makeWorld, told } from "./harness";
import type { World } from "./harness";

beforeEach(() => listen("warn"));
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

const onTop = { pins: [{ select: select.edge("+z") }], wind: null };

function makeSheet({ scene }: World, subdivisions: number, width = 1): Mesh {
    return MeshBuilder.CreateGround("sheet", { width, height: width, subdivisions }, scene);
}

/** Warnings about a cloth in 20 frames at 59.94 Hz. */
function adviceOn(world: World, mesh: Mesh, options: ClothOptions): string[] {
    mesh.addBehavior(new ClothBehavior(options));
    world.frame(1000 / 59.94, 20);
    return told("warn");
}

test.each([
    [1, "4 particles with edges of 2.0 m, and cannot fold: it needs 8 edges or more along its size of 2.8 m"],
    [5, "36 particles with edges of 0.40 m, and cannot fold: it needs 8 edges or more along its size of 2.8 m"],
])("a curtain of %d edges along each side", (subdivisions, has) => {
    const world = makeWorld();
    const warnings = adviceOn(world, makeSheet(world, subdivisions, 2), { pins: [{ select: [0] }], wind: null });
    expect(warnings).toEqual([`ClothBehavior: "sheet" has ${has}, see ClothBuilder.Subdivide(mesh, 0.18)`]);
});

test.each([6, 12, 40])("none of a hanging sheet of %d edges", (subdivisions) => {
    const world = makeWorld();
    expect(adviceOn(world, makeSheet(world, subdivisions), onTop)).toEqual([]);
});

test("no pin and no collider", () => {
    const world = makeWorld();
    expect(adviceOn(world, makeSheet(world, 8), { wind: null })).toEqual([
        'ClothBehavior: "sheet" falls, with no pin and no collider: pin some of it, or add a collider below',
    ]);
});

test("none where something is below, pulls, or there is no gravity", () => {
    const world = makeWorld();
    const ground = Plane.FromPositionAndNormal(new Vector3(0, -1, 0), Vector3.Up());
    expect(adviceOn(world, makeSheet(world, 8), { wind: null, colliders: [ground] })).toEqual([]);
    expect(adviceOn(world, makeSheet(world, 8), { wind: null, gravity: Vector3.Zero() })).toEqual([]);
    const mesh = makeSheet(world, 8);
    const cloth = new ClothBehavior({ wind: null });
    mesh.addBehavior(cloth);
    const forces = new Forces(cloth);
    world.frame(16, 3);
    forces.dispose();
    expect(told("warn")).toEqual([]);
});

test("pins and colliders that come before the first frame count", () => {
    const world = makeWorld();
    const mesh = makeSheet(world, 8);
    const cloth = new ClothBehavior({ wind: null });
    mesh.addBehavior(cloth);
    cloth.pin(select.edge("-x"));
    world.frame(1000 / 144, 5);
    expect(told("warn")).toEqual([]);
});

test("everything pinned", () => {
    const world = makeWorld();
    expect(adviceOn(world, makeSheet(world, 8), { wind: null, pins: [{ select: select.all() }] })).toEqual([
        'ClothBehavior: all 81 particles of "sheet" are pinned, and none can move: pin fewer',
    ]);
});

test("parts that hang on nothing", () => {
    const world = makeWorld();
    const buttons = [0, 1].map((i) => {
        const button = MeshBuilder.CreateGround(`button ${i}`, { width: 0.1, height: 0.1, subdivisions: 1 }, world.scene);
        button.position.set(0, 0.1, 0.2 * i);
        return button;
    });
    const mesh = RealMesh.MergeMeshes([makeSheet(world, 10), ...buttons], true)!;
    mesh.name = "coat";
    expect(adviceOn(world, mesh, onTop)).toEqual([
        'ClothBehavior: 8 of the 129 particles of "coat" are in 2 parts that hang on nothing: pin these, too, or join their vertices to the rest',
    ]);
});

test("more particles than a page has time for", () => {
    const world = makeWorld();
    const [warning, ...others] = adviceOn(world, makeSheet(world, 250, 10), {
        ...onTop,
        enabled: true,
        maxStepsPerFrame: 1,
        substepCount: 1,
    });
    expect(others).toEqual([]);
    expect(warning).toMatch(
        /^ClothBehavior: attaching "sheet" took [1-9]\d* ms for its 63001 particles, in which the page stood still: use a coarser mesh/,
    );
});

test("calls once its mesh is disposed", () => {
    const world = makeWorld();
    const mesh = makeSheet(world, 8);
    const cloth = new ClothBehavior(onTop);
    cloth.step(0.1);
    mesh.addBehavior(cloth);
    mesh.removeBehavior(cloth);
    cloth.step(0.1);
    mesh.addBehavior(cloth);
    expect(told("warn")).toEqual([]);
    mesh.dispose();
    for (let i = 0; i < 2; i++) cloth.step(0.1);
    cloth.reset();
    cloth.teleport();
    cloth.applyImpulse(Vector3.Zero(), Vector3.Up());
    expect(told("warn")).toEqual(
        ["step", "reset", "teleport", "applyImpulse"].map(
            (name) => `ClothBehavior: ${name} does nothing: the mesh "sheet" was disposed; add the behavior to another`,
        ),
    );
    makeSheet(world, 8).addBehavior(cloth);
    cloth.step(0.1);
    expect(told("warn")).toHaveLength(4);
});
