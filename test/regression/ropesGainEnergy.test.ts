// Light ropes that were jerked by heavy loads were thrown up, and stiff ones of short links stayed a third longer than they are: found by random ropes.
import { describe, expect, test } from "@jest/globals";
import { line, makeRope } from "../physics/ropes";
import { G, measure, runSeconds, runSteps, stretchOf } from "../physics/support";

describe("ropes", () => {
    /** Length [m], particles, kg/m, kg at the end. */
    test.each([
        [0.4, 12, 0.05, 25],
        [0.8, 24, 0.01, 50],
        [0.03, 11, 0.1, 80],
    ])("%s m in %s of %s kg/m under %s kg, let fall from level, gain no energy", (length, count, linearDensity, endMass) => {
        const rope = makeRope(line([0, 0, 0], [0.6 * length, 0.8 * length, 0], count), {
            pinned: [0],
            rope: { linearDensity, endMass },
            fabric: { damping: 0 },
        });
        const energy = (): number => measure(rope).kinetic + measure(rope).potential;
        const begin = energy();
        let highest = begin;
        runSteps(rope, 240, () => (highest = Math.max(highest, energy())));
        expect(highest - begin).toBeLessThan(0.01 * measure(rope).mass * G * length);
        expect(stretchOf(rope).max).toBeLessThan(0.05);
    });

    /** Particles, N m², substeps. */
    test.each([
        [129, 0.01, 1],
        [129, 0.01, 4],
        [129, 1, 4],
        [33, 1, 1],
        [129, 100, 4],
    ])("%s particles of %s N m² at %s substeps are as long as they are", (count, bendStiffness, substepCount) => {
        for (const pinned of [[0], [0, count - 1]]) {
            const rope = makeRope(line([0, 0, 0], [2, -0.5, 0], count), {
                pinned,
                substepCount,
                rope: { linearDensity: 1, bendStiffness },
            });
            runSeconds(rope, 4);
            expect(stretchOf(rope).max).toBeLessThan(0.002);
        }
    });

    test("a rope weighs a hundredth of its load at least", () => {
        const rope = makeRope(line([0, 0, 0], [0, -1, 0], 11), { rope: { linearDensity: 1e-3, endMass: 10 } });
        expect(measure(rope).mass).toBeCloseTo(10.1, 4);
    });
});
