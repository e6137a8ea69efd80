// Plants at random; `npm run survey -- --only plants --lives 1000 --meshes 0` grows more.
import { expect, test } from "@jest/globals";
import { growAtRandom } from "./plants";

// 29: gained energy, once.
test.each([2, 6, 13, 29, 31, 44])("plant %i stays where it is and gains no energy", (seed) => {
    const run = growAtRandom(seed, { frames: 60, seconds: 3, mostParticles: 200 });
    expect(run?.isFinite ?? true).toBe(true);
    expect(run?.rise ?? 0).toBeLessThan(0.25);
    expect(run?.farthest ?? 0).toBeLessThan(3);
});
