import { describe, expect, test } from "@jest/globals";
import { measureMotion } from "../bench/movingLayers";

describe("layers in fast motion", () => {
    // Before zones turned, and paths were judged by where they begin: 4,722 and 2,522.
    test("a cape that is whipped at 6 m/s passes through itself hardly, by triangles, in four substeps", () => {
        const { crossings, lastCrossings, stretch } = measureMotion("whipped cape", "triangles", { every: 4 });
        expect(crossings).toBeLessThan(100);
        expect(lastCrossings).toBeLessThan(20);
        expect(stretch).toBeLessThan(0.06);
    });
});
