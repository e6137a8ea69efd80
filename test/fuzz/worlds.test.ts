// Bodies of all kinds through lives at random; `npm run survey -- --only worlds --lives 300 --meshes 0` lives more of them.
import { Logger } from "@babylonjs/core/Misc/logger";
import { afterEach, expect, jest, test } from "@jest/globals";
import { liveAtRandom } from "./life";

afterEach(() => {
    jest.restoreAllMocks();
});

/** 26: a rigid body that was flattened and reset was nowhere. */
test.each([2, 5, 26])("world %i ends well", (seed) => {
    jest.spyOn(Logger, "Warn").mockImplementation(() => {});
    expect(liveAtRandom(seed, { frames: 30, isWorld: true }).frames).toBeGreaterThanOrEqual(30);
});
