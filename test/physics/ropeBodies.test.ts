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

const { SPHERE } = PhysicsShapeType;
const MASS = 0.16;

describe.each(["wasm", "scalar"] as const)("ropes tied to physics bodies, %s", (backend) => {
    /** Two metres of 80 g/m along x from the origin, tied to a ball at the end, and to a hook or to nothing. */
    function tie(mass: number, gravity: number, isHung: boolean) {
        const world = makePhysicalWorld(new Vector3(0, gravity, 0));
        const { scene } = world;
        const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.2 }, scene);
        ball.position.x = 2;
        const body = makeBody(ball, SPHERE, mass);
        const path = Array.from({ length: 17 }, (_, i) => new Vector3(i / 8, 0, 0));
        const mesh = MeshBuilder.CreateTube("rope", { path, radius: 0.01 }, scene);
        const start = isHung ? new TransformNode("hook", scene) : null;
        const rope = new RopeBehavior({ backend, start, end: ball, gravity: new Vector3(0, gravity, 0), damping: isHung ? 2 : 0 });
        mesh.addBehavior(rope);
        return { world, ball, body, rope };
    }

    /** Heavier ones stretch it: reference, "Ropes". */
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
