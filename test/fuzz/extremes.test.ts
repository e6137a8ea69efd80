// Extreme sheets under the implicit solvers; `npm run survey -- --only extremes --lives 200 --meshes 0` tries more.
import { expect, test } from "@jest/globals";
import { goToExtremes } from "./extremes";

/** Squeezed to points and lines: bending pushed their crushed triangles without bound, and they stood still, lost, or were held stretched eightfold. */
test.each([25, 27, 167])("extreme sheet %i opens again", (seed) => {
    const { isSound, stretch } = goToExtremes(seed);
    expect(isSound).toBe(true);
    expect(stretch).toBeLessThan(3.5);
});
