// Pulls on bodies at random; `npm run survey -- --only pulls --lives 300 --meshes 0` tries more.
import { expect, test } from "@jest/globals";
import { pullAtRandom } from "./pulls";

/** All of them were thrown up by metres: by several sets of pins on one body, by what is long and thin, by levers. */
test.each([4, 5, 13, 24, 30, 43, 49, 54, 71, 89, 92])("body %i that is pulled gains no height", (seed) => {
    expect(pullAtRandom(seed).gain).toBeLessThan(0.05);
});

/** What slid on a plane that turns, or a rail, drove it on: by 0.3 and 104 m. */
test.each([50, 243])("body %i that is pulled by what slides on it gains no height", (seed) => {
    expect(pullAtRandom(seed, 2.5, true).gain).toBeLessThan(0.05);
});
