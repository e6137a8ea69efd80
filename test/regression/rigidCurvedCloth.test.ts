// Cloth that is curved at rest and bends by nothing shook by itself, at 22 m/s: stencils that see little curvature at rest were taken for
// flat ones, and pressed flat what others held curved.
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { Scene } from "@babylonjs/core/scene";
import { afterAll, expect, test } from "@jest/globals";
import { Fabrics } from "../../src/engine/index";
import { makeCloth, measure, runSteps } from "../physics/support";
import { sheetOf } from "../fuzz/sheetOf";

const engine = new NullEngine();
const scene = new Scene(engine);
afterAll(() => engine.dispose());

const meshes = {
    torus: () => MeshBuilder.CreateTorus("m", { diameter: 1, thickness: 0.35, tessellation: 14 }, scene),
    cylinder: () => MeshBuilder.CreateCylinder("m", { tessellation: 24, subdivisions: 10 }, scene),
    capsule: () => MeshBuilder.CreateCapsule("m", { radius: 0.3, height: 1.5 }, scene),
};

test.each(Object.entries(meshes))("%s: what rests goes on resting, however stiff", (_name, make) => {
    for (const bendStiffness of [1e6, Infinity]) {
        const cloth = makeCloth(sheetOf(make())!, {
            fabric: { ...Fabrics.cotton, damping: 0, bendStiffness },
            gravity: [0, 0, 0],
            substepCount: 16,
        });
        const { mass } = measure(cloth);
        runSteps(cloth, 60);
        expect(Math.sqrt((2 * measure(cloth).kinetic) / mass)).toBeLessThan(5e-3);
    }
});
