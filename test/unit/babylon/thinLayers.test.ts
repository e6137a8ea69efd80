// Layers that are to be thinner than particles keep apart.
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { afterEach, expect, jest, test } from "@jest/globals";
import { ClothBehavior } from "../../../src/index";
import { disposeWorlds, listen, makeWorld, told } from "./harness";

afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

test("selfThickness may become thinner than particles keep apart, and thicker again, while cloth lies on cloth", async () => {
    listen("warn");
    const { scene } = makeWorld();
    const floor = MeshBuilder.CreateGround("floor", { width: 9, height: 9 }, scene);
    const [below, above] = [0.05, 0.2].map((y) => {
        const mesh = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 8 }, scene);
        mesh.position.y = y;
        const cloth = new ClothBehavior({ colliders: [floor], selfCollision: "particles", fabric: { damping: 2 } });
        mesh.addBehavior(cloth);
        return cloth;
    });
    await Promise.all([below, above].map((cloth) => cloth.whenReady()));
    const middle = (cloth: ClothBehavior): number => cloth.getParticlePositions()[3 * 40 + 1];
    const gapAt = async (thickness: number | null): Promise<number> => {
        for (const cloth of [below, above]) cloth.selfThickness = thickness;
        await Promise.all([below, above].map((cloth) => cloth.whenReady()));
        for (let frame = 0; frame < 90; frame++) for (const cloth of [below, above]) cloth.step(1 / 60);
        return middle(above) - middle(below);
    };
    expect(await gapAt(null)).toBeGreaterThan(0.05);
    expect(told("warn")).toEqual([]);
    expect(await gapAt(0.01)).toBeLessThan(0.02);
    expect(told("warn").filter((line) => line.includes("by its triangles"))).toHaveLength(2);
    expect(await gapAt(null)).toBeGreaterThan(0.05);
});
