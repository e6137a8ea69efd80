import { readFileSync } from "node:fs";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { Logger } from "@babylonjs/core/Misc/logger";
import { Scene } from "@babylonjs/core/scene";
import "@babylonjs/loaders/glTF/2.0";
import { expect, test } from "@jest/globals";
import { RigidBodyHinge } from "../../../src/index";
import { run } from "../../../playground/gallery";
import { create } from "../../../playground/scenes/ragdoll";

Logger.LogLevels = Logger.ErrorLogLevel;

test("the figure of the gallery falls down all stairs, and neither knees nor elbows bend the wrong way", async () => {
    const engine = new NullEngine();
    const scene = new Scene(engine);
    const walker = `data:;base64,${readFileSync("playground/assets/walker.glb").toString("base64")}`;
    const world = await create(scene, { "walker.glb": walker });
    const { limbs } = world.ragdolls[0];
    let most = 0;
    for (let time = 0; time < 5.9;) {
        time = run(scene, world, time, 1 / 60);
        for (const { bone, joint } of limbs) {
            const forwards = { forearm: -1, shin: 1 }[bone.name.replace(/[LR]$/, "")];
            if (!forwards || !joint) continue;
            expect(joint).toBeInstanceOf(RigidBodyHinge);
            const angle = forwards * (joint as RigidBodyHinge).angle;
            expect(angle).toBeGreaterThan(-0.1);
            expect(angle).toBeLessThan(2.5);
            most = Math.max(most, angle);
        }
    }
    expect(most).toBeGreaterThan(1);
    expect(limbs[0].mesh.position.y).toBeLessThan(0.2);
    engine.dispose();
});
