/**
 * Two cloths with triangles that are pinned closer than they are thick: a touch of which one corner alone was free, and far from it, threw that corner
 * as by a lever. They stood still in the picture with 10⁷ to 10¹² J in them.
 */
import "@babylonjs/core/Materials/standardMaterial";
import { afterEach, expect, test } from "@jest/globals";
import { ClothBuilder } from "../../src/index";
import { disposeWorlds, makeWorld } from "../unit/babylon/harness";

afterEach(disposeWorlds);

test.each([0, 1e-4, 3e-3])("cloths that are pinned too close gain no energy without end, %f m apart", (apart) => {
    const world = makeWorld();
    const flags = [0, apart].map((z) => {
        const flag = ClothBuilder.CreateFlag("flag", { selfCollision: "triangles", subdivisions: 8, wind: null }, world.scene);
        flag.position.z = z;
        flag.cloth.sleepSpeed = 0;
        return flag;
    });
    let most = 0;
    for (let f = 0; f < 120; f++) {
        world.frame();
        for (const { cloth } of flags) most = Math.max(most, cloth.stats.kineticEnergy);
    }
    // What falls by half a metre has 1.5 J.
    expect(most).toBeLessThan(3);
});
