// A rigid body whose mesh was scaled to nothing, and then moved or reset, was nowhere for good: found by worlds at random.
import { Logger } from "@babylonjs/core/Misc/logger";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { afterEach, expect, jest, test } from "@jest/globals";
import { RigidBodyBehavior } from "../../src/index";
import { makeStage } from "../fuzz/lifeStage";

afterEach(() => {
    jest.restoreAllMocks();
});

test.each([
    ["reset", (_: Mesh, body: RigidBodyBehavior) => body.reset()],
    ["moved", (mesh: Mesh) => void (mesh.position.x = 3)],
])("a rigid body that is flattened and %s is somewhere", (_name, act) => {
    jest.spyOn(Logger, "Warn").mockImplementation(() => {});
    const { engine, scene } = makeStage();
    engine.getDeltaTime = () => 1000 / 60;
    const mesh = MeshBuilder.CreateBox("box", { size: 1 }, scene);
    const body = new RigidBodyBehavior({});
    mesh.addBehavior(body);
    for (let f = 0; f < 3; f++) scene.render();
    mesh.scaling.y = 0;
    scene.render();
    act(mesh, body);
    scene.render();
    mesh.scaling.y = 1;
    for (let f = 0; f < 3; f++) scene.render();
    expect(body.getParticlePositions().every(Number.isFinite)).toBe(true);
    expect(mesh.position.y).toBeLessThan(0);
    engine.dispose();
});
