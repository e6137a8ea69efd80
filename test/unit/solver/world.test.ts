import { describe, expect, test } from "@jest/globals";
import { Body } from "../../../src/engine/bodies/body";
import { buildOrderedDistances, DistanceConstraints } from "../../../src/engine/solvers/xpbd/distanceConstraints";
import { World } from "../../../src/engine/index";
import type { WindField } from "../../../src/engine/index";
import { evenWind } from "../../physics/air";
import { grid, hanging, lying, sphere } from "../../physics/meshes";
import type { Sheet } from "../../physics/meshes";
import { addCollider, G, kernelsOf, makeCloth, pinParticles, PLAIN, pose, runSteps } from "../../physics/support";
import type { ClothOptions } from "../../physics/support";

const STEP = 1 / 60;

function beginFrame(body: Body, seconds: number): void {
    body.clock.frameSeconds = seconds;
    body.beginFrame();
}

/** A frame of several bodies. */
function frame(world: World, bodies: readonly Body[], seconds = STEP): void {
    for (const body of bodies) beginFrame(body, seconds);
    world.advance(bodies);
    for (const body of bodies) body.endFrame();
}

const BLOWING: WindField = {
    ...evenWind([0, 0, 0]),
    sample: (clock, uniforms, origin) => evenWind([3 * Math.sin(clock.worldTime), 0, 5]).sample(clock, uniforms, origin),
};

const stateOf = ({ state }: Body): number[] => [...state.positions, ...state.previous, ...state.residuals];

describe("bodies of a world", () => {
    const SHAPES: [Sheet, ClothOptions][] = [
        [grid(9, 7, hanging()), { pinned: [0, 8] }],
        [grid(6, 6, lying()), {}],
        [sphere(1), { substepCount: 2 }],
        [grid(5, 9, hanging()), { pinned: [2], fixedTimeStep: 1 / 90 }],
        [grid(8, 8, lying()), { fabric: { damping: 3, friction: 0.5 } }],
        // More particles than go into one batch.
        [grid(60, 60, hanging()), { pinned: [0] }],
    ];
    const build = (): Body[] =>
        SHAPES.map(([shape, options], i) => {
            const body = makeCloth(shape, options);
            if (i < 4) addCollider(body, i % 2 ? "sphere" : "halfSpace", i % 2 ? pose([0.1, -0.6, 0], [0.4, 0.4, 0.4]) : GROUND);
            return body;
        });
    const GROUND = pose([0, -1, 0], [1, 1, 1], -Math.PI / 2, "x");

    test("a body's motion does not depend on the others, nor on their order, to the bit", () => {
        const alone = build();
        const together = build();
        const shuffled = build();
        const order = [3, 0, 5, 2, 4, 1];
        const world = new World();
        for (let f = 0; f < 40; f++) {
            const seconds = [STEP, 0.4 * STEP, 2.3 * STEP][f % 3];
            for (const body of alone) frame(world, [body], seconds);
            frame(world, together, seconds);
            frame(
                world,
                order.map((i) => shuffled[i]),
                seconds,
            );
        }
        for (let i = 0; i < alone.length; i++) {
            expect(stateOf(together[i])).toEqual(stateOf(alone[i]));
            expect(stateOf(shuffled[i])).toEqual(stateOf(alone[i]));
            expect(together[i].clock.time).toBe(alone[i].clock.time);
        }
        for (const body of [...alone, ...together, ...shuffled]) body.release();
    });

    test("a calm body's recorded calls do what they do one by one, through changes of all that they depend on", () => {
        const calm = makeCloth(grid(7, 7, hanging()), { pinned: [0, 7], wind: BLOWING, tetherSlack: 0 });
        const watched = makeCloth(grid(7, 7, hanging()), { pinned: [0, 7], wind: BLOWING, tetherSlack: 0 });
        // What is measured is not recorded.
        watched.stopwatch.isOn = true;
        const change = (f: number, body: Body): void => {
            const { settings } = body;
            if (f === 10) settings.wind = null;
            if (f === 15) settings.wind = BLOWING;
            if (f === 20) settings.substepCount = 3;
            if (f === 30) settings.fabric = { ...settings.fabric, bendStiffness: 1e-3 };
            if (f === 40) settings.tetherSlack = Infinity;
            if (f === 45) body.pins[0].setTargets(pose([0.1, 0, 0.1]));
            if (f === 46) body.pins[0].keepTargets();
            if (f === 50) body.removePins(body.pins[0]);
            if (f === 20 || f === 30 || f === 40) body.invalidate();
        };
        const world = new World();
        for (let f = 0; f < 60; f++) {
            for (const body of [calm, watched]) {
                change(f, body);
                frame(world, [body]);
            }
            expect(stateOf(calm)).toEqual(stateOf(watched));
        }
        calm.release();
        watched.release();
    });

    test("bodies that may go together take each substep together", () => {
        const bodies = [0, 1, 2].map((i) => makeCloth(grid(4, 4, lying()), { substepCount: i === 2 ? 3 : 2 }));
        const log: string[] = [];
        bodies.forEach((body, i) => {
            Object.assign(body, {
                kernels: i === 2 ? { ...body.kernels } : body.kernels,
                passes: [{ project: () => log.push(`${i}`) }],
            });
            // Not calm: nothing is recorded.
            addCollider(body, "sphere", pose([0, 0, 0]));
        });
        frame(new World(), bodies);
        expect(log.join("")).toBe("0101222");
        for (const body of bodies) body.release();
    });

    test("an error of one body's observer ends its frame alone, and is told at its end", () => {
        const [a, b] = [0, 1].map(() => makeCloth(grid(4, 4, lying())));
        const world = new World();
        let calls = 0;
        a.observer = {
            beforeStep() {},
            afterStep() {
                calls++;
                throw new Error("mine");
            },
        };
        beginFrame(a, 3 * STEP);
        beginFrame(b, 3 * STEP);
        world.advance([a, b]);
        expect(() => a.endFrame()).toThrow("mine");
        b.endFrame();
        expect(calls).toBe(1);
        expect(a.clock.time).toBeCloseTo(STEP, 9);
        expect(b.clock.time).toBeCloseTo(3 * STEP, 9);
        a.observer = { beforeStep() {}, afterStep() {} };
        frame(world, [a, b]);
        expect(a.clock.time).toBeCloseTo(2 * STEP, 9);
        for (const body of [a, b]) body.release();
    });

    test("an observer may advance another body, stop its own, and change another's substeps", () => {
        const [a, b, c] = [0, 1, 2].map(() => makeCloth(grid(4, 4, lying())));
        const world = new World();
        a.observer = {
            beforeStep: () => (b.settings.substepCount !== 7 ? ((b.settings.substepCount = 7), b.invalidate()) : undefined),
            afterStep() {
                frame(world, [c]);
                a.clock.stop();
            },
        };
        frame(world, [a, b], 3 * STEP);
        expect([a, b, c].map(({ clock }) => Math.round(clock.time / STEP))).toEqual([1, 3, 1]);
        const same = makeCloth(grid(4, 4, lying()), { substepCount: 7 });
        runSteps(same, 3);
        expect(stateOf(b)).toEqual(stateOf(same));
        for (const body of [a, b, c, same]) body.release();
    });

    test("a body without a surface: a chain of given masses hangs by its first particle, and no wind moves it", () => {
        const count = 6;
        const body = makeChain(count);
        pinParticles(body, [0]);
        runSteps(body, 300);
        const x = body.state.positions;
        for (let i = 0; i < count; i++) {
            expect(body.masses.massOf(i)).toBe(i + 1);
            expect(x[4 * i + 1]).toBeCloseTo(-0.1 * i, 3);
        }
        body.release();
    });
});

/** A chain along x, its i-th particle of i + 1 kg. */
function makeChain(count: number): Body {
    const links = {
        stiffness: "stretchStiffness" as const,
        particlesA: Uint32Array.from({ length: count - 1 }, (_, i) => i),
        particlesB: Uint32Array.from({ length: count - 1 }, (_, i) => i + 1),
        restLengths: new Float32Array(count - 1).fill(0.1),
        stiffnessFactors: new Float32Array(count - 1).fill(1),
    };
    const settings = {
        gravity: Float64Array.of(0, -G, 0),
        substepCount: 20,
        fixedTimeStep: STEP,
        maxStepsPerFrame: 4,
        tetherSlack: 0,
        solver: "xpbd" as const,
        springDamping: 0,
        sleepSpeed: 0,
        wind: evenWind([5, 0, 0]),
        fabric: { ...PLAIN, damping: 4 },
    };
    const plan = {
        particleCount: count,
        shares: Float32Array.from({ length: count }, (_, i) => i + 1),
        density: () => 1,
        triangles: new Uint32Array(0),
        constraints: {
            links: (arena: Body["kernels"]["arena"]) =>
                new DistanceConstraints(arena, () => buildOrderedDistances(links, count, null), "links"),
        },
        passes: ["links"],
        passesAfterContact: [],
        lengthConstraints: ["links"],
    };
    const rest = Float32Array.from({ length: count * 3 }, (_, i) => (i % 3 ? 0 : 0.1 * (i / 3)));
    return new Body(kernelsOf(), plan, rest, settings, new Float64Array(3));
}

describe("sleep", () => {
    const FALL = { fabric: { damping: 4, friction: 0.5, thickness: 0.01 }, sleepSpeed: 1e-3 };
    const GROUND = pose([0, -0.2, 0], [1, 1, 1], -Math.PI / 2, "x");

    /** A sheet that has come to rest on the ground and sleeps. */
    function sleeper(options: ClothOptions = FALL): Body {
        const body = makeCloth(grid(8, 8, lying()), options);
        addCollider(body, "halfSpace", GROUND);
        runSteps(body, 240);
        expect(body.isAsleep).toBe(true);
        return body;
    }

    test("what is still for half a second rests: no step is taken, time passes, nothing moves", () => {
        const body = sleeper();
        const before = stateOf(body);
        let steps = 0;
        body.observer = { beforeStep: () => steps++, afterStep() {} };
        const { time } = body.clock;
        runSteps(body, 30);
        expect(steps).toBe(0);
        expect(body.clock.time - time).toBeCloseTo(0.5, 6);
        expect(stateOf(body)).toEqual(before);
        body.release();
    });

    test("never at speed 0, nor at the apex of a swing, nor before half a second", () => {
        const never = makeCloth(grid(8, 8, lying()), { ...FALL, sleepSpeed: 0 });
        addCollider(never, "halfSpace", GROUND);
        runSteps(never, 240);
        expect(never.isAsleep).toBe(false);
        const pendulum = makeCloth(grid(3, 3, lying()), { pinned: [0], sleepSpeed: 1e-3 });
        runSteps(pendulum, 240, () => expect(pendulum.isAsleep).toBe(false));
        const early = makeCloth(grid(3, 3, lying()), { gravity: [0, 0, 0], sleepSpeed: 1e-3 });
        runSteps(early, 29);
        expect(early.isAsleep).toBe(false);
        runSteps(early, 2);
        expect(early.isAsleep).toBe(true);
        for (const body of [never, pendulum, early]) body.release();
    });

    const DISTURBANCES: Record<string, (body: Body) => void> = {
        "another gravity": ({ settings }) => (settings.gravity[0] = 5),
        "another fabric": (body) => {
            body.settings.fabric = { ...body.settings.fabric, friction: 0, thickness: 0.02 };
            body.invalidate();
        },
        wind: ({ settings }) => (settings.wind = evenWind([0, 0, 0], { airDensity: 0 })),
        "an impulse": (body) => body.applyImpulse(0, -0.2, 0, 0, 1, 0, 1),
        "a pin": (body) => void pinParticles(body, [0]),
        "a new collider": (body) => void addCollider(body, "sphere", pose([0, 5, 0])),
        "a collider taken away": (body) => body.removeCollider(body.colliders[0]),
        "a collider's margin": ({ colliders }) => (colliders[0].settings.margin = 0.05),
        "a collider's friction": ({ colliders }) => (colliders[0].settings.friction = 0),
        "a collider that moves": ({ colliders }) => colliders[0].setPose(pose([0, -0.3, 0], [1, 1, 1], -Math.PI / 2, "x")),
        "a move of the origin": (body) => body.rebase(1, 0, 0),
    };
    test.each(Object.keys(DISTURBANCES))("%s wakes it", (name) => {
        const body = sleeper();
        DISTURBANCES[name](body);
        runSteps(body, 1);
        expect(body.isAsleep).toBe(false);
        body.release();
    });

    test("a pinned sheet whose pin moves wakes and follows", () => {
        const body = makeCloth(grid(6, 6, hanging()), { ...FALL });
        const pins = pinParticles(body, [0, 1, 2, 3, 4, 5]);
        runSteps(body, 900);
        expect(body.isAsleep).toBe(true);
        pins.setTargets(pose([0.1, 0, 0]));
        const x = body.state.positions[0];
        runSteps(body, 1);
        expect(body.state.positions[0] - x).toBeCloseTo(pins.to[0] - x, 5);
        expect(body.isAsleep).toBe(false);
        body.release();
    });

    test("a ball that moves far away lets it sleep; when it comes it hits as if it had been watched all the time", () => {
        const play = (sleepSpeed: number): { body: Body; slept: number } => {
            const body = makeCloth(grid(8, 8, lying()), { ...FALL, sleepSpeed });
            addCollider(body, "halfSpace", GROUND);
            const ball = addCollider(body, "sphere", pose([0, 4, 0], [0.2, 0.2, 0.2]));
            runSteps(body, 240);
            // What follows starts from one state: that of the sleeper.
            body.state.stop();
            let slept = 0;
            for (let f = 0; f < 180; f++) {
                const t = f / 60;
                ball.setPose(pose([t < 2 ? Math.sin(7 * t) : 0, t < 2 ? 4 : 4 - 4.5 * (t - 2), 0], [0.2, 0.2, 0.2]));
                runSteps(body, 1);
                if (body.isAsleep) slept++;
            }
            return { body, slept };
        };
        const watched = play(0);
        const asleep = play(1e-3);
        expect(asleep.slept).toBeGreaterThan(100);
        expect(asleep.body.isAsleep).toBe(false);
        const [a, b] = [watched, asleep].map(({ body }) => body.state.positions);
        expect(Math.max(...a)).not.toBe(0);
        a.forEach((value, i) => expect(Math.abs(value - b[i])).toBeLessThan(2e-3));
        watched.body.release();
        asleep.body.release();
    });
});
