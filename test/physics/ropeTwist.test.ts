import { afterEach, describe, expect, test } from "@jest/globals";
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { RopeBehavior, RigidBodyBehavior } from "../../src/index";
import { identity, TwistPins } from "../../src/engine/index";
import { disposeWorlds, makeWorld } from "../unit/babylon/harness";
import { makeBody, makePhysicalWorld, spinOf } from "./havok";
import { line, makeRope } from "./ropes";
import { at, measure, pose, runSeconds, runSteps } from "./support";

afterEach(disposeWorlds);

/** A metre of elastic rope along x between two ends that twist it, pulled by 1 N. */
function stretched(links = 64) {
    const rope = makeRope(line([0, 0, 0], [1, 0, 0], links + 1), {
        gravity: [0, 0, 0],
        rope: { length: 0.99, stretchStiffness: 99, bendStiffness: 0.01, twistStiffness: 0.01 },
        fabric: { damping: 0.3 },
    });
    const [start, end] = [0, links].map((particle) => {
        const pins = new TwistPins(Uint32Array.of(particle), particle > 0, rope.twist);
        pins.attach(rope.state, identity());
        rope.addPins(pins);
        return pins;
    });
    rope.prepare();
    /** Turns the end against the start. */
    const turn = (angle: number): void => {
        start.setTargets(identity());
        end.setTargets(pose([0, 0, 0], [1, 1, 1], angle, "x"));
    };
    return { rope, turn, links };
}

describe("twist of ropes", () => {
    test.each([0.95, 1.05])(
        "a stretched rope is straight below Greenhill's moment, 2 √(BT + (πB/L)²), a helix above: %s",
        (share) => {
            const { rope, turn, links } = stretched();
            const greenhill = 2 * Math.sqrt(0.01 * 1 + (Math.PI * 0.01) ** 2);
            const most = (share * greenhill * 0.99) / 0.01;
            for (let i = 1; i < links; i++) rope.state.positions[4 * i + 1] += 1e-4 * Math.sin(7 * i);
            let angle = 0;
            runSteps(rope, 60, () => turn((angle += most / 60)));
            expect(rope.twist.moment).toBeCloseTo(share * greenhill, 4);
            runSeconds(rope, 6, () => turn(most));
            const off = Math.max(...Array.from({ length: links }, (_, i) => Math.hypot(at(rope, i)[1], at(rope, i)[2])));
            if (share < 1) expect(off).toBeLessThan(1e-5);
            else {
                expect(off).toBeGreaterThan(5e-3);
                // What is wound up is twisted less.
                expect(rope.twist.angle).toBeLessThan(most);
                const middle = [0, 1, 2].map((k) => at(rope, links / 2 + 3 * k));
                expect(middle.every(([, y, z]) => Math.hypot(y, z) > 1e-3)).toBe(true);
            }
        },
    );

    test("a rope that is let go of a twist does not gain energy from it", () => {
        const { rope, turn } = stretched(32);
        let angle = 0;
        runSteps(rope, 120, () => turn((angle += 0.5)));
        const stored = (0.01 * rope.twist.angle ** 2) / 2 / 0.99;
        let most = 0;
        runSteps(rope, 240, () => {
            turn(angle);
            const { moment } = rope.twist;
            most = Math.max(most, measure(rope).kinetic + (moment * moment * 0.99) / 2 / 0.01);
        });
        expect(most).toBeLessThan(1.05 * stored);
        expect(Array.from(rope.state.positions).every(Number.isFinite)).toBe(true);
    });

    test.each(["engine", "ours"] as const)("what hangs on a wire turns to and fro with 2π √(I L / β), a body of %s", (kind) => {
        const world = kind === "engine" ? makePhysicalWorld() : makeWorld();
        const { scene } = world;
        scene.gravity = new Vector3(0, -9.81, 0);
        const hook = new TransformNode("hook", scene);
        const disc = MeshBuilder.CreateBox("disc", { width: 0.4, height: 0.1, depth: 0.4 }, scene);
        disc.position.y = -1;
        const inertia = 0.32 / 12;
        const path = Array.from({ length: 17 }, (_, i) => new Vector3(0, -i / 16, 0));
        const mesh = MeshBuilder.CreateTube("wire", { path, radius: 0.01 }, scene);
        const push = new Vector3(0, 3 * inertia, 0);
        const body = kind === "engine" ? makeBody(disc, PhysicsShapeType.BOX, 1) : null;
        const ours = body ? null : new RigidBodyBehavior({ mass: 1, damping: 0 });
        if (ours) disc.addBehavior(ours);
        mesh.addBehavior(new RopeBehavior({ start: hook, end: disc, bendStiffness: 0.02, twistStiffness: 0.2, damping: 1 }));
        body?.applyAngularImpulse(push);
        ours?.applyImpulse(new Vector3(0.1, -1, 0), new Vector3(0, 0, -push.y / 0.2));
        ours?.applyImpulse(new Vector3(-0.1, -1, 0), new Vector3(0, 0, push.y / 0.2));
        const crossings: number[] = [];
        let [before, highest] = [0, 0];
        for (let f = 1; f <= 300; f++) {
            world.frame(1000 / 60);
            disc.computeWorldMatrix(true);
            const axis = Vector3.TransformNormal(Vector3.Right(), disc.getWorldMatrix());
            const angle = Math.atan2(-axis.z, axis.x);
            if (f > 1 && before * angle < 0) crossings.push((f - angle / (angle - before)) / 60);
            before = angle;
            highest = Math.max(highest, Math.abs(angle));
        }
        const period = (2 * (crossings[crossings.length - 1] - crossings[0])) / (crossings.length - 1);
        const rate = Math.sqrt(0.2 / inertia);
        expect(crossings.length).toBeGreaterThan(3);
        expect(Math.abs((period * rate) / 2 / Math.PI - 1)).toBeLessThan(0.01);
        expect(Math.abs((highest * rate) / 3 - 1)).toBeLessThan(0.03);
        if (body) expect(Math.abs(spinOf(body).x)).toBeLessThan(0.01);
    });
});

/** The angle of a vertex of a tube along y about its middle [rad]. */
function angleOf(mesh: { getVerticesData(kind: string): ArrayLike<number> | null }, vertex: number): number {
    const x = mesh.getVerticesData("position")!;
    return Math.atan2(-x[3 * vertex + 2], x[3 * vertex]);
}

function between(a: number, b: number): number {
    return Math.atan2(Math.sin(a - b), Math.cos(a - b));
}

function tube(twistStiffness: number, isHeld: boolean) {
    const world = makeWorld();
    const { scene } = world;
    const [hook, weight] = [new TransformNode("hook", scene), new TransformNode("weight", scene)];
    weight.position.y = -1;
    const path = Array.from({ length: 9 }, (_, i) => new Vector3(0, -i / 8, 0));
    const mesh = MeshBuilder.CreateTube("rope", { path, radius: 0.01, tessellation: 8, updatable: true }, scene);
    const rope = new RopeBehavior({ start: hook, end: isHeld ? weight : null, bendStiffness: 0.1, twistStiffness });
    mesh.addBehavior(rope);
    world.frame(1000 / 60, 2);
    const ring = (k: number): number => angleOf(mesh, 9 * k);
    return { world, hook, weight, mesh, rope, ring, rest: Array.from({ length: 9 }, (_, k) => ring(k)) };
}

const turnTo = (node: TransformNode, angle: number): void => {
    node.rotationQuaternion = Quaternion.RotationAxis(Vector3.Up(), angle);
};

describe("twist in the picture", () => {
    test("rings between two ends turn in proportion, by more than a turn", () => {
        const { world, weight, ring, rest } = tube(0.05, true);
        for (let f = 1; f <= 120; f++) {
            turnTo(weight, (f / 120) * 7.5);
            world.frame(1000 / 60);
        }
        for (let k = 0; k < 9; k++) expect(between(ring(k) - rest[k], (7.5 * k) / 8)).toBeCloseTo(0, 2);
    });

    test("a rope that hangs on one node turns with it as a whole; without stiffness it does not", () => {
        for (const [stiffness, turned] of [
            [0.05, 1],
            [0, 0],
        ]) {
            const { world, hook, ring, rest } = tube(stiffness, false);
            for (let f = 1; f <= 30; f++) {
                turnTo(hook, f / 30);
                world.frame(1000 / 60);
            }
            for (let k = 0; k < 9; k++) expect(between(ring(k) - rest[k], turned)).toBeCloseTo(0, 2);
        }
    });

    test("may be switched on and off, tied and untied, reset: nothing jumps", () => {
        const { world, weight, rope, ring, rest } = tube(0, true);
        turnTo(weight, 1);
        world.frame(1000 / 60, 5);
        expect(between(ring(8), rest[8])).toBeCloseTo(0, 2);
        rope.twistStiffness = 0.05;
        world.frame(1000 / 60, 5);
        expect(between(ring(8), rest[8])).toBeCloseTo(0, 2);
        turnTo(weight, 2);
        world.frame(1000 / 60, 5);
        expect(between(ring(8) - rest[8], 1)).toBeCloseTo(0, 2);
        expect(between(ring(4) - rest[4], 0.5)).toBeCloseTo(0, 2);
        rope.reset();
        world.frame(1000 / 60, 5);
        const after = ring(8);
        turnTo(weight, 2.5);
        world.frame(1000 / 60, 5);
        expect(between(ring(8) - after, 0.5)).toBeCloseTo(0, 2);
        rope.end = null;
        world.frame(1000 / 60, 5);
        expect(rope.attachedNode).not.toBeNull();
        expect(() => (rope.twistStiffness = -1)).toThrow("RopeBehavior: twistStiffness must be a finite number >= 0, got -1");
        expect(() => (rope.twistStiffness = NaN)).toThrow("RopeBehavior: twistStiffness");
    });
});
