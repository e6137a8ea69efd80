/**
 * A sheared cell's compressed diagonal pushed along its present direction, and so drove what swings across it: a flag let go in no air circled for ever, at
 * 17 cm/s, against its fabric's damping.
 */
import "@babylonjs/core/Materials/standardMaterial";
import { afterEach, expect, test } from "@jest/globals";
import { ClothBuilder } from "../../src/index";
import { disposeWorlds, makeWorld } from "../unit/babylon/harness";

afterEach(disposeWorlds);

test.each([
    ["cotton", 60],
    ["silk", 60],
    ["nylon", 60],
    ["cotton", 144],
] as const)("a flag of %s, let go in no air, comes to rest at %d Hz", (fabric, rate) => {
    const { scene, frame } = makeWorld();
    const { cloth } = ClothBuilder.CreateFlag("flag", { fabric, wind: null, fixedTimeStep: 1 / rate }, scene);
    for (let i = 0; i < 25 * rate; i++) frame(1000 / rate);
    const { arealDensity } = cloth.fabric;
    expect(Math.sqrt((2 * cloth.stats.kineticEnergy) / (1.5 * arealDensity))).toBeLessThan(0.04);
});
