import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { afterEach, expect, test } from "@jest/globals";
import { ClothBehavior, select } from "../../../src/index";
import { backendNames, getKernels } from "../../../src/kernels/backend";
import type { WasmArena } from "../../../src/kernels/wasm/wasmArena";
import { disposeWorlds, FRAME, makeSquare, makeWorld } from "./harness";
import type { World } from "./harness";

afterEach(disposeWorlds);

/** Ways for a cloth to end, or to be rebuilt, all of which must give its memory back once the mesh has lost it. */
const ends: Record<string, (cloth: ClothBehavior, world: World) => void> = {
    "detach": (cloth) => void cloth.attachedNode!.removeBehavior(cloth),
    "dispose": (cloth) => cloth.attachedNode!.dispose(),
    "dispose of the engine": (_, { engine }) => engine.dispose(),
    "detach before a step": (cloth, world) => {
        cloth.onBeforeStepObservable.addOnce(() => cloth.attachedNode!.removeBehavior(cloth));
        world.frame(3 * FRAME);
    },
    "detach after a step": (cloth, world) => {
        cloth.onAfterStepObservable.addOnce(() => cloth.attachedNode!.removeBehavior(cloth));
        world.frame(3 * FRAME);
    },
    "new colliders, pins, backends and sizes, then detach": (cloth, world) => {
        const mesh = cloth.attachedNode!;
        for (let i = 0; i < 5; i++) {
            cloth.removeCollider(cloth.addCollider(MeshBuilder.CreateSphere("ball", {}, world.scene)));
            cloth.addCollider(MeshBuilder.CreateSphere("ball", {}, world.scene));
            cloth.unpin(cloth.pin(select.edge("+x")));
            cloth.pin([i]);
            world.frame();
            cloth.backend = backendNames[i % backendNames.length];
            mesh.scaling.x += 0.5;
            cloth.reset();
        }
        mesh.removeBehavior(cloth);
    },
    "an attach that fails late": (cloth, { scene }) => {
        cloth.attachedNode!.removeBehavior(cloth);
        cloth.pin([100000]);
        expect(() => makeSquare(scene, 30, "other").addBehavior(cloth)).toThrow("must be an integer in");
    },
};

// Only this backend has an arena of its own; the others' memory is the garbage collector's.
test.each(backendNames.includes("wasm") ? Object.keys(ends) : [])("all memory comes back: %s", (name) => {
    const arena = getKernels("wasm", () => {}).arena as WasmArena;
    const before = [arena.blockCount, arena.usedBytes];
    const world = makeWorld();
    const ball = MeshBuilder.CreateSphere("ball", {}, world.scene);
    const cloth = new ClothBehavior({ backend: "wasm", pins: [{ select: select.edge("-x") }], colliders: [ball] });
    makeSquare(world.scene, 10).addBehavior(cloth);
    world.frame(FRAME, 3);
    expect(arena.usedBytes).toBeGreaterThan(before[1]);
    ends[name](cloth, world);
    expect(cloth.attachedNode).toBeNull();
    expect([arena.blockCount, arena.usedBytes]).toEqual(before);
});
