import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { Buffer, VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { DataBuffer } from "@babylonjs/core/Buffers/dataBuffer";
import { Material } from "@babylonjs/core/Materials/material";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { SubMesh } from "@babylonjs/core/Meshes/subMesh";
import type { Scene } from "@babylonjs/core/scene";
import "@babylonjs/core/Meshes/instancedMesh";
import { MeshBinding } from "../../../src/babylon/mesh/meshBinding";
import { getKernels } from "../../../src/engine/index";
import { withTangents } from "./builders";
import { difference, expectIs, floatsOf, lift, makeScene, writeShape } from "./harness";

let scene: Scene;
let mesh: Mesh;
beforeEach(() => {
    scene = makeScene();
    mesh = withTangents(MeshBuilder.CreateGround("ground", { width: 2, height: 2, subdivisions: 4 }, scene));
});
afterEach(() => {
    scene.getEngine().dispose();
});

/** All that a cloth may not change for good. */
function stateOf(mesh: Mesh): unknown {
    const geometry = mesh.geometry!;
    const kinds = geometry.getVerticesDataKinds();
    return {
        geometry,
        buffers: kinds.map((kind) => geometry.getVertexBuffer(kind)),
        data: kinds.map((kind) => Array.from(geometry.getVerticesData(kind)!)),
        updatable: kinds.map((kind) => geometry.isVertexBufferUpdatable(kind)),
        indices: geometry.getIndices(),
        subMeshes: mesh.subMeshes.slice(),
        ranges: mesh.subMeshes.map((s) => [s.materialIndex, s.verticesStart, s.verticesCount, s.indexStart, s.indexCount]),
        boxes: [mesh, ...mesh.subMeshes].map((b) => [...b.getBoundingInfo()!.boundingBox.vectorsWorld.map((v) => v.asArray())]),
        boundingInfo: mesh.getBoundingInfo(),
        isUnIndexed: mesh.isUnIndexed,
        geometries: scene.geometries.slice().sort((a, b) => a.uniqueId - b.uniqueId),
    };
}

/** Same objects, equal data. */
function expectSame(now: unknown, before: unknown): void {
    const a = now as Record<string, unknown>;
    const b = before as Record<string, unknown>;
    expectIs(a.geometry, b.geometry);
    expectIs(a.boundingInfo, b.boundingInfo);
    for (const list of ["buffers", "subMeshes", "geometries"]) {
        const x = a[list] as unknown[],
            y = b[list] as unknown[];
        expect(x.length).toBe(y.length);
        x.forEach((item, i) => expect(item === y[i]).toBe(true));
    }
    for (const key of ["data", "updatable", "indices", "ranges", "boxes", "isUnIndexed"]) {
        expect(a[key]).toEqual(b[key]);
    }
}

/** Binds, deforms and unbinds; expects all as before. */
function roundTrip(mesh: Mesh): void {
    mesh.computeWorldMatrix(true);
    const before = stateOf(mesh);
    const binding = new MeshBinding(mesh, getKernels());
    writeShape(binding, lift);
    expect(mesh.geometry !== (before as { geometry: unknown }).geometry).toBe(true);
    expect(mesh.getBoundingInfo().boundingBox.minimum.y).toBeGreaterThan(3);
    binding.dispose();
    expectSame(stateOf(mesh), before);
}

describe("detach gives back", () => {
    test("a plain mesh", () => roundTrip(mesh));

    test("an updatable one", () => roundTrip(MeshBuilder.CreateSphere("s", { updatable: true, segments: 4 }, scene)));

    test("an unindexed one with two materials", () => {
        mesh.subdivide(2);
        mesh.subMeshes[1].materialIndex = 1;
        mesh.convertToUnIndexedMesh();
        expect(mesh.subMeshes.length).toBe(2);
        roundTrip(mesh);
    });

    test("submeshes and their materials", () => {
        mesh.subdivide(3);
        mesh.subMeshes.forEach((subMesh, i) => (subMesh.materialIndex = i));
        roundTrip(mesh);
    });

    test("interleaved and quantised buffers", () => {
        const engine = scene.getEngine();
        const vertexCount = mesh.getTotalVertices();
        const x = floatsOf(mesh, "position"),
            n = floatsOf(mesh, "normal");
        const bytes = new ArrayBuffer(vertexCount * 12);
        const shorts = new Int16Array(bytes),
            small = new Int8Array(bytes);
        for (let v = 0; v < vertexCount; v++) {
            for (let k = 0; k < 3; k++) {
                shorts[v * 6 + k] = Math.round(x[3 * v + k] * 16384);
                small[v * 12 + 8 + k] = Math.round(n[3 * v + k] * 127);
            }
        }
        const buffer = new Buffer(engine, new Uint8Array(bytes), false, 12, false, false, true);
        mesh.setVerticesBuffer(
            new VertexBuffer(engine, buffer, "position", false, false, 12, false, 0, 3, VertexBuffer.SHORT, true, true),
        );
        mesh.setVerticesBuffer(
            new VertexBuffer(engine, buffer, "normal", false, false, 12, false, 8, 3, VertexBuffer.BYTE, true, true),
        );
        mesh.refreshBoundingInfo();
        roundTrip(mesh);

        const binding = new MeshBinding(mesh, getKernels());
        expect(
            difference(
                binding.restVertexPositions,
                x.map((c) => Math.round(c * 16384) / 32767),
            ),
        ).toBeLessThan(1e-6);
        expect(binding.particleCount).toBe(25);
        writeShape(binding);
        expect(difference(floatsOf(mesh, "normal"), n)).toBeLessThan(0.01);
    });

    test("a locked bounding info, untouched all along", () => {
        mesh.getBoundingInfo().isLocked = true;
        const info = mesh.getBoundingInfo();
        const binding = new MeshBinding(mesh, getKernels());
        writeShape(binding, lift);
        expectIs(mesh.getBoundingInfo(), info);
        expect(info.maximum.y).toBe(0);
        binding.dispose();
        expectIs(mesh.getBoundingInfo(), info);
    });

    test("only once", () => {
        const binding = new MeshBinding(mesh, getKernels());
        binding.dispose();
        const again = new MeshBinding(mesh, getKernels());
        binding.dispose();
        writeShape(binding, lift);
        writeShape(again);
        expect(mesh.getBoundingInfo().maximum.y).toBe(0);
        again.dispose();
        again.dispose();
    });
});

/** The mesh is gone, holds nothing, and nothing that is left draws it. */
function expectGone(): void {
    expect(mesh.isDisposed()).toBe(true);
    expect(mesh.geometry).toBeNull();
    expect(scene.meshes.length).toBe(0);
    expect(scene.geometries.flatMap(({ meshes }) => meshes).length).toBe(0);
}

test("makes a graphics buffer for each kind that it writes and for the indices, no more", () => {
    const engine = scene.getEngine();
    const made: string[] = [];
    for (const method of ["createVertexBuffer", "createDynamicVertexBuffer", "createIndexBuffer"] as const) {
        jest.spyOn(engine, method).mockImplementation(() => {
            made.push(method);
            return Object.assign(new DataBuffer(), { references: 1 });
        });
    }
    new MeshBinding(mesh, getKernels());
    expect(made).toEqual([
        "createDynamicVertexBuffer",
        "createDynamicVertexBuffer",
        "createDynamicVertexBuffer",
        "createIndexBuffer",
    ]);
});

describe("kinds that a cloth does not write", () => {
    test("are shared, and what the user sets, adds or removes stays", () => {
        const { geometry } = mesh;
        const count = mesh.getTotalVertices();
        mesh.setVerticesData("uv2", new Float32Array(count * 2));
        const memory = geometry!.getVertexBuffer("uv")!.getBuffer()!;
        const binding = new MeshBinding(mesh, getKernels());
        expectIs(mesh.getVertexBuffer("uv")!.getBuffer(), memory);
        const colors = new Float32Array(count * 4).fill(0.5);
        mesh.setVerticesData("color", colors);
        mesh.setVerticesData("uv", new Float32Array(count * 2).fill(7));
        mesh.removeVerticesData("uv2");
        expect(binding.isEdited).toBe(false);
        writeShape(binding, lift);
        expect(binding.dispose()).toBeNull();
        expectIs(mesh.geometry, geometry);
        expect(floatsOf(mesh, "color")).toEqual(colors);
        expect(mesh.getVerticesData("uv")![0]).toBe(7);
        expect(mesh.isVerticesDataPresent("uv2")).toBe(false);
        expect(memory.references).toBe(0);
        const { references } = mesh.getVertexBuffer("color")!.getBuffer()!;
        expect(references).toBe(1);
    });

    test("hold their memory once before, after, and when the context was lost meanwhile", () => {
        const memoryOf = (kind: string): DataBuffer => mesh.getVertexBuffer(kind)!.getBuffer()!;
        for (const isLost of [false, true]) {
            const binding = new MeshBinding(mesh, getKernels());
            if (isLost) for (const geometry of scene.geometries) geometry._rebuild();
            binding.dispose();
            expect(["position", "uv"].map((kind) => memoryOf(kind).references)).toEqual([1, 1]);
        }
    });
});

test("positions are compared only while an edit in place may be in them", () => {
    const binding = new MeshBinding(mesh, getKernels());
    writeShape(binding, lift);
    expect(binding.isEdited).toBe(false);
    const compare = jest.spyOn(Float32Array.prototype, "some");
    for (let frame = 0; frame < 3; frame++) {
        writeShape(binding, lift);
        expect(binding.isEdited).toBe(false);
    }
    expect(compare).not.toHaveBeenCalled();
    mesh.updateMeshPositions(() => {}, false);
    expect([binding.isEdited, binding.isEdited]).toEqual([false, false]);
    const count = compare.mock.calls.length;
    expect(count).toBeGreaterThan(0);
    expect(binding.isEdited).toBe(false);
    expect(compare).toHaveBeenCalledTimes(count);
    mesh.updateMeshPositions((x) => (x[1] += 1));
    expect(binding.isEdited).toBe(true);
    compare.mockRestore();
});

describe("disposing in any order", () => {
    test("mesh first: both geometries go", () => {
        const binding = new MeshBinding(mesh, getKernels());
        mesh.dispose();
        writeShape(binding, lift);
        binding.dispose();
        expect(scene.geometries.length).toBe(0);
    });

    test("mesh first, with a clone: the clone keeps its geometry", () => {
        const clone = mesh.clone("clone");
        const binding = new MeshBinding(mesh, getKernels());
        mesh.dispose();
        binding.dispose();
        expect(scene.geometries.length).toBe(1);
        expectIs(scene.geometries[0], clone.geometry);
        expect(clone.geometry!.isDisposed()).toBe(false);
    });

    test("scene first", () => {
        const binding = new MeshBinding(mesh, getKernels());
        scene.dispose();
        writeShape(binding, lift);
        binding.dispose();
        expectGone();
        expect(scene.geometries.length).toBe(0);
    });

    test("engine first", () => {
        const binding = new MeshBinding(mesh, getKernels());
        scene.getEngine().dispose();
        writeShape(binding, lift);
        binding.dispose();
        expectGone();
    });

    test("geometry first", () => {
        const binding = new MeshBinding(mesh, getKernels());
        mesh.geometry!.dispose();
        writeShape(binding, lift);
        expect(mesh.geometry).toBeNull();
        binding.dispose();
        mesh.dispose();
        expectGone();
    });

    test("mesh while its detach runs", () => {
        const binding = new MeshBinding(mesh, getKernels());
        mesh.onDisposeObservable.addOnce(() => binding.dispose());
        mesh.dispose();
        expect(scene.geometries.length).toBe(0);
    });
});

test("a geometry that the user applies meanwhile stays", () => {
    const other = MeshBuilder.CreateBox("box", {}, scene).geometry!;
    const binding = new MeshBinding(mesh, getKernels());
    other.applyToMesh(mesh);
    writeShape(binding, lift);
    binding.dispose();
    expectIs(mesh.geometry, other);
    expect(scene.geometries.some(({ id }) => id.includes("#cloth"))).toBe(false);
});

test("the wireframe of a mesh can be cloth, a triangle strip cannot", () => {
    mesh.material = new Material("wire", scene);
    mesh.material.wireframe = true;
    new MeshBinding(mesh, getKernels()).dispose();
    mesh.material.fillMode = Material.TriangleStripDrawMode;
    expect(() => new MeshBinding(mesh, getKernels())).toThrow(
        'ClothBehavior: mesh "ground" must be drawn as a list of triangles (material.fillMode 0), got 7',
    );
});

test("submeshes keep their own bounds", () => {
    const left = SubMesh.AddToMesh(0, 0, 10, 0, 24, mesh);
    mesh.releaseSubMeshes();
    mesh.subMeshes.push(left);
    SubMesh.AddToMesh(1, 10, 15, 24, 72, mesh);
    const binding = new MeshBinding(mesh, getKernels());
    writeShape(binding, (x, y, z) => [x, y + z, z]);
    // Ground rows run from +z to -z.
    const [first, second] = mesh.subMeshes.map((subMesh) => subMesh.getBoundingInfo());
    expect([first.minimum.y, first.maximum.y]).toEqual([0.5, 1]);
    expect([second.minimum.y, second.maximum.y]).toEqual([-1, 0]);
    expect(mesh.getBoundingInfo().minimum.y).toBe(-1);
    expect(mesh.getBoundingInfo().maximum.y).toBe(1);
    // In every axis, however the vertices lie: the box of the submesh's own vertices.
    const twist = (x: number, y: number, z: number): [number, number, number] => [
        x * z + 0.3 * x,
        Math.sin(3 * x) + z * z,
        z - x * x * x,
    ];
    writeShape(binding, twist);
    const x = floatsOf(mesh, "position");
    for (const subMesh of mesh.subMeshes) {
        const { minimum, maximum } = subMesh.getBoundingInfo();
        for (let c = 0; c < 3; c++) {
            const all = Array.from({ length: subMesh.verticesCount }, (_, v) => x[3 * (subMesh.verticesStart + v) + c]);
            expect([minimum.asArray()[c], maximum.asArray()[c]]).toEqual([Math.min(...all), Math.max(...all)]);
        }
    }
});
