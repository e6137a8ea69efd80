import { PBRMaterial, RegisterPbrMaterial } from "@babylonjs/core/Materials/PBR/pbrMaterial.pure";
import type { Texture } from "@babylonjs/core/Materials/Textures/texture";
import { FabricMaterials, Fabrics } from "babylon-cloth";
import type { FabricName } from "babylon-cloth";
import { afterEach, expect, test } from "@jest/globals";
import { disposeWorlds, makeWorld, messageOf } from "./harness";

afterEach(disposeWorlds);

test("says what is missing where PBRMaterial is not loaded", () => {
    expect(messageOf(() => FabricMaterials.create("silk", makeWorld().scene))).toBe(
        'FabricMaterials: create needs PBRMaterial: import "@babylonjs/core/Materials/PBR/pbrMaterial" first',
    );
});

test("every fabric has a look, seen from both sides", () => {
    RegisterPbrMaterial();
    const { scene } = makeWorld();
    const colours = new Set<string>();
    for (const name of Object.keys(Fabrics) as FabricName[]) {
        const material = FabricMaterials.create(name, scene);
        expect(material).toBeInstanceOf(PBRMaterial);
        expect([material.name, material.backFaceCulling, material.twoSidedLighting]).toEqual([name, false, true]);
        colours.add(material.albedoColor.toHexString());
    }
    expect(colours.size).toBe(Object.keys(Fabrics).length);
    const [silk, canvas] = [FabricMaterials.create("silk", scene), FabricMaterials.create("canvas", scene)];
    expect(silk.sheen.intensity).toBeGreaterThan(canvas.sheen.intensity);
    expect(silk.subSurface.translucencyIntensity).toBeGreaterThan(canvas.subSurface.translucencyIntensity);
    expect((silk.bumpTexture as Texture).uScale).toBeGreaterThan((canvas.bumpTexture as Texture).uScale);
    expect(FabricMaterials.create("leather", scene).bumpTexture).toBeNull();
});

// Levels of detail by averages keep the threads at two texels: at that distance linen showed moiré.
test("the relief of a weave fades before its threads are as fine as pixels, in copies too", () => {
    RegisterPbrMaterial();
    const { scene, engine } = makeWorld();
    const levels = new Map<number, number>();
    const updateTextureData = (_: unknown, data: Uint8Array, ...[, , , , , level]: number[]) =>
        levels.set(level, Math.max(...data.map((byte, k) => (k % 4 < 2 ? Math.abs(byte - 127.5) : 0))));
    Object.assign(engine, { updateTextureData, getRenderingCanvas: () => ({}) });
    const linen = FabricMaterials.create("linen", scene);
    for (let copies = 0; copies < 2; copies++) {
        expect([...levels.keys()]).toEqual([1, 2, 3, 4, 5, 6, 7]);
        expect(levels.get(1)).toBeGreaterThan(60);
        expect(levels.get(2)).toBeLessThan(0.5 * levels.get(1)!);
        for (const level of [3, 4, 5, 6, 7]) expect(levels.get(level)).toBeLessThan(1);
        levels.clear();
        linen.clone("copy");
    }
});

test("a copied material has the same weave, also a copy's copy", () => {
    RegisterPbrMaterial();
    const denim = FabricMaterials.create("denim", makeWorld().scene);
    const weave = denim.bumpTexture as Texture;
    weave.uScale = 17;
    const copies = [denim.clone("copy"), denim.clone("other").clone("copy's copy")];
    for (const copy of copies.map(({ bumpTexture }) => bumpTexture as Texture)) {
        expect(copy).not.toBe(weave);
        expect([copy.uScale, copy.vScale, copy.level, copy.wrapU, copy.name]).toEqual([17, weave.vScale, weave.level, 1, "weave"]);
    }
});

test("wrong", () => {
    const { scene } = makeWorld();
    expect(messageOf(() => FabricMaterials.create("toString" as never, scene))).toMatch(
        /^FabricMaterials: create: fabric must be one of chiffon, .*paper, got "toString"$/,
    );
    expect(messageOf(() => FabricMaterials.create("silk", 1 as never))).toBe(
        "FabricMaterials: create: scene must be a Scene, got 1",
    );
});
