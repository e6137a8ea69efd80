// Cloths on equal meshes share what follows from the mesh alone; nothing of it may show.
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { afterEach, expect, test } from "@jest/globals";
import { ClothBehavior, select } from "../../../src/index";
import type { ClothOptions } from "../../../src/index";
import { disposeWorlds, makeWorld, worldVertices } from "./harness";
import type { World } from "./harness";
import { areEqual } from "../../../src/engine/index";

afterEach(disposeWorlds);

const meshes: Record<string, (world: World) => Mesh> = {
    ground: ({ scene }) => MeshBuilder.CreateGround("ground", { width: 2, height: 1, subdivisionsX: 9, subdivisionsY: 6 }, scene),
    sphere: ({ scene }) => MeshBuilder.CreateSphere("sphere", { segments: 6 }, scene),
    "pointed cylinder": ({ scene }) => MeshBuilder.CreateCylinder("cone", { diameterTop: 0.01, subdivisions: 5 }, scene),
};

function hang(mesh: Mesh, options: ClothOptions = {}): ClothBehavior {
    const cloth = new ClothBehavior({ pins: [{ select: [0] }], autoStep: false, ...options });
    mesh.addBehavior(cloth);
    return cloth;
}

function run(cloth: ClothBehavior): void {
    for (let i = 0; i < 20; i++) cloth.step(1 / 60);
}

test.each(Object.keys(meshes))("a second %s moves as the first, to the bit, after the first is gone, too", async (name) => {
    const world = makeWorld();
    const first = meshes[name](world);
    const second = meshes[name](world);
    const cloth = hang(first);
    const shared = hang(second);
    run(cloth);
    const alone = worldVertices(first);
    first.dispose();
    run(shared);
    expect(worldVertices(second)).toEqual(alone);
    shared.unpin(shared.pins[0]);
    shared.pin(select.edge("+x"));
    run(shared);
    shared.reset();
    expect(shared.stats.maxStretch).toBeLessThan(1e-6);
});

test("other pins, fabrics and places are each cloth's own; another size or shape is another cloth", () => {
    const world = makeWorld();
    const verticesOf = (alter: (mesh: Mesh) => void, options?: ClothOptions): Float64Array => {
        const mesh = meshes.ground(world);
        alter(mesh);
        const cloth = hang(mesh, options);
        expect(cloth.stats.maxStretch).toBeLessThan(1e-5);
        run(cloth);
        return worldVertices(mesh);
    };
    const alterations: Record<string, [(mesh: Mesh) => void, ClothOptions?]> = {
        pins: [() => {}, { pins: [{ select: [5] }] }],
        size: [(mesh) => void mesh.scaling.set(1, 1, 1.5)],
        place: [(mesh) => void mesh.position.set(0.3, 7, 0)],
        vertex: [
            (mesh) => {
                const positions = mesh.getVerticesData("position")!;
                positions[4] += 1e-3;
                mesh.setVerticesData("position", positions);
            },
        ],
    };
    const alone = Object.values(alterations).map(([alter, options]) => verticesOf(alter, options));
    const plain = verticesOf(() => {});
    const beside = Object.values(alterations).map(([alter, options]) => verticesOf(alter, options));
    expect(beside).toEqual(alone);
    for (const vertices of alone) expect(areEqual(vertices, plain)).toBe(false);
});

test("the sheet of a mesh is found once for all equal ones", () => {
    const world = makeWorld();
    const particles = (cloth: ClothBehavior): unknown =>
        (cloth as unknown as { _runtime: { instance: { binding: { restPositions: unknown } } } })._runtime.instance.binding
            .restPositions;
    const [a, b, c] = [meshes.ground(world), meshes.ground(world), meshes.sphere(world)].map((mesh) => particles(hang(mesh)));
    expect(b).toBe(a);
    expect(c).not.toBe(a);
});
