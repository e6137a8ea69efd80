// Files of cloth that tears; and files that have no cloth.
import "@babylonjs/core/Loading/Plugins/babylonFileLoader";
import { AppendSceneAsync } from "@babylonjs/core/Loading/sceneLoader";
import "@babylonjs/core/Materials/colorCurves";
import "@babylonjs/core/Materials/standardMaterial";
import "@babylonjs/core/Meshes/groundMesh";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { SceneSerializer } from "@babylonjs/core/Misc/sceneSerializer";
import { ClothBehavior, ClothFiles, ClothTearing, select } from "babylon-cloth";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { disposeWorlds, FRAME, listen, makeSquare, makeWorld, messageOf, told } from "./harness";

beforeEach(() => listen("warn"));
afterEach(disposeWorlds);

test.each([0.3, Infinity])("a cloth that tears at a strain of %s comes back so", async (strain) => {
    const { scene, frame } = makeWorld();
    const mesh = makeSquare(scene, 6, "sheet");
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("-x") }], wind: null });
    mesh.addBehavior(cloth);
    mesh.addBehavior(new ClothTearing({ strain }));
    frame(FRAME, 3);
    const url = `data:${JSON.stringify(ClothFiles.writeScene(scene, () => SceneSerializer.Serialize(scene)))}`;
    const other = makeWorld();
    await AppendSceneAsync(url, other.scene, { pluginExtension: ".babylon" });
    const [copy] = ClothFiles.readScene(other.scene);
    const sheet = copy.attachedNode!;
    const tearing = sheet.getBehaviorByName("ClothTearing") as unknown as ClothTearing;
    expect([tearing.strain, tearing.attachedNode]).toEqual([strain, sheet]);
    other.frame(FRAME, 3);
    expect(tearing.cut({ x: 0.1, y: 0.5, z: -1 }, { x: 0.1, y: 0.5, z: 1 }, 2)).toBe(true);
    // As data alone, before it is on a mesh, too.
    const data = ClothFiles.serialize(cloth);
    expect(ClothFiles.serialize(ClothFiles.parse(data, scene)).tearing).toEqual(data.tearing);
    expect(messageOf(() => ClothFiles.parse({ ...data, tearing: { strain: -1 } }, scene))).toContain(
        "ClothTearing: strain must be",
    );
});

test("a file without cloth says so", () => {
    const { scene } = makeWorld();
    const mesh: Mesh = makeSquare(scene, 2, "sheet");
    ClothFiles.writeScene(scene, () => 0);
    expect(told("warn")).toEqual([expect.stringContaining("no mesh of the scene is cloth")]);
    mesh.addBehavior(new ClothBehavior({ wind: null, pins: [{ select: [0] }] }));
    ClothFiles.writeScene(scene, () => 0);
    expect(told("warn")).toHaveLength(1);
});
