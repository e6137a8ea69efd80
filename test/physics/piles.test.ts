import { describe, expect, test } from "@jest/globals";
import { ContactSolver, World } from "../../src/engine/index";
import type { RigidBody, Vector } from "../../src/engine/index";
import { ball, box, centreOf, makeBall, makeRigidBody, runTogether, setMotion } from "./rigidBodies";
import type { RigidBodyOptions } from "./rigidBodies";
import { addCollider, at, G, measure, pose } from "./support";

const world = new World();

const run = (bodies: readonly RigidBody[], seconds: number): void => runTogether(world, bodies, seconds);

/** Puts it over a plane at y = 0. */
function onPlane(body: RigidBody): RigidBody {
    addCollider(body, "plane", pose([0, 0, 0], [100, 100, 100], -Math.PI / 2, "x"));
    return body;
}

/** How fast a particle of any goes at most, over the next steps [m/s]. */
function fastest(bodies: readonly RigidBody[], seconds: number): number {
    const places = (): Vector[] => bodies.flatMap((body) => [0, 1, 2, 3].map((i) => at(body, i)));
    let most = 0;
    for (let step = 0; step < 60 * seconds; step++) {
        const before = places();
        run(bodies, 1 / 60);
        places().forEach((p, i) => (most = Math.max(most, 60 * Math.hypot(...p.map((x, c) => x - before[i][c])))));
    }
    return most;
}

describe("rigid bodies that touch", () => {
    const weightless = (pile: ContactSolver, rest: RigidBodyOptions = {}): RigidBodyOptions => ({
        pile,
        gravity: [0, 0, 0],
        fabric: { friction: 0.5 },
        ...rest,
    });

    test("a stack of ten boxes stands", () => {
        const pile = new ContactSolver();
        const bodies = Array.from({ length: 10 }, (_, i) => {
            const shape = box([0.25, 0.25, 0.25], [0.003 * ((7 * i) % 3), 0.251 + 0.502 * i, 0]);
            return onPlane(makeRigidBody(shape, { pile, fabric: { friction: 0.5, thickness: 0.001 } }));
        });
        run(bodies, 3);
        expect(fastest(bodies, 1)).toBeLessThan(1e-3);
        // What presses on it lets each give by some tenths of a millimetre.
        expect(Math.abs(centreOf(bodies[9])[1] - 4.769)).toBeLessThan(0.01);
        expect(Math.hypot(centreOf(bodies[9])[0], centreOf(bodies[9])[2])).toBeLessThan(5e-3);
    });

    test("a stack moves as it does alone, whatever stands and falls elsewhere", () => {
        const stack = (pile: ContactSolver, x: number, count: number): RigidBody[] =>
            Array.from({ length: count }, (_, i) => {
                const shape = box([0.25, 0.25, 0.25], [x + 0.02 * i, 0.3 + 0.55 * i, 0]);
                return onPlane(makeRigidBody(shape, { pile, fabric: { friction: 0.5 } }));
            });
        const alone = stack(new ContactSolver(), 0, 3);
        const pile = new ContactSolver();
        const others = stack(pile, -2, 2);
        const bodies = stack(pile, 0, 3);
        run(alone, 0.5);
        run([...others, ...bodies], 0.5);
        bodies.forEach((body, i) => expect(centreOf(body)).toEqual(centreOf(alone[i])));
    });

    test("what stands on a body that is taken away wakes, and comes down", () => {
        const pile = new ContactSolver();
        const [lowest, ...others] = [0, 1, 2].map((i) => {
            const shape = box([0.25, 0.25, 0.25], [0, 0.251 + 0.502 * i, 0]);
            return onPlane(makeRigidBody(shape, { pile, sleepSpeed: 5e-3, fabric: { friction: 0.5 } }));
        });
        run([lowest, ...others], 3);
        expect(others.map(({ isAsleep }) => isAsleep)).toEqual([true, true]);
        lowest.release();
        run(others, 1);
        others.forEach((body, i) => expect(centreOf(body)[1]).toBeLessThan(0.3 + 0.502 * i));
    });

    test.each([
        ["head on", [3, 0, 0], 0],
        ["aside", [2, 0, 0], 0.15],
        ["by an edge", [2, 0.5, -0.3], 0.32],
    ] as [string, Vector, number][])(
        "boxes that meet %s keep momentum and its moment, and gain no energy",
        (_name, velocity, aside) => {
            const pile = new ContactSolver();
            const a = makeRigidBody(box([0.2, 0.2, 0.2], [-0.5, 0, 0], 0.3), weightless(pile));
            const b = makeRigidBody(box([0.3, 0.2, 0.1], [0.5, aside, 0.05], 0.8), weightless(pile, { body: { mass: 2 } }));
            setMotion(a, velocity, [1, 2, 0.5]);
            setMotion(b, [-1, 0.1, 0], [0, -1, 1]);
            const sum = () => {
                const [p, q] = [measure(a), measure(b)];
                const add = (x: readonly number[], y: readonly number[]): number[] => x.map((v, c) => v + y[c]);
                return { momentum: add(p.momentum, q.momentum), spin: add(p.spin, q.spin), kinetic: p.kinetic + q.kinetic };
            };
            const before = sum();
            run([a, b], 1.5);
            const after = sum();
            const off = (x: number[], y: number[]): number => Math.hypot(...x.map((v, c) => v - y[c])) / Math.hypot(...x);
            expect(off(before.momentum, after.momentum)).toBeLessThan(1e-4);
            expect(off(before.spin, after.spin)).toBeLessThan(1e-3);
            expect(after.kinetic).toBeLessThan(0.95 * before.kinetic);
        },
    );

    test("balls push each other along the line between them", () => {
        const pile = new ContactSolver();
        const a = makeBall(0.1, [0, 0, 0], weightless(pile, { fabric: { thickness: 0.1, friction: 0 } }));
        const b = makeBall(0.2, [0.5, 0.15, 0], weightless(pile, { fabric: { thickness: 0.2, friction: 0 } }));
        setMotion(a, [2, 0, 0]);
        run([a, b], 1);
        const along = centreOf(b).map((x, c) => x - [0.5, 0.15, 0][c]);
        // They meet where their middles are 0.3 m apart: 0.15 of it across.
        expect(along[1] / along[0]).toBeCloseTo(0.15 / Math.sqrt(0.09 - 0.0225), 2);
    });

    test("a plank lies across another, and a ball on a box", () => {
        const pile = new ContactSolver();
        const fabric = { friction: 0.5, thickness: 0.001 };
        const below = onPlane(makeRigidBody(box([0.5, 0.05, 0.1], [0, 0.051, 0]), { pile, fabric }));
        const above = onPlane(makeRigidBody(box([0.1, 0.05, 0.5], [0, 0.16, 0]), { pile, fabric }));
        const cube = onPlane(makeRigidBody(box([0.2, 0.2, 0.2], [2, 0.201, 0]), { pile, fabric }));
        const round = makeBall(0.1, [2, 0.503, 0], { pile, fabric: { friction: 0.5, thickness: 0.1 } });
        const bodies = [below, above, cube, round];
        run(bodies, 3);
        expect(fastest(bodies, 0.5)).toBeLessThan(1e-3);
        expect(centreOf(above)[1]).toBeCloseTo(0.153, 3);
        expect(centreOf(round)[1]).toBeCloseTo(0.502, 3);
    });

    test("what falls on the edge of another is met there", () => {
        const pile = new ContactSolver();
        const quarter = Math.PI / 4;
        const below = makeRigidBody(box([0.5, 0.1, 0.1], [0, 0, 0]), weightless(pile));
        const turned = box([0.1, 0.1, 0.5], [0, 0.6, 0], quarter);
        const above = makeRigidBody(turned, weightless(pile));
        setMotion(above, [0, -2, 0]);
        run([below, above], 1);
        // Half a diagonal and half a side apart, and together from then on.
        expect(centreOf(above)[1] - centreOf(below)[1]).toBeGreaterThan(0.1 * Math.SQRT2 + 0.1 - 2e-3);
        expect(measure(below).momentum[1]).toBeCloseTo(-1, 1);
    });

    test.each([0.25, 0.3])(
        "a box on a box that lies on an incline stays where μ 0.34 > tan %s, and slides where it is less",
        (angle) => {
            const gravity: Vector = [-G * Math.sin(angle), -G * Math.cos(angle), 0];
            for (const friction of [0.34, 0.2]) {
                const pile = new ContactSolver();
                const below = onPlane(makeRigidBody(box([0.4, 0.1, 0.3], [0, 0.1, 0]), { pile, gravity, fabric: { friction: 2 } }));
                const above = makeRigidBody(box([0.2, 0.1, 0.15], [0, 0.3, 0]), {
                    pile,
                    gravity,
                    fabric: { friction: friction ** 2 / 2 },
                });
                run([below, above], 0.25);
                const [start] = centreOf(above);
                run([below, above], 0.25);
                if (friction > Math.tan(angle)) expect(Math.abs(centreOf(above)[0] - start)).toBeLessThan(1e-4);
                else expect(centreOf(above)[0] - start).toBeLessThan(-0.01);
            }
        },
    );

    test("bodies meet by the hulls of any mesh, as far as their groups agree", () => {
        for (const mask of [-1, 2]) {
            const pile = new ContactSolver();
            const below = onPlane(makeRigidBody(ball(0.3, [0, 0.3, 0], 5), { pile, fabric: { friction: 0.5 } }));
            below.groups.mask = mask;
            const above = makeRigidBody(box([0.3, 0.05, 0.3], [0, 0.8, 0]), { pile, fabric: { friction: 0.5 } });
            run([below, above], 0.6);
            if (mask === -1) expect(centreOf(above)[1]).toBeGreaterThan(0.55);
            else expect(centreOf(above)[1]).toBeLessThan(0);
        }
    });
});
