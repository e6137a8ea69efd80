import { describe, expect, test } from "@jest/globals";
import type { RigidBody, Vector } from "../../src/engine/index";
import { box, centreOf, makeBall, makeRigidBody, setMotion } from "./rigidBodies";
import { addCollider, at, G, measure, pinParticles, pose, runSeconds, runSteps, velocityOf } from "./support";

/** Turning of a free body by Euler's equations, from body axes along x y z: rotation matrices' rows are the axes. Runge–Kutta of fourth order. */
function tumble(moments: Vector, rate: Vector, seconds: number): number[] {
    const [a, b, c] = moments;
    // State: turning rate along the axes, then the axes.
    const derive = (s: number[]): number[] => {
        const [x, y, z] = s;
        const w = [0, 1, 2].map((k) => x * s[3 + k] + y * s[6 + k] + z * s[9 + k]);
        const turned = [3, 6, 9].flatMap((o) => [
            w[1] * s[o + 2] - w[2] * s[o + 1],
            w[2] * s[o] - w[0] * s[o + 2],
            w[0] * s[o + 1] - w[1] * s[o],
        ]);
        return [((b - c) / a) * y * z, ((c - a) / b) * z * x, ((a - b) / c) * x * y, ...turned];
    };
    let state = [...rate, 1, 0, 0, 0, 1, 0, 0, 0, 1];
    const count = Math.round(seconds * 400);
    const h = seconds / count;
    const plus = (s: number[], d: number[], t: number): number[] => s.map((v, i) => v + t * d[i]);
    for (let i = 0; i < count; i++) {
        const k1 = derive(state);
        const k2 = derive(plus(state, k1, h / 2));
        const k3 = derive(plus(state, k2, h / 2));
        const k4 = derive(plus(state, k3, h));
        state = state.map((v, j) => v + (h / 6) * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]));
    }
    return state.slice(3);
}

describe("a rigid body of sticks", () => {
    test.each<[string, Vector]>([
        ["about its shortest axis, nearly", [0.1, 0.2, 6]],
        ["about its middle axis, over which it flips", [0.02, 5, 0.01]],
        ["about any", [3, -4, 2]],
    ])("tumbles as Euler has it, %s", (_name, rate) => {
        const half: Vector = [0.3, 0.2, 0.1];
        const body = makeRigidBody(box(half), { gravity: [0, 0, 0] });
        const centre = centreOf(body);
        setMotion(body, [0, 0, 0], rate);
        const moments = half.map((_, k) => (half[(k + 1) % 3] ** 2 + half[(k + 2) % 3] ** 2) / 3) as unknown as Vector;
        let worst = 0;
        const before = measure(body);
        for (let second = 1; second <= 5; second++) {
            runSeconds(body, 1);
            const axes = tumble(moments, rate, second);
            // The corner at + + +.
            const corner = [0, 1, 2].map((c) => half[0] * axes[c] + half[1] * axes[3 + c] + half[2] * axes[6 + c]);
            const now = at(body, 11);
            worst = Math.max(worst, Math.hypot(...corner.map((x, c) => now[c] - centre[c] - x)) / Math.hypot(...half));
        }
        const now = measure(body);
        expect(Math.abs(now.kinetic / before.kinetic - 1)).toBeLessThan(1e-3);
        for (let c = 0; c < 3; c++) expect(Math.abs(now.spin[c] - before.spin[c])).toBeLessThan(1e-4 * Math.hypot(...before.spin));
        // 0.3 % of the corner's distance from the centre are what four substeps are off.
        expect(worst).toBeLessThan(0.02);
    });
    test("falls as Galileo has it, and does not turn", () => {
        const body = makeRigidBody(box([0.3, 0.2, 0.1], [0, 10, 0], 0.4));
        const [, , z] = at(body, 11);
        runSeconds(body, 1);
        // Verlet is ahead of the parabola by half a substep of speed.
        expect(centreOf(body)[1]).toBeCloseTo(10 - (G / 2) * (1 + 1 / 240), 4);
        expect(at(body, 11)[2]).toBeCloseTo(z, 5);
    });

    test.each([
        [0.3, 0.2],
        [0.5, 0.3],
        [0.3, 0],
    ])("a box slides down an incline of %s rad at g (sin θ - μ cos θ), μ %s", (angle, friction) => {
        const body = onPlane(makeRigidBody(box([0.2, 0.1, 0.15], [0, 0.1, 0]), inclined(angle, friction)));
        runSeconds(body, 0.5);
        const before = measure(body).momentum[0];
        runSeconds(body, 1);
        const expected = -G * (Math.sin(angle) - friction * Math.cos(angle));
        expect(Math.abs((measure(body).momentum[0] - before) / expected - 1)).toBeLessThan(5e-3);
    });

    test.each([
        [0.3, 0.34],
        [0.5, 0.6],
    ])("and rests on one of %s rad where μ %s > tan θ", (angle, friction) => {
        const body = onPlane(makeRigidBody(box([0.2, 0.1, 0.15], [0, 0.1, 0]), inclined(angle, friction)));
        runSeconds(body, 0.5);
        const before = centreOf(body);
        runSeconds(body, 1);
        // It creeps where friction has little to spare, by a hundred-thousandth of what it would fall.
        expect(Math.hypot(...centreOf(body).map((x, c) => x - before[c]))).toBeLessThan(5e-3);
    });

    test.each([0.2, 0.5])("a ball rolls down an incline of %s rad at 5/7 g sin θ", (angle) => {
        const body = onPlane(makeBall(0.2, [0, 0.2, 0], inclined(angle, 0.5)));
        runSeconds(body, 1.5);
        const speed = measure(body).momentum[0];
        expect(Math.abs(speed / ((-5 / 7) * G * Math.sin(angle) * 1.5) - 1)).toBeLessThan(2e-3);
    });

    test("a ball that is thrown flat stops sliding at 5/7 of its speed", () => {
        const body = onPlane(makeBall(0.2, [0, 0.2, 0], inclined(0, 0.3)));
        setMotion(body, [3, 0, 0]);
        runSeconds(body, 2);
        expect(Math.abs(measure(body).momentum[0] / ((5 / 7) * 3) - 1)).toBeLessThan(2e-3);
    });

    test("what falls on its edge comes to rest on its face, at the distance of its thickness", () => {
        const made = makeRigidBody(box([0.2, 0.1, 0.15], [0, 0.3, 0], 0.3), {
            fabric: { friction: 0.5, thickness: 0.001 },
        });
        const body = onPlane(made);
        runSeconds(body, 3);
        expect(centreOf(body)[1]).toBeCloseTo(0.101, 4);
        for (let i = 0; i < 4; i++) expect(Math.hypot(...velocityOf(body, i))).toBeLessThan(1e-3);
    });

    test("leaves with the restitution's share of its speed, and takes the impulse of its mass", () => {
        const body = makeBall(0.2, [0, 1.2, 0], { gravity: [0, 0, 0] });
        onPlane(body).colliders[0].settings.restitution = 0.8;
        setMotion(body, [0.5, -4, 0], [0, 3, 0]);
        runSeconds(body, 0.5);
        const { momentum } = measure(body);
        expect(Math.abs(momentum[1] / 3.2 - 1)).toBeLessThan(1e-3);
        expect(momentum[0]).toBeCloseTo(0.5, 4);
    });

    test("lands on a ball that none of its vertices meets, and on a post that is thinner than its face", () => {
        const sheet = box([0.5, 0.05, 0.5], [0, 1, 0]);
        const body = makeRigidBody(sheet, { fabric: { thickness: 0.002, friction: 0.5 } });
        addCollider(body, "sphere", pose([0, 0.5, 0], [0.2, 0.2, 0.2]));
        runSeconds(body, 1);
        expect(centreOf(body)[1]).toBeGreaterThan(0.74);
    });

    test("hangs on a pin as a pendulum of its inertia: 2π √(I / m g d)", () => {
        const body = makeRigidBody(box([0.05, 0.4, 0.1], [0, 0, 0], 0.05));
        // Two corners of the top: a hinge along z.
        pinParticles(body, [4 + 2, 4 + 6]);
        const hinge = at(body, 6);
        const other = at(body, 10);
        const crossings: number[] = [];
        const pivot = [0, 1].map((c) => (hinge[c] + other[c]) / 2);
        const rest = Math.hypot(0.05, 0.4);
        const inertia = (0.05 ** 2 + 0.4 ** 2) / 3 + rest * rest;
        let before = centreOf(body)[0] - pivot[0];
        runSteps(body, 600, (step) => {
            const now = centreOf(body)[0] - pivot[0];
            if (before < 0 && now >= 0) crossings.push((step - 1 + before / (before - now)) / 60);
            before = now;
        });
        const period = (crossings[crossings.length - 1] - crossings[0]) / (crossings.length - 1);
        const amplitude = Math.atan2(0.05, 0.4) + 0.05;
        const expected = 2 * Math.PI * Math.sqrt(inertia / (G * rest)) * (1 + amplitude ** 2 / 16);
        expect(Math.abs(period / expected - 1)).toBeLessThan(0.01);
        expect(Math.hypot(...at(body, 6).map((x, c) => x - hinge[c]))).toBe(0);
        const points = [4, 5, 6, 7].map((i) => at(body, i));
        expect(Math.hypot(...points[0].map((x, c) => x - points[1][c]))).toBeCloseTo(0.1, 5);
    });
});

/** Gravity of an incline of so many radians, which lies level. */
function inclined(angle: number, friction: number) {
    return { gravity: [-G * Math.sin(angle), -G * Math.cos(angle), 0] as const, fabric: { friction } };
}

/** Puts it over a plane at y = 0. */
function onPlane(body: RigidBody): RigidBody {
    addCollider(body, "plane", pose([0, 0, 0], [100, 100, 100], -Math.PI / 2, "x"));
    return body;
}
