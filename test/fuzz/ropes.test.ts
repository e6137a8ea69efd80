// Ropes dropped and swung at random; `npm run survey -- --only ropes --lives 1000` drops more.
import { describe, expect, test } from "@jest/globals";
import { dropRope } from "./ropes";

describe("ropes at random", () => {
    /** 136: places were no numbers. */
    test.each([0, 1, 2, 136])("rope %i stays finite", (seed) => {
        expect(dropRope(seed).isFinite).toBe(true);
    });

    test("of links of two centimetres and more gain no energy", () => {
        for (let seed = 0; seed < 12; seed++) {
            const { name, rise, link } = dropRope(seed);
            expect(link > 0.02 && !(rise < 0.01) ? name : "none").toBe("none");
        }
    });
});
