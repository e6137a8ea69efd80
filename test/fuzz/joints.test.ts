// Joints at random; `npm run survey -- --only joints --lives 300 --meshes 0` hangs more.
import { expect, test } from "@jest/globals";
import { hangAtRandom } from "./joints";

test.each([0, 1, 2, 3, 4, 5, 6, 7])("tree of joints %i holds together and gains no height", (seed) => {
    const { isFinite, rise, farthest } = hangAtRandom(seed, 2);
    expect(isFinite).toBe(true);
    expect(rise).toBeLessThan(0.05);
    expect(farthest).toBeLessThan(1.1);
});
