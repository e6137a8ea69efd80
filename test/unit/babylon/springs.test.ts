/** Springs between vertices of cloth, ropes and plants. */
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import {
    ClothBehavior,
    ClothFiles,
    ClothTearing,
    PlantBehavior,
    RopeBehavior,
    select,
    Spring,
    RigidBodyBehavior,
} from "babylon-cloth";
import type { BodyVertex, SpringOptions } from "babylon-cloth";
import { disposeWorlds, FRAME, listen, makeSquare, makeWorld, messageOf, toldBesidesAdvice } from "./harness";

beforeEach(() => listen("warn"));
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

const WEIGHT = 0.5 * 9.81;

/** A sheet on its corners, and a rope with half a kilo that hangs on its middle by a spring. */
function hang(options: SpringOptions = { stiffness: 200, damping: 2, length: 0.3 }, sleepSpeed = 0) {
    const world = makeWorld();
    const { scene } = world;
    scene.gravity = new Vector3(0, -9.81, 0);
    const mesh = makeSquare(scene, 8);
    const cloth = new ClothBehavior({ fabric: { damping: 2 }, pins: [{ select: select.corners() }], sleepSpeed });
    const line = MeshBuilder.CreateLines("line", { points: [-0.3, -0.4].map((y) => new Vector3(0, y, 0)) }, scene);
    const rope = new RopeBehavior({ endMass: 0.5, linearDensity: 1e-3, damping: 2, sleepSpeed });
    mesh.addBehavior(cloth);
    line.addBehavior(rope);
    const ends: [BodyVertex, BodyVertex] = [
        { body: cloth, vertex: 40 },
        { body: rope, vertex: 0 },
    ];
    const spring = new Spring(...ends, options);
    /** Newtons, as a mean of a second. */
    const force = (): number => {
        let sum = 0;
        for (let k = 0; k < 60; k++) {
            world.frame();
            sum += spring.force / 60;
        }
        return sum;
    };
    return { world, scene, mesh, cloth, line, rope, spring, ends, force };
}

const lowest = (body: ClothBehavior | RopeBehavior | PlantBehavior): number =>
    Math.min(...body.getParticlePositions().filter((_, k) => k % 3 === 1));

test("it bears what hangs on it, as it is told meanwhile", () => {
    const { world, rope, spring, force, cloth } = hang();
    world.frame(FRAME, 240);
    expect(Math.abs(force() / WEIGHT - 1)).toBeLessThan(0.02);
    const gap = (): number => cloth.getParticlePositions()[121] - rope.getParticlePositions()[1];
    expect(gap()).toBeCloseTo(0.3 + WEIGHT / 200, 3);
    spring.stiffness = 50;
    world.frame(FRAME, 300);
    expect(gap()).toBeCloseTo(0.3 + WEIGHT / 50, 2);
    spring.length = 0.1;
    world.frame(FRAME, 300);
    expect(gap()).toBeCloseTo(0.1 + WEIGHT / 50, 2);
    expect(toldBesidesAdvice()).toEqual([]);
});

test("its length is what its ends have between them, and one end may come later", () => {
    const { spring, mesh, cloth, world, rope } = hang({});
    expect([spring.length, spring.stiffness, spring.damping, spring.breakForce]).toEqual([
        expect.closeTo(0.3, 5),
        100,
        0,
        Infinity,
    ]);
    mesh.removeBehavior(cloth);
    world.frame(FRAME, 30);
    expect(spring.force).toBe(0);
    expect(lowest(rope)).toBeLessThan(-1);
    rope.reset();
    mesh.addBehavior(cloth);
    world.frame(FRAME, 120);
    expect(lowest(rope)).toBeGreaterThan(-1);
    expect(spring.length).toBeCloseTo(0.3, 5);
});

test("within one sheet it draws two corners together, and is let go", () => {
    const world = makeWorld();
    const mesh = makeSquare(world.scene, 6);
    const cloth = new ClothBehavior({ gravity: Vector3.Zero(), fabric: { damping: 3 } });
    const spring = new Spring(
        { body: cloth, vertex: 0 },
        { body: cloth, vertex: 48 },
        { stiffness: 20, length: 0.7, damping: 0.1 },
    );
    mesh.addBehavior(cloth);
    world.frame(FRAME, 300);
    const gap = (): number => {
        const x = cloth.getParticlePositions();
        const [a, b] = [0, 48].map((v) => 3 * cloth.particleOfVertex(v));
        return Math.hypot(x[a] - x[b], x[a + 1] - x[b + 1], x[a + 2] - x[b + 2]);
    };
    expect(Math.abs(gap() - 0.7)).toBeLessThan(0.07);
    expect(cloth.onBeforeStepObservable.hasObservers()).toBe(true);
    spring.dispose();
    expect([spring.isBroken, spring.force, cloth.onBeforeStepObservable.hasObservers()]).toEqual([true, 0, false]);
    world.frame(FRAME, 60);
});

test("a plant and a sheet of other substeps; stepped by hand, alone; not of another time step", () => {
    const world = makeWorld();
    const { scene } = world;
    scene.gravity = new Vector3(0, -9.81, 0);
    const mesh = makeSquare(scene, 4);
    mesh.position.set(0, 0.2, 0);
    const cloth = new ClothBehavior({ substepCount: 2, fabric: { damping: 1 } });
    mesh.addBehavior(cloth);
    const stem = MeshBuilder.CreateCylinder("stem", { height: 1, diameter: 0.1, tessellation: 6, subdivisions: 6 }, scene);
    stem.position.set(0, 0.8, 0);
    const plant = new PlantBehavior({ stiffness: 1e6, pins: [{ select: select.edge("+y") }] });
    stem.addBehavior(plant);
    const x = plant.attachedNode!.getVerticesData("position")!;
    const vertex = Array.from({ length: x.length / 3 }, (_, v) => v).find((v) => x[3 * v + 1] < -0.49)!;
    const spring = new Spring({ body: cloth, vertex: 12 }, { body: plant, vertex }, { stiffness: 100, damping: 1 });
    world.frame(21, 200);
    // A square metre of cloth hangs on it.
    expect(spring.force / (0.2 * 9.81)).toBeGreaterThan(0.9);
    expect(spring.force / (0.2 * 9.81)).toBeLessThan(1.1);
    const before = lowest(cloth);
    for (let k = 0; k < 60; k++) cloth.step(1 / 60);
    expect(Math.abs(lowest(cloth) - before)).toBeLessThan(0.05);
    plant.fixedTimeStep = 1 / 120;
    world.frame(21, 20);
    expect(toldBesidesAdvice()).toEqual([
        expect.stringContaining("it holds nothing, since its bodies have different fixedTimeSteps"),
    ]);
    cloth.fixedTimeStep = 1 / 120;
    world.frame(21, 20);
    expect(spring.force).not.toBe(0);
});

test("both sleep, and wake together", () => {
    const { world, rope, cloth } = hang({ stiffness: 200, damping: 5, length: 0.3 }, 0.05);
    cloth.fabric = { damping: 10 };
    rope.damping = 10;
    world.frame(FRAME, 400);
    expect([rope.stats.isAsleep, cloth.stats.isAsleep]).toEqual([true, true]);
    rope.applyImpulse(new Vector3(0, -0.4, 0), new Vector3(0.5, 0, 0), 5);
    world.frame(FRAME, 4);
    expect([rope.stats.isAsleep, cloth.stats.isAsleep]).toEqual([false, false]);
});

test("a force that is too much breaks it", () => {
    const { world, spring, rope } = hang({ stiffness: 200, length: 0.3, breakForce: 4 });
    world.frame(FRAME, 60);
    expect([spring.isBroken, spring.force]).toEqual([true, 0]);
    expect(lowest(rope)).toBeLessThan(-2);
});

test.each([0, 1])("who is disposed lets the other go on: %s", (which) => {
    const { world, mesh, line, cloth, rope } = hang();
    world.frame(FRAME, 60);
    [mesh, line][which].dispose();
    world.frame(FRAME, 60);
    const left = [rope, cloth][which];
    expect(left.getParticlePositions().every((v) => Number.isFinite(v))).toBe(true);
    if (which === 0) expect(lowest(rope)).toBeLessThan(-2);
});

test("a sheet at the end of one is copied, torn and written to files as if it were not there", () => {
    const { world, scene, mesh, cloth, force } = hang();
    world.frame(FRAME, 10);
    const copy = mesh.clone("copy");
    expect(copy.behaviors.map(({ name }) => name)).toEqual(["Cloth"]);
    const data = ClothFiles.serialize(cloth, { state: true });
    const parsed = ClothFiles.parse<ClothBehavior>(data, scene);
    makeSquare(scene, 8).addBehavior(parsed);
    expect(parsed.pins.length).toBe(1);
    const tearing = new ClothTearing();
    mesh.addBehavior(tearing);
    expect(tearing.cut(new Vector3(-0.4, 0, 0.3), new Vector3(0.4, 0, 0.3))).toBe(true);
    world.frame(FRAME, 240);
    expect(Math.abs(force() / WEIGHT - 1)).toBeLessThan(0.05);
    expect(toldBesidesAdvice()).toEqual([]);
});

describe("errors", () => {
    const { NaN: none } = Number;
    test.each([
        [{ stiffness: none }, "Spring: stiffness must be a finite number >= 0, got NaN"],
        [{ stiffness: 1e7 }, "Spring: stiffness must be a number from 0 to 1000000, got 10000000"],
        [{ damping: -1 }, "Spring: damping must be a finite number >= 0, got -1"],
        [{ length: Infinity }, "Spring: length must be a finite number >= 0, got Infinity"],
        [{ breakForce: none }, "Spring: breakForce must be a finite number > 0, got NaN"],
        [{ strength: 1 }, "Spring: unknown option"],
    ])("%j", (options, message) => {
        const { ends, cloth } = hang();
        const observers = cloth.onBeforeStepObservable.observers.length;
        expect(messageOf(() => new Spring(...ends, options as SpringOptions))).toContain(message);
        expect(cloth.onBeforeStepObservable.observers.length).toBe(observers);
    });

    test("ends", () => {
        const { ends, cloth, scene } = hang();
        const [end] = ends;
        const crate = new RigidBodyBehavior();
        MeshBuilder.CreateBox("crate", {}, scene).addBehavior(crate);
        const of = (second: unknown): string => messageOf(() => new Spring(end, second as BodyVertex));
        expect(of(null)).toBe("Spring: second must be { body, vertex }, got null");
        expect(of({ body: {}, vertex: 0 })).toContain("Spring: second.body must be a ClothBehavior, RopeBehavior or PlantBehavior");
        expect(of({ body: crate, vertex: 0 })).toContain(
            "Spring: second.body must be a ClothBehavior, RopeBehavior or PlantBehavior",
        );
        expect(of({ body: cloth, vertex: 81 })).toBe("Spring: second.vertex must be an integer from 0 to 80, got 81");
        expect(of({ body: cloth, vertex: none })).toBe("Spring: second.vertex must be an integer from 0 to 80, got NaN");
        expect(of({ body: cloth, vertex: 40 })).toBe("Spring: second.vertex must be another one than the first, got 40");
        const other = makeWorld().scene;
        const far = new ClothBehavior();
        makeSquare(other, 4).addBehavior(far);
        expect(of({ body: far, vertex: 0 })).toBe('Spring: second.body must be one of the first\'s scene, got "square"');
        expect(toldBesidesAdvice()).toEqual([]);
    });
});
