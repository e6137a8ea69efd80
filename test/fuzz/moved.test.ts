// Capes carried at random; `npm run survey -- --only moved --lives 2000 --meshes 0` carries more.
import { Logger } from "@babylonjs/core/Misc/logger";
import { expect, test } from "@jest/globals";
import { moveAtRandom } from "./moved";

Logger.LogLevels = Logger.ErrorLogLevel;

test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])("cape %i is carried through its life", async (seed) => {
    const { name, isFinite, reach, offPin } = await moveAtRandom(seed);
    expect(isFinite && reach < 1.3 && offPin < 2e-3 ? "sound" : `${name}: ${reach} ${offPin}`).toBe("sound");
});
