import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { ClothBehavior } from "../../src/index";
import { column, disposeWorlds, FRAME, listen, makeSquare, makeWorld } from "../unit/babylon/harness";

beforeEach(() => listen("warn"));
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

// Where the origin of simulation space follows the cloth, the rectangle's old plane stayed behind: it seemed to have risen by
// 256 m within a substep, what lay on it counted as behind it, and fell.
test("a ground that rises past 256 m keeps the cloth on it, whichever way it goes", () => {
    for (const [x, y, z] of [
        [0, 1, 0],
        [1, -0.1, 0],
        [0.8, 0.3, -0.5],
    ]) {
        const { scene, frame } = makeWorld();
        const ground = MeshBuilder.CreateGround("lift", { width: 5, height: 5 }, scene);
        const mesh = makeSquare(scene, 4);
        mesh.position.y = 0.02;
        const cloth = new ClothBehavior({ wind: null, colliders: [ground], fabric: { friction: 100 } });
        mesh.addBehavior(cloth);
        frame(FRAME, 10);
        for (let i = 0; i < 400; i++) {
            const way = Math.min(i, 100) / 100;
            ground.position.addInPlaceFromFloats(way * x, way * y, way * z);
            frame(FRAME);
        }
        const heights = column(cloth.getParticlePositions(), 1).map((height) => height - ground.position.y);
        expect(Math.min(...heights)).toBeGreaterThan(0);
        expect(Math.max(...heights)).toBeLessThan(0.05);
    }
});
