import { describe, expect, test } from "@jest/globals";
import { angleOf } from "../../src/engine/math/parallelTransport";
import { BallJoint, HingeJoint, ContactSolver, World } from "../../src/engine/index";
import type { RigidBody, Vector } from "../../src/engine/index";
import { box, centreOf, makeRigidBody, runTogether, setMotion } from "./rigidBodies";
import { at, G, measure } from "./support";

const world = new World();
/** Axes of joints: the last is a hinge's. */
const ABOUT_Z = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const ABOUT_Y = [0, 0, 1, 1, 0, 0, 0, 1, 0];
const DEGREE = Math.PI / 180;

const run = (bodies: readonly RigidBody[], seconds: number): void => runTogether(world, bodies, seconds);

/** Where a point of a body is that was somewhere else when it was made: points are its corners from 4 on. */
function corner(body: RigidBody, i: number): Vector {
    return at(body, 4 + i);
}

/** Kinetic and potential energy [J]. */
function energyOf(bodies: readonly RigidBody[]): number {
    return bodies.reduce((sum, body) => sum + measure(body).kinetic + G * body.mass * centreOf(body)[1], 0);
}

test("angles by arithmetic are those of atan2", () => {
    for (let k = -180; k <= 180; k++) {
        const [y, x] = [3 * Math.sin(k * DEGREE), 3 * Math.cos(k * DEGREE)];
        expect(Math.abs(Math.abs(angleOf(y, x)) - Math.abs(Math.atan2(y, x)))).toBeLessThan(1e-7);
        if (Math.abs(k) < 180 && k !== 0) expect(Math.sign(angleOf(y, x))).toBe(Math.sign(k));
    }
    expect(angleOf(0, 0)).toBe(0);
});

describe("joints", () => {
    /** Two rods of 1 m, the first hung on the world at the origin, turned from the vertical by these angles. */
    function pendulum(first: number, second: number, substepCount = 4) {
        const pile = new ContactSolver();
        const options = { pile, substepCount, fabric: { damping: 0 } };
        const end = [Math.sin(first), -Math.cos(first)];
        const rod = (angle: number, x: number, y: number): RigidBody =>
            makeRigidBody(box([0.01, 0.5, 0.01], [x + 0.5 * Math.sin(angle), y - 0.5 * Math.cos(angle), 0], angle), options);
        const bodies = [rod(first, 0, 0), rod(second, end[0], end[1])];
        const [a, b] = bodies.map(({ groupMember: companion }) => companion);
        const joints = [new HingeJoint(a, null, [0, 0, 0], ABOUT_Z, false), new HingeJoint(a, b, [...end, 0], ABOUT_Z, false)];
        joints.forEach((joint) => pile.addJoint(joint));
        return { bodies, joints, pile };
    }

    test("a double pendulum swings as long as theory says", () => {
        // Two thin rods: ω² = 3 (1 - 2/√7) g/l, θ₂/θ₁ = 1.4305.
        const { bodies } = pendulum(0.03, 0.03 * 1.4305);
        const half = Math.PI / Math.sqrt(3 * (1 - 2 / Math.sqrt(7)) * G);
        const crossings: number[] = [];
        let before = 1;
        for (let step = 1; step < 600; step++) {
            run(bodies, 1 / 60);
            const [x] = centreOf(bodies[0]);
            if (x * before < 0) crossings.push((step - x / (x - before)) / 60);
            before = x;
        }
        const period = (crossings[crossings.length - 1] - crossings[0]) / (crossings.length - 1);
        expect(period / half).toBeCloseTo(1, 2);
    });

    test("a double pendulum that tumbles keeps its energy, its joints and its plane", () => {
        const { bodies, joints } = pendulum(2.2, 2.9);
        const start = energyOf(bodies);
        let [least, most, apart, aside] = [Infinity, -Infinity, 0, 0];
        for (let step = 0; step < 600; step++) {
            run(bodies, 1 / 60);
            const energy = energyOf(bodies) - start;
            least = Math.min(least, energy);
            most = Math.max(most, energy);
            const [gx, gy, gz] = joints[1].data.subarray(12, 15);
            apart = Math.max(apart, Math.hypot(gx, gy, gz));
            aside = Math.max(aside, Math.abs(centreOf(bodies[1])[2]));
        }
        // Of two of 1 kg that may fall by 2 m and 4 m.
        expect(Math.max(most, -least)).toBeLessThan(0.02 * 6 * G);
        expect(apart).toBeLessThan(4e-3);
        expect(aside).toBeLessThan(1e-3);
    });

    test("a free pair keeps momentum and its moment", () => {
        const pile = new ContactSolver();
        const options = { pile, gravity: [0, 0, 0] as Vector };
        const a = makeRigidBody(box([0.2, 0.1, 0.1], [-0.2, 0, 0]), options);
        const b = makeRigidBody(box([0.2, 0.1, 0.05], [0.2, 0, 0]), { ...options, body: { mass: 2 } });
        const joint = new BallJoint(a.groupMember, b.groupMember, [0, 0, 0], ABOUT_Z, false);
        joint.swing = 0.6;
        pile.addJoint(joint);
        setMotion(a, [0, 1, 0.5], [3, 0, 4]);
        const sum = () => {
            const [p, q] = [measure(a), measure(b)];
            return { p: p.momentum.map((v, c) => v + q.momentum[c]), s: p.spin.map((v, c) => v + q.spin[c]) };
        };
        const before = sum();
        run([a, b], 3);
        const after = sum();
        const off = (x: number[], y: number[]): number => Math.hypot(...x.map((v, c) => v - y[c])) / Math.hypot(...x);
        expect(off(before.p, after.p)).toBeLessThan(1e-4);
        expect(off(before.s, after.s)).toBeLessThan(1e-3);
    });

    test.each([0.1, 0.02, 1e-3, 1e-4])("links of %d kg carry 2 kg, stay together and gain nothing", (mass) => {
        const pile = new ContactSolver();
        const link = (x: number, kilograms: number) =>
            makeRigidBody(box([0.2, 0.2, 0.2], [x, 0, 0]), { pile, body: { mass: kilograms }, fabric: { damping: 0 } });
        const bodies = [link(0, mass), link(0.5, mass), link(1, 2)];
        const joints = bodies.map(({ groupMember: companion }, i) => {
            const before = i > 0 ? bodies[i - 1].groupMember : null;
            return new HingeJoint(companion, before, [0.5 * i - 0.25, 0, 0], ABOUT_Z, false);
        });
        joints.forEach((joint) => pile.addJoint(joint));
        const start = energyOf(bodies);
        let [most, apart] = [-Infinity, 0];
        for (let step = 0; step < 180; step++) {
            run(bodies, 1 / 60);
            most = Math.max(most, energyOf(bodies) - start);
            for (const { data } of joints) apart = Math.max(apart, Math.hypot(data[12], data[13], data[14]));
        }
        // They fall by 1.2 m.
        expect(most).toBeLessThan(0.01 * 2 * G * 1.2);
        expect(apart).toBeLessThan(5e-3);
    });

    test("what is put elsewhere comes back without motion", () => {
        const pile = new ContactSolver();
        const options = { pile, gravity: [0, 0, 0] as Vector };
        const crate = makeRigidBody(box([0.2, 0.2, 0.2], [0, -0.2, 0]), options);
        pile.addJoint(new HingeJoint(crate.groupMember, null, [0, 0, 0], ABOUT_Z, false));
        const there = crate.state.positions.slice(0, 4 * crate.state.particleCount);
        const places = Float32Array.from(
            { length: 3 * crate.state.particleCount },
            (_, q) => there[4 * Math.floor(q / 3) + (q % 3)],
        );
        for (let q = 0; q < places.length; q += 3) places[q] += 3;
        crate.resetTo(places);
        run([crate], 0.1);
        expect(Math.hypot(...centreOf(crate)) - 0.2).toBeCloseTo(0, 4);
        expect(measure(crate).kinetic).toBeLessThan(1e-6);
    });

    test("a door on two hinges turns, and carries no other load than its own", () => {
        const pile = new ContactSolver();
        const door = makeRigidBody(box([0.4, 1, 0.02], [0.4, 0, 0]), { pile, body: { mass: 20 }, fabric: { damping: 0 } });
        const hinges = [0.8, -0.8].map((y) => new HingeJoint(door.groupMember, null, [0, y, 0], ABOUT_Y, false));
        hinges.forEach((hinge) => pile.addJoint(hinge));
        door.applyImpulse(0.8, 0, 0, 0, 0, 5);
        run([door], 1);
        expect(Math.abs(hinges[0].angle)).toBeGreaterThan(0.5);
        // With what keeps it on its circle.
        for (const { force } of hinges) expect(force).toBeLessThan(22 * G);
    });

    test("a hinge's axis stays, and its limits hold within a degree", () => {
        const pile = new ContactSolver();
        const door = makeRigidBody(box([0.4, 1, 0.02], [0.4, 0, 0]), { pile, body: { mass: 20 } });
        const hinge = new HingeJoint(door.groupMember, null, [0, 0, 0], ABOUT_Y, false);
        [hinge.minAngle, hinge.maxAngle] = [-0.3, 1.2];
        pile.addJoint(hinge);
        let [least, most, lean] = [0, 0, 0];
        for (let step = 0; step < 360; step++) {
            if (step % 60 === 0) door.applyImpulse(0.8, 0.7, 0, 0, 30, step % 120 === 0 ? 40 : -40);
            run([door], 1 / 60);
            least = Math.min(least, hinge.angle);
            most = Math.max(most, hinge.angle);
            const [top, bottom] = [corner(door, 2), corner(door, 0)];
            lean = Math.max(lean, Math.hypot(top[0] - bottom[0], top[2] - bottom[2]) / 2);
        }
        expect(least).toBeGreaterThan(-0.3 - DEGREE);
        expect(least).toBeLessThan(-0.28);
        expect(most).toBeLessThan(1.2 + DEGREE);
        expect(most).toBeGreaterThan(1.18);
        expect(lean).toBeLessThan(DEGREE);
    });

    test("a limb that falls is held at its swing, and twists as far as it may", () => {
        const pile = new ContactSolver();
        const arm = makeRigidBody(box([0.05, 0.3, 0.05], [0, 0.3, 0]), { pile });
        const ball = new BallJoint(arm.groupMember, null, [0, 0, 0], ABOUT_Y, false);
        [ball.swing, ball.twist] = [0.7, 0.4];
        pile.addJoint(ball);
        setMotion(arm, [0.3, 0, 0.1], [0, 5, -1]);
        let [swing, twist] = [0, 0];
        for (let step = 0; step < 240; step++) {
            run([arm], 1 / 60);
            const [bx, by, bz] = [0, 1, 2].map((c) => centreOf(arm)[c] / 0.3);
            swing = Math.max(swing, Math.atan2(Math.hypot(bx, bz), by));
            twist = Math.max(twist, 0.4 - ball.data[15 + 4 + 3]);
        }
        expect(swing).toBeLessThan(0.7 + DEGREE);
        expect(swing).toBeGreaterThan(0.69);
        expect(twist).toBeLessThan(0.4 + DEGREE);
        expect(twist).toBeGreaterThan(0.39);
    });

    test.each([25, 15])("2 kg hang on a joint that breaks at %d N, or do not", (breakForce) => {
        const pile = new ContactSolver();
        const crate = makeRigidBody(box([0.1, 0.1, 0.1], [0, -0.1, 0]), { pile, body: { mass: 2 } });
        const ball = new BallJoint(crate.groupMember, null, [0, 0, 0], ABOUT_Y, false);
        ball.breakForce = breakForce;
        pile.addJoint(ball);
        run([crate], 1);
        expect(ball.isBroken).toBe(breakForce < 2 * G);
        if (ball.isBroken) expect(centreOf(crate)[1]).toBeLessThan(-2);
        else {
            expect(ball.force / (2 * G)).toBeCloseTo(1, 2);
            expect(centreOf(crate)[1]).toBeCloseTo(-0.1, 4);
        }
        expect(pile.joints.length).toBe(ball.isBroken ? 0 : 1);
    });
});
