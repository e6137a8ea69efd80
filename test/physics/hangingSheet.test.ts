import { describe, expect, test } from "@jest/globals";
import { grid, gridIndex, hanging, topRow } from "./meshes";
import { G, at, lowest, makeCloth, measure, powerLaw, runSeconds, stretchOf } from "./support";

const N = 32;

describe("a hanging sheet", () => {
    const hang = (substepCount: number, tetherSlack: number) => {
        const cloth = makeCloth(grid(N, N, hanging(1)), {
            fabric: { shearStiffness: Infinity, damping: 2 },
            substepCount,
            tetherSlack,
            pinned: topRow(N, N),
        });
        runSeconds(cloth, 6);
        return cloth;
    };

    test.each([1, 4])(
        "1 × 1 m, inextensible, by its top row: the bottom settles at -1 with tethers, %d substeps",
        (substepCount) => {
            const cloth = hang(substepCount, 0);
            expect(lowest(cloth)).toBeCloseTo(-1, 5);
            for (let i = 0; i <= N; i++) expect(Math.abs(at(cloth, gridIndex(N, i, 0))[1] + 1)).toBeLessThan(1e-3);
            expect(stretchOf(cloth).max).toBeLessThan(0.002);
            expect(measure(cloth).kinetic).toBeLessThan(1e-8);
        },
    );

    test("without tethers too, within 1 % at 4 substeps; its stretch falls as 1/n²", () => {
        const counts = [2, 4, 8, 16];
        const cloths = counts.map((substepCount) => hang(substepCount, Infinity));
        expect(lowest(cloths[1])).toBeGreaterThan(-1.01);
        expect(
            powerLaw(
                counts,
                cloths.map((cloth) => stretchOf(cloth).mean),
            ),
        ).toBeCloseTo(-2, 1);
        expect(
            powerLaw(
                counts,
                cloths.map((cloth) => -1 - lowest(cloth)),
            ),
        ).toBeCloseTo(-2, 1);
        for (const cloth of cloths) expect(measure(cloth).kinetic).toBeLessThan(1e-8);
    });

    test("tether slack is room: 5 % slack ends at the fabric's own stretch, never beyond -1.05", () => {
        const loose = hang(4, 0.05);
        expect(lowest(loose)).toBeCloseTo(lowest(hang(4, Infinity)), 3);
        const weak = makeCloth(grid(N, N, hanging(1)), {
            fabric: { stretchStiffness: 1, damping: 2, arealDensity: 1e-3 },
            tetherSlack: 0.05,
            pinned: topRow(N, N),
            gravity: [0, -1000 * G, 0],
        });
        runSeconds(weak, 3);
        // It weighs a thousand times what the long limits leave room for, but they hold each other only. It hangs at -6.03; a pass
        // pulls along the mean of directions now and before, where it pulled along the one now, cloth this weak hung at less than 6.
        expect(lowest(weak)).toBeGreaterThan(-6.05);
        expect(lowest(weak)).toBeLessThan(-1.05);
    });

    test("by two corners it does not stretch: mean below 0.1 %, largest below 3 %", () => {
        const cloth = makeCloth(grid(N, N, hanging(1)), {
            fabric: { arealDensity: 0.2, shearStiffness: 200, bendStiffness: 5e-5, damping: 1 },
            tetherSlack: 0,
            pinned: [gridIndex(N, 0, N), gridIndex(N, N, N)],
        });
        runSeconds(cloth, 6);
        expect(stretchOf(cloth).mean).toBeLessThan(1e-3);
        expect(stretchOf(cloth).max).toBeLessThan(0.03);
        expect(measure(cloth).kinetic).toBeLessThan(1e-4);
        // Left and right are alike.
        const left = at(cloth, gridIndex(N, N / 4, N));
        const right = at(cloth, gridIndex(N, (3 * N) / 4, N));
        expect(left[1]).toBeCloseTo(right[1], 2);
        expect(left[0] + right[0]).toBeCloseTo(1, 2);
    });

    test("a hundred times denser cloth hangs the same: inextensible is inextensible", () => {
        const bottoms = [0.02, 2].map((arealDensity) => {
            const cloth = makeCloth(grid(16, 16, hanging(1)), {
                fabric: { arealDensity, damping: 2 },
                pinned: topRow(16, 16),
            });
            runSeconds(cloth, 4);
            return lowest(cloth);
        });
        expect(bottoms[0]).toBeCloseTo(bottoms[1], 5);
    });
});
