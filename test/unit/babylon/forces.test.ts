/** Forces that users add. */
import { afterEach, describe, expect, test } from "@jest/globals";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Scene } from "@babylonjs/core/scene";
import { ClothBehavior, Forces, PlantBehavior, RopeBehavior, RigidBodyBehavior } from "babylon-cloth";
import type { SolverName } from "babylon-cloth";
import { disposeWorlds, FRAME, makeSquare, makeWorld, messageOf } from "./harness";

afterEach(disposeWorlds);

/** A square metre of 0.2 kg that nothing holds. */
function floatSheet(options: { substepCount?: number; sleepSpeed?: number; solver?: SolverName } = {}) {
    const world = makeWorld();
    const mesh = makeSquare(world.scene, 6);
    const fabric = { arealDensity: 0.2, damping: 0 };
    const cloth = new ClothBehavior({ wind: null, gravity: Vector3.Zero(), fabric, ...options });
    mesh.addBehavior(cloth);
    return { world, mesh, cloth };
}

const MAKERS: [string, (scene: Scene) => [Mesh, ClothBehavior | RopeBehavior | PlantBehavior | RigidBodyBehavior]][] = [
    ["cloth", (scene) => [makeSquare(scene, 4), new ClothBehavior({ wind: null, fabric: { damping: 0 } })]],
    [
        "rope",
        (scene) => [
            MeshBuilder.CreateLines("line", { points: [0, 0.2, 0.4, 0.6].map((x) => new Vector3(x, 0, 0)) }, scene),
            new RopeBehavior({ wind: null, damping: 0 }),
        ],
    ],
    ["plant", (scene) => [MeshBuilder.CreateBox("jelly", { size: 0.4 }, scene), new PlantBehavior({ damping: 0 })]],
    ["rigid body", (scene) => [MeshBuilder.CreateBox("crate", { size: 0.4 }, scene), new RigidBodyBehavior({ mass: 2 })]],
];

/** Mean of what is told of each particle, by mass. */
function meanOf(body: ClothBehavior, values: Float32Array, forces: Forces): number[] {
    let total = 0;
    const sum = [0, 0, 0];
    for (let i = 0; i < body.particleCount; i++) {
        const mass = forces.massOf(i);
        total += mass;
        for (let c = 0; c < 3; c++) sum[c] += mass * values[3 * i + c];
    }
    return sum.map((value) => value / total);
}

describe("forces", () => {
    test.each([
        [1, 60, 1e-3],
        [4, 60, 1e-3],
        [16, 30, 0.03],
        [4, 144, 1e-3],
    ])("a force that stays brings F t / m, but for rounding: %s substeps, %s frames a second", (substepCount, rate, lost) => {
        const { world, cloth } = floatSheet({ substepCount });
        let steps = 0;
        const forces = new Forces(cloth, (own) => {
            steps++;
            own.addToAll(new Vector3(0.01, 0.04, -0.02));
        });
        world.frame(1000 / rate, rate);
        const speed = meanOf(cloth, forces.readVelocities(), forces);
        const time = steps / 60 / 0.2;
        expect(Math.abs(time * 0.2 - 1)).toBeLessThan(0.02);
        [0.01, 0.04, -0.02].forEach((force, c) => expect(Math.abs(speed[c] / (force * time) - 1)).toBeLessThan(lost));
    });
});

test.each(["implicit", "verlet", "midpoint"] as const)("with another solver, too: %s", async (solver) => {
    const { world, cloth } = floatSheet({ solver });
    cloth.fabric = { arealDensity: 0.2, stretchStiffness: 5, shearStiffness: 1, bendStiffness: 0, damping: 0 };
    await cloth.whenReady();
    const forces = new Forces(cloth, (own) => own.addToAll(new Vector3(0, 0.04, 0)));
    world.frame(FRAME, 60);
    expect(meanOf(cloth, forces.readVelocities(), forces)[1]).toBeCloseTo(0.04 / 0.2, 4);
});

test.each(MAKERS)("forces of several add up, at a vertex, about a place and on all, for one step: %s", (name, make) => {
    const world = makeWorld();
    world.scene.gravity = Vector3.Zero();
    const [mesh, body] = make(world.scene);
    mesh.addBehavior(body);
    const [first, second] = [new Forces(body), new Forces(body)];
    const isRigid = name === "rigid body";
    const push = new Vector3(0, 0.3, 0);
    first.add(0, push);
    second.addAt(new Vector3(0.1, 0, 0), push);
    first.addToAll(push.scale(-0.5));
    world.frame(FRAME, 3);
    const velocities = second.readVelocities();
    let momentum = 0;
    // The four particles of a rigid body share it.
    for (let i = 0; i < (isRigid ? 4 : body.particleCount); i++)
        momentum += (isRigid ? 0.5 : first.massOf(i)) * velocities[3 * i + 1];
    // One and a half pushes for a sixtieth of a second.
    expect(Math.abs(momentum / (0.45 / 60) - 1)).toBeLessThan(name === "plant" ? 0.02 : 1e-4);
    expect(first.sum.every((value) => value === 0)).toBe(true);
});

test("a moment turns a rigid body as its inertia has it, and so does a force beside its centre", () => {
    for (const isMoment of [true, false]) {
        const world = makeWorld();
        const mesh = MeshBuilder.CreateBox("crate", { size: 0.6 }, world.scene);
        const body = new RigidBodyBehavior({ mass: 2, gravity: Vector3.Zero() });
        mesh.addBehavior(body);
        const forces = new Forces(body, (own) => {
            if (isMoment) return own.addMoment(new Vector3(0, 0.06, 0));
            // Two that only turn.
            own.addAt(mesh.position.add(new Vector3(0, 0, 0.3)), new Vector3(0.1, 0, 0));
            own.addAt(mesh.position.subtract(new Vector3(0, 0, 0.3)), new Vector3(-0.1, 0, 0));
        });
        world.frame(FRAME, 60);
        // I = m a² / 6 = 0.12 kg m²: 0.5 rad/s².
        const { y } = mesh.rotationQuaternion!.toEulerAngles();
        expect(y).toBeGreaterThan(0.24);
        expect(y).toBeLessThan(0.27);
        expect(mesh.position.length()).toBeLessThan(1e-4);
        expect(forces.particleCount).toBe(body.particleCount);
    }
});

test("drag by velocities has the speed fall as theory has it", () => {
    const { world, cloth } = floatSheet();
    const velocities = new Float32Array(3 * cloth.particleCount);
    const forces = new Forces(cloth, (own) => {
        own.readVelocities(velocities);
        const { sum } = own;
        for (let q = 0; q < sum.length; q++) sum[q] -= 0.5 * own.massOf(Math.floor(q / 3)) * velocities[q];
    });
    cloth.applyImpulse(Vector3.Zero(), new Vector3(0, 0, 0.4), 1e3);
    const speed = (): number => meanOf(cloth, forces.readVelocities(), forces)[2];
    world.frame();
    const before = speed();
    world.frame(FRAME, 120);
    expect(Math.abs(Math.log(before / speed()) - 1)).toBeLessThan(0.01);
});

test("what sleeps wakes, and sleeps again; what is asked does not sleep", () => {
    const { world, cloth } = floatSheet({ sleepSpeed: 0.02 });
    const forces = new Forces(cloth);
    world.frame(FRAME, 60);
    expect(cloth.stats.isAsleep).toBe(true);
    forces.add(3, new Vector3(0, 0.5, 0));
    world.frame(FRAME, 2);
    expect(cloth.stats.isAsleep).toBe(false);
    cloth.reset();
    world.frame(FRAME, 90);
    expect(cloth.stats.isAsleep).toBe(true);
    forces.sum[1] = 0.5;
    forces.hear();
    world.frame(FRAME, 2);
    expect(cloth.stats.isAsleep).toBe(false);
    cloth.reset();
    forces.dispose();
    const asked = new Forces(cloth, () => {});
    world.frame(FRAME, 90);
    expect(cloth.stats.isAsleep).toBe(false);
    asked.dispose();
    expect(cloth.onBeforeStepObservable.hasObservers()).toBe(false);
    world.frame(FRAME, 60);
    expect(cloth.stats.isAsleep).toBe(true);
});

test("it goes on where a mesh is simulated anew, and what is pinned or no number is passed over", () => {
    const { world, mesh, cloth } = floatSheet();
    const forces = new Forces(cloth, (own) => {
        own.addToAll(new Vector3(0, 0.02, 0));
        own.sum[0] = NaN;
        own.sum[3] = Infinity;
    });
    cloth.pin([48]);
    world.frame(FRAME, 30);
    mesh.removeBehavior(cloth);
    expect([forces.particleCount, forces.sum.length, forces.massOf(0)]).toEqual([0, 0, 0]);
    world.frame(FRAME, 5);
    mesh.addBehavior(cloth);
    const copy = mesh.clone("copy");
    expect(copy.behaviors.length).toBe(1);
    world.frame(FRAME, 30);
    const x = cloth.getParticlePositions();
    expect(x.every((value) => Number.isFinite(value))).toBe(true);
    expect(Math.max(...x.filter((_, k) => k % 3 === 1))).toBeGreaterThan(0.01);
    expect(x[3 * cloth.particleOfVertex(48) + 1]).toBe(0);
});

test("errors", () => {
    const { cloth } = floatSheet();
    const forces = new Forces(cloth);
    expect(messageOf(() => new Forces({} as ClothBehavior))).toContain("Forces: body must be a ClothBehavior");
    expect(messageOf(() => new Forces(cloth, 3 as never))).toBe("Forces: onStep must be a function or null, got 3");
    expect(messageOf(() => forces.add(49, Vector3.Up()))).toBe("Forces: add(vertex) must be an integer from 0 to 48, got 49");
    expect(messageOf(() => forces.add(0, new Vector3(0, NaN, 0)))).toContain("Forces: add(force)");
    expect(messageOf(() => forces.addToAll(null as never))).toContain("Forces: addToAll(force)");
    expect(messageOf(() => forces.addAt(Vector3.Up(), Vector3.Up(), 0))).toContain("Forces: addAt(radius)");
    expect(messageOf(() => forces.addMoment(Vector3.Up()))).toContain("Forces: addMoment must be asked of a RigidBodyBehavior");
    expect(messageOf(() => forces.readVelocities(new Float32Array(3)))).toContain("Forces: readVelocities(target)");
});
