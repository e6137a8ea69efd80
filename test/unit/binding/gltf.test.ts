import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { ImportMeshAsync } from "@babylonjs/core/Loading/sceneLoader";
import { PBRMaterial } from "@babylonjs/core/Materials/PBR/pbrMaterial";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { Scene } from "@babylonjs/core/scene";
import "@babylonjs/loaders/glTF/2.0/index";
import { GLTF2Export } from "@babylonjs/serializers/glTF/2.0/glTFSerializer";
import { MeshBinding } from "../../../src/babylon/mesh/meshBinding";
import { getKernels } from "../../../src/engine/index";
import { withTangents } from "./builders";
import { difference, expectIs, floatsOf, makeScene, smallestCosine, validateBinding, writeShape } from "./harness";

let scene: Scene;
beforeEach(() => {
    scene = makeScene();
});
afterEach(() => {
    scene.getEngine().dispose();
});

/** Writes what `make` builds as a .glb and loads it into the test's scene. */
async function throughGlb(make: (scene: Scene) => Mesh): Promise<Mesh> {
    const source = makeScene();
    const original = make(source);
    original.material = new PBRMaterial("material", source);
    const glb = await GLTF2Export.GLBAsync(source, "model");
    const bytes = new Uint8Array(await (glb.files["model.glb"] as Blob).arrayBuffer());
    source.getEngine().dispose();
    const { meshes } = await ImportMeshAsync(bytes, scene, { pluginExtension: ".glb" });
    const mesh = meshes.find((m) => m.getTotalVertices() > 0) as Mesh;
    expect(mesh.getVertexBuffer("position")!.isUpdatable()).toBe(false);
    return mesh;
}

describe.each([false, true])("a model from a .glb (right-handed scene: %p)", (rightHanded) => {
    beforeEach(() => {
        scene.useRightHandedSystem = rightHanded;
    });

    test("sphere: welds its seam, and its normals stay outside", async () => {
        const mesh = await throughGlb((source) => MeshBuilder.CreateSphere("sphere", { segments: 8 }, source));
        const { geometry } = mesh;
        const rest = floatsOf(mesh, "position"),
            normals = floatsOf(mesh, "normal");
        expect(mesh.computeWorldMatrix(true).determinant()).toBeCloseTo(rightHanded ? 1 : -1);
        const binding = new MeshBinding(mesh, getKernels());
        validateBinding(binding);
        expect(binding.particleCount).toBe(9 * 20 + 2);
        writeShape(binding);
        expect(difference(floatsOf(mesh, "position"), rest)).toBeLessThan(1e-5);
        expect(smallestCosine(floatsOf(mesh, "normal"), normals, 3)).toBeGreaterThan(0.95);
        expect(smallestCosine(floatsOf(mesh, "normal"), floatsOf(mesh, "position"), 3)).toBeGreaterThan(0.95);
        // The simulated triangles, too, have their front outside.
        const { triangles, restPositions: x } = binding;
        const centre = Vector3.Zero();
        for (let t = 0; t < triangles.length; t += 3) {
            const [a, b, c] = [0, 1, 2].map((k) => Vector3.FromArray(x, triangles[t + k] * 3));
            expect(Vector3.Dot(Vector3.Cross(b.subtract(a), c.subtract(a)), a.add(b).add(c).subtract(centre))).toBeGreaterThan(0);
        }
        binding.dispose();
        expectIs(mesh.geometry, geometry);
        expect(floatsOf(mesh, "position")).toEqual(rest);
    });

    test("sheet with tangents", async () => {
        const mesh = await throughGlb((source) =>
            withTangents(MeshBuilder.CreateGround("sheet", { width: 2, height: 2, subdivisions: 4 }, source)),
        );
        const authored = ["position", "normal", "tangent"].map((kind) => floatsOf(mesh, kind));
        const binding = new MeshBinding(mesh, getKernels());
        expect(binding.particleCount).toBe(25);
        writeShape(binding);
        ["position", "normal", "tangent"].forEach((kind, i) =>
            expect(difference(floatsOf(mesh, kind), authored[i])).toBeLessThan(1e-4),
        );
    });

    test("box keeps its hard edges, and its bounds follow in the world", async () => {
        const mesh = await throughGlb((source) => {
            const box = MeshBuilder.CreateBox("box", {}, source);
            box.position.set(3, 0, 0);
            return box;
        });
        const normals = floatsOf(mesh, "normal");
        mesh.computeWorldMatrix(true);
        const before = mesh.getBoundingInfo().boundingBox.centerWorld.clone();
        const binding = new MeshBinding(mesh, getKernels());
        expect(binding.particleCount).toBe(8);
        writeShape(binding, (x, y, z) => [x, y + 2, z]);
        expect(difference(floatsOf(mesh, "normal"), normals)).toBeLessThan(1e-5);
        const moved = mesh.getBoundingInfo().boundingBox.centerWorld.subtract(before);
        expect(difference(moved.asArray(), [0, 2, 0])).toBeLessThan(1e-5);
    });
});
