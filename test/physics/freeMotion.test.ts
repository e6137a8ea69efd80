import { describe, expect, test } from "@jest/globals";
import { backendNames } from "../../src/kernels/backend";
import { grid, lying } from "./meshes";
import { G, at, makeCloth, measure, runSeconds, runSteps, setVelocity, velocityOf } from "./support";
import type { Vector } from "../../src/solver/vector";
import { seededRandom } from "../random";

describe.each(backendNames)("free motion, %s", (backend) => {
    test.each([1, 4, 16])("falls by ½ g t², %d substeps", (substepCount) => {
        const cloth = makeCloth(backend, grid(4, 4, lying()), { substepCount });
        runSeconds(cloth, 1);
        // n Verlet steps from rest fall by g dt² n (n + 1) / 2: the discrete ½ g t².
        const n = 60 * substepCount;
        const dt = 1 / n;
        const exact = -0.5 * G * dt * dt * n * (n + 1);
        for (let i = 0; i < cloth.state.particleCount; i++) expect(Math.abs(at(cloth, i)[1] / exact - 1)).toBeLessThan(1e-3);
        expect(Math.abs(velocityOf(cloth, 0)[1] / -G - 1)).toBeLessThan(1e-3);
    });

    test("falls in the direction of gravity, whatever that is", () => {
        const gravity: Vector = [3, -2, 6];
        const cloth = makeCloth(backend, grid(2, 2, lying()), { gravity });
        const before = at(cloth, 4);
        runSeconds(cloth, 1);
        at(cloth, 4).forEach((x, c) => expect(x - before[c]).toBeCloseTo(0.5 * gravity[c] * (1 + 1 / 240), 2));
    });

    test("weighs the same anywhere in simulation space and with any number of substeps", () => {
        for (const substepCount of [4, 32]) {
            for (const y of [20, 200]) {
                const cloth = makeCloth(backend, grid(2, 2, lying(1, 1, y)), { substepCount });
                runSeconds(cloth, 1);
                const fallen = y - at(cloth, 4)[1];
                expect({ substepCount, y, error: Math.abs(fallen / (0.5 * G * (1 + 1 / (60 * substepCount))) - 1) < 0.01 }).toEqual(
                    { substepCount, y, error: true },
                );
            }
        }
    });

    test.each([0.5, 2, 10])("damping %d/s slows as exp(-d t)", (damping) => {
        const cloth = makeCloth(backend, grid(2, 2, lying()), { fabric: { damping }, gravity: [0, 0, 0] });
        for (let i = 0; i < 9; i++) setVelocity(cloth, i, [3, 0, -1]);
        runSteps(cloth, 30);
        const [x, , z] = velocityOf(cloth, 4);
        expect(x / (3 * Math.exp(-damping * 0.5))).toBeCloseTo(1, 2);
        expect(z / -Math.exp(-damping * 0.5)).toBeCloseTo(1, 2);
    });

    test("damping does not depend on the substeps, and ends in the terminal velocity g / d", () => {
        for (const substepCount of [1, 4, 10]) {
            const cloth = makeCloth(backend, grid(2, 2, lying()), { fabric: { damping: 4 }, substepCount });
            runSeconds(cloth, 3);
            // Explicit in g: v = g dt / (1 - exp(-d dt)), which is g / d within d dt / 2.
            const dt = 1 / 60 / substepCount;
            expect(velocityOf(cloth, 4)[1] / ((-G * dt) / (1 - Math.exp(-4 * dt)))).toBeCloseTo(1, 2);
        }
    });

    test("keeps momentum, and its centre of mass moves straight on", () => {
        const cloth = makeCloth(backend, grid(8, 8, lying(), "alternating"), {
            gravity: [0, 0, 0],
            fabric: { shearStiffness: 200, bendStiffness: 1e-3 },
        });
        const random = seededRandom(1);
        for (let i = 0; i < 81; i++) setVelocity(cloth, i, [random() + 0.5, random() - 0.5, random() - 0.5]);
        const before = measure(cloth);
        runSeconds(cloth, 5);
        const after = measure(cloth);
        for (let c = 0; c < 3; c++) {
            // What 32 bits round away at 5 m, in 1,200 substeps.
            expect(Math.abs(after.momentum[c] - before.momentum[c])).toBeLessThan(1e-3);
            expect(after.centre[c]).toBeCloseTo(before.centre[c] + (5 * before.momentum[c]) / before.mass, 2);
        }
    });

    test("keeps angular momentum: a spinning sheet goes on spinning", () => {
        const cloth = makeCloth(backend, grid(8, 8, lying(), "alternating"), {
            gravity: [0, 0, 0],
            fabric: { shearStiffness: 500 },
            substepCount: 16,
        });
        for (let i = 0; i < 81; i++) {
            const [x, , z] = at(cloth, i);
            setVelocity(cloth, i, [2 * z, 0, -2 * x]);
        }
        const before = measure(cloth);
        runSeconds(cloth, 2);
        // Two thirds of a turn; the method's own damping takes 0.4 % a second.
        expect(measure(cloth).spin[1] / before.spin[1]).toBeGreaterThan(0.985);
        expect(measure(cloth).spin[1] / before.spin[1]).toBeLessThan(1.001);
        expect(measure(cloth).kinetic / before.kinetic).toBeGreaterThan(0.95);
    });

    test("changing the substeps or the fixed step in flight changes no velocity", () => {
        const cloth = makeCloth(backend, grid(4, 4, lying()), { gravity: [0, 0, 0] });
        for (let i = 0; i < 25; i++) setVelocity(cloth, i, [1, -2, 3]);
        for (const [substepCount, fixedTimeStep] of [
            [1, 1 / 60],
            [10, 1 / 60],
            [3, 1 / 30],
            [4, 1 / 240],
        ]) {
            Object.assign(cloth.settings, { substepCount, fixedTimeStep });
            cloth.invalidate();
            runSteps(cloth, 3);
            velocityOf(cloth, 12).forEach((v, c) => expect(v).toBeCloseTo([1, -2, 3][c], 3));
        }
    });

    test("an impulse changes the momentum by itself, whatever the substeps", () => {
        for (const substepCount of [1, 8]) {
            const cloth = makeCloth(backend, grid(8, 8, lying()), {
                gravity: [0, 0, 0],
                substepCount,
                fabric: { arealDensity: 0.3 },
            });
            cloth.applyImpulse(0.1, 0, -0.1, 0.02, 0.05, -0.01, 0.4);
            runSteps(cloth, 10);
            const { momentum } = measure(cloth);
            [0.02, 0.05, -0.01].forEach((j, c) => expect(momentum[c]).toBeCloseTo(j, 4));
        }
    });
});
