// Curtains in files and clones keep `open`, `tied` and `rings`, and move rings of their own.
import "@babylonjs/core/Loading/Plugins/babylonFileLoader";
import { AppendSceneAsync, ImportMeshAsync } from "@babylonjs/core/Loading/sceneLoader";
import "@babylonjs/core/Materials/colorCurves";
import { PBRMaterial } from "@babylonjs/core/Materials/PBR/pbrMaterial";
import "@babylonjs/core/Materials/standardMaterial";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { SceneSerializer } from "@babylonjs/core/Misc/sceneSerializer";
import type { Scene } from "@babylonjs/core/scene";
import "@babylonjs/loaders/glTF/2.0/index";
import { GLTF2Export } from "@babylonjs/serializers/glTF/2.0/glTFSerializer";
import Ajv from "ajv/dist/2020.js";
import { ClothBuilder, ClothFiles, ClothRecorder } from "babylon-cloth";
import type { CurtainMesh, CurtainOptions } from "babylon-cloth";
import "babylon-cloth/loader";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { difference, disposeWorlds, FRAME, listen, makeWorld, messageOf, told, worldVertices } from "./harness";
import type { World } from "./harness";

beforeEach(() => listen("warn"));
afterEach(disposeWorlds);

const makeCurtain = (scene: Scene, options: CurtainOptions = {}) =>
    ClothBuilder.CreateCurtain("curtain", { width: 1, height: 1.2, pleats: 3, subdivisions: 24, wind: "still", ...options }, scene);

const lastRing = ({ rings }: CurtainMesh) => rings.at(-1)!.computeWorldMatrix(true).getTranslation().x;

/** Writes a scene to a file, and loads it into another. */
async function roundTrip(scene: Scene, kind: string, state: boolean): Promise<World & { curtains: CurtainMesh[] }> {
    const world = makeWorld();
    for (const mesh of scene.meshes) if (kind === ".glb") mesh.material = new PBRMaterial("material", scene);
    if (kind === ".glb") {
        const { files } = await ClothFiles.writeScene(scene, () => GLTF2Export.GLBAsync(scene, "model"), { state });
        const bytes = new Uint8Array(await (files["model.glb"] as Blob).arrayBuffer());
        await ImportMeshAsync(bytes, world.scene, { pluginExtension: kind });
    } else {
        const json = ClothFiles.writeScene(scene, () => SceneSerializer.Serialize(scene), { state });
        await AppendSceneAsync(`data:${JSON.stringify(json)}`, world.scene, { pluginExtension: kind });
        ClothFiles.readScene(world.scene);
    }
    return { ...world, curtains: world.scene.meshes.filter((mesh) => mesh.getBehaviorByName("Cloth" as never)) as CurtainMesh[] };
}

describe.each([".babylon", ".glb"])("in a %s file", (kind) => {
    test.each(["left", "right"] as const)("with its motion, half way open and tied, to the %s", async (side) => {
        const first = makeWorld();
        const curtain = makeCurtain(first.scene, { side });
        first.frame(FRAME, 5);
        curtain.open = 0.8;
        curtain.tied = 0.6;
        first.frame(FRAME, 20);
        const second = await roundTrip(first.scene, kind, true);
        const [copy] = second.curtains;
        expect([copy.open, copy.tied, copy.rings.length, copy.cloth.attachedNode]).toEqual([0.8, 0.6, 7, copy]);
        expect(copy.rings.map(({ name }) => name)).toEqual(curtain.rings.map(({ name }) => name));
        for (let frame = 0; frame < 120; frame++) {
            for (const each of [curtain, copy]) {
                if (frame === 50) each.open = 0.3;
                if (frame === 80) each.tied = 0;
            }
            first.frame();
            second.frame();
            expect([frame, Math.abs(lastRing(copy) - lastRing(curtain)) < 1e-6]).toEqual([frame, true]);
            // Folds grow apart from the last bit, which a GLB of 32-bit floats rounds.
            if (frame < 20) expect(difference(worldVertices(copy), worldVertices(curtain))).toBeLessThan(0.003);
        }
        expect(copy.cloth.pins).toHaveLength(3);
    });

    test("without its motion it begins as it was made, and goes there again", async () => {
        const first = makeWorld();
        const curtain = makeCurtain(first.scene, { open: 0.2 });
        const rest = Float64Array.from(worldVertices(curtain));
        curtain.open = 0.9;
        curtain.tied = 0.5;
        first.frame(FRAME, 30);
        const { curtains, frame, scene } = await roundTrip(first.scene, kind, false);
        const [copy] = curtains;
        expect([copy.open, copy.tied]).toEqual([0.9, 0.5]);
        expect(difference(worldVertices(copy), rest)).toBeLessThan(1e-5);
        expect(copy.cloth.stats.maxStretch).toBeLessThan(0.01);
        const fresh = makeWorld();
        const other = makeCurtain(fresh.scene, { open: 0.2 });
        other.open = 0.9;
        other.tied = 0.5;
        for (let i = 0; i < 20; i++) {
            frame();
            fresh.frame();
            expect(difference(worldVertices(copy), worldVertices(other))).toBeLessThan(0.005);
        }
        frame(FRAME, 210);
        first.frame(FRAME, 200);
        expect(lastRing(copy)).toBeCloseTo(lastRing(curtain), 6);
        expect(copy.cloth.pins).toHaveLength(10);
        // One rail, seven rings, seven places of the band.
        expect(scene.transformNodes.filter(({ parent }) => parent === copy)).toHaveLength(15);
    });

    test("two of one name, of which each moves its own", async () => {
        const { scene, frame } = makeWorld();
        [0, 1].forEach((i) => (makeCurtain(scene, { side: i ? "right" : "left" }).position.x = 5 * i));
        frame(FRAME, 5);
        const other = await roundTrip(scene, kind, false);
        const [left, right] = other.curtains.sort((a, b) => a.getAbsolutePosition().x - b.getAbsolutePosition().x);
        const [before, still] = [lastRing(left), lastRing(right)];
        left.open = 1;
        other.frame(FRAME, 120);
        expect(left.rings.every(({ parent }) => parent === left)).toBe(true);
        expect(lastRing(left)).toBeCloseTo(before - 0.78, 6);
        expect(lastRing(right)).toBe(still);
        right.open = 1;
        other.frame(FRAME, 120);
        expect(lastRing(right)).toBeCloseTo(still + 0.78, 6);
    });
});

test("a curtain that is recorded while it opens is replayed to the bit", async () => {
    const { scene, frame } = makeWorld();
    const curtain = makeCurtain(scene);
    curtain.open = 0.9;
    frame(FRAME, 20);
    const recording = ClothRecorder.record(scene, () => SceneSerializer.Serialize(scene));
    for (let i = 0; i < 60; i++) {
        if (i === 40) curtain.cloth.reset();
        frame();
    }
    const data = JSON.parse(JSON.stringify(recording.stop()));
    const other = makeWorld();
    await AppendSceneAsync(`data:${JSON.stringify(data.scene)}`, other.scene, { pluginExtension: ".babylon" });
    const replay = await ClothRecorder.replay(data, other.scene);
    while (await replay.step()) continue;
    expect([replay.frame, replay.firstDifference]).toEqual([60, null]);
});

describe("as data", () => {
    test.each([false, true])("on the same mesh again (with its motion: %s), which the schema holds", (state) => {
        const { scene, frame } = makeWorld();
        const curtain = makeCurtain(scene);
        curtain.open = curtain.tied = 0.7;
        frame(FRAME, 30);
        const { cloth } = curtain;
        const data = JSON.parse(JSON.stringify(ClothFiles.serialize(cloth, { state })));
        const schema = JSON.parse(readFileSync("docs/cloth.schema.json", "utf8"));
        const isValid = new Ajv({ formats: {}, strict: true, allowUnionTypes: true }).compile(schema);
        expect([isValid(data), isValid.errors]).toEqual([true, null]);
        const place = lastRing(curtain);
        curtain.removeBehavior(cloth);
        const second = ClothFiles.parse(data, scene);
        // Before it is on a mesh, too.
        expect(ClothFiles.serialize(second).curtain).toEqual(data.curtain);
        curtain.addBehavior(second);
        expect([curtain.cloth === second, curtain.open, curtain.tied]).toEqual([true, 0.7, 0.7]);
        expect(lastRing(curtain)).toBeCloseTo(state ? place : 0.5, 9);
        frame(FRAME, 90);
        expect(lastRing(curtain)).toBeCloseTo(0.5 - 0.7 * 0.78, 6);
        expect(ClothFiles.serialize(second).curtain).toMatchObject({
            open: { goal: 0.7, value: 0.7 },
            ringVertices: data.curtain.ringVertices,
        });
    });

    test("wrong data are refused", () => {
        const { scene } = makeWorld();
        const data = JSON.parse(JSON.stringify(ClothFiles.serialize(makeCurtain(scene).cloth)));
        const spoilt = (change: object) =>
            messageOf(() => ClothFiles.parse({ ...data, curtain: { ...data.curtain, ...change } }, scene));
        expect(spoilt({ pleats: 4 })).toBe("ClothFiles: parse: curtain: ringVertices must be a list of 9, got 7");
        expect(spoilt({ side: "up" })).toContain('curtain: side must be "left" or "right"');
        expect(spoilt({ open: { ...data.curtain.open, goal: 2 } })).toContain("curtain: open.goal must be");
        expect(spoilt({ rings: data.curtain.rings.map(() => ({ node: "nowhere" })) })).toContain(
            "rings[0] must be a name that is in the scene",
        );
        expect(spoilt({ lenght: 1 })).toContain('unknown option "lenght"');
        expect(messageOf(() => ClothFiles.parse({ ...data, kind: "rope", options: {} }, scene))).toContain(
            "curtain must be left out",
        );
    });

    test("no curtain, where its rings are not in the file", () => {
        const { scene } = makeWorld();
        const curtain = makeCurtain(scene);
        curtain.rings[2].dispose();
        expect(ClothFiles.serialize(curtain.cloth).curtain).toBeUndefined();
    });
});

describe("a clone", () => {
    test.each([FRAME, 1000 / 144, 1000 / 30])("has rings of its own, and goes on half way (frames of %f ms)", (milliseconds) => {
        const { scene, frame } = makeWorld();
        const parent = new TransformNode("parent", scene);
        parent.scaling.set(-2, 2, 2);
        const curtain = makeCurtain(scene);
        curtain.open = 0.9;
        curtain.tied = 0.4;
        frame(milliseconds, 15);
        const count = scene.transformNodes.length;
        const copy = curtain.clone("copy") as CurtainMesh;
        // Its rings, its rail and its band; none besides.
        expect(scene.transformNodes.length - count).toBe(15);
        const other = curtain.clone("other", parent) as CurtainMesh;
        expect([copy.open, copy.tied, copy.cloth.attachedNode]).toEqual([0.9, 0.4, copy]);
        expect(copy.rings.every(({ parent }) => parent === copy)).toBe(true);
        other.open = other.tied = 0;
        frame(milliseconds, 1);
        expect(copy.rings.at(-1)!.position.x).toBeCloseTo(curtain.rings.at(-1)!.position.x, 9);
        // In its first frame a clone is carried along by its rail.
        expect(copy.cloth.stats.maxStretch).toBeLessThan(0.25);
        expect(other.cloth.pins).toHaveLength(3);
        frame(milliseconds, 3000 / milliseconds);
        expect(copy.rings.at(-1)!.position.x).toBeCloseTo(0.5 - 0.9 * 0.78, 6);
        expect(other.rings.at(-1)!.position.x).toBeCloseTo(0.5, 6);
        copy.open = 0;
        copy.tied = 0;
        frame(milliseconds, 3000 / milliseconds);
        expect([curtain.open, curtain.rings.at(-1)!.position.x.toFixed(6)]).toEqual([0.9, (0.5 - 0.9 * 0.78).toFixed(6)]);
        expect(copy.rings.at(-1)!.position.x).toBeCloseTo(0.5, 6);
        const third = copy.clone("third") as CurtainMesh;
        curtain.dispose();
        third.open = 1;
        frame(milliseconds, 3000 / milliseconds);
        expect(third.rings.at(-1)!.position.x).toBeCloseTo(-0.28, 6);
        expect(copy.rings.at(-1)!.position.x).toBeCloseTo(0.5, 6);
        expect(Math.max(third.cloth.stats.maxStretch, copy.cloth.stats.maxStretch)).toBeLessThan(0.2);
        expect(told("warn")).toEqual([]);
    });

    test.each(["hierarchy", "reset at once", "opened at once"])("of a room: %s", (how) => {
        const { scene, frame } = makeWorld();
        const room = new TransformNode("room", scene);
        const curtain = makeCurtain(scene);
        curtain.parent = room;
        curtain.open = 0.5;
        frame(FRAME, 60);
        const second = room.instantiateHierarchy(null, { doNotInstantiate: true })!;
        const copy = second.getChildMeshes()[0] as CurtainMesh;
        second.position.z = 4;
        if (how === "reset at once") copy.cloth.reset();
        if (how === "opened at once") copy.open = 1;
        expect(curtain.rings.at(-1)!.position.x).toBeCloseTo(0.5 - 0.5 * 0.78, 6);
        frame(FRAME, 120);
        expect(copy.rings.at(-1)!.position.x).toBeCloseTo(0.5 - (how === "opened at once" ? 1 : 0.5) * 0.78, 6);
        expect(curtain.rings.at(-1)!.position.x).toBeCloseTo(0.5 - 0.5 * 0.78, 6);
        expect(copy.cloth.stats.maxStretch).toBeLessThan(0.1);
    });

    test("without children hangs on the rings of the original, which its `open` moves", () => {
        const { scene, frame } = makeWorld();
        const curtain = makeCurtain(scene);
        frame(FRAME, 5);
        const copy = curtain.clone("copy", null, true) as CurtainMesh;
        frame();
        copy.open = 0.6;
        frame(FRAME, 120);
        expect([curtain.open, copy.rings]).toEqual([0.6, curtain.rings]);
        expect(copy.cloth.stats.maxStretch).toBeLessThan(0.1);
    });
});
