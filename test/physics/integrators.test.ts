// Explicit methods against what is known of them: orders, limits of stability, and that all else of a body works with them.
import { beforeAll, describe, expect, test } from "@jest/globals";
import type { Body } from "../../src/engine/index";
import { solverModule, identity } from "../../src/engine/index";
import { chain, grid, gridIndex, hanging, lying, topRow } from "./meshes";
import { addCollider, at, G, makeCloth, measure, pinParticles, pose, powerLaw, runSeconds, runSteps } from "./support";
import type { ClothOptions } from "./support";

const SOLVERS = ["explicitEuler", "symplecticEuler", "midpoint", "rungeKutta4", "verlet"] as const;
type Solver = (typeof SOLVERS)[number];

beforeAll(() => solverModule.load());

/** One particle of 1 kg on a spring of 1 m that is drawn out by 0.1 m, without gravity. */
function oscillator(solver: Solver, stiffness: number, step: number, more: ClothOptions = {}): Body {
    const topology = chain(Float32Array.of(0, 0, 0, 1.1, 0, 0), [1, 1], 1);
    return makeCloth(topology, {
        solver,
        gravity: [0, 0, 0],
        substepCount: 1,
        fixedTimeStep: step,
        pinned: [0],
        ...more,
        fabric: { stretchStiffness: stiffness, ...more.fabric },
    });
}

describe("order of convergence", () => {
    const STIFFNESS = 30;
    test.each([
        ["explicitEuler", 1, [256, 512, 1024]],
        ["symplecticEuler", 1, [256, 512, 1024]],
        ["midpoint", 2, [64, 128, 256]],
        ["rungeKutta4", 4, [16, 24, 32]],
        ["verlet", 2, [64, 128, 256]],
    ] as const)("%s: %d", (solver, order, counts) => {
        const errors = counts.map((count) => {
            const cloth = oscillator(solver, STIFFNESS, 1 / count);
            runSteps(cloth, count);
            return Math.abs(at(cloth, 1)[0] - 1 - 0.1 * Math.cos(Math.sqrt(STIFFNESS)));
        });
        expect(-powerLaw(counts, errors)).toBeGreaterThan(order - 0.15);
        expect(-powerLaw(counts, errors)).toBeLessThan(order + 0.15);
    });
});

describe("the largest stable step", () => {
    const STIFFNESS = 1e4;
    const FREQUENCY = 100;
    const DAMPING = 0.002;
    // Of x'' = -ω² x - β ω² x': explicit Euler takes β; the others, without β, are known by ω.
    const LIMITS: [Solver, number, number][] = [
        ["symplecticEuler", 2 / FREQUENCY, 0],
        ["verlet", 2 / FREQUENCY, 0],
        ["rungeKutta4", Math.sqrt(8) / FREQUENCY, 0],
        ["explicitEuler", DAMPING, DAMPING],
    ];

    test.each(LIMITS)("%s stays finite below it", (solver, limit, springDamping) => {
        const cloth = oscillator(solver, STIFFNESS, 0.98 * limit, { springDamping });
        runSteps(cloth, 2000);
        expect(cloth.solver?.warning).toBeNull();
        expect(Math.abs(at(cloth, 1)[0] - 1)).toBeLessThan(0.6);
    });

    test.each(LIMITS)("%s swings ever wider above it, and says what it is", (solver, limit, springDamping) => {
        const cloth = oscillator(solver, STIFFNESS, 1.05 * limit, { springDamping });
        let widest = 0;
        for (let k = 0; k < 3000; k++) {
            runSteps(cloth, 1);
            widest = Math.max(widest, Math.abs(at(cloth, 1)[0] - 1));
        }
        expect(widest).toBeGreaterThan(1);
        const told = Number(/stable one is ([\d.e-]+) ms/.exec(cloth.solver!.warning!)![1]);
        expect(Math.abs(told / 1000 / limit - 1)).toBeLessThan(0.01);
    });

    test.each(SOLVERS)("%s: a sheet that explodes stands still where it was finite, until it is put back", (solver) => {
        const sheet = grid(6, 6, hanging(1));
        const cloth = makeCloth(sheet, { solver, pinned: topRow(6, 6), fabric: { bendStiffness: 1e-3 } });
        runSteps(cloth, 60);
        expect(cloth.kineticEnergy).toBe(0);
        const places = cloth.state.positions.slice();
        expect(places.every(Number.isFinite)).toBe(true);
        runSteps(cloth, 10);
        expect(cloth.state.positions).toEqual(places);
        expect(cloth.solver!.warning).toMatch(/largest stable one is .* needs ((\d+) substeps, |damping, |)a softer fabric/);
        cloth.resetTo(sheet.positions);
        runSteps(cloth, 1);
        expect(at(cloth, 0)[1]).not.toBe(-1);
    });

    test.each(["explicitEuler", "midpoint"] as const)("of %s is none without damping", (solver) => {
        const cloth = oscillator(solver, STIFFNESS, 1e-4);
        runSteps(cloth, 1);
        expect(cloth.solver?.warning).toContain("stable one is 0");
    });

    test("a softer fabric sets it going again", () => {
        const cloth = oscillator("verlet", STIFFNESS, 1.05 * (2 / FREQUENCY));
        runSteps(cloth, 1000);
        const [x] = at(cloth, 1);
        cloth.settings.fabric = { ...cloth.settings.fabric, stretchStiffness: 10 };
        cloth.invalidate();
        runSteps(cloth, 5);
        expect(at(cloth, 1)[0]).not.toBe(x);
    });
});

describe.each([...SOLVERS, "implicit"] as const)("%s", (solver) => {
    const SOFT = { stretchStiffness: 100, shearStiffness: 20, bendStiffness: 1e-3, damping: 3 };
    const options: ClothOptions = { solver, substepCount: 16, springDamping: 4e-3, fabric: SOFT };

    test("falls freely as its formula says", () => {
        const cloth = makeCloth(chain(Float32Array.of(0, 0, 0, 1, 0, 0), [1, 1], 1), {
            solver,
            fabric: { stretchStiffness: 0 },
        });
        runSteps(cloth, 60);
        const h = 1 / 240;
        const exact = -G / 2;
        const known =
            { explicitEuler: exact + (G * h) / 2, symplecticEuler: exact - (G * h) / 2, implicit: exact - (G * h) / 2 }[
                solver as string
            ] ?? exact;
        expect(Math.abs(at(cloth, 1)[1] - known)).toBeLessThan(2e-6);
    });

    test("hangs by its pins as long as its weight makes it", () => {
        const cloth = makeCloth(grid(6, 6, hanging(1)), { ...options, pinned: topRow(6, 6) });
        runSeconds(cloth, 3);
        expect(cloth.solver?.warning).toBeNull();
        const sag = -at(cloth, gridIndex(6, 3, 0))[1] - 1;
        // ρ g L² / 2k; the sheet hangs from its top row, whose half cell of weight stretches nothing.
        expect(Math.abs(sag / (G / 200) - 1)).toBeLessThan(0.05);
    });

    test("follows pins that move", () => {
        const cloth = makeCloth(grid(4, 4, hanging(0.5)), options);
        const pins = pinParticles(cloth, topRow(4, 4));
        const carried = identity();
        runSeconds(cloth, 3, (step) => {
            carried[12] = Math.min(1, step / 60);
            pins.setTargets(carried);
        });
        expect(Math.abs(at(cloth, gridIndex(4, 2, 0))[0] - 1.25)).toBeLessThan(0.02);
        expect(at(cloth, gridIndex(4, 2, 4))[0]).toBeCloseTo(1.25, 5);
    });

    test("lies on a half-space and on a sphere at its thickness", () => {
        const cloth = makeCloth(grid(8, 8, lying(1, 1, 0.3)), {
            ...options,
            fabric: { ...SOFT, thickness: 0.01, friction: 0.5 },
        });
        addCollider(cloth, "halfSpace", pose([0, 0, 0], [1, 1, 1], -Math.PI / 2, "x"));
        addCollider(cloth, "sphere", pose([0, 0, 0], [0.2, 0.2, 0.2]));
        runSeconds(cloth, 2);
        let nearest = Infinity;
        let low = Infinity;
        for (let i = 0; i < cloth.state.particleCount; i++) {
            nearest = Math.min(nearest, Math.hypot(...at(cloth, i)) - 0.2);
            low = Math.min(low, at(cloth, i)[1]);
        }
        // Between its particles the sheet is nearer: it stands a little off.
        expect(nearest).toBeGreaterThan(0.0099);
        expect(nearest).toBeLessThan(0.02);
        expect(Math.abs(low - 0.01)).toBeLessThan(1e-3);
        expect(measure(cloth).kinetic).toBeLessThan(1e-3);
    });

    test("takes impulses", () => {
        const cloth = makeCloth(grid(4, 4, lying(1, 1, 1)), { ...options, gravity: [0, 0, 0] });
        cloth.applyImpulse(0, 1, 0, 0, 0.5, 0, 2);
        runSteps(cloth, 1);
        cloth.applyImpulse(0, 1, 0, 0, 0.5, 0, 2);
        runSteps(cloth, 1);
        // 1 kg; damped at 3 /s for two steps and one.
        const h = Math.exp(-3 / 60);
        expect(Math.abs(measure(cloth).momentum[1] / (0.5 * h * h + 0.5 * h) - 1)).toBeLessThan(0.01);
    });
});
