import { describe, expect, test } from "@jest/globals";
import { flyFlag } from "./air";
import { catchSheet, LIMP, lieOnSphere, swing, wearCape } from "./freeCloth";

test("64² on a sphere at four substeps stretches by less than 0.5 % in the mean, and 6 % at most", () => {
    const { mean, max } = lieOnSphere(63);
    expect(mean).toBeLessThan(0.005);
    expect(max).toBeLessThan(0.06);
});

test("thrown and caught by two corners, cotton stretches by 5 % at most", () => {
    expect(catchSheet(32).max).toBeLessThan(0.05);
});

test.each([1, 18, 23])(
    "a cape of irregular triangles that swings at 2 m/s stretches by 1.8 %% in the mean, and 8 %% at most (%d)",
    (seed) => {
        const { mean, max } = wearCape(seed);
        expect(mean).toBeLessThan(0.018);
        expect(max).toBeLessThan(0.08);
    },
);

describe("little held", () => {
    test("a sheet that swings without air gains no energy", () => {
        const { kept, gained } = swing(4);
        expect(kept).toBeGreaterThan(0.6);
        expect(gained).toBeLessThan(1e-4);
    });

    test.each([1, 16])("what stores none gains none at all, %d substeps", (substepCount) => {
        expect(swing(substepCount, LIMP).gained).toBeLessThan(1e-6);
    });

    test("a flag in light wind stretches by less than 5 %", () => {
        const { meanStretch, maxStretch } = flyFlag({ speed: 4, arealDensity: 0.2, seconds: 10 });
        expect(meanStretch).toBeLessThan(0.005);
        expect(maxStretch).toBeLessThan(0.05);
    });
});
