import "@babylonjs/core/Materials/standardMaterial";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { afterEach, expect, test } from "@jest/globals";
import { ClothBuilder } from "../../../src/index";
import { column, disposeWorlds, makeWorld } from "./harness";

afterEach(disposeWorlds);

// It was thrown to the sky at 1,700 m/s: contacts held a link apart, and its pull heeded both.
test("a rope that begins through the ground stays on both sides of it", () => {
    for (const [below, linkCount] of [
        [0.04, 31],
        [0.3, 31],
        [0.04, 64],
    ]) {
        const { scene, frame } = makeWorld();
        const ground = MeshBuilder.CreateGround("ground", { width: 30, height: 30 }, scene);
        const options = { from: new Vector3(0, -below, 0), to: new Vector3(0.1, 1 - below, 1), radius: 0.043 };
        const { rope } = ClothBuilder.CreateRope("rope", { ...options, segmentCount: linkCount, colliders: [ground] }, scene);
        let highest = -Infinity;
        for (let i = 0; i < 60; i++) {
            frame();
            highest = Math.max(highest, ...column(rope.getParticlePositions(), 1));
        }
        expect(highest).toBeLessThan(1.1);
    }
});
