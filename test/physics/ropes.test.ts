import { describe, expect, test } from "@jest/globals";
import type { Body, RopeSettings } from "../../src/engine/index";
import { line, makeRope, overPost } from "./ropes";
import { addCollider, at, G, measure, pose, runFrame, runSeconds, runSteps, setVelocity, stretchOf, velocityOf } from "./support";

const lowestOf = (rope: Body): number => Math.min(...Array.from({ length: rope.state.particleCount }, (_, i) => at(rope, i)[1]));

describe("ropes", () => {
    test.each([
        [1, 1.2],
        [1, 2],
        [1.9, 2],
        [1.99, 2],
    ])("hung between two points %s m apart, %s m are a catenary", (span, length) => {
        const rope = makeRope(line([0, 0, 0], [span, 0, 0], 64), {
            pinned: [0, 63],
            rope: { length },
            fabric: { damping: 2 },
        });
        runSeconds(rope, 8);
        // Length = 2 a sinh(span / 2a).
        let [low, high] = [1e-3, 1e3];
        for (let k = 0; k < 100; k++) {
            const a = Math.sqrt(low * high);
            if (2 * a * Math.sinh(span / 2 / a) > length) low = a;
            else high = a;
        }
        const sag = low * (Math.cosh(span / 2 / low) - 1);
        // 0.05 % is what 63 straight links are off.
        expect(Math.abs(-lowestOf(rope) / sag - 1)).toBeLessThan(1e-3);
        expect(stretchOf(rope).max).toBeLessThan(1e-4);
    });

    test.each([
        [1, 0.001],
        [100, 0.002],
        [1000, 0.004],
    ])("64 links of 0.2 kg swing %s kg without stretch", (endMass, bar) => {
        const rope = makeRope(line([0, 0, 0], [2, 0, 0], 65), { pinned: [0], rope: { endMass } });
        let worst = 0;
        runSteps(rope, 240, () => (worst = Math.max(worst, stretchOf(rope).max)));
        expect(worst).toBeLessThan(bar);
    });

    test.each([
        [256, 1000, 0],
        [32, 5, 54],
        [64, 50, 54],
    ])("%s links of 0.2 kg stay whole under %s kg, flung at %s m/s", (links, endMass, speed) => {
        const rope = makeRope(line([0, 0, 0], [2, 0, 0], links + 1), { pinned: [0], rope: { endMass } });
        setVelocity(rope, links, [0, speed, 0]);
        const energy = (): number => measure(rope).kinetic + measure(rope).potential;
        const whole = energy() + 2 * endMass * G;
        let worst = 0;
        runSteps(rope, 120, () => {
            worst = Math.max(worst, stretchOf(rope).max);
            expect(energy() + 2 * endMass * G).toBeLessThan(1.02 * whole);
        });
        expect(worst).toBeLessThan(0.1);
        expect(stretchOf(rope).max).toBeLessThan(1e-3);
    });

    test("takes more substeps while it is pulled hard, and only then", () => {
        const rope = makeRope(line([0, 0, 0], [0, -2, 0], 65), { pinned: [0] });
        const { rope: material } = rope.settings as RopeSettings;
        const substeps = (endMass: number): number => {
            material.endMass = endMass;
            rope.invalidate();
            runSeconds(rope, 4);
            return rope.settings.substepCount;
        };
        expect(substeps(0)).toBe(4);
        expect(substeps(300)).toBeGreaterThan(4);
        expect(substeps(0)).toBe(4);
    });

    test("waves run at √(T/μ)", () => {
        const count = 65;
        const rope = makeRope(line([0, 0, 0], [0, -4, 0], count), { pinned: [0], rope: { endMass: 5 } });
        runSeconds(rope, 0.5);
        const bowed = Float32Array.from({ length: 3 * count }, (_, k) => {
            const i = Math.floor(k / 3);
            return k % 3 === 0 ? 0.02 * Math.sin((Math.PI * i) / (count - 1)) : at(rope, i)[k % 3];
        });
        rope.resetTo(bowed);
        const crossings: number[] = [];
        let before = at(rope, 32)[0];
        runSteps(rope, 300, (step) => {
            const now = at(rope, 32)[0];
            if (before > 0 && now <= 0) crossings.push((step - 1 + before / (before - now)) / 60);
            before = now;
        });
        const period = (crossings[crossings.length - 1] - crossings[0]) / (crossings.length - 1);
        const theory = Math.sqrt((5 * G + (0.1 * 4 * G) / 2) / 0.1);
        expect(Math.abs((2 * 4) / period / theory - 1)).toBeLessThan(0.01);
    });

    test.each([
        [33, 0],
        [33, 0.5],
        [2, 1],
    ])("swung from level, %s particles with %s kg at the end gain no energy, and lose little", (count, endMass) => {
        const rope = makeRope(line([0, 0, 0], [1, 0, 0], count), { pinned: [0], rope: { endMass } });
        const energy = (): number => measure(rope).kinetic + measure(rope).potential;
        const whole = (0.1 / 2 + endMass) * G;
        const start = energy();
        let highest = -Infinity;
        runSteps(rope, 300, () => (highest = Math.max(highest, energy())));
        expect(highest - start).toBeLessThan(1e-3 * whole);
        // A chain that cracks like a whip loses more in that, as chains do.
        if (count === 2) expect(energy() - start).toBeGreaterThan(-0.12 * whole);
    });

    test.each([1e-2, 1, 10])("a cantilever of %s N m² bends by w L⁴ / 8 B", (bendStiffness) => {
        const [count, length] = [33, 0.5];
        const rope = makeRope(line([0, 0, 0], [length, 0, 0], count), {
            pinned: [0, 1],
            rope: { bendStiffness },
            gravity: [0, -G * bendStiffness, 0],
            fabric: { damping: 5 },
        });
        runSeconds(rope, 5);
        // Two pinned particles clamp the middle of their link.
        const free = length * (1 - 0.5 / (count - 1));
        const theory = (0.1 * G * free ** 4) / 8;
        expect(Math.abs(-at(rope, count - 1)[1] / theory - 1)).toBeLessThan(0.02);
    });

    test("one that stretches is as long as its stiffness says", () => {
        const rope = makeRope(line([0, 0, 0], [0, -2, 0], 33), {
            pinned: [0],
            rope: { stretchStiffness: 500, endMass: 5 },
            fabric: { damping: 5 },
        });
        runSeconds(rope, 6);
        const theory = 2 + (2 * (5 + 0.1) * G) / 500;
        expect(Math.abs(-at(rope, 32)[1] / theory - 1)).toBeLessThan(2e-3);
    });

    test.each([
        [0, 1, 16],
        [0.3, 1, 16],
        [0.3, 10, 16],
        [0, 1, 4],
        [0.3, 1, 4],
        [0.3, 10, 4],
    ])("round a post of friction %s, %s kg holds e^(μ π) times as much (Euler and Eytelwein)", (friction, light, substepCount) => {
        const theory = Math.exp(friction * Math.PI);
        const sliding = (share: number): { ratio: number; speed: number } => {
            const heavy = light * theory * share;
            const rope = overPost(light, heavy, friction, substepCount);
            runSeconds(rope, 0.1);
            const end = rope.state.particleCount - 1;
            const before = velocityOf(rope, end)[1];
            runSeconds(rope, 0.2);
            const speed = velocityOf(rope, end)[1];
            const fall = (before - speed) / 0.2;
            return { ratio: (heavy * (G - fall)) / (light * (G + fall)), speed };
        };
        const { ratio, speed } = sliding(1.5);
        expect(speed).toBeLessThan(-0.1);
        expect(Math.abs(ratio / theory - 1)).toBeLessThan(0.1);
        if (friction > 0) expect(Math.abs(sliding(0.85).speed)).toBeLessThan(0.05);
    });

    test.each([
        [10, 12],
        [100, 120],
        [1000, 1000],
    ])("%s and %s kg hang still over a post", (light, heavy) => {
        const rope = overPost(light, heavy, 0.3, 4);
        let highest = -Infinity;
        runSteps(rope, 120, () => {
            for (let i = 0; i < rope.state.particleCount; i++) highest = Math.max(highest, at(rope, i)[1]);
        });
        expect(highest).toBeLessThan(0.212);
        expect(Math.abs(velocityOf(rope, rope.state.particleCount - 1)[1])).toBeLessThan(0.05);
        expect(stretchOf(rope).max).toBeLessThan(0.01);
    });

    test.each(["capsule", "cylinder", "box", "sphere"] as const)("17 links that fall across a thin %s hang on it", (shape) => {
        const rope = makeRope(line([-1, 0.5, 0], [1, 0.5, 0], 17), {
            fabric: { friction: 0.4, thickness: 0.01, damping: 0.5 },
        });
        const long = shape === "capsule" ? 0.3 : 0.5;
        addCollider(rope, shape, pose([0.06, 0, 0], [0.02, shape === "sphere" ? 0.02 : long, 0.02], Math.PI / 2, "x"));
        runSeconds(rope, 1.5);
        expect(Math.max(...Array.from({ length: 17 }, (_, i) => at(rope, i)[1]))).toBeGreaterThan(0.015);
    });

    test("a winch lifts at its own speed, and lets down", () => {
        // Not quite straight: what stops to lift flies on, and buckles.
        const points = line([0, 0, 0], [0, -2, 0], 33).map((value, k) => (k % 3 === 0 ? 1e-3 * Math.sin(1.7 * k) : value));
        const rope = makeRope(points, { pinned: [0], rope: { endMass: 2, length: 2 }, fabric: { damping: 1 } });
        const { rope: material } = rope.settings as RopeSettings;
        runSteps(rope, 60, () => {
            material.length -= 1 / 60;
            rope.invalidate();
        });
        expect(at(rope, 32)[1]).toBeCloseTo(-1, 2);
        runSeconds(rope, 1);
        runSteps(rope, 60, () => {
            material.length += 0.5 / 60;
            rope.invalidate();
        });
        expect(Math.abs(at(rope, 32)[1] + 1.5)).toBeLessThan(0.02);
        expect(stretchOf(rope).max).toBeLessThan(2e-3);
    });

    test("moves the same at 30, 60 and 144 frames a second, and in jitter", () => {
        const run = (frames: (k: number) => number): readonly number[] => {
            const rope = makeRope(line([0, 0, 0], [1, 0, 0], 33), { pinned: [0], rope: { endMass: 0.2 } });
            let passed = 0;
            for (let k = 0; passed < 2 - 1e-9; k++) {
                const seconds = Math.min(frames(k), 2 - passed);
                passed += seconds;
                runFrame(rope, seconds);
            }
            // Steps are whole: what a frame has left over is taken with the next.
            runSteps(rope, 121 - Math.round(rope.clock.time * 60));
            return at(rope, 32);
        };
        const expected = run(() => 1 / 60);
        for (const frames of [() => 1 / 30, () => 1 / 144, (k: number) => 0.004 + 0.02 * ((k * 0.618) % 1)])
            run(frames).forEach((value, c) => expect(value).toBeCloseTo(expected[c], 6));
    });

    test("moves the same to the bit when it is run again", () => {
        const run = (): Float32Array => {
            const rope = overPost(0.3, 1, 0.3, 4);
            runSeconds(rope, 1);
            return rope.state.positions.slice();
        };
        expect(run()).toEqual(run());
    });

    test("what is no number stays in its rope", () => {
        const [rope, other] = [0, 1].map(() => makeRope(line([0, 0, 0], [1, 0, 0], 9), { pinned: [0] }));
        rope.state.positions[16] = NaN;
        runSeconds(rope, 0.1);
        runSeconds(other, 0.1);
        expect(other.state.positions.every(Number.isFinite)).toBe(true);
    });

    // Folded links pulled by what their neighbours were to push by and did not: it flew at 74 m/s.
    test.each([
        [20, 0.2, 0.1],
        [24, 0, 0.1],
        [31, 0, 0],
        [64, 0.2, 0],
    ])(
        "a rope of %s links that falls upright onto its end comes down (%s m above the ground, leaning by %s)",
        (links, above, lean) => {
            const fabric = { thickness: 0.01, friction: 0.4, damping: 0.4 };
            const column = line([0, above, 0], [lean, 1 + above, 0], links + 1);
            const rope = makeRope(column, { rope: { linearDensity: 0.08, bendStiffness: 1e-4 }, fabric });
            addCollider(rope, "halfSpace", pose([0, 0, 0], [1, 1, 1], -Math.PI / 2, "x"));
            let fastest = 0;
            let highest = 0;
            runSeconds(rope, 3, () => {
                for (let i = 0; i <= links; i++) {
                    fastest = Math.max(fastest, Math.hypot(...velocityOf(rope, i)));
                    highest = Math.max(highest, at(rope, i)[1]);
                }
            });
            // What falls freely from its height comes down at 4.9 m/s.
            expect(fastest).toBeLessThan(13);
            expect(highest).toBeLessThan(1.05 + above);
            expect(lowestOf(rope)).toBeGreaterThan(0);
        },
    );

    test.each([60, 72, 144])("a load of 5 kg on 2 m, let go at 60°, keeps its swings at %s Hz: damping is the rope's", (rate) => {
        const [x, y] = [2 * Math.sin(Math.PI / 3), -2 * Math.cos(Math.PI / 3)];
        const rope = makeRope(line([0, 0, 0], [x, y, 0], 21), {
            pinned: [0],
            fixedTimeStep: 1 / rate,
            rope: { endMass: 5, linearDensity: 0.08, bendStiffness: 1e-4 },
            fabric: { damping: 0.4 },
            wind: null,
        });
        const aside: number[] = [];
        runSeconds(rope, 7, () => aside.push(at(rope, 20)[0]));
        const turns = aside.filter((here, i) => i > 0 && (here - aside[i - 1]) * (aside[i + 1] - here) < 0);
        expect(Math.abs(turns[3]) / x).toBeGreaterThan(0.93);
        expect(Math.abs(turns[3])).toBeLessThan(x);
    });

    test("a load that falls freely with its rope is damped with it", () => {
        const rope = makeRope(line([0, 0, 0], [0, -1, 0], 9), { rope: { endMass: 1 }, fabric: { damping: 1 }, wind: null });
        runSeconds(rope, 1);
        expect(velocityOf(rope, 8)[1]).toBeCloseTo(-G * (1 - Math.exp(-1)), 1);
    });
});
