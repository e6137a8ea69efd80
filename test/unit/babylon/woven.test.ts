// Fabrics whose stiffness differs along warp and weft: u and v of the mesh's texture coordinates.
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { afterEach, expect, test } from "@jest/globals";
import { ClothBehavior, select } from "../../../src/index";
import { disposeWorlds, makeWorld, messageOf } from "./harness";

afterEach(disposeWorlds);

/** A sheet of 1 m in the plane y = 0 that hangs by an edge; u runs along x, v along z. */
function hangBy(edge: "-x" | "-z", fabric: object) {
    const { scene } = makeWorld();
    const mesh = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 10 }, scene);
    const cloth = new ClothBehavior({
        autoStep: false,
        pins: [{ select: select.edge(edge) }],
        fabric: { shearStiffness: 0, bendStiffness: 0, damping: 4, ...fabric },
    });
    mesh.addBehavior(cloth);
    const lengthOf = (): number => {
        cloth.step(0);
        for (let i = 0; i < 300; i++) cloth.step(1 / 60);
        return Math.max(...Array.from(cloth.getParticlePositions()).map((_, i, all) => (i % 3 === 1 ? -all[i] : 0)));
    };
    return { mesh, cloth, lengthOf };
}

test("a sheet stretches by its warp along u, by its weft along v, and changes live", () => {
    const stretchStiffness = { warp: 20, weft: 60 };
    const expected = (stiffness: number): number => 1 + (0.2 * 9.81) / (2 * stiffness);
    expect(hangBy("-x", { stretchStiffness }).lengthOf()).toBeCloseTo(expected(20), 2);
    const { cloth, lengthOf } = hangBy("-z", { stretchStiffness });
    expect(lengthOf()).toBeCloseTo(expected(60), 2);
    cloth.fabric = { ...cloth.fabric, stretchStiffness: { warp: 60, weft: 20 } };
    expect(lengthOf()).toBeCloseTo(expected(20), 2);
    cloth.fabric = { ...cloth.fabric, stretchStiffness: Infinity };
    expect(lengthOf()).toBeCloseTo(1, 2);
    expect(cloth.fabric.stretchStiffness).toBe(Infinity);
});

test("texture coordinates that are turned turn the threads", () => {
    const { scene } = makeWorld();
    const mesh = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 10 }, scene);
    const uvs = mesh.getVerticesData("uv")!;
    mesh.setVerticesData(
        "uv",
        uvs.map((_, k) => uvs[k ^ 1]),
    );
    const cloth = new ClothBehavior({
        autoStep: false,
        pins: [{ select: select.edge("-x") }],
        fabric: { shearStiffness: 0, damping: 4, stretchStiffness: { warp: Infinity, weft: 20 } },
    });
    mesh.addBehavior(cloth);
    for (let i = 0; i < 300; i++) cloth.step(1 / 60);
    expect(Math.min(...cloth.getParticlePositions())).toBeCloseTo(-1 - (0.2 * 9.81) / 40, 2);
});

test("a mesh without texture coordinates is told so, on attach and later, and stays as it was", () => {
    const { scene } = makeWorld();
    const mesh = MeshBuilder.CreateGround("bare", { width: 1, height: 1, subdivisions: 4 }, scene);
    mesh.geometry!.removeVerticesData("uv");
    const message = (name: string): string =>
        `ClothBehavior: fabric.${name} must be one number on a mesh without texture coordinates ("bare"), got { warp, weft }`;
    const woven = new ClothBehavior({ fabric: { bendStiffness: { warp: 1e-4, weft: 1e-5 } } });
    expect(messageOf(() => mesh.addBehavior(woven))).toBe(message("bendStiffness"));
    expect(woven.attachedNode).toBe(null);

    const cloth = new ClothBehavior({ fabric: { bendStiffness: { warp: 1e-4, weft: 1e-4 } } });
    mesh.addBehavior(cloth);
    const before = cloth.fabric;
    expect(messageOf(() => (cloth.fabric = { stretchStiffness: { warp: 100, weft: 50 } }))).toBe(message("stretchStiffness"));
    expect(cloth.fabric).toBe(before);
});

test.each([
    [{ warp: 1 }, "fabric.bendStiffness.weft must be a number >= 0 (Infinity = inextensible), got undefined"],
    [{ warp: -1, weft: 1 }, "fabric.bendStiffness.warp must be a number >= 0 (Infinity = inextensible), got -1"],
    [{ warp: 1, weft: 1, bias: 1 }, 'fabric.bendStiffness: unknown option "bias"; the options are warp, weft'],
])("wrong: %p", (bendStiffness, message) => {
    const text = messageOf(() => new ClothBehavior({ fabric: { bendStiffness: bendStiffness as never } }));
    expect(text).toBe(`ClothBehavior: ${message}`);
});
