// Kernels that are loaded where they are wanted: the cloth then begins a moment later.
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { ClothBehavior, select } from "../../../src/index";
import { loadFallback, provideFallback } from "../../../src/kernels/backend";
import { disposeWorlds, FRAME, listen, makeSquare, makeWorld, told } from "./harness";

beforeEach(() => {
    listen("warn");
    listen("error");
    provideFallback(null);
});
afterEach(async () => {
    disposeWorlds();
    await loadFallback();
    jest.restoreAllMocks();
});

/** When what was begun to be loaded before is there. */
const loaded = async (): Promise<void> => {
    await loadFallback();
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

test("where WebAssembly is there, none are loaded", () => {
    const { scene } = makeWorld();
    const mesh = makeSquare(scene, 6, "square");
    const cloth = new ClothBehavior();
    mesh.addBehavior(cloth);
    expect([cloth.attachedNode, cloth.stats.backend]).toEqual([mesh, "wasm"]);
});
