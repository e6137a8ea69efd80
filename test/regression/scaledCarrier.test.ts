// A carrier whose scale changes rescales its cloth: popped in from a thousandth, it was a line of no height for ever.
import "@babylonjs/core/Meshes/instancedMesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Logger } from "@babylonjs/core/Misc/logger";
import { ClothBehavior, RopeBehavior, select } from "babylon-cloth";
import { afterEach, expect, jest, test } from "@jest/globals";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { disposeWorlds, makeWorld } from "../unit/babylon/harness";

afterEach(disposeWorlds);

/** A cape that hangs from its mesh, under a root. */
function cape(scale: number) {
    const world = makeWorld();
    const root = new TransformNode("root", world.scene);
    root.scaling.setAll(scale);
    const mesh = MeshBuilder.CreateGround("cape", { width: 0.6, height: 1, subdivisions: 10 }, world.scene);
    mesh.parent = root;
    mesh.rotation.x = -Math.PI / 2;
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("+z") }], wind: null });
    mesh.addBehavior(cloth);
    return { ...world, root, mesh, cloth };
}

function heightOf(cloth: ClothBehavior): number {
    const y = cloth.getParticlePositions().filter((_, i) => i % 3 === 1);
    return Math.max(...y) - Math.min(...y);
}

test.each([60, 59.94, 144, 30])("popped in from 0.001 to 1 at %d Hz it hangs in its size, and is not flung", (rate) => {
    const { frame, root, cloth } = cape(0.001);
    frame(1000 / rate, 10);
    let highest = 0;
    for (let t = 0; t < 0.4; t += 1 / rate) {
        root.scaling.setAll(0.001 + (0.999 * t) / 0.4);
        frame(1000 / rate);
        highest = Math.max(highest, heightOf(cloth) / root.scaling.x);
    }
    root.scaling.setAll(1);
    for (let f = 0; f < 4 * rate; f++) {
        frame(1000 / rate);
        highest = Math.max(highest, heightOf(cloth));
    }
    expect(heightOf(cloth)).toBeGreaterThan(0.97);
    expect(highest).toBeLessThan(1.05);
    expect(cloth.stats.maxStretch).toBeLessThan(0.02);
});

test.each([3, 0.4])("a jump of the scale to %d keeps shape and motion", (scale) => {
    const { frame, root, cloth } = cape(1);
    root.position.x = 0.3;
    frame(undefined, 40);
    const before = cloth.getParticlePositions().map((x, i) => (i % 3 === 0 ? x - 0.3 : x));
    root.scaling.setAll(scale);
    frame();
    const after = cloth.getParticlePositions().map((x, i) => (i % 3 === 0 ? x - 0.3 : x) / scale);
    for (let i = 0; i < before.length; i++) expect(Math.abs(after[i] - before[i])).toBeLessThan(0.03);
    frame(undefined, 300);
    expect(heightOf(cloth) / scale).toBeGreaterThan(0.97);
    expect(cloth.stats.maxStretch).toBeLessThan(0.02);
});

test("pins of other nodes stay pinned, colliders stay, and a rope goes along", () => {
    const { scene, frame } = makeWorld();
    const root = new TransformNode("root", scene);
    const hook = new TransformNode("hook", scene);
    hook.parent = root;
    hook.position.y = 2;
    const mesh = MeshBuilder.CreateTube("rope", { path: [new Vector3(0, 2, 0), new Vector3(0, 1, 0)], radius: 0.02 }, scene);
    mesh.parent = root;
    const rope = new RopeBehavior({ start: hook, wind: null });
    mesh.addBehavior(rope);
    frame(undefined, 30);
    root.scaling.setAll(2);
    frame(undefined, 200);
    const points = rope.getParticlePositions();
    expect(points[1]).toBeCloseTo(4, 3);
    expect(points[points.length - 2]).toBeCloseTo(2, 1);
});

test("a turn in a stretched parent is no other size; a stretch along one axis warns once", () => {
    const warn = jest.spyOn(Logger, "Warn").mockImplementation(() => {});
    const { frame, root, mesh, cloth } = cape(1);
    root.scaling.set(1, 2, 1);
    cloth.reset();
    const { geometry } = mesh;
    for (let f = 0; f < 60; f++) {
        mesh.rotation.z = 0.02 * f;
        frame();
    }
    expect(mesh.geometry).toBe(geometry);
    expect(warn).not.toHaveBeenCalled();
    root.scaling.set(1, 3, 1);
    frame(undefined, 5);
    expect(warn.mock.calls.map(([text]) => text)).toEqual([expect.stringContaining('"cape" was stretched while it is cloth')]);
    warn.mockRestore();
});

test("a carrier that is scaled without the mesh warns once", () => {
    const warn = jest.spyOn(Logger, "Warn").mockImplementation(() => {});
    const { scene, frame, cloth, mesh } = cape(1);
    const shoulders = new TransformNode("shoulders", scene);
    mesh.removeBehavior(cloth);
    cloth.pins = [{ select: select.edge("+z"), target: shoulders }];
    mesh.addBehavior(cloth);
    for (let f = 0; f < 20; f++) {
        shoulders.scaling.setAll(1 + 0.01 * f);
        frame();
    }
    expect(warn.mock.calls.map(([text]) => text)).toEqual([
        expect.stringContaining('"shoulders" was scaled, which carries "cape"'),
    ]);
    warn.mockRestore();
});

test("where it cannot be built anew, the cloth ends with a warning, and not the frame", () => {
    const warn = jest.spyOn(Logger, "Warn").mockImplementation(() => {});
    const { frame, root, mesh, cloth } = cape(1);
    frame(undefined, 5);
    // A mesh with instances cannot become cloth.
    mesh.createInstance("instance");
    root.scaling.setAll(2);
    expect(() => frame(undefined, 5)).not.toThrow();
    expect(cloth.attachedNode).toBeNull();
    expect(warn.mock.calls.map(([text]) => text)).toContainEqual(expect.stringContaining("ends, since the mesh has another size"));
    warn.mockRestore();
});
