// Colliders under unusual poses: mirrored, sheared, leaping.
import { describe, expect, test } from "@jest/globals";
import { grid, lying } from "./meshes";
import { addCollider, at, makeCloth, pose, runSeconds, runSteps } from "./support";

describe("colliders", () => {
    test.each(
        [0.07, 0.31, 0.57, 0.93].flatMap((distance) => [
            [distance, 1],
            [distance, -1],
        ]),
    )(
        "a rectangle that leaps through the sheet within a substep takes it along: from %d m, in direction %d of its front",
        (distance, way) => {
            const cloth = makeCloth(grid(4, 4, lying()), {
                gravity: [0, 0, 0],
                substepCount: 1,
                fabric: { thickness: 0.01, damping: 1 },
            });
            const plane = (y: number): Float64Array => pose([0, y, 0], [2, 2, 1], -Math.PI / 2, "x");
            const racket = addCollider(cloth, "plane", plane(-distance * way));
            runSteps(cloth, 1, () => racket.setPose(plane((1 - distance) * way)));
            for (let i = 0; i < 25; i++) expect(at(cloth, i)[1] * way).toBeGreaterThan(1 - distance + 0.0099);
        },
    );

    test.each(["plane", "halfSpace"] as const)(
        "the front of a %s is where the pose's third row points, mirrored or not",
        (shape) => {
            for (const [row, x] of [
                [1, 1],
                [1, -1],
                [-1, 1],
                [-1, -1],
            ]) {
                const cloth = makeCloth(grid(4, 4, lying(1, 1, 0.05 * row)), {
                    fabric: { thickness: 0.01 },
                    gravity: [0, -9.81 * row, 0],
                });
                addCollider(cloth, shape, Float64Array.of(2 * x, 0, 0, 0, 0, 0, 2, 0, 0, row, 0, 0, 0, 0, 0, 1));
                runSeconds(cloth, 1);
                for (let i = 0; i < 25; i++) expect(at(cloth, i)[1] * row).toBeCloseTo(0.01, 4);
            }
        },
    );

    test("a sheared sphere is solid to the tip of its longest axis, which is longer than any row of the pose", () => {
        // Rows (0.1, 1, 0) and (-0.1, 1, 0): half axes of 0.1 √2 along x and of √2 along y.
        const m = Float64Array.of(0.1, 1, 0, 0, -0.1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
        const cloth = makeCloth(grid(8, 8, lying(0.1, 0.1, 1.5)), {
            fabric: { thickness: 0.005, friction: 1, damping: 1 },
        });
        addCollider(cloth, "sphere", m);
        runSteps(cloth, 30, () => {
            for (let i = 0; i < 81; i++) {
                const [x, y, z] = at(cloth, i);
                expect(Math.hypot(x / 0.1, y) / Math.SQRT2).toBeGreaterThan(Math.sqrt(Math.max(0, 1 - z * z)) - 0.01);
            }
        });
        expect(at(cloth, 40)[1]).toBeGreaterThan(1.4);
    });
});
