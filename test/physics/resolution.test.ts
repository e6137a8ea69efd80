import { describe, expect, test } from "@jest/globals";
import { grid, gridIndex, hanging, topRow } from "./meshes";
import { hangByRow } from "./hanging";
import { G, at, lowest, makeCloth, pinParticles, pose, runSeconds, stretchOf } from "./support";

/** One fabric is one fabric at any resolution and size. */
describe("resolution", () => {
    // One pass a substep spreads a correction over a few rows only, so substeps go with the rows where the answer is to be exact.
    test.each([16, 32, 64, 128])("a strip of %d rows stretches under its weight by ρ g L² / 2E", (rows) => {
        const stiffness = 100;
        const cloth = makeCloth(grid(4, rows, hanging(4 / rows, 1)), {
            fabric: { stretchStiffness: stiffness, damping: 4 },
            substepCount: rows,
            pinned: topRow(4, rows),
        });
        runSeconds(cloth, 3);
        const elongation = -1 - at(cloth, gridIndex(4, 2, 0))[1];
        expect(elongation / (G / (2 * stiffness))).toBeGreaterThan(0.99);
        expect(elongation / (G / (2 * stiffness))).toBeLessThan(1.05);
    });

    // The whole table: npm run bench -- --only physics.
    test.each([
        [16, 25, 0],
        [64, 25, 0],
        [64, 120, 0],
        [64, 750, 250],
        [64, 1e4, 0],
    ])("… and at the default four substeps, %d rows of %d N/m, shear %d: within 5 %%", (rows, stretchStiffness, shearStiffness) => {
        for (const weight of [1, 0.3]) {
            const { ratio, kinetic } = hangByRow({ rows, weight, fabric: { stretchStiffness, shearStiffness } });
            expect(Math.abs(ratio - 1)).toBeLessThan(0.05);
            expect(kinetic).toBeLessThan(1e-9);
        }
    });

    test.each([
        [120, 40],
        [750, 250],
    ])("… and over irregular triangles, 64 rows of %d N/m, shear %d", (stretchStiffness, shearStiffness) => {
        const { ratio } = hangByRow({ rows: 64, isIrregular: true, fabric: { stretchStiffness, shearStiffness } });
        expect(Math.abs(ratio - 1)).toBeLessThan(0.05);
    });

    test.each([false, true])("woven: along each of its threads by its own stiffness, weft %s", (isWeft) => {
        for (const stretchStiffness of [
            { warp: 750, weft: 150 },
            { warp: 150, weft: 750 },
        ]) {
            const { ratio, kinetic } = hangByRow({ isWeft, rows: 32, fabric: { stretchStiffness, shearStiffness: 20 } });
            expect(Math.abs(ratio - 1)).toBeLessThan(0.05);
            expect(kinetic).toBeLessThan(1e-9);
        }
    });

    test("twice the areal density stretches twice as far, twice the stiffness half as far", () => {
        const elongation = (arealDensity: number, stretchStiffness: number): number => {
            const cloth = makeCloth(grid(4, 16, hanging(0.25, 1)), {
                fabric: { arealDensity, stretchStiffness, damping: 4 },
                substepCount: 32,
                pinned: topRow(4, 16),
            });
            runSeconds(cloth, 3);
            return -1 - at(cloth, gridIndex(4, 2, 0))[1];
        };
        const base = elongation(0.5, 100);
        expect(elongation(1, 100) / base).toBeCloseTo(2, 1);
        expect(elongation(0.5, 200) / base).toBeCloseTo(0.5, 1);
    });

    test.each([8, 16, 32])("a sheet of %d² held by its side sags by ρ g W² / 2S in shear", (count) => {
        const stiffness = 100;
        const side = Array.from({ length: count + 1 }, (_, j) => gridIndex(count, 0, j));
        const cloth = makeCloth(grid(count, count, hanging(1)), {
            fabric: { shearStiffness: stiffness, damping: 4 },
            substepCount: 2 * count,
            pinned: side,
            tetherSlack: 0,
        });
        runSeconds(cloth, 2.5);
        const sag = -0.5 - at(cloth, gridIndex(count, count, count / 2))[1];
        expect(sag / (G / (2 * stiffness))).toBeGreaterThan(0.98);
        expect(sag / (G / (2 * stiffness))).toBeLessThan(1.06);
    });

    test("by two corners, 16² to 128²: one bottom line, at the defaults", () => {
        const heights = [16, 32, 64, 128].map((count) => {
            // A hair of unevenness, as every real mesh has, lets it leave its plane.
            const cloth = makeCloth(
                grid(count, count, (u, v) => [u, v - 1, 0.01 * Math.sin(3 * u + 2 * v)]),
                {
                    fabric: { arealDensity: 0.2, shearStiffness: 200, bendStiffness: 5e-5, damping: 2 },
                    tetherSlack: 0,
                    pinned: [gridIndex(count, 0, count), gridIndex(count, count, count)],
                },
            );
            runSeconds(cloth, 4);
            expect(stretchOf(cloth).mean).toBeLessThan(0.005);
            return [at(cloth, gridIndex(count, count / 2, 0))[1], lowest(cloth)];
        });
        for (const [middle, bottom] of heights) {
            expect(Math.abs(middle - heights[0][0])).toBeLessThan(0.01);
            expect(Math.abs(bottom - heights[0][1])).toBeLessThan(0.01);
        }
    });

    test("two corners drawn together to 0.7 m, 16² to 64²: one droop of the top edge", () => {
        const droops = [16, 32, 64].map((count) => {
            const cloth = makeCloth(
                grid(count, count, (u, v) => [u, v - 1, 0.02 * Math.sin(3 * u + 2 * v)]),
                {
                    fabric: { arealDensity: 0.2, shearStiffness: 20, bendStiffness: 1e-5, damping: 2 },
                    tetherSlack: 0,
                    pinned: [gridIndex(count, 0, count)],
                },
            );
            const right = pinParticles(cloth, [gridIndex(count, count, count)]);
            runSeconds(cloth, 5, (step) => right.setTargets(pose([-0.3 * Math.min(1, step / 60), 0, 0])));
            return at(cloth, gridIndex(count, count / 2, count))[1];
        });
        // Below the chord by less than the deepest a free edge of 1 m could hang, and alike.
        for (const droop of droops) {
            expect(droop).toBeLessThan(-0.15);
            expect(droop).toBeGreaterThan(-Math.sqrt(0.5 ** 2 - 0.35 ** 2) - 0.01);
            expect(Math.abs(droop - droops[1])).toBeLessThan(0.06);
        }
    });

    test.each([0.1, 1, 10])("size %d m: the same shape, scaled", (size) => {
        const count = 16;
        const cloth = makeCloth(
            grid(count, count, (u, v) => [u * size, (v - 1) * size, 0.01 * size * Math.sin(3 * u + 2 * v)]),
            {
                fabric: { damping: 2 },
                tetherSlack: 0,
                pinned: [gridIndex(count, 0, count), gridIndex(count, count, count)],
            },
        );
        runSeconds(cloth, 6);
        expect(lowest(cloth) / size).toBeGreaterThan(-1.08);
        expect(lowest(cloth) / size).toBeLessThan(-0.98);
        expect(stretchOf(cloth).mean).toBeLessThan(0.02);
    });
});
