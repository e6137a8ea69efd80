import { expect, test } from "@jest/globals";
import { Fabrics } from "../../src/engine/index";
import { drapeCoefficient } from "./cusick";

/** What is typical of such cloth, see solver/fabric.ts [%]. */
const TYPICAL: Record<keyof typeof Fabrics, [number, number]> = {
    chiffon: [15, 25],
    rubber: [20, 25],
    silk: [20, 35],
    wool: [30, 40],
    nylon: [45, 60],
    cotton: [50, 65],
    linen: [60, 75],
    denim: [65, 85],
    canvas: [80, 95],
    leather: [85, 97],
    paper: [95, 100],
};

test("the named fabrics drape as such cloth does, each more stiffly than the last", () => {
    let before = 0;
    for (const [name, [low, high]] of Object.entries(TYPICAL)) {
        const { coefficient, kinetic } = drapeCoefficient(Fabrics[name as keyof typeof Fabrics], { quads: 32, seconds: 4 });
        const percent = 100 * coefficient;
        expect([name, percent > low - 4 && percent < high + 4, percent > before, kinetic < 1e-5]).toEqual([name, true, true, true]);
        before = percent;
    }
    expect(Object.keys(TYPICAL)).toEqual(Object.keys(Fabrics));
});
