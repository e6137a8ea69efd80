import { Plane } from "@babylonjs/core/Maths/math.plane";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { afterEach, expect, jest, test } from "@jest/globals";
import { ClothBehavior, select } from "../../../src/index";
import { getKernels } from "../../../src/engine/index";
import type { WasmArena } from "../../../src/kernels/wasmArena";
import { difference, disposeWorlds, FRAME, makeSquare, makeWorld } from "./harness";
import type { World } from "./harness";

afterEach(disposeWorlds);

/** Ways for a cloth to end, or to be rebuilt, all of which must give its memory back once the mesh has lost it. */
const ends: Record<string, (cloth: ClothBehavior, world: World) => void> = {
    detach: (cloth) => void cloth.attachedNode!.removeBehavior(cloth),
    dispose: (cloth) => cloth.attachedNode!.dispose(),
    "dispose of the engine": (_, { engine }) => engine.dispose(),
    "detach before a step": (cloth, world) => {
        cloth.onBeforeStepObservable.addOnce(() => cloth.attachedNode!.removeBehavior(cloth));
        world.frame(3 * FRAME);
    },
    "detach after a step": (cloth, world) => {
        cloth.onAfterStepObservable.addOnce(() => cloth.attachedNode!.removeBehavior(cloth));
        world.frame(3 * FRAME);
    },
    "new colliders, pins and sizes, then detach": (cloth, world) => {
        const mesh = cloth.attachedNode!;
        for (let i = 0; i < 5; i++) {
            cloth.removeCollider(cloth.addCollider(MeshBuilder.CreateSphere("ball", {}, world.scene)));
            cloth.addCollider(MeshBuilder.CreateSphere("ball", {}, world.scene));
            cloth.unpin(cloth.pin(select.edge("+x")));
            cloth.pin([i]);
            world.frame();
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

test.each(Object.keys(ends))("all memory comes back: %s", (name) => {
    const arena = getKernels().arena as WasmArena;
    const before = [arena.blockCount, arena.usedBytes];
    const world = makeWorld();
    const ball = MeshBuilder.CreateSphere("ball", {}, world.scene);
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("-x") }], colliders: [ball] });
    makeSquare(world.scene, 10).addBehavior(cloth);
    world.frame(FRAME, 3);
    expect(arena.usedBytes).toBeGreaterThan(before[1]);
    ends[name](cloth, world);
    expect(cloth.attachedNode).toBeNull();
    expect([arena.blockCount, arena.usedBytes]).toEqual(before);
});

test("an attach for which there is no memory fails whole, wherever it runs out", () => {
    const { arena } = getKernels();
    const { scene, frame } = makeWorld();
    const mesh = makeSquare(scene, 4);
    const rest = Float32Array.from(mesh.getVerticesData("position")!);
    const { geometry } = mesh;
    const used = (): unknown => (arena as Partial<WasmArena>).usedBytes;
    const before = used();
    let failures = 0;
    for (let allowed = 0; ; allowed++) {
        const cloth = new ClothBehavior({ pins: [{ select: [0] }], colliders: [new Plane(0, 1, 0, 5)] });
        const allocate = arena.allocate.bind(arena);
        let count = 0;
        const mock = jest.spyOn(arena, "allocate").mockImplementation((byteLength, owner) => {
            if (count++ >= allowed) throw new RangeError("no memory");
            return allocate(byteLength, owner);
        });
        let error: unknown = null;
        try {
            mesh.addBehavior(cloth);
        } catch (thrown) {
            error = thrown;
        }
        mock.mockRestore();
        if (!error) {
            mesh.removeBehavior(cloth);
            break;
        }
        failures++;
        expect(error).toEqual(new RangeError("no memory"));
        expect([cloth.attachedNode, mesh.behaviors.length, used()]).toEqual([null, 0, before]);
        expect(mesh.geometry).toBe(geometry);
        expect(difference(mesh.getVerticesData("position")!, rest)).toBe(0);
        frame();
    }
    expect(failures).toBeGreaterThan(3);
    expect(used()).toBe(before);
});
