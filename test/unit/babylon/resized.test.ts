import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, expect, test } from "@jest/globals";
import { ClothBehavior } from "../../../src/index";
import { disposeWorlds, makeSquare, makeWorld } from "./harness";

afterEach(disposeWorlds);

/** Whether a reset builds the cloth anew, as it must where lengths at rest have changed, after a change of its mesh or its parent. */
function isRebuilt(change: (mesh: Mesh, parent: TransformNode) => void): boolean {
    const { scene } = makeWorld();
    const parent = new TransformNode("parent", scene);
    const mesh = makeSquare(scene);
    mesh.parent = parent;
    const cloth = new ClothBehavior({ autoStep: false });
    mesh.addBehavior(cloth);
    const { geometry } = mesh;
    cloth.step(1 / 60);
    change(mesh, parent);
    parent.computeWorldMatrix(true);
    cloth.reset();
    return mesh.geometry !== geometry;
}

test.each(["x", "y", "z"] as const)("another scale along %s is another size", (axis) => {
    for (const scale of [0.9, 1.1, 3]) expect(isRebuilt((mesh) => (mesh.scaling[axis] = scale))).toBe(true);
});

test.each(["x", "y", "z"] as const)("a skew about %s, of a turned mesh in a stretched parent, is another shape", (axis) => {
    const isSkewed = isRebuilt((mesh, parent) => {
        // Each axis of the mesh stays as long as it was; only the angle between two of them changes.
        const [u, v] = { x: ["y", "z"], y: ["z", "x"], z: ["x", "y"] }[axis] as ["x" | "y" | "z", "x" | "y" | "z"];
        parent.scaling[u] = Math.sqrt(1.5);
        parent.scaling[v] = Math.sqrt(0.5);
        mesh.rotation[axis] = Math.PI / 4;
    });
    expect(isSkewed).toBe(true);
});

test("a difference below rounding is none: of 1.5e-4 along one axis", () => {
    expect([1.0001, 1.0002].map((scale) => isRebuilt((mesh) => (mesh.scaling.x = scale)))).toEqual([false, true]);
});

test("a turn, a way and a mirror image leave it as it is", () => {
    expect(isRebuilt((mesh) => mesh.rotation.set(0.3, 1, 2))).toBe(false);
    expect(isRebuilt((mesh, parent) => parent.rotate(new Vector3(1, 2, 3), 0.7))).toBe(false);
    expect(isRebuilt((mesh) => mesh.position.set(3, 40, 500))).toBe(false);
    expect(isRebuilt((mesh) => (mesh.scaling.z = -1))).toBe(false);
});
