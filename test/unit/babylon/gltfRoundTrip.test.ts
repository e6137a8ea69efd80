// Cloth on what came from glTF files, and on fitted bodies: written from the middle of a motion, it goes on to the bit.
import { readFileSync } from "node:fs";
import "@babylonjs/core/Animations/animatable";
import "@babylonjs/core/Loading/Plugins/babylonFileLoader";
import { AppendSceneAsync, ImportMeshAsync } from "@babylonjs/core/Loading/sceneLoader";
import "@babylonjs/core/Materials/colorCurves";
import { PBRMaterial } from "@babylonjs/core/Materials/PBR/pbrMaterial";
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import "@babylonjs/core/Meshes/groundMesh";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { SceneSerializer } from "@babylonjs/core/Misc/sceneSerializer";
import type { Scene } from "@babylonjs/core/scene";
import "@babylonjs/loaders/glTF/2.0/index";
import { GLTF2Export } from "@babylonjs/serializers/glTF/2.0/glTFSerializer";
import type { IExportOptions } from "@babylonjs/serializers/glTF/2.0/glTFSerializer";
import Ajv from "ajv/dist/2020.js";
import { ClothBehavior, ClothFiles, Colliders, RailHold, SoftHold, Wind, select } from "babylon-cloth";
import type { BoneShape } from "babylon-cloth";
import "babylon-cloth/loader";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { difference, disposeWorlds, FRAME, listen, makeSquare, makeWorld, messageOf } from "./harness";
import type { World } from "./harness";

beforeEach(() => listen("error"));
afterEach(disposeWorlds);

const clothOn = (mesh: AbstractMesh) => mesh.getBehaviorByName("Cloth" as never) as unknown as ClothBehavior | null;
const clothIn = ({ meshes }: Scene) => clothOn(meshes.find((mesh) => clothOn(mesh as Mesh))!)!;

const load = (scene: Scene, bytes: Uint8Array) => ImportMeshAsync(bytes, scene, { pluginExtension: ".glb" });

async function toGlb(scene: Scene, options: IExportOptions = {}): Promise<Uint8Array> {
    const { files } = await ClothFiles.writeScene(scene, () => GLTF2Export.GLBAsync(scene, "model", options), { state: true });
    return new Uint8Array(await (files["model.glb"] as Blob).arrayBuffer());
}

/** A scene that a glTF file was loaded into: a sheet and a rod. */
async function loadStage(rightHanded: boolean): Promise<World & { sheet: Mesh; rod: TransformNode }> {
    const source = makeWorld();
    makeSquare(source.scene, 10, "sheet").material = new PBRMaterial("material", source.scene);
    const rod = new TransformNode("rod", source.scene);
    rod.position.set(0.3, 0.1, 0.2);
    rod.rotationQuaternion = Quaternion.FromEulerAngles(0.2, 0.3, 0.1);
    const bytes = await toGlb(source.scene);
    const world = makeWorld({ rightHanded });
    await load(world.scene, bytes);
    return {
        ...world,
        sheet: world.scene.getMeshByName("sheet") as Mesh,
        rod: world.scene.getTransformNodeByName("rod")!,
    };
}

test.each<[boolean, string, IExportOptions]>([
    [false, "defaults", {}],
    [true, "defaults", {}],
    [false, "the root kept", { removeNoopRootNodes: false }],
    [false, "the root kept as a node", { includeCoordinateSystemConversionNodes: true }],
])("a mesh that came from a glTF file (right-handed: %s; exported with %s)", async (rightHanded, _, options) => {
    const { scene, sheet, rod, frame } = await loadStage(rightHanded);
    // A node of this scene's own, beside what came from the file.
    const own = new TransformNode("own", scene);
    own.position.set(-0.2, 0.1, 0.4);
    own.rotation.set(0.1, 0.5, 0.2);
    sheet.addBehavior(
        new ClothBehavior({
            pins: [
                {
                    select: select.edge("+z"),
                    hold: new RailHold([new Vector3(-1, -0.15, 0.5), new Vector3(1, 0.15, 0.5)], { friction: 0 }),
                },
                { select: select.corners("-x-z"), target: rod },
                { select: select.corners("+x-z"), target: own, hold: new SoftHold({ stiffness: 30 }) },
            ],
            wind: new Wind({ velocity: new Vector3(1, 0, 1), seed: 3, zone: { shape: "sphere", node: rod, falloff: 0.5 } }),
        }),
    );
    frame(FRAME, 40);
    const second = makeWorld({ rightHanded });
    await load(second.scene, await toGlb(scene, options));
    const cloths = [clothOn(sheet)!, clothIn(second.scene)];
    const nodes = [rod, second.scene.getTransformNodeByName("rod")!];
    for (let i = 0; i < 100; i++) {
        for (const node of nodes) node.position.y += 0.002;
        for (const each of [frame, second.frame]) each();
        expect([i, difference(cloths[1].getParticlePositions(), cloths[0].getParticlePositions())]).toEqual([i, 0]);
    }
});

describe("a cloth that meets Colliders.fromSkeleton", () => {
    async function loadWalker(world: World) {
        const { meshes } = await load(world.scene, new Uint8Array(readFileSync("playground/assets/walker.glb")));
        for (const group of world.scene.animationGroups.slice()) group.dispose();
        const body = meshes.find(({ skeleton }) => skeleton)!;
        const { x, z } = body.getBoundingInfo().boundingBox.centerWorld;
        const { y } = body.getBoundingInfo().boundingBox.maximumWorld;
        const sheet = makeSquare(world.scene, 16, "cape");
        sheet.material = new PBRMaterial("material", world.scene);
        sheet.position.set(x, y + 0.05, z);
        const shapes = Colliders.fromSkeleton(body);
        const cloth = new ClothBehavior({ pins: [{ select: [0] }], colliders: shapes, wind: null });
        sheet.addBehavior(cloth);
        await cloth.whenReady();
        return { body, cloth, shapes };
    }

    test.each([".babylon", ".glb"])("goes on in a %s file", async (kind) => {
        const first = makeWorld();
        const { cloth, shapes, body } = await loadWalker(first);
        first.frame(FRAME, 40);
        const second = makeWorld();
        if (kind === ".glb") await load(second.scene, await toGlb(first.scene));
        else {
            const json = ClothFiles.writeScene(first.scene, () => SceneSerializer.Serialize(first.scene), { state: true });
            await AppendSceneAsync(`data:${JSON.stringify(json)}`, second.scene, { pluginExtension: kind });
            ClothFiles.readScene(second.scene);
        }
        for (const group of second.scene.animationGroups.slice()) group.dispose();
        const copy = clothIn(second.scene);
        await copy.whenReady();
        const copied = copy.colliders.map(({ source }) => source as BoneShape);
        const wearer = second.scene.meshes.find(({ skeleton }) => skeleton)!;
        copied.forEach(({ carrier, start, end, startRadius, endRadius }, i) => {
            expect(carrier).toBe(wearer.skeleton!.bones.find(({ name }) => name === shapes[i].carrier.name));
            expect({ start, end, startRadius, endRadius }).toEqual({
                start: Array.from(shapes[i].start),
                end: Array.from(shapes[i].end),
                startRadius: shapes[i].startRadius,
                endRadius: shapes[i].endRadius,
            });
        });
        expect(difference(copy.getParticlePositions(), cloth.getParticlePositions())).toBe(0);
        for (const { frame } of [first, second]) frame(FRAME, 60);
        // It lies on the same body; contacts are found anew.
        expect(difference(copy.getParticlePositions(), cloth.getParticlePositions())).toBeLessThan(0.1);
        expect(body.skeleton).not.toBe(wearer.skeleton);
    });

    test("as data, which the schema holds; wrong data are refused", async () => {
        const world = makeWorld();
        const { cloth, body } = await loadWalker(world);
        const data = JSON.parse(JSON.stringify(ClothFiles.serialize(cloth, { state: true })));
        const schema = JSON.parse(readFileSync("docs/cloth.schema.json", "utf8"));
        const isValid = new Ajv({ formats: {}, strict: true, allowUnionTypes: true }).compile(schema);
        expect([isValid(data), isValid.errors]).toEqual([true, null]);
        expect(ClothFiles.serialize(ClothFiles.parse(data, world.scene)).colliders).toEqual(data.colliders);
        const [{ source }] = data.colliders;
        const spoilt = (change: object) =>
            messageOf(() =>
                ClothFiles.parse({ ...data, colliders: [{ source: { capsule: { ...source.capsule, ...change } } }] }, world.scene),
            );
        expect(spoilt({ startRadius: -1 })).toContain("colliders[0].source.capsule.startRadius must be");
        expect(spoilt({ end: [1, 2] })).toContain("colliders[0].source.capsule.end must be three numbers");
        expect(spoilt({ mesh: { node: "cape" } })).toContain("capsule.mesh must be a mesh that wears the skeleton");
        expect(spoilt({ lengths: 1 })).toContain('unknown option "lengths"');
        expect(body.skeleton).toBeTruthy();
    });
});
