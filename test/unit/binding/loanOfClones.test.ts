import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
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

describe("clones", () => {
    test("keep the authored geometry, before and after", () => {
        const clone = mesh.clone("clone");
        const geometry = clone.geometry;
        const rest = floatsOf(clone, "position");
        const binding = new MeshBinding(mesh, getKernels());
        writeShape(binding, lift);
        expect(difference(floatsOf(mesh, "position"), rest)).toBeGreaterThan(1);
        expectIs(clone.geometry, geometry);
        expect(floatsOf(clone, "position")).toEqual(rest);
        expect(clone.getBoundingInfo().maximum.y).toBe(0);
        binding.dispose();
        expectIs(mesh.geometry, geometry);
        expect(geometry!.meshes.length).toBe(2);
    });

    test("made while the mesh is cloth have the authored geometry, and are told of", () => {
        const begin = jest.fn();
        const binding = new MeshBinding(mesh, getKernels(), undefined, { onCloned: begin, onToolCloned: begin });
        writeShape(binding, lift);
        const clone = mesh.clone("clone");
        expect(begin.mock.calls).toEqual([[clone, false]]);
        expect(clone.getBoundingInfo().maximum.y).toBe(0);
        writeShape(binding, lift);
        expect(Math.max(...floatsOf(clone, "position").filter((_, i) => i % 3 === 1))).toBe(0);
        binding.dispose();
        expectIs(clone.geometry, mesh.geometry);
        clone.dispose();
        expect(scene.geometries.length).toBe(1);
    });

    test("that a tool hides, as the Inspector's wireframe, follow the cloth and then its rest shape", () => {
        const binding = new MeshBinding(mesh, getKernels());
        writeShape(binding, lift);
        const helper = mesh.clone("wireframe");
        helper.reservedDataStore = { hidden: true };
        writeShape(binding, (x, y, z) => [x, y + 9, z]);
        expect(floatsOf(helper, "position")).toEqual(floatsOf(mesh, "position"));
        expect(helper.getBoundingInfo().minimum.y).toBe(9);
        binding.dispose();
        expectIs(helper.geometry, mesh.geometry);
        expect(scene.geometries.length).toBe(1);
    });

    test("may take the authored geometry with them: the mesh still gets its rest shape back", () => {
        const clone = mesh.clone("clone");
        const authored = ["position", "normal", "tangent", "uv"].map((kind) => floatsOf(mesh, kind));
        mesh.subdivide(2);
        const subMeshes = mesh.subMeshes.slice();
        const binding = new MeshBinding(mesh, getKernels());
        writeShape(binding, lift);
        const geometry = clone.geometry!;
        clone.dispose();
        expect(geometry.isDisposed()).toBe(true);
        binding.dispose();
        expect(["position", "normal", "tangent", "uv"].map((kind) => floatsOf(mesh, kind))).toEqual(authored);
        expect(mesh.getBoundingInfo().maximum.y).toBe(0);
        expect(mesh.subMeshes.every((subMesh, i) => subMesh === subMeshes[i])).toBe(true);
        expect(mesh.geometry!.isDisposed()).toBe(false);
        expect(scene.geometries.length).toBe(1);
        expectIs(scene.geometries[0], mesh.geometry);
        const memories = ["position", "uv"].map((kind) => mesh.getVertexBuffer(kind)!.getBuffer()!);
        expect(memories.map(({ references }) => references)).toEqual([1, 1]);
        mesh.dispose();
        expect(memories.map(({ references }) => references)).toEqual([0, 0]);
    });
});

test("an instance made while the mesh is cloth has the cloth's bounds, then the rest shape's", () => {
    const binding = new MeshBinding(mesh, getKernels());
    const instance = mesh.createInstance("instance");
    writeShape(binding, lift);
    expect(instance.getBoundingInfo().minimum.y).toBeGreaterThan(3);
    binding.dispose();
    expect(instance.getBoundingInfo().maximum.y).toBe(0);
});
