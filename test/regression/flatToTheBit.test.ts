/**
 * What is flat to the last bit cannot buckle: small flags beside a pole hung crushed in their own plane and swung there at 0.1 m/s for ever.
 */
import "@babylonjs/core/Materials/standardMaterial";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { afterEach, expect, test } from "@jest/globals";
import { ClothBuilder } from "../../src/index";
import { disposeWorlds, FRAME, makeWorld } from "../unit/babylon/harness";

afterEach(disposeWorlds);

test.each([
    [1, 32],
    [0.3, 32],
])("a flag of %f m in %d edges beside a pole, in no air, falls asleep, out of its plane", (width, subdivisions) => {
    const { scene, frame } = makeWorld();
    const pole = MeshBuilder.CreateCylinder("pole", { diameter: 0.06 * width, height: 2.5 * width }, scene);
    const { cloth } = ClothBuilder.CreateFlag("flag", { width, height: (2 / 3) * width, subdivisions, pole, wind: null }, scene);
    for (let i = 0; i < 900 && !cloth.stats.isAsleep; i++) frame(FRAME);
    expect(cloth.stats.isAsleep).toBe(true);
    const aside = cloth.getParticlePositions().filter((_, i) => i % 3 === 2);
    expect(Math.max(...aside) - Math.min(...aside)).toBeGreaterThan(0.02 * width);
});

test("the hair by which particles are moved off their places is the same in every run, and none that shows", () => {
    const places = [0, 1].map(() => {
        const { scene, frame } = makeWorld();
        const { cloth } = ClothBuilder.CreateFlag(
            "flag",
            { width: 1, subdivisions: 8, gravity: scene.gravity.scale(0), wind: null },
            scene,
        );
        const before = cloth.getParticlePositions().slice();
        frame(FRAME, 3);
        return { before, after: cloth.getParticlePositions().slice() };
    });
    const [{ before, after }, again] = places;
    expect(again.after).toEqual(after);
    const moved = after.map((x, i) => Math.abs(x - before[i]));
    expect(Math.max(...moved)).toBeLessThan(2e-6);
    expect(moved.filter((x) => x > 0).length).toBeGreaterThan(0.5 * moved.length);
});
