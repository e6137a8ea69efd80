/** Chains: thin instances of a link along a rope's particles. */
import { afterEach, expect, test } from "@jest/globals";
import "@babylonjs/core/Materials/standardMaterial";
import "@babylonjs/core/Meshes/thinInstanceMesh";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { ClothBuilder, RopeBehavior } from "babylon-cloth";
import type { RopeMesh } from "babylon-cloth";
import { disposeWorlds, FRAME, makeWorld } from "./harness";

afterEach(disposeWorlds);

/** A world whose engine draws thin instances. */
function makeInstancingWorld() {
    const world = makeWorld();
    world.engine.getCaps().instancedArrays = true;
    return world;
}

/** Axes x y z and origin of the links, in the world. */
const linksOf = (mesh: RopeMesh | ReturnType<typeof MeshBuilder.CreateTorus>) =>
    mesh.thinInstanceGetWorldMatrices().map((matrix) => {
        const m = matrix.multiply(mesh.getWorldMatrix()).m;
        return [0, 4, 8, 12].map((o) => new Vector3(m[o], m[o + 1], m[o + 2]));
    });

test("CreateChain: links along the rope, each turned by a right angle, that keep their form as it swings", () => {
    const { scene } = makeInstancingWorld();
    const hook = new TransformNode("hook", scene);
    hook.position.set(0, 3, 0);
    const chain = ClothBuilder.CreateChain("chain", { start: hook, to: new Vector3(1.5, 3, 0), radius: 0.03, endMass: 5 }, scene);
    const { rope } = chain;
    const count = Math.round(1.5 / 0.054);
    expect([chain.thinInstanceCount, rope.particleCount]).toEqual([count, count + 1]);
    expect(rope.length).toBeCloseTo(1.5, 4);
    // Steel: a bar of 15 mm, twice.
    expect(rope.linearDensity).toBeGreaterThan(2 * 7800 * Math.PI * 0.0075 ** 2);
    expect(rope.linearDensity).toBeLessThan(5 * 7800 * Math.PI * 0.0075 ** 2);
    rope.autoStep = false;
    for (let k = 0; k < 60; k++) {
        rope.step(1 / 60);
        const x = rope.getParticlePositions();
        linksOf(chain).forEach(([along, up, side, place], j) => {
            const a = Vector3.FromArray(x, 3 * j);
            const b = Vector3.FromArray(x, 3 * j + 3);
            expect(Vector3.Distance(place, a.add(b).scale(0.5))).toBeLessThan(1e-4);
            expect(Vector3.Dot(along, b.subtract(a).normalize())).toBeGreaterThan(0.98);
            for (const axis of [along, up, side]) expect(Math.abs(axis.length() - 1)).toBeLessThan(1e-3);
            expect(Math.abs(Vector3.Dot(up, side))).toBeLessThan(1e-3);
        });
        const axes = linksOf(chain).map(([, , side]) => side);
        for (let j = 1; j < count; j++) expect(Math.abs(Vector3.Dot(axes[j - 1], axes[j]))).toBeLessThan(0.3);
    }
    const { minimumWorld, maximumWorld } = chain.getBoundingInfo().boundingBox;
    const [x, y] = rope.getParticlePositions().slice(-3);
    expect([minimumWorld.y < y + 0.03, maximumWorld.y > 2.99, minimumWorld.x < x, maximumWorld.x > x - 0.03]).toEqual([
        true,
        true,
        true,
        true,
    ]);
});

test("a slack chain begins in a bow of links of one length", () => {
    const { scene } = makeInstancingWorld();
    const options = { from: new Vector3(-1, 2, 0), to: new Vector3(1, 2, 0), length: 3, segmentCount: 40 };
    const x = ClothBuilder.CreateChain("chain", options, scene).rope.getParticlePositions();
    for (let i = 1; i < 39; i++) {
        const length = Vector3.Distance(Vector3.FromArray(x, 3 * i), Vector3.FromArray(x, 3 * i + 3));
        expect(Math.abs(length / 0.075 - 1)).toBeLessThan(0.05);
    }
});

test("RopeBehavior makes a chain of any thin instances in a row, and gives them back", () => {
    const { scene, frame } = makeInstancingWorld();
    const mesh = MeshBuilder.CreateTorus("link", { diameter: 0.1, thickness: 0.02 }, scene);
    mesh.position.set(0, 5, 0);
    const matrices = Array.from({ length: 12 }, (_, k) =>
        Matrix.RotationX((k * Math.PI) / 2).multiply(Matrix.Translation(0.08 * k, 0, 0)),
    );
    mesh.thinInstanceAdd(matrices);
    const rope = new RopeBehavior({ start: mesh, pins: [{ select: [12] }], radius: 0.05 });
    mesh.addBehavior(rope);
    expect([rope.particleCount, rope.pins[0].particleCount]).toEqual([13, 1]);
    expect(rope.length).toBeCloseTo(12 * 0.08, 4);
    frame(FRAME, 60);
    const x = rope.getParticlePositions();
    expect([x[0], x[1], x[36], x[37]].map((value) => Number(value.toFixed(3)))).toEqual([-0.04, 5, 0.92, 5]);
    rope.pins = [];
    frame(FRAME, 60);
    expect(mesh.thinInstanceGetWorldMatrices()[11].m[13]).toBeLessThan(-0.3);
    mesh.removeBehavior(rope);
    const back = mesh.thinInstanceGetWorldMatrices();
    matrices.forEach((matrix, k) => expect(back[k].equalsWithEpsilon(matrix, 1e-6)).toBe(true));
});

test("says what is no chain", () => {
    const { scene } = makeInstancingWorld();
    const mesh = MeshBuilder.CreateTorus("link", { diameter: 0.1 }, scene);
    mesh.thinInstanceAdd(Matrix.Identity());
    expect(() => mesh.addBehavior(new RopeBehavior())).toThrow(/must have two thin instances or more/);
    mesh.thinInstanceAdd(Matrix.Identity());
    expect(() => mesh.addBehavior(new RopeBehavior())).toThrow(/no two in a row at one place/);
    expect(() => ClothBuilder.CreateChain("c", { segmentCount: 1 }, scene)).toThrow(/CreateChain: segmentCount must be an integer/);
    expect(() => ClothBuilder.CreateChain("c", { links: 3 } as object, scene)).toThrow(/CreateChain/);
});
