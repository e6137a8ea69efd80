/**
 * Measures what a frame makes on the heap and prints it, bytes by name, as JSON. Plain Node in a process of its own: in one that
 * Jest shares among tests V8 may have given up compiling a function that other tests have run with other types, and boxes numbers
 * there for good.
 *
 *     node --import ./.ci/ts.mjs test/unit/babylon/allocated.ts
 */
import "../../../src/babylon/skin/allModules";
import { Plane } from "@babylonjs/core/Maths/math.plane";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Particle } from "@babylonjs/core/Particles/particle";
import { ParticleSystem } from "@babylonjs/core/Particles/particleSystem";
import {
    ClothBehavior,
    ClothParticles,
    Forces,
    MaxDistanceHold,
    PlaneHold,
    PlantBehavior,
    RailHold,
    RopeBehavior,
    select,
    Spring,
    RigidBodyBehavior,
    Wind,
} from "../../../src/index";
import { bytesPerCall } from "../../bench/heap";
import { layPile } from "../../bench/pile";
import { createSquare, createWorld, ownFrameOf } from "../../bench/world";
import { makeSleeve } from "./skins";

/** What keeps cloth apart. */
const TIERS = ["particles", "triangles", "robust"] as const;

/** Frames of a reading. */
const FRAMES = 150;

/** Bytes of a frame, after so many readings, that no further reading is taken for: those of an early one, and those that the test allows. */
const ENOUGH = [
    [0, 500],
    [10, 900],
] as const;

/**
 * Bytes that a frame makes once V8 has compiled what runs. Until then it boxes numbers, and on a busy machine that lasts: what a
 * frame makes for good is there in each reading, so that more of them are taken while it makes more than {@link ENOUGH}.
 */
function steadyBytes(run: () => void): number {
    let bytes = Infinity;
    for (let reading = 0; reading < 40 && !ENOUGH.some(([least, bound]) => reading >= least && bytes <= bound); reading++)
        bytes = Math.min(bytes, bytesPerCall(run, FRAMES, 2));
    return bytes;
}
/** Steps a cloth of 169 particles on which all pins, the mesh and the colliders move, in frames of uneven length. */
function busyFrames(withColliders: boolean): () => void {
    const scene = createWorld();
    const mesh = createSquare(scene, 13);
    const parent = new TransformNode("parent", scene);
    mesh.parent = parent;
    const hand = new TransformNode("hand", scene);
    const ball = MeshBuilder.CreateSphere("ball", { segments: 4 }, scene);
    const floor = MeshBuilder.CreateGround("floor", { width: 9, height: 9 }, scene);
    floor.position.y = -0.5;
    const cloth = new ClothBehavior({
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

/** A sheet on whose middle a rope hangs by a spring, with forces added to it. */
function springFrames(): () => void {
    const scene = createWorld();
    const mesh = createSquare(scene, 13);
    const cloth = new ClothBehavior({ pins: [{ select: select.corners() }] });
    mesh.addBehavior(cloth);
    const line = MeshBuilder.CreateLines("line", { points: [0, 0.1, 0.2].map((y) => new Vector3(0, -0.5 - y, 0)) }, scene);
    const rope = new RopeBehavior({ endMass: 0.2 });
    line.addBehavior(rope);
    const up = new Vector3(0, 0.1, 0);
    const velocities = new Float32Array(3 * cloth.particleCount);
    new Forces(cloth, (forces) => {
        forces.addToAll(up);
        forces.readVelocities(velocities);
        const { sum } = forces;
        for (let q = 0; q < velocities.length; q++) sum[q] -= 1e-4 * velocities[q];
        forces.addAt(up, up);
    });
    new Spring({ body: cloth, vertex: 84 }, { body: rope, vertex: 0 }, { damping: 0.1 });
    return ownFrameOf(scene);
}

/** A cloth whose edge hangs on a rail that moves. */
function railFrames(): () => void {
    const mesh = createSquare(createWorld(), 13);
    mesh.rotation.x = -Math.PI / 2;
    const hold = new RailHold([new Vector3(-1, 0, 0.5), new Vector3(0, 0, 0.6), new Vector3(1, 0, 0.5)]);
    const cloth = new ClothBehavior({ autoStep: false, substepCount: 2, pins: [{ select: select.edge("+z"), hold }] });
    mesh.addBehavior(cloth);
    let frame = 0;
    return () => {
        frame = (frame + 1) % 600;
        mesh.position.x = 0.001 * frame;
        cloth.step(0.02);
    };
}

/** A rope of 33 particles that hangs on a node; `move` is called before each step, with the number of the frame. */
function ropeFrames(move: (hook: TransformNode, rope: RopeBehavior, frame: number) => void): () => void {
    const scene = createWorld();
    const path = Array.from({ length: 33 }, (_, i) => new Vector3(i / 16, 0, 0));
    const hook = new TransformNode("hook", scene);
    const rope = new RopeBehavior({ autoStep: false, start: hook, endMass: 0.5, substepCount: 2 });
    MeshBuilder.CreateTube("rope", { path, radius: 0.02, tessellation: 8 }, scene).addBehavior(rope);
    let frame = 0;
    return () => {
        frame = (frame + 1) % 600;
        move(hook, rope, frame);
        rope.step(frame % 3 === 0 ? 0.021 : 0.009);
    };
}

/** A sleeve of which most is pinned to the skin, while a bone moves. */
function sleeveFrames(): () => void {
    const { mesh, bones } = makeSleeve(createWorld(), { rows: 12 });
    const cloth = new ClothBehavior({
        autoStep: false,
        substepCount: 2,
        maxDistance: Float32Array.from({ length: 156 }, (_, v) => (v < 100 ? 0 : 0.2)),
        backstop: { distance: 0.01 },
        skinStiffness: 3,
        pins: [{ select: [0, 1, 2] }],
    });
    mesh.addBehavior(cloth);
    let frame = 0;
    return () => {
        frame = (frame + 1) % 600;
        bones[1].getLocalMatrix().setRowFromFloats(3, 0.0001 * frame, 0.2, 0, 1);
        bones[1].markAsDirty();
        cloth.step(frame % 3 === 0 ? 0.021 : 0.009);
    };
}

/** A crate that rocks on the ground, pushed now and then. */
function crateFrames(): () => void {
    const scene = createWorld();
    const ground = MeshBuilder.CreateGround("ground", { width: 50, height: 50 }, scene);
    const crate = MeshBuilder.CreateBox("crate", { size: 0.5 }, scene);
    crate.position.y = 0.6;
    const body = new RigidBodyBehavior({
        autoStep: false,
        gravity: new Vector3(0, -9.81, 0),
        sleepSpeed: 0,
        friction: 0.1,
        colliders: [ground],
        // Out of its way: what it asks is asked in every substep.
        pins: [
            { select: [0, 1], hold: new MaxDistanceHold(5) },
            { select: [2, 3], hold: new PlaneHold(Vector3.Right(), { point: new Vector3(0.25, 0, 0) }) },
        ],
    });
    crate.addBehavior(body);
    return () => body.step(0.02);
}

/** A leaf, pushed about, between two curtains that keep off it. */
function leafFrames(): () => void {
    const scene = createWorld();
    for (const z of [-0.02, 0.02]) {
        const mesh = createSquare(scene, 13);
        mesh.rotation.x = -Math.PI / 2;
        mesh.position.z = z;
        mesh.addBehavior(
            new ClothBehavior({
                substepCount: 2,
                pins: [{ select: select.edge("+z") }],
                selfCollision: "triangles",
                sleepSpeed: 0,
            }),
        );
    }
    const hand = new TransformNode("hand", scene);
    const leaf = MeshBuilder.CreateGround("leaf", { width: 0.1, height: 0.4, subdivisions: 6 }, scene);
    leaf.position.y = -0.3;
    const pins = [{ select: select.edge("+z"), target: hand }];
    leaf.addBehavior(new PlantBehavior({ substepCount: 2, pins, selfCollision: "triangles", sleepSpeed: 0 }));
    const frame = ownFrameOf(scene);
    let count = 0;
    return () => {
        count = (count + 1) % 300;
        hand.position.x = 0.1 * Math.sin((count * Math.PI) / 150);
        frame();
    };
}

/** Crates in a stack, all of them in one frame of the scene. */
function stackFrames(): () => void {
    const scene = createWorld();
    const ground = MeshBuilder.CreateGround("ground", { width: 50, height: 50 }, scene);
    for (let i = 0; i < 10; i++) {
        const crate = MeshBuilder.CreateBox("crate", { size: 0.5 }, scene);
        crate.position.y = 0.26 + 0.51 * i;
        crate.addBehavior(new RigidBodyBehavior({ sleepSpeed: 0, colliders: [ground] }));
    }
    return ownFrameOf(scene);
}

/** Drops that fall on a cloth and the ground, one of them born in each frame; Babylon's own update of them is left out. */
function rainFrames(): () => void {
    const scene = createWorld();
    const mesh = createSquare(scene, 13);
    const cloth = new ClothBehavior({ autoStep: false, pins: [{ select: [0, 12, 156, 168] }] });
    mesh.addBehavior(cloth);
    const floor = MeshBuilder.CreateGround("floor", { width: 9, height: 9 }, scene);
    floor.position.y = -2;
    const system = new ParticleSystem("drops", 64, scene);
    const { particles } = system;
    system.updateFunction = () => undefined;
    system.start();
    const drops = new ClothParticles(system, { cloths: [cloth], colliders: [floor], wind: new Wind(), mass: 1e-5 });
    for (let i = 0; i < 60; i++) {
        const particle = new Particle(system);
        particle.position.set(0.02 * i - 0.6, 0.2 + 0.01 * i, 0.013 * i - 0.4);
        particles.push(particle);
    }
    scene.getEngine().getDeltaTime = () => 1000 / 60;
    return () => {
        cloth.step(1 / 60);
        // The last has died, and another has its place.
        const last = particles[59];
        last.id += 100;
        last.position.set(0.1, 0.4, 0.1);
        last.direction.set(0, -2, 0);
        scene.onBeforeRenderObservable.notifyObservers(scene);
        system.updateFunction(particles);
        if (drops.particleCount !== 60) throw new Error(`there are ${drops.particleCount} drops`);
    };
}

const kept: Vector3[] = [];

/** Two curtains that keep off each other, one of which is swung into the other. */
function layerFrames(selfCollision: ClothBehavior["selfCollision"]): () => void {
    const scene = createWorld();
    const hand = new TransformNode("hand", scene);
    for (const target of [null, hand]) {
        const mesh = createSquare(scene, 13);
        mesh.rotation.x = -Math.PI / 2;
        mesh.position.z = target ? 0.1 : 0;
        const pins = [{ select: select.edge("+z"), target }];
        mesh.addBehavior(new ClothBehavior({ substepCount: 2, pins, selfCollision, sleepSpeed: 0 }));
    }
    const frame = ownFrameOf(scene);
    let count = 0;
    return () => {
        count = (count + 1) % 300;
        hand.position.z = -0.15 * Math.sin((count * Math.PI) / 150);
        frame();
    };
}

const cases: Record<string, () => void> = {
    // The first: objects of bodies that are made early have made V8 box the numbers of those that come later.
    "a stack of crates": stackFrames(),
    "a rail": railFrames(),
    "a swung rope": ropeFrames((hook, _, frame) => (hook.position.x = 0.001 * frame)),
    "a crate": crateFrames(),
    rain: rainFrames(),
    "a winch": ropeFrames((_, rope, frame) => (rope.length = 2 - 0.001 * frame)),
    "a vector each": () => (kept[0] = new Vector3(1, 2, 3)),
};
for (const tier of TIERS) cases[`layers, ${tier}`] = layerFrames(tier);
cases.wasm = busyFrames(false);
cases["wasm with colliders"] = busyFrames(true);
cases["a spring and forces"] = springFrames();
const bytes = Object.fromEntries(Object.entries(cases).map(([name, run]) => [name, steadyBytes(run)]));
// Made last: a plant between cloth has V8 box numbers of what has a spring.
bytes["a leaf between curtains"] = steadyBytes(leafFrames());
bytes["a sleeve"] = steadyBytes(sleeveFrames());
// About 500 bytes, whatever is compiled. In npm run test:all only: all of it is in contact, which takes long.
for (const tier of process.env.CLOTH_TESTS === "all" ? TIERS : [])
    bytes[`a pile, ${tier}`] = steadyBytes(layPile(createWorld(), tier));
console.log(JSON.stringify(bytes));
