import { AnimationGroup } from "@babylonjs/core/Animations/animationGroup";
import { AssetContainer } from "@babylonjs/core/assetContainer";
import { Bone } from "@babylonjs/core/Bones/bone";
import { Skeleton } from "@babylonjs/core/Bones/skeleton";
import "@babylonjs/core/Materials/standardMaterial";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import "@babylonjs/core/Meshes/instancedMesh";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { SceneSerializer } from "@babylonjs/core/Misc/sceneSerializer";
import { MorphTarget } from "@babylonjs/core/Morph/morphTarget";
import { MorphTargetManager } from "@babylonjs/core/Morph/morphTargetManager";
import { MeshParticleEmitter } from "@babylonjs/core/Particles/EmitterTypes/meshParticleEmitter";
import type { Scene } from "@babylonjs/core/scene";
import { afterEach, describe, expect, test } from "@jest/globals";
import { ClothBehavior, select } from "../../src/index";
import { getKernels } from "../../src/engine/index";
import type { WasmArena } from "../../src/kernels/wasmArena";
import { difference, disposeWorlds, makeSquare, makeWorld } from "../unit/babylon/harness";

afterEach(disposeWorlds);

/** A square that hangs from two corners for half a second. */
function hang() {
    const world = makeWorld();
    const mesh = makeSquare(world.scene, 12, "cloth");
    const cloth = new ClothBehavior({ pins: [{ select: select.corners("-x+z", "+x+z") }] });
    mesh.addBehavior(cloth);
    world.frame(undefined, 30);
    return { ...world, mesh, cloth };
}

/** Takes freed memory, and makes the WebAssembly memory grow. */
function fillMemory(scene: Scene): void {
    for (let i = 0; i < 2; i++) makeSquare(scene, 12).addBehavior(new ClothBehavior({}));
    const { arena } = getKernels() as unknown as { arena: WasmArena };
    arena.allocate(arena.memory.buffer.byteLength, { relocate: () => {} }).release();
}

describe("what was read or copied of a running cloth outlives it", () => {
    test("a clone goes on as cloth, also when the cloth goes first", () => {
        const { scene, mesh, frame } = hang();
        const lowest = mesh.getBoundingInfo().minimum.y;
        const copy = mesh.clone("copy");
        mesh.dispose();
        fillMemory(scene);
        frame(undefined, 5);
        expect(copy.getVerticesData("position")!.every(Number.isFinite)).toBe(true);
        expect(copy.getBoundingInfo().minimum.y).toBeLessThan(lowest * 0.8);
    });

    test("a clone hangs on while the cloth moves on and is taken off", () => {
        const { mesh, cloth, frame } = hang();
        const copy = mesh.clone("copy");
        frame(undefined, 30);
        mesh.removeBehavior(cloth);
        frame();
        expect(copy.getBoundingInfo().minimum.y).toBeLessThan(-0.3);
        const heights = (of: Mesh) => of.getVerticesData("position")!.filter((_, i) => i % 3 === 1);
        expect(heights(mesh).every((y) => y === 0)).toBe(true);
        copy.removeBehavior(copy.getBehaviorByName("Cloth")!);
        expect(heights(copy).every((y) => y === 0)).toBe(true);
    });

    test("an emitter on the mesh follows it through every growth of the memory", () => {
        const { scene, mesh, frame } = hang();
        const emitter = new MeshParticleEmitter(mesh);
        fillMemory(scene);
        frame(undefined, 5);
        const lowest = mesh.getBoundingInfo().minimum.y;
        const at = new Vector3();
        let low = 0;
        for (let i = 0; i < 2000; i++) {
            emitter.startPositionFunction(Matrix.Identity(), at, undefined as never, true);
            expect(at.length()).toBeLessThan(3);
            low = Math.min(low, at.y);
        }
        expect(low).toBeLessThan(lowest * 0.8);
    });
});

/** A square skinned to a bone that lifts it by 1 and morphed by half of 2, running as cloth. */
function makePosed(isMorphed: boolean) {
    const world = makeWorld();
    const { scene } = world;
    scene.getEngine().getCaps().texture2DArrayMaxLayerCount = 0;
    const mesh = makeSquare(scene, 4, "cloth");
    const count = mesh.getTotalVertices();
    const rest = Float32Array.from(mesh.getVerticesData("position")!);
    const skeleton = new Skeleton("skeleton", "skeleton", scene);
    new Bone("bone", skeleton, null, Matrix.Identity()).setPosition(new Vector3(0, 1, 0));
    mesh.setVerticesData("matricesIndices", new Float32Array(count * 4));
    mesh.setVerticesData(
        "matricesWeights",
        Float32Array.from({ length: count * 4 }, (_, i) => (i % 4 === 0 ? 1 : 0)),
    );
    mesh.skeleton = skeleton;
    const manager = new MorphTargetManager(scene);
    if (isMorphed) {
        const target = new MorphTarget("lifted", 0.5, scene);
        target.setPositions(rest.map((c, i) => (i % 3 === 1 ? 2 : c)));
        manager.addTarget(target);
        mesh.morphTargetManager = manager;
    }
    // Copies of cloth that follows its skin are cloth; see test/unit/babylon/skin.test.ts.
    const cloth = new ClothBehavior({ skin: false });
    mesh.addBehavior(cloth);
    world.frame(undefined, 20);
    return { ...world, mesh, cloth, skeleton, manager, rest };
}

/** Height at which a mesh is drawn, as the graphics card would pose it. */
function drawnHeight(mesh: Mesh): number {
    mesh.skeleton?.prepare(true);
    return mesh.getPositionData(true, true)![1];
}

describe.each([false, true])("copies of a running skinned cloth are skinned and morphed (morphed: %p)", (isMorphed) => {
    const height = isMorphed ? 2 : 1;

    function expectPosed(copy: Mesh, { mesh, skeleton, manager, rest, frame, cloth }: ReturnType<typeof makePosed>): void {
        expect(copy.skeleton === skeleton).toBe(true);
        expect(copy.morphTargetManager === (isMorphed ? manager : null)).toBe(true);
        expect(copy.useBones).toBe(true);
        expect(difference(copy.getVerticesData("position")!, rest)).toBe(0);
        expect(drawnHeight(copy)).toBeCloseTo(height, 6);
        const { minimum, maximum } = copy.getBoundingInfo();
        expect([minimum.y, maximum.y].map((y) => y.toFixed(4))).toEqual([height, height].map((y) => y.toFixed(4)));
        frame(undefined, 10);
        expect(mesh.getBoundingInfo().maximum.y).toBeLessThan(height - 0.5);
        mesh.removeBehavior(cloth);
        expect([mesh, copy].map(drawnHeight)).toEqual([height, height]);
        expect(mesh.morphTargetManager === copy.morphTargetManager).toBe(true);
    }

    test("clone", () => {
        const set = makePosed(isMorphed);
        expectPosed(set.mesh.clone("copy"), set);
    });

    test("instantiateHierarchy", () => {
        const set = makePosed(isMorphed);
        expectPosed(set.mesh.instantiateHierarchy(null, { doNotInstantiate: true }) as Mesh, set);
    });

    test("instantiateModelsToScene: with a skeleton and targets of its own", () => {
        const { scene, mesh, skeleton, manager, rest } = makePosed(isMorphed);
        const container = new AssetContainer(scene);
        container.meshes.push(mesh);
        container.skeletons.push(skeleton);
        const group = new AnimationGroup("group", scene);
        container.animationGroups.push(group);
        const { rootNodes, skeletons } = container.instantiateModelsToScene();
        const copy = rootNodes[0] as Mesh;
        expect(skeletons.length).toBe(1);
        expect(copy.skeleton === skeletons[0] && copy.skeleton !== skeleton).toBe(true);
        expect(!!copy.morphTargetManager).toBe(isMorphed);
        expect(copy.morphTargetManager !== manager).toBe(true);
        expect(difference(copy.getVerticesData("position")!, rest)).toBe(0);
        if (isMorphed) copy.morphTargetManager!.getTarget(0).influence = 1;
        // Babylon clones a skeleton in its bind pose.
        expect(drawnHeight(copy)).toBeCloseTo(isMorphed ? 2 : 0, 6);
        copy.skeleton!.bones[0].setPosition(new Vector3(0, 1, 0));
        expect(drawnHeight(copy)).toBeCloseTo(isMorphed ? 3 : 1, 6);
        expect(mesh.getVertexBuffer("position0")).toBeUndefined();
    });

    test("SerializeMesh and Serialize", () => {
        const { scene, mesh, skeleton, manager, rest } = makePosed(isMorphed);
        for (const json of [SceneSerializer.SerializeMesh(mesh), SceneSerializer.Serialize(scene)]) {
            const [written] = json.meshes;
            expect(written.skeletonId).toBe(skeleton.id);
            expect(written.morphTargetManagerId).toBe(isMorphed ? manager.uniqueId : undefined);
            const data = json.geometries.vertexData.find(({ id }: { id: string }) => id === written.geometryId);
            expect(data.positions).toEqual(Array.from(rest));
            expect(data.matricesWeights.length).toBe((rest.length / 3) * 4);
        }
        expect(SceneSerializer.Serialize(scene).morphTargetManagers[0]?.targets.length).toBe(isMorphed ? 1 : undefined);
    });

    test("and what reaches for skeleton and targets meanwhile finds them", () => {
        const { mesh, skeleton, manager, frame } = makePosed(isMorphed);
        expect(mesh.skeleton === skeleton).toBe(true);
        const y = mesh.getBoundingInfo().maximum.y;
        if (isMorphed) mesh.morphTargetManager!.getTarget(0).influence = 1;
        frame(0, 2);
        expect(mesh.getBoundingInfo().maximum.y).toBe(y);
        if (isMorphed) expect([manager.numInfluencers, mesh.morphTargetManager!.numInfluencers]).toEqual([1, 0]);
    });
});

test("a file written of a running cloth holds its drape", () => {
    const { mesh } = hang();
    const json = SceneSerializer.SerializeMesh(mesh);
    expect(json.geometries.vertexData[0].positions).toEqual(Array.from(mesh.getVerticesData("position")!));
});
