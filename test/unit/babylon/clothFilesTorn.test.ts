// Files of torn cloth: it comes back torn, and goes on to the bit.
import "@babylonjs/core/Loading/Plugins/babylonFileLoader";
import { AppendSceneAsync, ImportMeshAsync } from "@babylonjs/core/Loading/sceneLoader";
import "@babylonjs/core/Materials/colorCurves";
import { PBRMaterial } from "@babylonjs/core/Materials/PBR/pbrMaterial";
import "@babylonjs/core/Materials/standardMaterial";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import "@babylonjs/core/Meshes/groundMesh";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import { SceneSerializer } from "@babylonjs/core/Misc/sceneSerializer";
import type { Scene } from "@babylonjs/core/scene";
import "@babylonjs/loaders/glTF/2.0/index";
import { GLTF2Export } from "@babylonjs/serializers/glTF/2.0/glTFSerializer";
import { ClothBehavior, ClothFiles, ClothTearing, select } from "babylon-cloth";
import "babylon-cloth/files";
import "babylon-cloth/loader";
import type { ClothData } from "babylon-cloth";
import { afterEach, describe, expect, test } from "@jest/globals";
import { disposeWorlds, FRAME, makeSquare, makeWorld, messageOf } from "./harness";
import type { World } from "./harness";

afterEach(disposeWorlds);

const WHOLE = 9 * 9;

/** A hanging sheet with two cuts, in motion: a corner falls, a slit gapes. */
function makeTorn() {
    const world = makeWorld();
    const mesh = makeSquare(world.scene, 8, "sheet");
    mesh.rotation.x = -Math.PI / 2;
    mesh.material = new PBRMaterial("material", world.scene);
    const cloth = new ClothBehavior({ wind: null, pins: [{ select: select.edge("+z") }] });
    mesh.addBehavior(cloth);
    const tearing = new ClothTearing({ strain: Infinity });
    mesh.addBehavior(tearing);
    world.frame(FRAME, 10);
    expect(tearing.cut(new Vector3(0.1, -0.6, 0), new Vector3(0.6, -0.1, 0), 1)).toBe(true);
    expect(tearing.cut(new Vector3(-0.3, 0.1, 0), new Vector3(0.2, 0.02, 0), 1)).toBe(true);
    world.frame(FRAME, 20);
    expect(cloth.particleCount).toBeGreaterThan(WHOLE);
    return { ...world, mesh, cloth };
}

interface Moving extends World {
    readonly cloth: ClothBehavior;
}

function expectSameMotion(a: Moving, b: Moving): void {
    expect(b.cloth.particleCount).toBe(a.cloth.particleCount);
    for (let i = 0; i < 300; i++) {
        for (const { frame } of [a, b]) frame(FRAME);
        if (i % 20 !== 0 && i < 299) continue;
        const [x, y] = [a, b].map(({ cloth }) => Buffer.from(cloth.getParticlePositions().buffer));
        expect([i, x.equals(y)]).toEqual([i, true]);
    }
}

const only = (scene: Scene): ClothBehavior =>
    scene.meshes.flatMap(({ behaviors }) => behaviors).find(({ name }) => name === "Cloth") as unknown as ClothBehavior;

/** The mesh of a torn cloth at rest, in another scene. */
function copyOf(mesh: Mesh, cloth: ClothBehavior): World & { copy: Mesh } {
    const world = makeWorld();
    const data = ClothFiles.writeScene(mesh.getScene(), () => VertexData.ExtractFromMesh(mesh, true));
    expect(cloth.attachedNode).toBe(mesh);
    const copy = new Mesh("sheet", world.scene);
    data.applyToMesh(copy);
    copy.rotation.x = -Math.PI / 2;
    return { ...world, copy };
}

const textOf = (cloth: ClothBehavior, state: boolean): ClothData => JSON.parse(JSON.stringify(cloth.serialize({ state })));

test.each([true, false])("on a copy of the torn mesh (with its state: %s)", (state) => {
    const first = makeTorn();
    const data = textOf(first.cloth, state);
    const { copy, ...world } = copyOf(first.mesh, first.cloth);
    const cloth = ClothBehavior.Parse(data, world.scene);
    expect(cloth.serialize().torn).toBe(data.torn);
    copy.addBehavior(cloth);
    if (!state) first.cloth.reset();
    expectSameMotion(first, { ...world, cloth });
    expect(cloth.serialize().torn).toBe(data.torn);
    // Off its mesh and on again it is as torn.
    copy.removeBehavior(cloth);
    copy.addBehavior(cloth);
    expect(cloth.particleCount).toBe(first.cloth.particleCount);
});

test("in a scene's file", async () => {
    const first = makeTorn();
    const text = JSON.stringify(ClothFiles.writeScene(first.scene, () => SceneSerializer.Serialize(first.scene), { state: true }));
    const world = makeWorld();
    await AppendSceneAsync(`data:${text}`, world.scene, { pluginExtension: ".babylon" });
    const [cloth] = ClothFiles.readScene(world.scene);
    expectSameMotion(first, { ...world, cloth });
});

test("in a .glb", async () => {
    const first = makeTorn();
    const write = () => GLTF2Export.GLBAsync(first.scene, "model", { exportUnusedUVs: true });
    const { files } = await ClothFiles.writeScene(first.scene, write, { state: true });
    const bytes = new Uint8Array(await (files["model.glb"] as Blob).arrayBuffer());
    const world = makeWorld();
    await ImportMeshAsync(bytes, world.scene, { pluginExtension: ".glb" });
    expectSameMotion(first, { ...world, cloth: only(world.scene) });
});

test("a clone is as torn", () => {
    const first = makeTorn();
    const clone = first.mesh.clone("clone");
    const cloth = clone.behaviors.find(({ name }) => name === "Cloth") as unknown as ClothBehavior;
    expectSameMotion(first, { ...first, cloth, frame: () => {} });
});

test("whole cloth has nothing of it", () => {
    const { scene } = makeWorld();
    const cloth = new ClothBehavior();
    makeSquare(scene, 3, "sheet").addBehavior(cloth);
    expect(textOf(cloth, true)).not.toHaveProperty("torn");
});

describe("wrong", () => {
    test("no places", () => {
        const { cloth, scene } = makeTorn();
        const data = textOf(cloth, false);
        const parse = (torn: unknown) => messageOf(() => ClothBehavior.Parse({ ...data, torn } as ClothData, scene));
        expect(parse(7)).toBe("ClothFiles: parse: torn must be bytes in base 64, got 7");
        expect(parse("AQAAAA==")).toMatch(/^ClothFiles: parse: torn must be places below the number of vertices, got "AQAAAA=="/);
    });

    test("another mesh: nothing is attached, and the mesh is as it was", () => {
        const first = makeTorn();
        const { copy, scene } = copyOf(first.mesh, first.cloth);
        const data = textOf(first.cloth, true);
        const count = copy.getTotalVertices();
        const refuse = (mesh: Mesh, wrong: ClothData, message: string) => {
            const cloth = ClothBehavior.Parse(wrong, scene);
            expect(messageOf(() => mesh.addBehavior(cloth))).toContain(message);
            expect(cloth.attachedNode).toBe(null);
            mesh.removeBehavior(cloth);
            const plain = new ClothBehavior();
            mesh.addBehavior(plain);
            expect(plain.particleCount).toBeLessThanOrEqual(count);
            expect(plain.serialize().torn).toBe(undefined);
            mesh.removeBehavior(plain);
        };
        const whole = makeSquare(scene, 8, "whole");
        refuse(whole, data, `ClothFiles: parse: torn must be on the torn mesh, of ${count} vertices, got "whole of ${WHOLE}"`);
        // The last vertex hangs together with the first one, which is far from it.
        const places = Uint32Array.from({ length: count }, (_, v) => (v < count - 1 ? v : 0));
        const torn = Buffer.from(places.buffer).toString("base64");
        refuse(copy, { ...data, torn }, "ClothFiles: parse: torn must be of this mesh: vertices that hang together lie together");
        // The places fit, the motion does not.
        refuse(copy, { ...data, state: { ...data.state!, pins: [] } }, "state must be of a mesh with the same vertices and pins");
    });
});
