// What a body holds of memory, counted without the garbage collector: a body that kept its plan took 841 bytes a particle, and no test
// noticed. What closures hold is not seen (half of those 841 bytes), so bounds are near what is needed.
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Scene } from "@babylonjs/core/scene";
import { afterEach, expect, test } from "@jest/globals";
import { ClothBehavior, PlantBehavior, RopeBehavior, select, RigidBodyBehavior } from "../../../src/index";
import { getKernels } from "../../../src/engine/index";
import { WasmArena } from "../../../src/kernels/wasmArena";
import { heldUnder } from "../../bench/reach";
import { disposeWorlds, FRAME, makeSquare, makeWorld } from "./harness";

afterEach(disposeWorlds);

/** Bytes of a place for a value in V8's heap, on machines of 64 bits. */
const VALUE = 8;

const isForeign = (object: object): boolean => "getScene" in object || "getEngine" in object || "arena" in object;

type Behavior = ClothBehavior | RopeBehavior | PlantBehavior | RigidBodyBehavior;

/** Of everything that a behavior adds when it is put on a mesh: bytes in the arena and in typed arrays, and values in other objects. */
function measure(make: (scene: Scene) => readonly [Mesh, Behavior]) {
    const { scene, frame } = makeWorld();
    const [mesh, behavior] = make(scene);
    const { arena } = getKernels();
    const used = (): number => (arena instanceof WasmArena ? arena.usedBytes : 0);
    // What the mesh had before is lent to it again, and not the body's.
    const { seen } = heldUnder({ ...mesh.geometry }, isForeign, []);
    const before = used();
    mesh.addBehavior(behavior);
    frame(FRAME, 3);
    const shared = arena instanceof WasmArena ? [arena.memory.buffer] : [];
    const { arrays, values } = heldUnder(behavior, isForeign, [...seen, arena, ...shared]);
    const bytes = arrays.reduce((sum, array) => sum + array.bytes, used() - before);
    return { bytes, values, particleCount: behavior.particleCount, vertexCount: mesh.getTotalVertices() };
}

test.each([
    [391, null],
    // The air about it with its way and path, and the box of the piece that it belongs to.
    [391 + 76, undefined],
])("a cloth holds at most %d bytes a particle, in arrays of numbers, with the wind %p", (bound, wind) => {
    const pins = [{ select: select.corners("-x+z", "+x+z") }];
    const { bytes, values, particleCount } = measure((scene) => [makeSquare(scene, 63), new ClothBehavior({ pins, wind })]);
    expect(particleCount).toBe(64 * 64);
    expect(bytes + VALUE * values).toBeLessThan(bound * particleCount);
    expect(values).toBeLessThan(particleCount / 2);
});

/** A body of each kind, small and large, and how much more it may hold for each further vertex of its mesh [bytes]. */
const others: Record<string, [bound: number, make: (size: number) => (scene: Scene) => readonly [Mesh, Behavior]]> = {
    rope: [
        165,
        (size) => (scene) => {
            const path = Array.from({ length: 10 * size }, (_, i) => new Vector3(0, 0.1 * i, 0));
            return [MeshBuilder.CreateTube("rope", { path, radius: 0.02, tessellation: 6 }, scene), new RopeBehavior()];
        },
    ],
    plant: [
        1050,
        (size) => (scene) => [
            MeshBuilder.CreateCylinder("stem", { diameter: 0.1, height: 1, subdivisions: 4 * size, tessellation: 6 }, scene),
            new PlantBehavior({ pins: [{ select: select.edge("-y") }] }),
        ],
    ],
    "rigid body": [
        19,
        (size) => (scene) => [MeshBuilder.CreateTorus("ring", { tessellation: 8 * size }, scene), new RigidBodyBehavior()],
    ],
};

test.each(Object.keys(others))("a %s holds no more than it needs, and its objects do not grow with its mesh", (name) => {
    const [bound, make] = others[name];
    const [small, large] = [measure(make(2)), measure(make(8))];
    const added = large.vertexCount - small.vertexCount;
    expect((large.bytes - small.bytes) / added).toBeLessThan(bound);
    expect(large.values - small.values).toBeLessThan(0.05 * added);
});
