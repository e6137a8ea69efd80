import { expect, test } from "@jest/globals";
import { seededRandom } from "../random";
import { hanging, irregular, topRow } from "../physics/meshes";
import { makeCloth, runSteps } from "../physics/support";

/** Sticks that are passed over again took the two for one number: after one step no position was any. */
test("rigid along warp and weft is rigid on irregular meshes, too", () => {
    const sheet = irregular(8, 8, hanging(), seededRandom(1));
    const [both, one] = [{ warp: Infinity, weft: Infinity }, Infinity].map((stretchStiffness) => {
        const cloth = makeCloth(sheet, { fabric: { stretchStiffness }, pinned: topRow(8, 8) });
        runSteps(cloth, 10);
        return Array.from(cloth.state.positions);
    });
    expect(both.every(Number.isFinite)).toBe(true);
    expect(both).toEqual(one);
});
