// The WebAssembly memory is full: what asks for more fails whole with one clear error, and what runs goes on.
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { Logger } from "@babylonjs/core/Misc/logger";
import { FreeCamera } from "@babylonjs/core/Cameras/freeCamera";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Scene } from "@babylonjs/core/scene";
import { ClothBehavior, Colliders, select } from "../../../src/index";
import { OutOfMemoryError, getKernels } from "../../../src/engine/index";

let scene: Scene;
let mesh: Mesh;

beforeEach(() => {
    Logger.LogLevels = Logger.ErrorLogLevel;
    scene = new Scene(new NullEngine());
    scene.getEngine().getDeltaTime = () => 1000 / 60;
    new FreeCamera("camera", new Vector3(0, 0, -5), scene);
    mesh = CreateGround("sheet", { width: 2, height: 2, subdivisions: 16 }, scene);
});

afterEach(() => {
    jest.restoreAllMocks();
    scene.getEngine().dispose();
});

/** From now on the arena has room for `blocks` more blocks. */
function fillMemory(blocks: number): void {
    const { arena } = getKernels();
    const allocate = arena.allocate.bind(arena);
    let count = 0;
    jest.spyOn(arena, "allocate").mockImplementation((byteLength, owner) => {
        if (count++ >= blocks) throw new OutOfMemoryError("full");
        return allocate(byteLength, owner);
    });
}

test.each([0, 1, 2, 4, 7])("at attach, after %d blocks: one error, and the mesh as it was", (blocks) => {
    const before = mesh.getVerticesData("position")!.slice();
    fillMemory(blocks);
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("-x") }], autoStep: false });
    expect(() => mesh.addBehavior(cloth)).toThrow(OutOfMemoryError);
    expect(cloth.attachedNode).toBeNull();
    expect(mesh.getVerticesData("position")).toEqual(before);
    jest.restoreAllMocks();
    if (!mesh.behaviors.includes(cloth)) mesh.addBehavior(cloth);
    else cloth.attach(mesh);
    for (let i = 0; i < 30; i++) cloth.step(1 / 60);
    expect(cloth.stats.kineticEnergy).toBeGreaterThan(0);
});

test("while it runs, by a new collider: that is refused, and the motion goes on", () => {
    const cloth = new ClothBehavior({ pins: [{ select: select.corners("-x+z") }], autoStep: false });
    mesh.addBehavior(cloth);
    for (let i = 0; i < 20; i++) cloth.step(1 / 60);
    fillMemory(0);
    expect(() => cloth.addCollider(CreateSphere("ball", { diameter: 0.5 }, scene))).toThrow(OutOfMemoryError);
    expect(cloth.colliders).toHaveLength(0);
    for (let i = 0; i < 20; i++) cloth.step(1 / 60);
    expect(cloth.stats.kineticEnergy).toBeGreaterThan(0);
});

test("within a frame: one error, that cloth is off its mesh, another goes on", () => {
    const cloth = new ClothBehavior({ pins: [{ select: select.corners("-x+z") }] });
    mesh.addBehavior(cloth);
    const other = new ClothBehavior({ pins: [{ select: select.edge("-x") }], collisionMask: 0 });
    CreateGround("other", { width: 1, height: 1, subdivisions: 8 }, scene).addBehavior(other);
    scene.render();
    const error = jest.spyOn(Logger, "Error").mockImplementation(() => {});
    Colliders.add(scene, CreateSphere("ball", { diameter: 0.5 }, scene));
    fillMemory(0);
    for (let i = 0; i < 10; i++) scene.render();
    expect(error.mock.calls).toEqual([[expect.stringMatching(/^ClothBehavior: the simulation of "sheet" ends: /)]]);
    expect(cloth.attachedNode).toBeNull();
    expect(mesh.behaviors).toHaveLength(0);
    expect(other.stats.kineticEnergy).toBeGreaterThan(0);
});
