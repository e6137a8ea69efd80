// Saving changes nothing that is seen: of paused scenes, of running ones while the file is written, and of two files at once.
import "@babylonjs/core/Animations/animatable";
import "@babylonjs/core/Loading/Plugins/babylonFileLoader";
import { AppendSceneAsync, ImportMeshAsync } from "@babylonjs/core/Loading/sceneLoader";
import "@babylonjs/core/Materials/colorCurves";
import { PBRMaterial } from "@babylonjs/core/Materials/PBR/pbrMaterial";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import "@babylonjs/core/Meshes/groundMesh";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { SceneSerializer } from "@babylonjs/core/Misc/sceneSerializer";
import { MorphTarget } from "@babylonjs/core/Morph/morphTarget";
import { MorphTargetManager } from "@babylonjs/core/Morph/morphTargetManager";
import type { Scene } from "@babylonjs/core/scene";
import "@babylonjs/loaders/glTF/2.0/index";
import { GLTF2Export } from "@babylonjs/serializers/glTF/2.0/glTFSerializer";
import { ClothBehavior, ClothBuilder, ClothFiles, ClothTime, Wind, select } from "babylon-cloth";
import "babylon-cloth/loader";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { column, difference, disposeWorlds, FRAME, listen, makeSquare, makeWorld } from "./harness";

beforeEach(() => listen("error"));
afterEach(disposeWorlds);

const yOf = (mesh: Mesh) => column(mesh.getVerticesData("position")!, 1);
const drawnOf = (mesh: Mesh) => Float32Array.from(mesh.getVerticesData("position")!);
const clothOn = ({ behaviors }: Mesh) => behaviors.find(({ name }) => name === "Cloth") as ClothBehavior | undefined;
const tick = () => new Promise((resolve) => setTimeout(resolve, 0));

function makeSheet(isMorphed = false) {
    const world = makeWorld();
    const mesh = makeSquare(world.scene, 8, "sheet");
    mesh.material = new PBRMaterial("material", world.scene);
    if (isMorphed) {
        const target = new MorphTarget("up", 0, world.scene);
        target.setPositions(mesh.getVerticesData("position")!.map((x, i) => (i % 3 === 1 ? x + 0.25 : x)));
        mesh.morphTargetManager = new MorphTargetManager(world.scene);
        mesh.morphTargetManager.addTarget(target);
    }
    const cloth = new ClothBehavior({
        pins: [{ select: select.edge("-x") }],
        wind: new Wind({ velocity: new Vector3(1, 0, 1), seed: 4 }),
    });
    mesh.addBehavior(cloth);
    world.frame(FRAME, 40);
    return { ...world, mesh, cloth };
}

const babylonOf = (scene: Scene, options?: { state?: boolean }) =>
    `data:${JSON.stringify(ClothFiles.writeScene(scene, () => SceneSerializer.Serialize(scene), options))}`;

async function toGlb(scene: Scene): Promise<Uint8Array> {
    const { files } = await GLTF2Export.GLBAsync(scene, "model");
    return new Uint8Array(await (files["model.glb"] as Blob).arrayBuffer());
}

describe.each<[string, (cloth: ClothBehavior, scene: Scene) => void]>([
    ["enabled = false", (cloth) => (cloth.enabled = false)],
    ["autoStep = false", (cloth) => (cloth.autoStep = false)],
    ["ClothTime's scale 0", (_, scene) => ClothTime.setScale(scene, 0)],
])("a scene that is paused by %s", (how, pause) => {
    test("keeps its drape", () => {
        const { scene, mesh, cloth, frame } = makeSheet();
        pause(cloth, scene);
        frame();
        const before = drawnOf(mesh);
        expect(Math.min(...yOf(mesh))).toBeLessThan(-0.05);
        babylonOf(scene);
        expect(difference(drawnOf(mesh), before)).toBe(0);
        frame(FRAME, 3);
        expect(difference(drawnOf(mesh), before)).toBe(0);
        expect(clothOn(mesh)).toBe(cloth);
    });

    test.each([undefined, { state: true }])("comes back in its drape (options: %j)", async (options) => {
        const { scene, mesh, cloth, frame } = makeSheet();
        pause(cloth, scene);
        frame();
        const other = makeWorld();
        await AppendSceneAsync(babylonOf(scene, options), other.scene, { pluginExtension: ".babylon" });
        ClothFiles.readScene(other.scene);
        other.frame(0);
        const copy = other.scene.getMeshByName("sheet") as Mesh;
        // Of a scene whose time stands still, the copy's does not.
        if (how.startsWith("ClothTime") && !options) return expect(difference(drawnOf(copy), drawnOf(mesh))).toBeGreaterThan(0.05);
        expect(difference(drawnOf(copy), drawnOf(mesh))).toBeLessThan(1e-5);
    });
});

describe.each([false, true])("a running scene (with morph targets: %s)", (isMorphed) => {
    test("goes on while an exporter takes its time, as if none were; the file has the rest shape", async () => {
        const [first, second] = [makeSheet(isMorphed), makeSheet(isMorphed)];
        let isDone = false;
        const later = ClothFiles.writeScene(first.scene, async () => {
            for (let i = 0; i < 3; i++) await tick();
            const bytes = await toGlb(first.scene);
            for (let i = 0; i < 3; i++) await tick();
            return bytes;
        }).finally(() => (isDone = true));
        let count = 0;
        for (; !isDone; count++) {
            for (const { frame } of [first, second]) frame();
            expect(first.cloth.attachedNode).toBe(first.mesh);
            const positions = [first, second].map(({ cloth }) => cloth.getParticlePositions());
            expect([count, difference(positions[0], positions[1])]).toEqual([count, 0]);
            if (!isMorphed) expect(difference(drawnOf(first.mesh), drawnOf(second.mesh))).toBe(0);
            await tick();
        }
        expect(count).toBeGreaterThan(5);
        for (const { frame } of [first, second]) frame(FRAME, 20);
        expect(difference(drawnOf(first.mesh), drawnOf(second.mesh))).toBe(0);
        expect(first.mesh.metadata).toEqual(second.mesh.metadata);
        const { scene } = makeWorld();
        const { meshes } = await ImportMeshAsync(await later, scene, { pluginExtension: ".glb" });
        const copy = meshes.find(({ name }) => name === "sheet") as Mesh;
        const cloth = clothOn(copy)!;
        expect(cloth.pins).toHaveLength(1);
        copy.removeBehavior(cloth);
        expect(Math.max(...yOf(copy).map(Math.abs))).toBe(0);
        const target = copy.morphTargetManager?.getTarget(0).getPositions();
        if (isMorphed) for (const y of column(target!, 1)) expect(y).toBeCloseTo(0.25, 6);
    });

    test("that is written twice at once: both files have the cloth", async () => {
        const { scene, mesh } = makeSheet(isMorphed);
        const before = mesh.metadata;
        const write = async () => {
            await tick();
            const json = JSON.parse(JSON.stringify(SceneSerializer.Serialize(scene)));
            return { json, glb: await toGlb(scene) };
        };
        const slow = async () => {
            const files = await write();
            await tick();
            return files;
        };
        for (const { json, glb } of await Promise.all([ClothFiles.writeScene(scene, slow), ClothFiles.writeScene(scene, write)])) {
            const other = makeWorld().scene;
            await AppendSceneAsync(`data:${JSON.stringify(json)}`, other, { pluginExtension: ".babylon" });
            expect(Math.max(...yOf(other.getMeshByName("sheet") as Mesh).map(Math.abs))).toBe(0);
            expect(ClothFiles.readScene(other)).toHaveLength(1);
            const { meshes } = await ImportMeshAsync(glb, makeWorld().scene, { pluginExtension: ".glb" });
            expect(meshes.filter((each) => clothOn(each as Mesh))).toHaveLength(1);
        }
        expect(mesh.metadata).toBe(before);
        expect(Object.hasOwn(mesh.geometry!, "getVertexBuffers")).toBe(false);
        expect(Object.hasOwn(mesh.geometry!, "getVerticesData")).toBe(false);
    });
});

test("a chain keeps its drape, and its file has the links where they were made", () => {
    const { scene, frame } = makeWorld();
    const chain = ClothBuilder.CreateChain("chain", { length: 1 }, scene);
    const authored = chain.thinInstanceGetWorldMatrices().map(({ m }) => Array.from(m));
    frame(FRAME, 30);
    const matrices = () => chain.thinInstanceGetWorldMatrices().map(({ m }) => Array.from(m));
    const before = matrices();
    const json = ClothFiles.writeScene(scene, () => SceneSerializer.Serialize(scene)) as {
        meshes: { name: string; thinInstances?: { matrixData: number[] } }[];
    };
    expect(matrices()).toEqual(before);
    const written = json.meshes.find(({ name }) => name === "chain")!.thinInstances!.matrixData;
    expect(difference(written, authored.flat())).toBeLessThan(1e-6);
});
