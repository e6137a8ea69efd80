import { Matrix } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import "@babylonjs/core/Meshes/thinInstanceMesh";
import { afterEach, expect, test } from "@jest/globals";
import { ClothBehavior } from "../../src/index";
import { disposeWorlds, makeSquare, makeWorld, messageOf } from "../unit/babylon/harness";

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
test("a mesh with thin instances is refused as a collider", () => {
    const { scene, engine } = makeWorld();
    engine.getCaps().instancedArrays = true;
    const ball = MeshBuilder.CreateSphere("ball", {}, scene);
    ball.thinInstanceAdd([Matrix.Identity(), Matrix.Translation(7, 0, 0)]);
    expect(messageOf(() => new ClothBehavior().addCollider(ball))).toBe(
        "ClothBehavior: addCollider: source must be a mesh without thin instances (only one of them would count): use instances or clones, got 2",
    );
});
