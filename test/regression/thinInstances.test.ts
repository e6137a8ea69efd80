import { Matrix } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import "@babylonjs/core/Meshes/thinInstanceMesh";
import { afterEach, expect, test } from "@jest/globals";
import { ClothBehavior } from "../../src/index";
import { disposeWorlds, makeSquare, makeWorld } from "../unit/babylon/harness";

afterEach(disposeWorlds);

/** The bounds of the mesh alone were written over those of all. */
test("bounds of a running cloth cover the thin instances that were added to it", () => {
    const { scene, engine, frame } = makeWorld();
    engine.getCaps().instancedArrays = true;
    const mesh = makeSquare(scene);
    const cloth = new ClothBehavior();
    mesh.addBehavior(cloth);
    frame(undefined, 2);
    mesh.thinInstanceAdd([Matrix.Identity(), Matrix.Translation(7, 0, 0)]);
    frame(undefined, 30);
    const { minimumWorld, maximumWorld } = mesh.getBoundingInfo().boundingBox;
    expect(maximumWorld.x).toBeCloseTo(7.5);
    expect(minimumWorld.x).toBeCloseTo(-0.5);
    expect(maximumWorld.y).toBeLessThan(-0.5);
    mesh.removeBehavior(cloth);
    expect(mesh.getBoundingInfo().boundingBox.maximumWorld.x).toBeCloseTo(7.5);
    expect(mesh.getBoundingInfo().boundingBox.minimumWorld.y).toBe(0);
});

/** It silently counted where its own matrix put it. */
test("each thin instance of a mesh is a solid, where it is", () => {
    const { scene, engine, frame } = makeWorld();
    engine.getCaps().instancedArrays = true;
    const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.6 }, scene);
    ball.position.y = -0.4;
    ball.thinInstanceAdd([Matrix.Translation(50, 0, 0), Matrix.Translation(7, 0, 0)]);
    const mesh = makeSquare(scene, 12);
    mesh.position.x = 7;
    const cloth = new ClothBehavior({ colliders: [ball], fabric: { thickness: 0.01 } });
    mesh.addBehavior(cloth);
    frame(undefined, 40);
    expect(highest(cloth)).toBeCloseTo(-0.09, 1);
    // Moved, and one more.
    ball.thinInstanceSetMatrixAt(1, Matrix.Translation(90, 0, 0));
    frame(undefined, 40);
    expect(highest(cloth)).toBeLessThan(-0.8);
    mesh.removeBehavior(cloth);
    mesh.addBehavior(cloth);
    ball.thinInstanceAdd([Matrix.Translation(7, 0, 0)]);
    frame(undefined, 40);
    expect(highest(cloth)).toBeGreaterThan(-0.2);
});

function highest(cloth: ClothBehavior): number {
    return cloth.getParticlePositions().reduce((most, x, i) => (i % 3 === 1 ? Math.max(most, x) : most), -Infinity);
}
