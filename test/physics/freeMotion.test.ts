import { describe, expect, test } from "@jest/globals";
import { flyFree, motionOf } from "./freeCloth";
import { grid, lying } from "./meshes";
import { G, at, makeCloth, measure, runSeconds, runSteps, setVelocity, velocityOf } from "./support";
import type { Body, Vector } from "../../src/engine/index";
import { seededRandom } from "../random";

/** Turns all that lies about the y axis [rad/s]. */
function spin(cloth: Body, speed: number): void {
    for (let i = 0; i < cloth.state.particleCount; i++) {
        const [x, , z] = at(cloth, i);
        setVelocity(cloth, i, [speed * z, 0, -speed * x]);
    }
}

describe("free motion", () => {
    test.each([1, 4, 16])("falls by ½ g t², %d substeps", (substepCount) => {
        const cloth = makeCloth(grid(4, 4, lying()), { substepCount });
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
        const cloth = makeCloth(grid(2, 2, lying()), { gravity });
        const before = at(cloth, 4);
        runSeconds(cloth, 1);
        at(cloth, 4).forEach((x, c) => expect(x - before[c]).toBeCloseTo(0.5 * gravity[c] * (1 + 1 / 240), 2));
    });

    test("weighs the same anywhere in simulation space and with any number of substeps", () => {
        for (const substepCount of [4, 32]) {
            for (const y of [20, 200]) {
                const cloth = makeCloth(grid(2, 2, lying(1, 1, y)), { substepCount });
                runSeconds(cloth, 1);
                const fallen = y - at(cloth, 4)[1];
                expect({ substepCount, y, error: Math.abs(fallen / (0.5 * G * (1 + 1 / (60 * substepCount))) - 1) < 0.01 }).toEqual(
                    { substepCount, y, error: true },
                );
            }
        }
    });

    test.each([0.5, 2, 10])("damping %d/s slows as exp(-d t)", (damping) => {
        const cloth = makeCloth(grid(2, 2, lying()), { fabric: { damping }, gravity: [0, 0, 0] });
        for (let i = 0; i < 9; i++) setVelocity(cloth, i, [3, 0, -1]);
        runSteps(cloth, 30);
        const [x, , z] = velocityOf(cloth, 4);
        expect(x / (3 * Math.exp(-damping * 0.5))).toBeCloseTo(1, 2);
        expect(z / -Math.exp(-damping * 0.5)).toBeCloseTo(1, 2);
    });

    test("damping does not depend on the substeps, and ends in the terminal velocity g / d", () => {
        for (const substepCount of [1, 4, 10]) {
            const cloth = makeCloth(grid(2, 2, lying()), { fabric: { damping: 4 }, substepCount });
            runSeconds(cloth, 3);
            // Explicit in g: v = g dt / (1 - exp(-d dt)), which is g / d within d dt / 2.
            const dt = 1 / 60 / substepCount;
            expect(velocityOf(cloth, 4)[1] / ((-G * dt) / (1 - Math.exp(-4 * dt)))).toBeCloseTo(1, 2);
        }
    });

    test("its centre of mass moves straight on", () => {
        const cloth = makeCloth(grid(8, 8, lying(), "alternating"), {
            gravity: [0, 0, 0],
            fabric: { shearStiffness: 200, bendStiffness: 1e-3 },
        });
        const random = seededRandom(1);
        for (let i = 0; i < 81; i++) setVelocity(cloth, i, [random() + 0.5, random() - 0.5, random() - 0.5]);
        const before = measure(cloth);
        runSeconds(cloth, 5);
        const { centre } = measure(cloth);
        for (let c = 0; c < 3; c++) expect(centre[c]).toBeCloseTo(before.centre[c] + (5 * before.momentum[c]) / before.mass, 2);
    });

    // A stick pulls along its new direction, which takes spin: ω² dt of it a second for a ring, half of that here. Damping takes 0.45 by default.
    describe.each([
        [1, 0.25],
        [4, 0.12],
        [16, 0.05],
    ])("a sheet that flies, spins and crumples, %d substeps", (substepCount, lost) => {
        test.each(["alternating", "irregular"] as const)(
            "keeps its momentum, and loses no more than this share of its spin (%s)",
            (kind) => {
                const { momentum, spin, gained } = flyFree(kind, substepCount);
                expect(momentum).toBeLessThan(2e-3);
                expect(spin).toBeLessThan(lost);
                expect(gained).toBeLessThan(0);
            },
        );
    });

    test("gravity and damping take from momentum and spin what is theirs, whatever the substeps", () => {
        for (const substepCount of [1, 4]) {
            const cloth = makeCloth(grid(8, 8, lying()), { gravity: [0, -2, 0], substepCount, fabric: { damping: 1 } });
            spin(cloth, 4);
            const before = motionOf(cloth);
            runSeconds(cloth, 1);
            const after = motionOf(cloth);
            const kept = Math.exp(-1);
            before.spin.forEach((s, c) =>
                expect(Math.abs(after.spin[c] - s * kept)).toBeLessThan(0.07 * Math.hypot(...before.spin) * kept),
            );
            // Explicit in g, as above.
            expect(after.velocity[1] / (-2 * (1 - kept))).toBeCloseTo(1, 1);
            expect(Math.hypot(after.velocity[0], after.velocity[2])).toBeLessThan(1e-4);
        }
    });

    test("what is all but a line spins on, and not about itself", () => {
        const line = (u: number, v: number): Vector => [u, 0, 2e-3 * v];
        const cloth = makeCloth(grid(8, 1, line), { gravity: [0, 0, 0] });
        for (let i = 0; i < 18; i++) setVelocity(cloth, i, [0, 0, 4 * (at(cloth, i)[0] - 0.5)]);
        const before = measure(cloth);
        runSeconds(cloth, 1);
        const after = measure(cloth);
        expect(Math.abs(after.spin[1] / before.spin[1] - 1)).toBeLessThan(0.05);
        expect(after.kinetic).toBeLessThan(1.01 * before.kinetic);
    });

    test("changing the substeps or the fixed step in flight changes no velocity", () => {
        const cloth = makeCloth(grid(4, 4, lying()), { gravity: [0, 0, 0] });
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
            const cloth = makeCloth(grid(8, 8, lying()), {
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
