import { afterEach, describe, expect, test } from "@jest/globals";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { RigidBodyBallJoint, RigidBodyBehavior, RigidBodyHinge } from "../../../src/index";
import { disposeWorlds, FRAME, makeWorld, messageOf } from "./harness";
import type { World } from "./harness";

afterEach(disposeWorlds);

function crate({ scene }: World, x: number, y: number): { mesh: Mesh; body: RigidBodyBehavior } {
    const mesh = MeshBuilder.CreateBox("crate", { size: 0.4 }, scene);
    mesh.position.set(x, y, 0);
    const body = new RigidBodyBehavior({ mass: 2 });
    mesh.addBehavior(body);
    return { mesh, body };
}

const point = new Vector3(0.2, 0, 0);

describe("joints of rigid bodies", () => {
    test("a crate swings on its hinge as far as that lets it", () => {
        const world = makeWorld();
        const { mesh, body } = crate(world, 0, 0);
        const limits = { min: -0.1, max: 0.8 };
        const hinge = new RigidBodyHinge(body, null, { point, axis: new Vector3(0, 0, 3), limits });
        let most = 0;
        for (let k = 0; k < 60; k++) {
            world.frame(FRAME, 1);
            most = Math.max(most, hinge.angle);
        }
        expect(most).toBeGreaterThan(0.78);
        expect(most).toBeLessThan(0.82);
        const corner = Vector3.TransformCoordinates(point, mesh.computeWorldMatrix(true));
        expect(Vector3.Distance(corner, point)).toBeLessThan(2e-3);
        // About the axis as Babylon turns.
        expect(mesh.rotationQuaternion!.toEulerAngles().z).toBeCloseTo(hinge.angle, 1);
        hinge.dispose();
        hinge.dispose();
        expect(hinge.isBroken).toBe(true);
        world.frame(FRAME, 60);
        expect(mesh.position.y).toBeLessThan(-3);
    });

    test("joined bodies overlap unless they are to keep off each other", () => {
        for (const collide of [false, true]) {
            const world = makeWorld();
            const [upper, lower] = [crate(world, 0, 0), crate(world, 0.45, 0)];
            const top = new RigidBodyBallJoint(upper.body, null, { point: new Vector3(0, 0.2, 0) });
            new RigidBodyBallJoint(lower.body, upper.body, { point: new Vector3(0.225, 0, 0), collide });
            let least = Infinity;
            for (let k = 0; k < 40; k++) {
                world.frame(FRAME, 1);
                least = Math.min(least, Vector3.Distance(upper.mesh.position, lower.mesh.position));
            }
            if (collide) expect(least).toBeGreaterThan(0.39);
            else expect(least).toBeLessThan(0.36);
            upper.mesh.removeBehavior(upper.body);
            expect(top.isBroken).toBe(true);
        }
    });

    test("bodies are joined where their nodes have been put, before the first frame and after", () => {
        for (const isRunning of [false, true]) {
            const world = makeWorld();
            const { mesh, body } = crate(world, 0, 0);
            if (isRunning) world.frame(FRAME, 3);
            mesh.position.set(0, 3, 0);
            const hinge = new RigidBodyHinge(body, null, { point: new Vector3(0.2, 3, 0), axis: new Vector3(0, 0, 1) });
            world.frame(FRAME, 120);
            expect(Vector3.Distance(mesh.position, new Vector3(0.2, 3, 0))).toBeCloseTo(0.2, 2);
            expect(hinge.force).toBeLessThan(100);
        }
    });

    test("a body that is built anew stays joined, and in another size by the same place of its mesh", () => {
        for (const size of [1, 2]) {
            const world = makeWorld();
            const { mesh, body } = crate(world, 0, 0);
            const { mesh: other, body: second } = crate(world, 0.4, 0);
            new RigidBodyHinge(body, null, { point: new Vector3(-0.2, 0, 0), axis: new Vector3(0, 0, 1) });
            const ball = new RigidBodyBallJoint(second, body, { point });
            world.frame(FRAME, 20);
            if (size > 1) {
                other.scaling.setAll(size);
                second.reset();
            }
            world.frame(FRAME, 60);
            expect(ball.isBroken).toBe(false);
            const ends = [mesh, other].map((of, i) =>
                Vector3.TransformCoordinates(new Vector3(i > 0 ? -0.2 : 0.2, 0, 0), of.computeWorldMatrix(true)),
            );
            expect(Vector3.Distance(ends[0], ends[1])).toBeLessThan(3e-3);
            expect(Vector3.Distance(ends[0], new Vector3(-0.2, 0, 0))).toBeCloseTo(0.4, 2);
            other.removeBehavior(second);
            expect(ball.isBroken).toBe(true);
        }
    });

    test.each([1000 / 60, 1000 / 144, 10])("joined bodies share their steps, frames of %d ms", (milliseconds) => {
        // The four of a chain were each begun in another frame; every other asks for more substeps; one pauses.
        for (const kind of ["late", "finer", "paused"] as const) {
            const world = makeWorld();
            const bodies = [0, 1, 2, 3].map((i) => {
                const one = crate(world, 0.5 * i, 0);
                if (kind === "late") world.frame(milliseconds, 1);
                if (kind === "finer" && i % 2 > 0) one.body.substepCount = 8;
                return one;
            });
            bodies.forEach(({ mesh, body }, i) => {
                mesh.position.set(0.5 * i, 0, 0);
                mesh.rotationQuaternion?.set(0, 0, 0, 1);
                const before = i > 0 ? bodies[i - 1].body : null;
                new RigidBodyHinge(body, before, { point: new Vector3(0.5 * i - 0.25, 0, 0), axis: new Vector3(0, 0, 1) });
            });
            let [highest, apart] = [-Infinity, 0];
            for (let k = 0; k * milliseconds < 2000; k++) {
                if (kind === "paused") bodies[1].body.enabled = k * milliseconds < 500;
                world.frame(milliseconds, 1);
                const ends = bodies.map(({ mesh }) =>
                    [-0.25, 0.25].map((x) => Vector3.TransformCoordinates(new Vector3(x, 0, 0), mesh.computeWorldMatrix(true))),
                );
                for (let i = 1; i < 4; i++) apart = Math.max(apart, Vector3.Distance(ends[i - 1][1], ends[i][0]));
                for (const { mesh } of bodies) highest = Math.max(highest, mesh.position.y);
            }
            // What is drawn lies between two steps, in which links turn: by some millimetres more.
            expect(apart).toBeLessThan(0.04);
            expect(highest).toBeLessThan(0.25);
            expect(bodies[0].body.substepCount).toBe(4);
        }
    });

    test("errors name class, option, rule and value", () => {
        const world = makeWorld();
        const { body } = crate(world, 0, 0);
        const { body: other } = crate(makeWorld(), 0, 0);
        const axis = Vector3.Up();
        const hinge = (options: object, second: RigidBodyBehavior | null = null) =>
            messageOf(() => new RigidBodyHinge(body, second, { point, axis, ...options }));
        const ball = (options: object) => messageOf(() => new RigidBodyBallJoint(body, null, { point, ...options }));
        expect(hinge({ limits: { min: 0.2, max: 0.5 } })).toMatch(/^RigidBodyHinge: limits must be .* joined at 0, got/);
        expect(hinge({ limits: { min: -4, max: 0.5 } })).toMatch(/limits must be/);
        expect(hinge({ limits: { min: NaN, max: 0.5 } })).toMatch(/limits must be/);
        for (const limits of [null, 0, { min: "-1", max: "1" }, { min: null, max: null }])
            expect(hinge({ limits })).toMatch(/^RigidBodyHinge: limits must be .* joined at 0, got/);
        for (const swing of [null, "1", true, -1, 4])
            expect(ball({ swing })).toMatch(/^RigidBodyBallJoint: swing must be an angle from 0/);
        expect(ball({ collide: "yes" })).toMatch(/^RigidBodyBallJoint: collide must be true or false, got "yes"/);
        expect(ball({ point: { x: 1e200, y: 0, z: 0 } })).toMatch(/^RigidBodyBallJoint: point.x must be a number from/);
        expect(messageOf(() => new RigidBodyHinge(body, null, undefined as never))).toMatch(
            /^RigidBodyHinge: options must be an object/,
        );
        expect(messageOf(() => new RigidBodyBallJoint(body, null, null as never))).toMatch(/options must be an object, got null/);
        expect(hinge({ axis: Vector3.Zero() })).toMatch(/^RigidBodyHinge: axis must be a direction, not 0/);
        expect(hinge({ point: new Vector3(NaN, 0, 0) })).toMatch(/^RigidBodyHinge: point.x must be a finite number, got NaN/);
        expect(hinge({ breakForce: 0 })).toMatch(/^RigidBodyHinge: breakForce must be a finite number > 0, got 0/);
        expect(hinge({ limit: 1 })).toMatch(/limit/);
        expect(hinge({}, body)).toMatch(/second must be another body than the first/);
        expect(hinge({}, other)).toMatch(/second must be a body of the first's scene/);
        expect(hinge({}, new RigidBodyBehavior())).toMatch(/second must be a RigidBodyBehavior that is on a mesh/);
        expect(ball({ swing: -1 })).toMatch(/^RigidBodyBallJoint: swing must be an angle from 0 to π, got -1/);
        expect(ball({ twist: 4 })).toMatch(/^RigidBodyBallJoint: twist must be an angle from 0 to π, got 4/);
        // None of these holds.
        world.frame(FRAME, 30);
        expect(body.attachedNode!.position.y).toBeLessThan(-1);
    });
});
