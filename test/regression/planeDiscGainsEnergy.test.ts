import { expect, test } from "@jest/globals";
import { disc } from "../physics/meshes";
import { G, makeCloth, measure, runSeconds } from "../physics/support";

// A disc exactly upright, as MeshBuilder.CreateDisc makes it, held by its left and right: it folds up within its plane, where
// flipped triangles contradict each other, and gained up to its own potential energy (108 % at 80 substeps). Long limits cured it.
test("an exactly plane disc gains no energy as it collapses", () => {
    for (const substepCount of [4, 10, 40]) {
        const cloth = makeCloth(
            disc(24, 8, (u, v) => [u, v - 1, 0]),
            { substepCount, pinned: [1 + 7 * 24, 1 + 7 * 24 + 12] },
        );
        const start = measure(cloth).potential;
        let most = -Infinity;
        runSeconds(cloth, 3, () => (most = Math.max(most, measure(cloth).potential + measure(cloth).kinetic - start)));
        expect(most / (measure(cloth).mass * G)).toBeLessThan(1e-3);
    }
});
