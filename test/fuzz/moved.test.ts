// Capes carried at random; `npm run survey -- --only moved --lives 2000 --meshes 0` carries more.
import { Logger } from "@babylonjs/core/Misc/logger";
import { expect, test } from "@jest/globals";
import { moveAtRandom } from "./moved";

Logger.LogLevels = Logger.ErrorLogLevel;

// The last three: teleported as it drove, so that what was drawn lay a step behind; and a body that comes back where the cape hangs.
test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 518, 1257, 1535])("cape %i is carried through its life", async (seed) => {
    const { name, isFinite, reach, offPin, endSpeed } = await moveAtRandom(seed);
    expect(isFinite && reach < 1.3 && offPin < 2e-3 && endSpeed < 0.5 ? "sound" : `${name}: ${reach} ${offPin} ${endSpeed}`).toBe(
        "sound",
    );
});
