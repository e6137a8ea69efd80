/** Cloth that lies exactly in the surface of a mesh lies before it, all of it: moved by a hair to both sides, half of it hung through. */
import "@babylonjs/core/Materials/standardMaterial";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { afterEach, expect, test } from "@jest/globals";
import { ClothBehavior } from "../../src/index";
import { disposeWorlds, FRAME, makeWorld } from "../unit/babylon/harness";

afterEach(disposeWorlds);

test.each([0, 1, 1.7])("a sheet that begins in the top of a table that is met as a mesh, %f m high, lies on it", (height) => {
    const { scene, frame } = makeWorld();
    const table = MeshBuilder.CreateBox("table", { width: 4, height: 0.5, depth: 4 }, scene);
    table.position.y = height - 0.25;
    const sheet = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 12, updatable: true }, scene);
    sheet.position.y = height;
    const cloth = new ClothBehavior({ wind: null });
    sheet.addBehavior(cloth);
    cloth.addCollider(table, { shape: "mesh" });
    frame(FRAME, 120);
    const heights = cloth.getParticlePositions().filter((_, i) => i % 3 === 1);
    expect(Math.min(...heights)).toBeGreaterThan(height);
    expect(cloth.stats.isAsleep).toBe(true);
});
