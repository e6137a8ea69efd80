import { describe, expect, test } from "@jest/globals";
import { grid, gridIndex, topRow } from "./meshes";
import { G, at, makeCloth, measure, runSeconds } from "./support";

/** First zero of the Bessel function J0: a hanging chain of length L swings with ω = j/2 √(g/L) (D. Bernoulli, 1733). */
const BESSEL_ZERO = 2.404825557695773;
const PERIOD = (2 * Math.PI) / (BESSEL_ZERO / 2) / Math.sqrt(G);

describe("swing", () => {
    /** Period of a curtain of 1 m that hangs by its rail, pulled aside by 0.05 rad, over 10 s [s]. */
    const period = (rows: number, substepCount: number, tetherSlack: number): number => {
        const cloth = makeCloth(
            grid(2, rows, (u, v) => [(2 * u) / rows, (v - 1) * Math.cos(0.05), (1 - v) * Math.sin(0.05)]),
            {
                substepCount,
                tetherSlack,
                pinned: topRow(2, rows),
            },
        );
        const aside: number[] = [];
        runSeconds(cloth, 10, () => aside.push(measure(cloth).centre[2]));
        const returns: number[] = [];
        for (let i = 1; i < aside.length; i++) {
            if (aside[i - 1] > 0 && aside[i] <= 0) returns.push((i - 1 + aside[i - 1] / (aside[i - 1] - aside[i])) / 60);
        }
        return (returns[returns.length - 1] - returns[0]) / (returns.length - 1);
    };

    test.each([8, 16, 32, 64])(
        "a curtain of %d rows swings with 2π / (1.2024 √(g/L)) = 1.668 s at the defaults, within 8 %%",
        (rows) => {
            expect(period(rows, 4, 0) / PERIOD).toBeGreaterThan(0.98);
            expect(period(rows, 4, 0) / PERIOD).toBeLessThan(1.08);
        },
    );

    test.each([8, 16, 32])("with %d rows, 16 substeps and no tethers within 1.5 %%", (rows) => {
        expect(Math.abs(period(rows, 16, Infinity) / PERIOD - 1)).toBeLessThan(0.015);
    });

    test("a sheet that falls from the horizontal about its edge takes one way at 8² to 64²", () => {
        const paths = [8, 16, 32, 64].map((count) => {
            const cloth = makeCloth(
                grid(count, count, (u, v) => [u, 0, 1 - v]),
                {
                    fabric: { arealDensity: 0.2, shearStiffness: 200, bendStiffness: 5e-5, damping: 0.6 },
                    tetherSlack: 0,
                    pinned: topRow(count, count),
                },
            );
            const ends: number[] = [];
            runSeconds(cloth, 1.5, () => ends.push(at(cloth, gridIndex(count, count / 2, 0))[2]));
            return ends;
        });
        for (const path of paths) {
            // 0.91 m out after a quarter of a second, -0.75 m on the other side after three.
            expect(Math.abs(path[14] - 0.91)).toBeLessThan(0.02);
            path.forEach((z, i) => expect(Math.abs(z - paths[1][i])).toBeLessThan(0.12));
        }
    });
});
