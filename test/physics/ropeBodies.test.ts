/** Ropes and the bodies of a physics engine that they are tied to pull at each other. */
import { afterEach, describe, expect, test } from "@jest/globals";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { RopeBehavior } from "../../src/index";
import { disposeWorlds, FRAME } from "../unit/babylon/harness";
import { makeBody, makePhysicalWorld, velocityOf } from "./havok";

afterEach(disposeWorlds);

const { BOX, SPHERE } = PhysicsShapeType;
const MASS = 0.16;

describe("ropes tied to physics bodies", () => {
    /** Two metres of 80 g/m along x from the origin, tied to a ball at the end, and to a hook or to nothing. */
    function tie(mass: number, gravity: number, isHung: boolean, damping = isHung ? 2 : 0) {
        const world = makePhysicalWorld(new Vector3(0, gravity, 0));
        const { scene } = world;
        const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.2 }, scene);
        ball.position.x = 2;
        const body = makeBody(ball, SPHERE, mass);
        const path = Array.from({ length: 17 }, (_, i) => new Vector3(i / 8, 0, 0));
        const mesh = MeshBuilder.CreateTube("rope", { path, radius: 0.01 }, scene);
        const start = isHung ? new TransformNode("hook", scene) : null;
        const rope = new RopeBehavior({ wind: null, start, end: ball, gravity: new Vector3(0, gravity, 0), damping });
        mesh.addBehavior(rope);
        return { world, ball, body, rope };
    }

    test.each([
        [2, 60],
        [5, 60],
        [1000, 60],
        [20, 144],
        [20, 100],
        [20, 30],
        [20, 20],
    ])("a ball of %s kg swings like a pendulum at %s frames a second", (mass, frames) => {
        const { world, ball, body } = tie(mass, -9.81, true, 0);
        let farthest = 0;
        let highest = -Infinity;
        let slowest = Infinity;
        for (let frame = 0; frame < 4 * frames; frame++) {
            world.frame(1000 / frames);
            farthest = Math.max(farthest, ball.position.length());
            if (frame > 0.5 * frames) highest = Math.max(highest, ball.position.y);
            if (ball.position.y < -1.95) slowest = Math.min(slowest, velocityOf(body).length());
        }
        expect(farthest).toBeLessThan(2 + 3 / frames);
        // It rises no higher than it came from, and passes its lowest point at √(2 g l).
        expect(highest).toBeLessThan(0.01);
        expect(highest).toBeGreaterThan(frames < 30 ? -0.25 : -0.15);
        expect(slowest / Math.sqrt(2 * 9.81 * 2)).toBeGreaterThan(0.9);
    });

    test("a crate hangs over a post on a rope that is tied behind it", () => {
        const world = makePhysicalWorld(new Vector3(0, -9.81, 0));
        const { scene } = world;
        const post = MeshBuilder.CreateCapsule("post", { height: 2, radius: 0.2, orientation: Vector3.Forward() }, scene);
        const path = Array.from({ length: 49 }, (_, i) => {
            const along = (i / 48 - 0.5) * 2.4;
            const down = Math.max(0, Math.abs(along) - (Math.PI / 2) * 0.22);
            const turn = (along - Math.sign(along) * down) / 0.22;
            return new Vector3(0.22 * Math.sin(turn), 0.22 * Math.cos(turn) - down, 0);
        });
        const mesh = MeshBuilder.CreateTube("rope", { path, radius: 0.02 }, scene);
        const crate = MeshBuilder.CreateBox("crate", { size: 0.2 }, scene);
        crate.position.copyFrom(path[48]);
        const body = makeBody(crate, BOX, 10);
        body.setAngularDamping(2);
        const hook = new TransformNode("hook", scene);
        const rope = new RopeBehavior({ start: hook, end: crate, radius: 0.02, damping: 2 });
        rope.addCollider(post);
        mesh.addBehavior(rope);
        let lowest = Infinity;
        let highest = -Infinity;
        world.frame(FRAME, 300);
        for (let frame = 0; frame < 120; frame++) {
            world.frame(FRAME);
            lowest = Math.min(lowest, crate.position.y);
            highest = Math.max(highest, crate.position.y);
        }
        expect(lowest - path[48].y).toBeGreaterThan(-0.02);
        expect(highest - path[48].y).toBeLessThan(0.02);
        expect(highest - lowest).toBeLessThan(0.02);
    });

    test("a ball of 50 g swings on one, and comes to hang below its hook", () => {
        const { world, ball, body } = tie(0.05, -9.81, true);
        body.setLinearDamping(1);
        let farthest = 0;
        for (let frame = 0; frame < 600; frame++) {
            world.frame(FRAME);
            farthest = Math.max(farthest, ball.position.length());
        }
        expect(farthest).toBeLessThan(2.1);
        expect(ball.position.y).toBeLessThan(-1.9);
        expect(velocityOf(body).length()).toBeLessThan(0.3);
    });

    test("a ball takes a free rope along, and is slowed by what that takes", () => {
        const { world, body, rope } = tie(1, 0, false);
        body.setLinearVelocity(new Vector3(0, 0, 2));
        world.frame(FRAME, 120);
        const before = rope.getParticlePositions();
        world.frame(FRAME, 30);
        const after = rope.getParticlePositions();
        const count = rope.particleCount;
        let momentum = 0;
        for (let i = 0; i < count; i++) {
            const share = i === 0 || i === count - 1 ? 0.5 : 1;
            momentum += (share / (count - 1)) * MASS * ((after[3 * i + 2] - before[3 * i + 2]) / ((30 * FRAME) / 1000));
        }
        const left = velocityOf(body).z;
        expect(left).toBeLessThan(1.95);
        expect(Math.abs(left + momentum - 2)).toBeLessThan(0.1);
    });
});
