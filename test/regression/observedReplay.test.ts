import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { afterEach, expect, test } from "@jest/globals";
import { ClothBehavior, select } from "../../src/index";
import { difference, disposeWorlds, FRAME, makeSquare, makeWorld } from "../unit/babylon/harness";

afterEach(disposeWorlds);

// A cloth whose times are read is not calm. Where a solid was near enough for further passes, but not for the calm to end, it moved
// otherwise than one whose times are not.
test("reading a cloth's times changes nothing of its motion", () => {
    for (const shape of ["sphere", "box", "hull", "capsule", "cylinder", "mesh"] as const) {
        const [watched, alone] = [true, false].map((isWatched) => {
            const { scene, frame } = makeWorld();
            const mesh = makeSquare(scene, 6);
            mesh.rotation.x = -1;
            const cloth = new ClothBehavior({ substepCount: 1, pins: [{ select: select.edge("+z") }] });
            mesh.addBehavior(cloth);
            const solid = MeshBuilder.CreateBox("solid", { width: 2, height: 0.2, depth: 0.2 }, scene);
            cloth.addCollider(solid, { shape });
            for (let i = 0; i < 90; i++) {
                if (isWatched) void cloth.stats.milliseconds;
                // Along the cloth at first, then turned by half a radian a frame.
                solid.position.set(0, -0.4, -0.7 + 0.001 * i);
                solid.rotation.y = Math.max(0, i - 45) / 2;
                solid.rotation.z = i / 60;
                frame(FRAME);
            }
            return cloth.getParticlePositions();
        });
        expect(difference(watched, alone)).toBe(0);
    }
});
