import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import "@babylonjs/core/Meshes/instancedMesh";
import "@babylonjs/core/Meshes/thinInstanceMesh";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { MeshBinding } from "../../../src/babylon/mesh/meshBinding";
import { getKernels } from "../../../src/engine/index";
import { applyData } from "./builders";
import { expectIs, makeScene, validateBinding } from "./harness";

let scene: Scene;
beforeEach(() => {
    scene = makeScene();
});
afterEach(() => {
    scene.getEngine().dispose();
});

const bind = (mesh: unknown): MeshBinding => new MeshBinding(mesh as Mesh, getKernels());
const quad = [0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1];

/** Meshes that cannot be cloth, and what they are told. */
const CASES: readonly [name: string, make: (scene: Scene) => unknown, message: string][] = [
    [
        "a disposed mesh",
        (scene) => {
            const mesh = MeshBuilder.CreateGround("m", {}, scene);
            mesh.dispose();
            return mesh;
        },
        "must not be disposed, got a disposed mesh",
    ],
    [
        "an instance",
        (scene) => MeshBuilder.CreateGround("source", {}, scene).createInstance("m"),
        "must own its geometry: clone the source mesh instead of making an instance, got InstancedMesh",
    ],
    [
        "a mesh with instances",
        (scene) => {
            const mesh = MeshBuilder.CreateGround("m", {}, scene);
            mesh.createInstance("a");
            mesh.createInstance("b");
            return mesh;
        },
        "must have no instances, they draw its own geometry: use clones instead, got 2",
    ],
    [
        "a mesh with thin instances",
        (scene) => {
            const mesh = MeshBuilder.CreateGround("m", {}, scene);
            scene.getEngine().getCaps().instancedArrays = true;
            mesh.thinInstanceAdd(Matrix.Identity());
            return mesh;
        },
        "must have no thin instances, they draw its own geometry: use clones instead, got 1",
    ],
    [
        "lines",
        (scene) => MeshBuilder.CreateLines("m", { points: [Vector3.Zero(), Vector3.One()] }, scene),
        "must be made of triangles, got LinesMesh",
    ],
    ["a transform node", (scene) => new TransformNode("m", scene), "must have a geometry, got none (TransformNode)"],
    [
        "what a glTF node of several primitives becomes",
        (scene) => {
            const node = new TransformNode("m", scene);
            for (const name of ["left", "right"]) MeshBuilder.CreateGround(name, {}, scene).parent = node;
            new Mesh("empty", scene).parent = node;
            return node;
        },
        'must have a geometry, got none (TransformNode); add it to one of these, the others as parts: "left", "right"',
    ],
    ["an empty mesh", (scene) => new Mesh("m", scene), "must have a geometry, got none (Mesh)"],
    [
        "no positions",
        (scene) => {
            const mesh = new Mesh("m", scene);
            mesh.setVerticesData("uv", [0, 0, 1, 0, 0, 1]);
            return mesh;
        },
        "must have vertex positions in CPU memory, got none",
    ],
    [
        "a mesh that is still loading",
        (scene) => {
            const mesh = MeshBuilder.CreateGround("m", {}, scene);
            mesh.geometry!.delayLoadState = 4;
            return mesh;
        },
        "must have finished loading, got delayLoadState 4",
    ],
    [
        "positions that only the GPU has",
        (scene) => {
            const mesh = MeshBuilder.CreateGround("m", {}, scene);
            mesh.geometry!.clearCachedData();
            return mesh;
        },
        "must have vertex positions in CPU memory, got cleared data",
    ],
    [
        "two vertices",
        (scene) => {
            const mesh = new Mesh("m", scene);
            mesh.setVerticesData("position", [0, 0, 0, 1, 0, 0]);
            return mesh;
        },
        "must have triangles, got 0 indices, 2 vertices",
    ],
    [
        "NaN in a vertex",
        (scene) => applyData(new Mesh("m", scene), [...quad.slice(0, 9), 1, NaN, 1], [0, 1, 2]),
        "must have finite vertices, got (1, NaN, 1) at vertex 3",
    ],
    [
        "an infinite vertex",
        (scene) => applyData(new Mesh("m", scene), [0, 0, -Infinity, ...quad.slice(3)], [0, 1, 2]),
        "must have finite vertices, got (0, 0, -Infinity) at vertex 0",
    ],
    [
        "an index out of range",
        (scene) => applyData(new Mesh("m", scene), quad, [0, 1, 2, 1, 3, 4]),
        "must have indices in 0..3, got 4 at 5",
    ],
    ["a negative index", (scene) => applyData(new Mesh("m", scene), quad, [0, -1, 2]), "must have indices in 0..3, got -1 at 1"],
    [
        "no triangle with an area",
        (scene) => applyData(new Mesh("m", scene), [0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 1, 2, 1, 1, 0]),
        "must have a triangle with an area, got 2 triangles without",
    ],
    [
        "all vertices in one place",
        (scene) => applyData(new Mesh("m", scene), new Array(9).fill(7), [0, 1, 2]),
        "must have a triangle with an area, got 1 triangles without",
    ],
];

describe("refuses, and leaves as it was,", () => {
    test.each(CASES)("%s", (_name, make, message) => {
        const mesh = make(scene) as Mesh;
        const { geometry, subMeshes } = mesh;
        const buffers = { ...geometry?.getVertexBuffers() };
        expect(() => bind(mesh)).toThrow(new Error(`ClothBehavior: mesh "m" ${message}`));
        expectIs(mesh.geometry, geometry);
        expectIs(mesh.subMeshes, subMeshes);
        for (const kind in buffers) expectIs(geometry!.getVertexBuffer(kind), buffers[kind]);
    });

    test("a mesh for which there is no memory", () => {
        const mesh = MeshBuilder.CreateGround("m", {}, scene);
        const { geometry } = mesh;
        const arena = {
            allocate: () => {
                throw new RangeError("out of memory");
            },
        };
        expect(() => new MeshBinding(mesh, { ...getKernels(), arena })).toThrow(RangeError);
        expectIs(mesh.geometry, geometry);
        expect(scene.geometries.length).toBe(1);
    });
});

test.each([0, 1, 2])("a triangle two of whose corners are one place is skipped, whatever its area: corner %d first", (first) => {
    // Beside a large one: 2e-6 apart, and the third corner hardly farther, so that it is no sliver.
    const positions = [0, 0, 0, 1, 0, 0, 0, 0, 1, 0.5, 0, 0.2, 0.500002, 0, 0.2, 0.5, 0, 0.20003];
    const corners = [3, 4, 5];
    const tiny = [0, 1, 2].map((k) => corners[(k + first) % 3]);
    const binding = new MeshBinding(applyData(new Mesh("m", scene), positions, [0, 1, 2, ...tiny]), getKernels());
    expect(binding.triangles.length).toBe(3);
    validateBinding(binding);
});

test("triangles without an area are skipped beside others", () => {
    const mesh = applyData(new Mesh("m", scene), [...quad, 0.5, 0, 0.5], [0, 1, 2, 1, 3, 2, 1, 4, 2, 0, 0, 1, 3, 3, 3]);
    const binding = bind(mesh);
    expect([...binding.triangles]).toEqual([0, 1, 2, 1, 3, 2]);
    expect(binding.particleCount).toBe(4);
});

test("no indices at all: each three vertices are a triangle, a remainder is none", () => {
    const mesh = new Mesh("m", scene);
    mesh.setVerticesData("position", [0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1, 5, 5, 5]);
    mesh.isUnIndexed = true;
    expect([...bind(mesh).triangles]).toEqual([0, 1, 2, 1, 3, 2]);
});

test("an unindexed mesh's leftover indices do not count", () => {
    const mesh = applyData(new Mesh("m", scene), quad, [3, 2, 1]);
    mesh.isUnIndexed = true;
    expect([...bind(mesh).restPositions]).toEqual(quad.slice(0, 9));
});

test("32-bit and 16-bit typed indices", () => {
    for (const indices of [new Uint32Array([0, 1, 2]), new Uint16Array([0, 1, 2]), new Int32Array([0, 1, 2])]) {
        const mesh = new Mesh("m", scene);
        mesh.setVerticesData("position", quad);
        mesh.setIndices(indices);
        expect([...bind(mesh).triangles]).toEqual([0, 1, 2]);
    }
});
