// A crate that slid down a rising board passed the sill at its end, which was as high as the crate: its corners were over the sill or below it, and were pushed
// out by the hair's breadth that this was.
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { afterEach, expect, test } from "@jest/globals";
import { ClothTime, RigidBodyBehavior } from "../../src/index";
import { disposeWorlds, makeWorld } from "../unit/babylon/harness";

afterEach(disposeWorlds);

test.each([
    [0, 0.2],
    [0.3, 0.1],
    [0.54, 0.1],
    [0.54, 0.2],
])("a crate on a board tilted by %f stops at a sill of %f m", async (tilt, height) => {
    const { scene } = makeWorld();
    const board = MeshBuilder.CreateBox("board", { width: 2.4, height: 0.08, depth: 1.1 }, scene);
    const sill = MeshBuilder.CreateBox("sill", { width: 0.08, height, depth: 1.1 }, scene);
    sill.parent = board;
    sill.position.set(-1.16, 0.04 + height / 2, 0);
    board.rotation.z = tilt;
    const crate = MeshBuilder.CreateBox("crate", { width: 0.3, height: 0.2, depth: 0.22 }, scene);
    crate.position.copyFrom(Vector3.TransformCoordinates(new Vector3(0, 0.141, 0.2), board.computeWorldMatrix(true)));
    crate.rotation.z = tilt;
    const body = new RigidBodyBehavior({ friction: 0.15, colliders: [board, sill] });
    crate.addBehavior(body);
    await body.whenReady();
    ClothTime.step(scene, 1 / 60);
    if (tilt === 0) body.applyImpulse(crate.position, new Vector3(-26, 0, 0));
    let least = Infinity;
    for (let i = 1; i <= 150; i++) {
        board.rotation.z = tilt + (0.09 * i) / 60;
        ClothTime.step(scene, 1 / 60);
        const toBoard = board.computeWorldMatrix(true).clone().invert();
        least = Math.min(least, Vector3.TransformCoordinates(crate.position, toBoard).x);
    }
    // Its side at the sill's.
    expect(least).toBeGreaterThan(-0.99);
    expect(least).toBeLessThan(-0.9);
});
