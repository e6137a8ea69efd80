import { expect, test } from "@jest/globals";
import { chain, grid, lying } from "../physics/meshes";
import { G, at, lowest, makeCloth, runSeconds } from "../physics/support";

// Verlet in 32 bits rounded x + (x - p) + g dt² to the ulp of x: with 32 substeps a cloth 250 m from the origin of simulation
// space floated, at 20 m it fell with 0.72 g, and a heavy chain of 19 m did not stretch at all. Residuals keep the rest.
test("a cloth falls 250 m up, whatever the substeps", () => {
    for (const substepCount of [4, 8, 16, 32]) {
        const cloth = makeCloth(grid(2, 2, lying(1, 1, 250)), { substepCount });
        runSeconds(cloth, 1);
        expect((250 - at(cloth, 4)[1]) / (G / 2)).toBeCloseTo(1, 1);
    }
});

test("a chain of 19 m with a heavy end stretches", () => {
    const positions = Float32Array.from({ length: 60 }, (_, i) => (i % 3 === 1 ? -Math.floor(i / 3) : 0));
    const cloth = makeCloth(chain(positions, [...Array(19).fill(1), 1e5], 1), { substepCount: 100, pinned: [0] });
    let stretch = 0;
    runSeconds(cloth, 2, () => (stretch = Math.max(stretch, -lowest(cloth) - 19)));
    expect(stretch).toBeGreaterThan(0.3);
});
