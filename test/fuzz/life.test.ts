// Built cloths through lives at random; `npm run survey -- --only life --lives 300` lives longer.
import { Logger } from "@babylonjs/core/Misc/logger";
import { afterEach, expect, jest, test } from "@jest/globals";
import { liveAtRandom } from "./life";

afterEach(() => {
    jest.restoreAllMocks();
});

/** 45: a cut of a mesh that was flattened threw, and left it without its cloth. */
test.each([3, 11, 45])("life %i ends well", (seed) => {
    jest.spyOn(Logger, "Warn").mockImplementation(() => {});
    expect(liveAtRandom(seed, { frames: 60 }).frames).toBeGreaterThanOrEqual(60);
});
