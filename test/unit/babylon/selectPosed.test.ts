// Selectors see the authored mesh: which vertices are pinned does not depend on the pose in which the cloth begins.
import { Bone } from "@babylonjs/core/Bones/bone";
import { Skeleton } from "@babylonjs/core/Bones/skeleton";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MorphTarget } from "@babylonjs/core/Morph/morphTarget";
import { MorphTargetManager } from "@babylonjs/core/Morph/morphTargetManager";
import { afterEach, expect, test } from "@jest/globals";
import { ClothBehavior, select } from "../../../src/index";
import type { Select } from "../../../src/index";
import { disposeWorlds, makeSquare, makeWorld } from "./harness";

afterEach(disposeWorlds);

/** Turns the mesh upside down along x and moves it, by its only bone. */
function skin(mesh: Mesh, usesShaders: boolean): void {
    const skeleton = new Skeleton("skeleton", "skeleton", mesh.getScene());
    const bone = new Bone("bone", skeleton, null, Matrix.Identity());
    const count = mesh.getTotalVertices();
    mesh.setVerticesData("matricesIndices", new Float32Array(count * 4));
    mesh.setVerticesData(
        "matricesWeights",
        Float32Array.from({ length: count * 4 }, (_, i) => (i % 4 === 0 ? 1 : 0)),
    );
    mesh.skeleton = skeleton;
    mesh.computeBonesUsingShaders = usesShaders;
    bone.setYawPitchRoll(0, 0, Math.PI);
    bone.setPosition(new Vector3(3, 4, 0));
    skeleton.prepare(true);
    if (!usesShaders) mesh.applySkeleton(skeleton);
}

function morph(mesh: Mesh): void {
    const manager = new MorphTargetManager(mesh.getScene());
    const target = new MorphTarget("target", 1);
    target.setPositions(mesh.getVerticesData("position")!.map((x) => -2 * x));
    manager.addTarget(target);
    mesh.morphTargetManager = manager;
}

const poses: Record<string, (mesh: Mesh) => void> = {
    skinned: (mesh) => skin(mesh, true),
    "skinned on the CPU": (mesh) => skin(mesh, false),
    morphed: morph,
};
const selections: Record<string, Select> = {
    predicate: ({ x }) => x < -0.4,
    edge: select.edge("-x"),
    corners: select.corners("-x-z"),
    near: select.near(new Vector3(-0.5, 0, 0), 0.3),
};

test.each(Object.keys(poses).flatMap((pose) => Object.keys(selections).map((name) => [pose, name])))("%s, by %s", (pose, name) => {
    const { scene } = makeWorld();
    const [plain, posed] = ["plain", "posed"].map((mesh) => makeSquare(scene, 6, mesh));
    poses[pose](posed);
    const pinned = [plain, posed].map((mesh) => {
        const cloth = new ClothBehavior();
        mesh.addBehavior(cloth);
        const seen: number[] = [];
        cloth.pin((position, vertex) => {
            seen.push(position.x, position.y, position.z, vertex);
            return false;
        });
        const { particleCount } = cloth.pin(selections[name]);
        const before = cloth.getParticlePositions();
        for (let i = 0; i < 30; i++) cloth.step(1 / 60);
        const after = cloth.getParticlePositions();
        // Held as posed.
        const held = Array.from({ length: cloth.particleCount }, (_, i) => i).filter((i) =>
            [0, 1, 2].every((c) => Math.abs(after[3 * i + c] - before[3 * i + c]) < 1e-6),
        );
        return { seen, particleCount, held };
    });
    expect(pinned[0].particleCount).toBeGreaterThan(0);
    expect(pinned[1]).toEqual(pinned[0]);
});
