import { Plane } from "@babylonjs/core/Maths/math.plane";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, expect, test } from "@jest/globals";
import { ClothBehavior, RailHold, RopeBehavior, select, Wind } from "../../../src/index";
import { backendNames } from "../../../src/kernels/backend";
import { bytesPerCall } from "../../bench/heap";
import { disposeWorlds, makeSquare, makeWorld } from "./harness";

afterEach(disposeWorlds);

/**
 * An object a particle would be 2500 bytes here, an object a stick 10,000; what is left are numbers that V8 boxes. The
 * benchmark (npm run bench) reports it exactly, with the functions to blame.
 */
const BOUND = 2000;
const FRAMES = 150;

/** Steps a cloth of 169 particles on which all pins, the mesh and the colliders move, in frames of uneven length. */
function busyFrames(backend: ClothBehavior["backend"], withColliders: boolean): () => void {
    const { scene } = makeWorld();
    const mesh = makeSquare(scene, 12);
    const parent = new TransformNode("parent", scene);
    mesh.parent = parent;
    const hand = new TransformNode("hand", scene);
    const ball = MeshBuilder.CreateSphere("ball", { segments: 4 }, scene);
    const floor = MeshBuilder.CreateGround("floor", { width: 9, height: 9 }, scene);
    floor.position.y = -0.5;
    const cloth = new ClothBehavior({
        backend,
        autoStep: false,
        substepCount: 2,
        wind: new Wind({ velocity: new Vector3(2, 0, 1) }),
        pins: [{ select: [0] }, { select: [12], target: hand }],
        colliders: withColliders ? [ball, floor, new Plane(0, 1, 0, 2)] : [],
    });
    mesh.addBehavior(cloth);
    const positions = new Float32Array(cloth.particleCount * 3);
    let frame = 0;
    return () => {
        frame = (frame + 1) % 600;
        parent.position.x = 0.001 * frame;
        hand.position.y = 0.002 * frame;
        ball.position.z = 0.003 * frame;
        cloth.step(frame % 3 === 0 ? 0.021 : 0.009);
        cloth.getParticlePositions(positions);
    };
}

// The scalar contacts are written to be read, and box a number here and there.
const cases = backendNames
    .flatMap((backend) => [false, true].map((withColliders) => [backend, withColliders] as const))
    .filter(([backend, withColliders]) => !(backend === "scalar" && withColliders));

test.each(cases)("a frame in steady state makes no objects (%s, colliders: %p)", (backend, withColliders) => {
    const run = busyFrames(backend, withColliders);
    // Until V8 has compiled what runs, on a busy machine, too: it boxes numbers before.
    for (let i = 0; i < 12 * FRAMES; i++) run();
    expect(bytesPerCall(run, FRAMES)).toBeLessThan(BOUND);
});

test("nor do pins on a rail", () => {
    const { scene } = makeWorld();
    const mesh = makeSquare(scene, 12);
    mesh.rotation.x = -Math.PI / 2;
    const hold = new RailHold([new Vector3(-1, 0, 0.5), new Vector3(0, 0, 0.6), new Vector3(1, 0, 0.5)]);
    const cloth = new ClothBehavior({ autoStep: false, substepCount: 2, pins: [{ select: select.edge("+z"), hold }] });
    mesh.addBehavior(cloth);
    let frame = 0;
    const run = (): void => {
        frame = (frame + 1) % 600;
        mesh.position.x = 0.001 * frame;
        cloth.step(0.02);
    };
    for (let i = 0; i < 12 * FRAMES; i++) run();
    // Jest has each call of Math box its result; Math.hypot took 11,000 bytes.
    expect(bytesPerCall(run, FRAMES)).toBeLessThan(2 * BOUND);
});

test("nor does a rope that a node swings, nor one on a winch", () => {
    const { scene } = makeWorld();
    const path = Array.from({ length: 33 }, (_, i) => new Vector3(i / 16, 0, 0));
    const hook = new TransformNode("hook", scene);
    const tubes = ["swung", "winch"].map((name) => MeshBuilder.CreateTube(name, { path, radius: 0.02, tessellation: 8 }, scene));
    const [swung, winch] = tubes.map(() => new RopeBehavior({ autoStep: false, start: hook, endMass: 0.5, substepCount: 2 }));
    tubes[0].addBehavior(swung);
    tubes[1].addBehavior(winch);
    const seconds = (frame: number): number => (frame % 3 === 0 ? 0.021 : 0.009);
    let frame = 0;
    const swing = (): void => {
        frame = (frame + 1) % 600;
        hook.position.x = 0.001 * frame;
        swung.step(seconds(frame));
    };
    for (let i = 0; i < 12 * FRAMES; i++) swing();
    expect(bytesPerCall(swing, FRAMES)).toBeLessThan(BOUND);
    const wind = (): void => {
        frame = (frame + 1) % 600;
        winch.length = 2 - 0.001 * frame;
        winch.step(seconds(frame));
    };
    for (let i = 0; i < 12 * FRAMES; i++) wind();
    // It took 21,000 bytes, of calls that were recorded for one step.
    expect(bytesPerCall(wind, FRAMES)).toBeLessThan(BOUND);
});

test("the measure sees what it should", () => {
    const kept: Vector3[] = [];
    expect(
        bytesPerCall(() => {
            kept[0] = new Vector3(1, 2, 3);
            kept[1] = select.all() as unknown as Vector3;
        }, FRAMES),
    ).toBeGreaterThan(30);
});
