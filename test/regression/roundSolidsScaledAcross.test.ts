import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { afterEach, expect, test } from "@jest/globals";
import { ClothBehavior, select } from "../../src/index";
import { column, disposeWorlds, FRAME, makeSquare, makeWorld } from "../unit/babylon/harness";

afterEach(disposeWorlds);

// Scaled across its axis a cylinder or capsule keeps the larger radius, a squashed capsule its ends. Where they come near was told
// by the pose alone: cloth that slept, or was calm, let them in up to the middle.
const across = { cylinder: [1, 1, 0.05], capsule: [1, 0.05, 1] } satisfies Record<string, [number, number, number]>;

test.each((["cylinder", "capsule"] as const).flatMap((shape) => [0, 0.001].map((sleepSpeed) => ({ shape, sleepSpeed }))))(
    "cloth is met by a moving $shape scaled across, sleepSpeed $sleepSpeed",
    ({ shape, sleepSpeed }) => {
        const { scene, frame } = makeWorld();
        const mesh = makeSquare(scene, 8);
        mesh.rotation.x = -Math.PI / 2;
        const cloth = new ClothBehavior({ sleepSpeed, gravity: { x: 0, y: 0, z: 0 }, pins: [{ select: select.edge("+z") }] });
        mesh.addBehavior(cloth);
        const solid =
            shape === "cylinder"
                ? MeshBuilder.CreateCylinder("solid", { height: 2, diameter: 1, tessellation: 24 }, scene)
                : MeshBuilder.CreateCapsule("solid", { height: 1.2, radius: 0.5 }, scene);
        // What is thin of it faces the cloth.
        solid.scaling.set(...across[shape]);
        if (shape === "capsule") solid.rotation.x = Math.PI / 2;
        solid.position.z = 2;
        expect(cloth.addCollider(solid, { shape }).shape).toBe(shape);
        frame(FRAME, 60);
        expect(cloth.stats.isAsleep).toBe(sleepSpeed > 0);
        while (solid.position.z > 0.3) {
            solid.position.z -= 0.01;
            frame();
        }
        // Its radius is 0.5.
        expect(Math.min(...column(cloth.getParticlePositions(), 2))).toBeLessThan(-0.19);
    },
);
