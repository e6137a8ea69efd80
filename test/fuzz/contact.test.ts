/** A small part of the survey of contact: `npm run survey -- --only contact` has the rest. */
import { describe, expect, test } from "@jest/globals";
import { DEEP, throwSolids } from "./contact";
import { KNOWN_SOLIDS } from "./solids";

const SOLIDS = KNOWN_SOLIDS.filter(({ shape }) => shape !== "mesh").map(({ name }) => name);

describe("random solids up to 50 m/s and 20 rad/s", () => {
    const few = 2;

    test.each(SOLIDS.flatMap((name) => [1, 4].map((substepCount) => ({ name, substepCount }))))(
        "a $name leaves nothing inside, $substepCount substeps",
        ({ name, substepCount }) => {
            for (let seed = 0; seed < few; seed++) {
                const { deepest, isFinite } = throwSolids(seed, 1, 40, { substepCount, only: [name] });
                expect(isFinite).toBe(true);
                expect(deepest).toBeLessThan(DEEP);
            }
        },
    );

    test.each([1, 4])(
        "three at once at up to 10 m/s leave nothing inside, but where they leave no room, %d substeps",
        (substepCount) => {
            for (let seed = 3; seed < 3 + 2 * few; seed++) {
                const { deepest, squeezed, isFinite } = throwSolids(seed, 3, 40, { substepCount, fastest: 10 });
                expect(isFinite).toBe(true);
                expect(deepest).toBeLessThan(DEEP);
                expect(squeezed).toBeLessThan(3);
            }
        },
    );

    test("a torus, which a plane does not keep out of, leaves nothing inside", () => {
        for (let seed = 0; seed < 2 * few; seed++) {
            const { deepest, isFinite } = throwSolids(seed, 1, 40, { only: ["torus"] });
            expect(isFinite).toBe(true);
            // One particle of one run is 9 mm inside for a frame.
            expect(deepest).toBeLessThan(0.01);
        }
    });
});
