// Names that are not unique: files refer to the node that was meant, also where one asset is loaded twice.
import { readFileSync } from "node:fs";
import "@babylonjs/core/Animations/animatable";
import "@babylonjs/core/Loading/Plugins/babylonFileLoader";
import { AppendSceneAsync, ImportMeshAsync } from "@babylonjs/core/Loading/sceneLoader";
import "@babylonjs/core/Materials/colorCurves";
import { PBRMaterial } from "@babylonjs/core/Materials/PBR/pbrMaterial";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import "@babylonjs/core/Meshes/groundMesh";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { SceneSerializer } from "@babylonjs/core/Misc/sceneSerializer";
import type { Bone } from "@babylonjs/core/Bones/bone";
import type { Scene } from "@babylonjs/core/scene";
import "@babylonjs/loaders/glTF/2.0/index";
import { GLTF2Export } from "@babylonjs/serializers/glTF/2.0/glTFSerializer";
import { ClothBehavior, ClothBuilder, ClothFiles, Wind, select } from "babylon-cloth";
import "babylon-cloth/files";
import "babylon-cloth/loader";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { disposeWorlds, FRAME, listen, makeSquare, makeWorld } from "./harness";

beforeEach(() => listen("error"));
afterEach(disposeWorlds);

/** Two flags in a row, each on a pole and over a stone; all flags, poles and stones have one name. */
function makeFlags(scene: Scene, isFlat: boolean): ClothBehavior[] {
    return [0, 1].map((i) => {
        const place = new TransformNode("place", scene);
        const pole = new TransformNode("pole", scene);
        const stone = MeshBuilder.CreateSphere("stone", { diameter: 0.5 }, scene);
        const flag = makeSquare(scene, 4, "flag");
        flag.material = new PBRMaterial("material", scene);
        for (const node of [pole, stone, flag]) {
            if (isFlat) node.position.x = 5 * i;
            else node.parent = place;
        }
        place.position.x = 5 * i;
        stone.position.y = -0.5;
        const cloth = new ClothBehavior({
            pins: [{ select: select.edge("-x"), target: pole }],
            colliders: [stone],
            wind: new Wind({ velocity: new Vector3(2, 0, 0), zone: { shape: "sphere", node: place, falloff: 0.5 } }),
        });
        flag.addBehavior(cloth);
        return cloth;
    });
}

const xOf = (node: unknown) => Math.round((node as TransformNode).computeWorldMatrix(true).getTranslation().x);
const clothsOf = (scene: Scene) =>
    scene.meshes.flatMap(({ behaviors }) => behaviors.filter(({ name }) => name === "Cloth")) as unknown as ClothBehavior[];
/** Places of a cloth, of what it is pinned to, what it meets and what blows on it. */
const placesOf = (cloth: ClothBehavior) => [
    xOf(cloth.attachedNode),
    xOf(cloth.pins[0].target),
    xOf(cloth.colliders[0].source),
    xOf(cloth.wind!.zone!.node),
];
const ROW = [0, 5].map((x) => [x, x, x, x]);

async function toGlb(scene: Scene): Promise<Uint8Array> {
    const { files } = await ClothFiles.writeScene(scene, () => GLTF2Export.GLBAsync(scene, "model"));
    return new Uint8Array(await (files["model.glb"] as Blob).arrayBuffer());
}

describe.each([false, true])("two flags whose poles have one name (all at the root: %s)", (isFlat) => {
    test("as data, in the same scene and in another like it", () => {
        const { scene } = makeWorld();
        const datas = makeFlags(scene, isFlat).map((cloth) => JSON.parse(JSON.stringify(ClothFiles.serialize(cloth))));
        const other = makeWorld().scene;
        makeFlags(other, isFlat);
        for (const each of [scene, other]) {
            datas.forEach((data, i) => {
                const cloth = ClothFiles.parse(data, each);
                const nodes = [cloth.pins[0].target, cloth.colliders[0].source, cloth.wind!.zone!.node];
                expect(nodes.map(xOf)).toEqual([5 * i, 5 * i, 5 * i]);
            });
        }
    });

    test.each([1, 2])("in a .babylon file that is loaded twice (read after every %s)", async (every) => {
        const { scene } = makeWorld();
        makeFlags(scene, isFlat);
        const url = `data:${JSON.stringify(ClothFiles.writeScene(scene, () => SceneSerializer.Serialize(scene)))}`;
        const other = makeWorld().scene;
        for (let i = 1; i <= 2; i++) {
            await AppendSceneAsync(url, other, { pluginExtension: ".babylon" });
            if (i % every === 0) ClothFiles.readScene(other);
        }
        const cloths = clothsOf(other);
        expect(cloths.map(placesOf)).toEqual([...ROW, ...ROW]);
        expect(new Set(cloths.map(({ pins }) => pins[0].target)).size).toBe(4);
        // The numbers are gone, for the next file.
        expect(JSON.stringify([...other.meshes, ...other.transformNodes].map(({ metadata }) => metadata))).not.toContain(
            "clothNode",
        );
    });

    test("in a GLB that is loaded twice, and written again", async () => {
        const { scene } = makeWorld();
        makeFlags(scene, isFlat);
        const bytes = await toGlb(scene);
        const second = makeWorld().scene;
        for (let i = 0; i < 2; i++) await ImportMeshAsync(bytes, second, { pluginExtension: ".glb" });
        expect(clothsOf(second).map(placesOf)).toEqual([...ROW, ...ROW]);
        const third = makeWorld().scene;
        await ImportMeshAsync(await toGlb(second), third, { pluginExtension: ".glb" });
        const cloths = clothsOf(third);
        expect(cloths.map(placesOf)).toEqual([...ROW, ...ROW]);
        expect(new Set(cloths.map(({ pins }) => pins[0].target)).size).toBe(4);
    });
});

test("two curtains of one name", async () => {
    const { scene, frame } = makeWorld();
    const curtains = [0, 1].map((i) => {
        const curtain = ClothBuilder.CreateCurtain("curtain", { width: 1, height: 1, pleats: 3 }, scene);
        curtain.position.x = 5 * i;
        return curtain;
    });
    frame(FRAME, 5);
    const url = `data:${JSON.stringify(ClothFiles.writeScene(scene, () => SceneSerializer.Serialize(scene)))}`;
    const other = makeWorld();
    await AppendSceneAsync(url, other.scene, { pluginExtension: ".babylon" });
    const cloths = ClothFiles.readScene(other.scene);
    cloths.forEach(({ pins }, i) => {
        for (const { target } of pins) expect(target!.parent).toBe(cloths[i].attachedNode);
        expect(pins.map(({ target }) => target!.name)).toEqual(curtains[i].cloth.pins.map(({ target }) => target!.name));
    });
});

describe("a rigged character, whose mesh and node have one name", () => {
    /** A character of a glTF file, with a cape on a bone, which its mesh is a collider of. */
    async function makeCharacter(scene: Scene, bytes: Uint8Array) {
        const { meshes } = await ImportMeshAsync(bytes, scene, { pluginExtension: ".glb" });
        const body = meshes.find(({ skeleton }) => skeleton) as AbstractMesh;
        const cape = makeSquare(scene, 4, body.name);
        cape.material = body.material;
        const bone = body.skeleton!.bones.at(-1)!;
        cape.addBehavior(
            new ClothBehavior({ pins: [{ select: [0, 1, 2], target: bone }], colliders: [{ source: body, shape: "box" }] }),
        );
        return { body, bone };
    }
    const WALKER = new Uint8Array(readFileSync("playground/assets/walker.glb"));

    const check = (cloth: ClothBehavior, boneName: string) => {
        const bone = cloth.pins[0].target as Bone;
        const body = cloth.colliders[0].source as Mesh;
        expect([bone.getClassName(), bone.name]).toEqual(["Bone", boneName]);
        expect(body.skeleton).toBe(bone.getSkeleton());
    };

    test("as data in its scene", async () => {
        const { scene } = makeWorld();
        const bones: Bone[] = [];
        for (let i = 0; i < 2; i++) bones.push((await makeCharacter(scene, WALKER)).bone);
        clothsOf(scene).forEach((cloth, i) => {
            const copy = ClothFiles.parse(JSON.parse(JSON.stringify(ClothFiles.serialize(cloth))), scene);
            expect(copy.pins[0].target).toBe(bones[i]);
            expect(copy.colliders[0].source).toBe(cloth.colliders[0].source);
        });
    });

    test.each([".glb", ".babylon"])("two in a %s file, loaded twice", async (kind) => {
        const { scene } = makeWorld();
        let name = "";
        for (let i = 0; i < 2; i++) name = (await makeCharacter(scene, WALKER)).bone.name;
        const other = makeWorld();
        if (kind === ".glb") {
            const bytes = await toGlb(scene);
            for (let i = 0; i < 2; i++) await ImportMeshAsync(bytes, other.scene, { pluginExtension: kind });
        } else {
            const url = `data:${JSON.stringify(ClothFiles.writeScene(scene, () => SceneSerializer.Serialize(scene)))}`;
            for (let i = 0; i < 2; i++) {
                await AppendSceneAsync(url, other.scene, { pluginExtension: kind });
                ClothFiles.readScene(other.scene);
            }
        }
        const cloths = clothsOf(other.scene);
        expect(cloths).toHaveLength(4);
        for (const cloth of cloths) check(cloth, name);
        expect(new Set(cloths.map(({ pins }) => pins[0].target)).size).toBe(4);
    });
});
