/** Cloth and rigid bodies of sticks move each other, without a physics engine. */
import { afterEach, describe, expect, test } from "@jest/globals";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { ClothBehavior, RopeBehavior, select, RigidBodyBehavior } from "../../src/index";
import { impulseBodies } from "../../src/babylon/physics/physicsBodies";
import type { Body } from "../../src/engine/index";
import { disposeWorlds, FRAME, makeWorld } from "../unit/babylon/harness";
import { measure } from "./support";

afterEach(disposeWorlds);

function bodyOf(behavior: ClothBehavior | RigidBodyBehavior): Body {
    return (behavior as unknown as { _runtime: { instance: { cloth: Body } } })._runtime.instance.cloth;
}

describe("rigid bodies and cloth", () => {
    test("a crate lies on a cloth, and its pins carry the weight of both", () => {
        const world = makeWorld();
        const { scene } = world;
        const sheet = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 16 }, scene);
        const posts = ["-x", "+x", "-z", "+z"].map((name) => MeshBuilder.CreateBox(name, { size: 0.01 }, scene));
        const cloth = new ClothBehavior({
            sleepSpeed: 0,
            pins: posts.map((post) => ({ select: select.edge(post.name as "-x"), target: post })),
        });
        sheet.addBehavior(cloth);
        // What holds the pins is told how they pull.
        const pull = new Vector3();
        for (const post of posts)
            impulseBodies.set(post, {
                isDisposed: false,
                numInstances: 0,
                transformNode: post,
                getMotionType: () => 2,
                getMassProperties: () => ({ mass: 1e9 }),
                applyImpulse: (impulse) => pull.addInPlace(impulse),
                applyAngularImpulse: () => {},
            });
        const crate = MeshBuilder.CreateBox("crate", { size: 0.3 }, scene);
        crate.position.y = 0.2;
        const body = new RigidBodyBehavior({ mass: 2, damping: 3, sleepSpeed: 0 });
        crate.addBehavior(body);
        cloth.addCollider(crate);
        world.frame(FRAME, 300);
        pull.setAll(0);
        const before = crate.position.clone();
        world.frame(FRAME, 60);
        const weight = 9.81 * (2 + 0.2);
        expect(-pull.y / weight).toBeCloseTo(1, 2);
        expect(Math.hypot(pull.x, pull.z) / weight).toBeLessThan(0.01);
        expect(Vector3.Distance(crate.position, before)).toBeLessThan(1e-3);
        // On it, not in it.
        expect(crate.position.y).toBeGreaterThan(cloth.getParticlePositions()[3 * 144 + 1] + 0.145);
    });

    test("a crate that flies into free cloth keeps the momentum of both to 1 %", () => {
        const world = makeWorld();
        const { scene } = world;
        const sheet = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 16 }, scene);
        const gravity = Vector3.Zero();
        const cloth = new ClothBehavior({ wind: null, gravity, fabric: { arealDensity: 0.3, damping: 0 } });
        sheet.addBehavior(cloth);
        const crate = MeshBuilder.CreateBox("crate", { size: 0.3 }, scene);
        crate.position.set(0.1, -0.3, 0.05);
        const body = new RigidBodyBehavior({ gravity, mass: 1 });
        crate.addBehavior(body);
        cloth.addCollider(crate);
        body.applyImpulse(crate.position, new Vector3(0.5, 4, 0));
        world.frame(FRAME, 40);
        const sum = [bodyOf(cloth), bodyOf(body)].map((one) => measure(one).momentum);
        const total = [0, 1, 2].map((c) => sum[0][c] + sum[1][c]);
        expect(sum[0][1]).toBeGreaterThan(0.5);
        expect(Math.hypot(total[0] - 0.5, total[1] - 4, total[2])).toBeLessThan(0.04);
    });

    test("a crate hangs on a rope as far as that is long, and swings", () => {
        const world = makeWorld();
        const { scene } = world;
        const path = Array.from({ length: 17 }, (_, i) => new Vector3(i / 16, 0, 0));
        const hook = MeshBuilder.CreateBox("hook", { size: 0.01 }, scene);
        const crate = MeshBuilder.CreateBox("crate", { size: 0.2 }, scene);
        crate.position.x = 1;
        crate.addBehavior(new RigidBodyBehavior({ mass: 3, sleepSpeed: 0 }));
        const rope = MeshBuilder.CreateTube("rope", { path, radius: 0.01, tessellation: 6 }, scene);
        rope.addBehavior(new RopeBehavior({ start: hook, end: crate }));
        let [lowest, farthest] = [Infinity, 0];
        for (let frame = 0; frame < 120; frame++) {
            world.frame(FRAME, 1);
            lowest = Math.min(lowest, crate.position.x);
            farthest = Math.max(farthest, crate.position.length());
        }
        expect(farthest).toBeLessThan(1.03);
        expect(lowest).toBeLessThan(-0.8);
    });
});
