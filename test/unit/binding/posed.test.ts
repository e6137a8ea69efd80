import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { Bone } from "@babylonjs/core/Bones/bone";
import { Skeleton } from "@babylonjs/core/Bones/skeleton";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { MorphTarget } from "@babylonjs/core/Morph/morphTarget";
import { MorphTargetManager } from "@babylonjs/core/Morph/morphTargetManager";
import type { Scene } from "@babylonjs/core/scene";
import { MeshBinding } from "../../../src/babylon/mesh/meshBinding";
import { getKernels } from "../../../src/engine/index";
import { difference, expectIs, floatsOf, makeScene, validateBinding, writeShape } from "./harness";

let scene: Scene;
let mesh: Mesh;
beforeEach(() => {
    scene = makeScene();
    mesh = MeshBuilder.CreateGround("ground", { width: 2, height: 2, subdivisions: 4 }, scene);
});
afterEach(() => {
    scene.getEngine().dispose();
});

/** Hangs all of the mesh on one bone. */
function skin(mesh: Mesh): Bone {
    const skeleton = new Skeleton("skeleton", "skeleton", scene);
    const bone = new Bone("bone", skeleton, null, Matrix.Identity());
    const count = mesh.getTotalVertices();
    mesh.setVerticesData("matricesIndices", new Float32Array(count * 4));
    mesh.setVerticesData(
        "matricesWeights",
        Float32Array.from({ length: count * 4 }, (_, i) => (i % 4 === 0 ? 1 : 0)),
    );
    mesh.skeleton = skeleton;
    return bone;
}

test("a skinned mesh starts as posed, without skinning on top, and has its skeleton back afterwards", () => {
    const bone = skin(mesh);
    const { skeleton, geometry } = mesh;
    const rest = floatsOf(mesh, "position");
    bone.setPosition(new Vector3(0, 3, 0));
    bone.setYawPitchRoll(0, 0, Math.PI / 2);
    const binding = new MeshBinding(mesh, getKernels());
    validateBinding(binding);
    expectIs(mesh.skeleton, skeleton);
    expect(mesh.useBones).toBe(false);
    // Rolled by a quarter turn: x becomes y, and the upward normal looks along -x.
    for (let o = 0; o < rest.length; o += 3) {
        expect(difference(binding.restVertexPositions.subarray(o, o + 3), [0, 3 + rest[o], rest[o + 2]])).toBeLessThan(1e-5);
    }
    writeShape(binding);
    expect(difference(floatsOf(mesh, "position"), binding.restVertexPositions)).toBeLessThan(1e-6);
    expect(floatsOf(mesh, "normal")[0]).toBeCloseTo(-1);
    binding.dispose();
    expectIs(mesh.skeleton, skeleton);
    expectIs(mesh.geometry, geometry);
    expect(floatsOf(mesh, "position")).toEqual(rest);
});

test("a bone that a node carries, as from glTF, poses it too", () => {
    const bone = skin(mesh);
    const node = new TransformNode("node", scene);
    bone.linkTransformNode(node);
    mesh.skeleton!.prepare(true);
    node.position.y = 4;
    const binding = new MeshBinding(mesh, getKernels());
    expect(binding.restPositions.every((c, i) => i % 3 !== 1 || c === 4)).toBe(true);
});

test("a skeleton given to the mesh meanwhile stays", () => {
    skin(mesh);
    const binding = new MeshBinding(mesh, getKernels());
    const other = new Skeleton("other", "other", scene);
    mesh.skeleton = other;
    binding.dispose();
    expectIs(mesh.skeleton, other);
});

test("a skeleton taken off or disposed of meanwhile does not come back", () => {
    skin(mesh);
    const binding = new MeshBinding(mesh, getKernels());
    mesh.skeleton!.dispose();
    binding.dispose();
    expectIs(mesh.skeleton, null);
    skin(mesh);
    const again = new MeshBinding(mesh, getKernels());
    mesh.skeleton = null;
    again.dispose();
    expectIs(mesh.skeleton, null);
});

test("a morphed mesh starts as morphed and has its targets back afterwards, on clones too", () => {
    scene.getEngine().getCaps().texture2DArrayMaxLayerCount = 0;
    const rest = floatsOf(mesh, "position");
    const manager = new MorphTargetManager(scene);
    manager.useTextureToStoreTargets = false;
    const target = new MorphTarget("lifted", 0.5, scene);
    target.setPositions(rest.map((c, i) => (i % 3 === 1 ? 4 : c)));
    target.setNormals(floatsOf(mesh, "normal"));
    manager.addTarget(target);
    mesh.morphTargetManager = manager;
    const clone = mesh.clone("clone");
    const { geometry } = mesh;
    expect(geometry!.isVerticesDataPresent("position0")).toBe(true);
    const binding = new MeshBinding(mesh, getKernels());
    const covered = mesh.morphTargetManager!;
    expect([covered.numInfluencers, covered.numMaxInfluencers, covered.numTargets]).toEqual([0, 0, 1]);
    expectIs(covered.getTarget(0), target);
    expect(mesh.isVerticesDataPresent("position0")).toBe(false);
    expect(clone.isVerticesDataPresent("position0")).toBe(true);
    expect(binding.restPositions.every((c, i) => i % 3 !== 1 || c === 2)).toBe(true);
    writeShape(binding);
    expect(mesh.getBoundingInfo().minimum.y).toBe(2);
    binding.dispose();
    expectIs(mesh.morphTargetManager, manager);
    expectIs(mesh.geometry, geometry);
    expect(geometry!.isVerticesDataPresent("position0")).toBe(true);
    expect(floatsOf(mesh, "position")).toEqual(rest);
});
