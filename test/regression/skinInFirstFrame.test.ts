/**
 * The cape of the gallery, whose wearer has gone on for 50 ms before its first frame, as pages do while they load: the cloth came along, its legs
 * stood in it from one frame to the next, and particles left them by the wrong side. An edge stayed snagged, 280 % too long.
 */
import { readFileSync } from "node:fs";
import { FreeCamera } from "@babylonjs/core/Cameras/freeCamera";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { afterEach, expect, test } from "@jest/globals";
import { scenes } from "../../playground/gallery";
import { disposeWorlds, makeWorld } from "../unit/babylon/harness";

afterEach(disposeWorlds);

test.each([33.4, 50])("a first frame of %d ms leaves a cape on its wearer", async (milliseconds) => {
    const { scene, frame } = makeWorld();
    new FreeCamera("camera", new Vector3(0, 1, -4), scene);
    const model = readFileSync("playground/assets/walker.glb").toString("base64");
    const world = await scenes.find(({ id }) => id === "cape")!.create(scene, { "walker.glb": `data:;base64,${model}` });
    let time = 0;
    for (let f = 0; f < 8; f++) {
        time += milliseconds / 1000;
        world.update!(time);
        frame(milliseconds);
        expect(world.cloths[0].stats.maxStretch).toBeLessThan(0.2);
    }
});
