import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import "@babylonjs/core/Meshes/instancedMesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import type { Scene } from "@babylonjs/core/scene";
import { afterEach, describe, expect, test } from "@jest/globals";
import { ClothBehavior, PlantBehavior, RopeBehavior, RigidBodyBehavior } from "../../../src/index";
import { difference, disposeWorlds, makeSquare, makeWorld, messageOf, worldVertices } from "./harness";

afterEach(disposeWorlds);

function meshOf(scene: Scene, data: { positions?: number[]; indices?: number[]; normals?: number[] }): Mesh {
    const mesh = new Mesh("odd", scene);
    Object.assign(new VertexData(), data).applyToMesh(mesh);
    return mesh;
}

const TRIANGLE = [0, 0, 0, 1, 0, 0, 0, 0, 1];

const cases: Record<string, [make: (scene: Scene) => Mesh, message: string]> = {
    "an instance": [
        (scene) => makeSquare(scene).createInstance("instance") as unknown as Mesh,
        'ClothBehavior: mesh "instance" must own its geometry: clone the source mesh instead of making an instance, got InstancedMesh',
    ],
    "a mesh with instances": [
        (scene) => {
            const mesh = makeSquare(scene);
            mesh.createInstance("instance");
            return mesh;
        },
        'ClothBehavior: mesh "square" must have no instances, they draw its own geometry: use clones instead, got 1',
    ],
    "a disposed mesh": [
        (scene) => {
            const mesh = makeSquare(scene);
            mesh.dispose();
            return mesh;
        },
        'ClothBehavior: mesh "square" must not be disposed, got a disposed mesh',
    ],
    "a mesh without geometry": [
        (scene) => new Mesh("empty", scene),
        'ClothBehavior: mesh "empty" must have a geometry, got none (Mesh)',
    ],
    "a mesh without positions": [
        (scene) => {
            const mesh = new Mesh("odd", scene);
            mesh.setVerticesData(VertexBuffer.NormalKind, TRIANGLE);
            return mesh;
        },
        'ClothBehavior: mesh "odd" must have vertex positions in CPU memory, got none',
    ],
    "a mesh without triangles": [
        (scene) => meshOf(scene, { positions: [0, 0, 0, 1, 0, 0], indices: [] }),
        'ClothBehavior: mesh "odd" must have triangles, got 0 indices, 2 vertices',
    ],
    lines: [
        (scene) => MeshBuilder.CreateLines("lines", { points: [makeSquare(scene).position, makeSquare(scene).position] }, scene),
        'ClothBehavior: mesh "lines" must be made of triangles, got LinesMesh',
    ],
    "a vertex that is NaN": [
        (scene) => meshOf(scene, { positions: [0, 0, 0, 1, NaN, 0, 0, 0, 1], indices: [0, 1, 2] }),
        'ClothBehavior: mesh "odd" must have finite vertices, got (1, NaN, 0) at vertex 1',
    ],
    "a vertex at infinity": [
        (scene) => meshOf(scene, { positions: [0, 0, 0, 1, 0, 0, 0, 0, Infinity], indices: [0, 1, 2] }),
        'ClothBehavior: mesh "odd" must have finite vertices, got (0, 0, Infinity) at vertex 2',
    ],
    "an index out of range": [
        (scene) => meshOf(scene, { positions: TRIANGLE, indices: [0, 1, 3] }),
        'ClothBehavior: mesh "odd" must have indices in 0..2, got 3 at 2',
    ],
    "triangles without area only": [
        (scene) => meshOf(scene, { positions: TRIANGLE, indices: [0, 1, 1, 2, 2, 2] }),
        'ClothBehavior: mesh "odd" must have a triangle with an area, got 2 triangles without',
    ],
    "a scale of 0": [
        (scene) => {
            const mesh = makeSquare(scene);
            mesh.scaling.y = 0;
            return mesh;
        },
        'ClothBehavior: the world matrix of "square" must be finite and invertible (is a scale 0?)',
    ],
    "a place that is NaN": [
        (scene) => {
            const mesh = makeSquare(scene);
            mesh.position.x = NaN;
            return mesh;
        },
        'ClothBehavior: the world matrix of "square" must be finite and invertible (is a scale 0?)',
    ],
    "a parent of scale 0": [
        (scene) => {
            const mesh = makeSquare(scene);
            mesh.parent = makeSquare(scene, 1, "parent");
            (mesh.parent as Mesh).scaling.setAll(0);
            return mesh;
        },
        'ClothBehavior: the world matrix of "square" must be finite and invertible (is a scale 0?)',
    ],
};

/** What an attach may not change. */
function fingerprint(mesh: Mesh): unknown {
    const { geometry } = mesh;
    return {
        behaviors: mesh.behaviors.length,
        geometry: geometry?.uniqueId,
        subMeshes: mesh.subMeshes?.length,
        skeleton: mesh.skeleton,
        kinds: geometry?.getVerticesDataKinds().map((kind) => {
            const buffer = geometry.getVertexBuffer(kind)!;
            return [
                kind,
                buffer.uniqueId,
                buffer.isUpdatable(),
                geometry.isDisposed() ? null : Array.from(buffer.getData() as Float32Array),
            ];
        }),
        indices: mesh.isDisposed() ? null : Array.from(mesh.getIndices() ?? []),
    };
}

test.each([
    ["null", null],
    ["undefined", undefined],
    ["a number", 3],
    ["an object", {}],
])("attach of %s is an error that says what it takes", (_, mesh) => {
    for (const Behavior of [ClothBehavior, RopeBehavior, PlantBehavior, RigidBodyBehavior])
        expect(messageOf(() => new Behavior().attach(mesh as Mesh))).toContain(`${Behavior.name}: mesh must be a Mesh, got `);
});

describe.each(Object.keys(cases))("%s", (name) => {
    const [make, message] = cases[name];

    test("is refused, and left as it was", async () => {
        const { scene, frame } = makeWorld();
        const mesh = make(scene);
        const before = fingerprint(mesh);
        const observers = scene.onBeforeRenderObservable.observers.length;
        const geometries = scene.geometries.length;
        const cloth = new ClothBehavior({ pins: [{ select: [0] }] });
        expect(messageOf(() => mesh.addBehavior(cloth))).toBe(message);
        expect(fingerprint(mesh)).toEqual(before);
        expect(cloth.attachedNode).toBeNull();
        expect(cloth.particleCount).toBe(0);
        await new Promise((resolve) => setTimeout(resolve, 1));
        expect(scene.onBeforeRenderObservable.observers.length).toBe(observers);
        expect(scene.geometries.length).toBe(geometries);
        frame();

        // The same behavior works on a good mesh afterwards.
        const good = makeSquare(scene);
        good.addBehavior(cloth);
        frame();
        expect(cloth.attachedNode).toBe(good);
    });
});

describe("what an attach may not do twice", () => {
    test("two cloths on one mesh", () => {
        const { scene, frame } = makeWorld();
        const mesh = makeSquare(scene);
        const first = new ClothBehavior();
        mesh.addBehavior(first);
        const second = new ClothBehavior();
        expect(messageOf(() => mesh.addBehavior(second))).toBe(
            'ClothBehavior: a mesh can be one body only; "square" is one by its "Cloth"',
        );
        frame();
        expect(mesh.behaviors).toEqual([first]);
        mesh.removeBehavior(first);
        mesh.addBehavior(second);
        expect(second.attachedNode).toBe(mesh);
    });

    const bodies = [ClothBehavior, RopeBehavior, PlantBehavior, RigidBodyBehavior];
    test.each(bodies)("two bodies of different kinds on one mesh: they would move it against each other ($name)", (First) => {
        const { scene } = makeWorld();
        const mesh = MeshBuilder.CreateCylinder("stem", { diameter: 0.1, height: 1, subdivisions: 4, tessellation: 6 }, scene);
        const first = new First();
        mesh.addBehavior(first);
        for (const Second of bodies) {
            expect(messageOf(() => mesh.addBehavior(new Second()))).toBe(
                `${Second.name}: a mesh can be one body only; "stem" is one by its "${first.name}"`,
            );
        }
        expect([mesh.behaviors, first.attachedNode]).toEqual([[first], mesh]);
    });

    test("one cloth on two meshes", () => {
        const { scene, frame } = makeWorld();
        const [mesh, other] = [makeSquare(scene), makeSquare(scene, 6, "other")];
        const cloth = new ClothBehavior();
        mesh.addBehavior(cloth);
        expect(messageOf(() => other.addBehavior(cloth))).toBe(
            'ClothBehavior: it can be on one mesh only; this one is on "square"',
        );
        frame();
        expect(cloth.attachedNode).toBe(mesh);
        expect(other.behaviors).toEqual([]);
        expect(difference(other.getVerticesData("position")!, makeSquare(scene).getVerticesData("position")!)).toBe(0);
    });

    test("the same cloth again on the same mesh is passed over, as Babylon does", () => {
        const { scene, frame } = makeWorld();
        const mesh = makeSquare(scene);
        const cloth = new ClothBehavior();
        mesh.addBehavior(cloth);
        mesh.addBehavior(cloth);
        frame();
        expect(mesh.behaviors).toEqual([cloth]);
    });

    test("a pin that the mesh cannot hold fails the attach, and nothing stays behind", () => {
        const { scene, frame } = makeWorld();
        const mesh = makeSquare(scene);
        const before = fingerprint(mesh);
        const cloth = new ClothBehavior({ pins: [{ select: [0] }, { select: [49] }] });
        expect(messageOf(() => mesh.addBehavior(cloth))).toBe(
            "ClothBehavior: pin: select index 0 must be an integer in 0..48, got 49",
        );
        expect(fingerprint(mesh)).toEqual(before);
        expect([cloth.attachedNode, cloth.pins.length, cloth.pins[0].particleCount]).toEqual([null, 2, 0]);
        frame();
        cloth.unpin(cloth.pins[1]);
        mesh.addBehavior(cloth);
        expect(cloth.pins[0].particleCount).toBe(1);
    });
});

test.each([RopeBehavior, PlantBehavior, RigidBodyBehavior])("errors name the class that has them: %p", (Kind) => {
    const { scene } = makeWorld();
    const mesh = MeshBuilder.CreateCylinder("stem", { diameter: 0.1, height: 1, subdivisions: 4, tessellation: 6 }, scene);
    const body = new Kind();
    const name = `^${Kind.name}: `;
    expect(messageOf(() => body.addCollider({} as Mesh))).toMatch(new RegExp(`${name}addCollider: `));
    expect(messageOf(() => body.addCollider(mesh, { shape: "cube" as "box" }))).toMatch(new RegExp(`${name}addCollider: shape`));
    expect(messageOf(() => body.pin([0], {} as Mesh))).toMatch(new RegExp(`${name}pin: target`));
    mesh.scaling.x = 0;
    expect(messageOf(() => mesh.addBehavior(body))).toMatch(new RegExp(`${name}the world matrix of "stem"`));
    expect(messageOf(() => new RopeBehavior({ end: 3 as never }))).toBe("RopeBehavior: end must be a TransformNode or Bone, got 3");
});

describe("triangles without area beside good ones", () => {
    test("are skipped", () => {
        const { scene, frame } = makeWorld();
        const mesh = meshOf(scene, {
            positions: [...TRIANGLE, 1, 0, 1, 0.5, 0, 0.5, 2, 0, 0],
            indices: [0, 2, 1, 1, 2, 3, /* a line: */ 0, 4, 3, /* a point: */ 5, 5, 5, /* and one that repeats: */ 1, 1, 2],
            normals: [0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0],
        });
        const cloth = new ClothBehavior({ pins: [{ select: [0] }] });
        mesh.addBehavior(cloth);
        frame(undefined, 60);
        for (const kind of ["position", "normal"]) expect(mesh.getVerticesData(kind)!.every(Number.isFinite)).toBe(true);
        expect(cloth.getParticlePositions().every(Number.isFinite)).toBe(true);
        expect(worldVertices(mesh)[10]).toBeLessThan(-0.1);
    });
});
