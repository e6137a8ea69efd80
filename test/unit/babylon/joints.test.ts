import { afterEach, describe, expect, test } from "@jest/globals";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { StickBodyBallJoint, StickBodyBehavior, StickBodyHinge } from "../../../src/index";
import { disposeWorlds, FRAME, makeWorld, messageOf } from "./harness";
import type { World } from "./harness";

afterEach(disposeWorlds);

function crate({ scene }: World, x: number, y: number): { mesh: Mesh; body: StickBodyBehavior } {
    const mesh = MeshBuilder.CreateBox("crate", { size: 0.4 }, scene);
    mesh.position.set(x, y, 0);
    const body = new StickBodyBehavior({ mass: 2 });
    mesh.addBehavior(body);
    return { mesh, body };
}

const point = new Vector3(0.2, 0, 0);

describe("joints of rigid bodies", () => {
    test("a crate swings on its hinge as far as that lets it", () => {
        const world = makeWorld();
        const { mesh, body } = crate(world, 0, 0);
        const limits = { min: -0.1, max: 0.8 };
        const hinge = new StickBodyHinge(body, null, { point, axis: new Vector3(0, 0, 3), limits });
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
            const top = new StickBodyBallJoint(upper.body, null, { point: new Vector3(0, 0.2, 0) });
            new StickBodyBallJoint(lower.body, upper.body, { point: new Vector3(0.225, 0, 0), collide });
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
            const hinge = new StickBodyHinge(body, null, { point: new Vector3(0.2, 3, 0), axis: new Vector3(0, 0, 1) });
            world.frame(FRAME, 120);
            expect(Vector3.Distance(mesh.position, new Vector3(0.2, 3, 0))).toBeCloseTo(0.2, 2);
            expect(hinge.force).toBeLessThan(100);
        }
    });

    test("errors name class, option, rule and value", () => {
        const world = makeWorld();
        const { body } = crate(world, 0, 0);
        const { body: other } = crate(makeWorld(), 0, 0);
        const axis = Vector3.Up();
        const hinge = (options: object, second: StickBodyBehavior | null = null) =>
            messageOf(() => new StickBodyHinge(body, second, { point, axis, ...options }));
        const ball = (options: object) => messageOf(() => new StickBodyBallJoint(body, null, { point, ...options }));
        expect(hinge({ limits: { min: 0.2, max: 0.5 } })).toMatch(/^StickBodyHinge: limits must be .* joined at 0, got/);
        expect(hinge({ limits: { min: -4, max: 0.5 } })).toMatch(/limits must be/);
        expect(hinge({ limits: { min: NaN, max: 0.5 } })).toMatch(/limits must be/);
        for (const limits of [null, 0, { min: "-1", max: "1" }, { min: null, max: null }])
            expect(hinge({ limits })).toMatch(/^StickBodyHinge: limits must be .* joined at 0, got/);
        for (const swing of [null, "1", true, -1, 4])
            expect(ball({ swing })).toMatch(/^StickBodyBallJoint: swing must be an angle from 0/);
        expect(ball({ collide: "yes" })).toMatch(/^StickBodyBallJoint: collide must be true or false, got "yes"/);
        expect(ball({ point: { x: 1e200, y: 0, z: 0 } })).toMatch(/^StickBodyBallJoint: point.x must be a number from/);
        expect(messageOf(() => new StickBodyHinge(body, null, undefined as never))).toMatch(
            /^StickBodyHinge: options must be an object/,
        );
        expect(messageOf(() => new StickBodyBallJoint(body, null, null as never))).toMatch(/options must be an object, got null/);
        expect(hinge({ axis: Vector3.Zero() })).toMatch(/^StickBodyHinge: axis must be a direction, not 0/);
        expect(hinge({ point: new Vector3(NaN, 0, 0) })).toMatch(/^StickBodyHinge: point.x must be a finite number, got NaN/);
        expect(hinge({ breakForce: 0 })).toMatch(/^StickBodyHinge: breakForce must be a finite number > 0, got 0/);
        expect(hinge({ limit: 1 })).toMatch(/limit/);
        expect(hinge({}, body)).toMatch(/second must be another body than the first/);
        expect(hinge({}, other)).toMatch(/second must be a body of the first's scene/);
        expect(hinge({}, new StickBodyBehavior())).toMatch(/second must be a StickBodyBehavior that is on a mesh/);
        expect(ball({ swing: -1 })).toMatch(/^StickBodyBallJoint: swing must be an angle from 0 to π, got -1/);
        expect(ball({ twist: 4 })).toMatch(/^StickBodyBallJoint: twist must be an angle from 0 to π, got 4/);
        // None of these holds.
        world.frame(FRAME, 30);
        expect(body.attachedNode!.position.y).toBeLessThan(-1);
    });
});
