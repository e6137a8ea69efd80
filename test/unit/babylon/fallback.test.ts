// Kernels that are loaded where they are wanted: the cloth then begins a moment later.
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { ClothBehavior, ClothTearing, select } from "../../../src/index";
import { OutOfMemoryError } from "../../../src/kernels/arena";
import { fallbackPart, getKernels } from "../../../src/kernels/backend";
import { disposeWorlds, FRAME, listen, makeSquare, makeWorld, told } from "./harness";

beforeEach(() => {
    listen("warn");
    listen("error");
    fallbackPart.provide(null);
});
afterEach(async () => {
    disposeWorlds();
    await fallbackPart.load();
    jest.restoreAllMocks();
});

/** When what was begun to be loaded before is there. */
const loaded = async (): Promise<void> => {
    await fallbackPart.load();
    await new Promise((resolve) => setTimeout(resolve, 1));
};

test("a cloth begins when they are there, with all that it was given meanwhile", async () => {
    const world = makeWorld();
    const mesh = makeSquare(world.scene, 6, "square");
    const cloth = new ClothBehavior({ backend: "scalar" });
    mesh.addBehavior(cloth);
    cloth.pin(select.edge("-x"));
    cloth.step(1);
    world.frame(FRAME, 2);
    expect([cloth.attachedNode, cloth.particleCount, cloth.stats.backend]).toEqual([null, 0, null]);
    await loaded();
    expect([cloth.attachedNode, cloth.particleCount, cloth.stats.backend]).toEqual([mesh, 49, "scalar"]);
    expect(cloth.pins[0].particleCount).toBe(7);
    world.frame(FRAME, 30);
    expect(Math.min(...cloth.getParticlePositions().filter((_, i) => i % 3 === 1))).toBeLessThan(-0.1);
    expect([told("warn"), told("error")]).toEqual([[], []]);
});

test("what is taken off, disposed or no cloth by then is left alone, and said", async () => {
    const { scene } = makeWorld();
    const [removed, disposed] = ["removed", "disposed"].map((name) => makeSquare(scene, 6, name));
    const line = MeshBuilder.CreateLines("line", { points: [] }, scene);
    const cloths = [removed, disposed, line].map((mesh) => {
        const cloth = new ClothBehavior({ backend: "scalar" });
        mesh.addBehavior(cloth);
        return cloth;
    });
    removed.removeBehavior(cloths[0]);
    disposed.dispose();
    await loaded();
    expect(cloths.map(({ attachedNode }) => attachedNode)).toEqual([null, null, null]);
    expect(told("error").join()).toMatch(/mesh "line" must be made of triangles/);
});

test("cloth that is torn where memory is full begins anew with them, and has one turn in a frame", async () => {
    const { scene, frame } = makeWorld();
    const mesh = makeSquare(scene, 6, "square");
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("-x") }] });
    const tearing = new ClothTearing({ strain: Infinity });
    mesh.addBehavior(cloth);
    mesh.addBehavior(tearing);
    frame();
    jest.spyOn(getKernels("wasm", () => {}).arena, "allocate").mockImplementation(() => {
        throw new OutOfMemoryError("full");
    });
    const [x, z] = [new Vector3(0.03, 0, -1), new Vector3(0.03, 0, 1)];
    expect(
        cloth.cut(Vector3.TransformCoordinates(x, mesh.getWorldMatrix()), Vector3.TransformCoordinates(z, mesh.getWorldMatrix())),
    ).toBe(true);
    expect(cloth.attachedNode).toBeNull();
    frame();
    await loaded();
    expect([cloth.attachedNode, cloth.stats.backend]).toEqual([mesh, "scalar"]);
    expect(cloth.particleCount).toBeGreaterThan(49);
    let steps = 0;
    cloth.onAfterStepObservable.add(() => steps++);
    frame(FRAME, 20);
    expect(steps).toBe(20);
    expect([told("warn").length, told("error")]).toEqual([1, []]);
});

test("where WebAssembly is there, none are loaded", () => {
    const { scene } = makeWorld();
    const mesh = makeSquare(scene, 6, "square");
    const cloth = new ClothBehavior();
    mesh.addBehavior(cloth);
    expect([cloth.attachedNode, cloth.stats.backend]).toEqual([mesh, "wasm"]);
});
