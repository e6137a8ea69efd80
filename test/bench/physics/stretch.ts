/** Stretch: sheets of finite stiffness that hang under their weight. Known answers: test/physics/resolution.test.ts. */
import { Fabrics } from "../../../src/engine/index";
import { hangByRow } from "../../physics/hanging";
import { atMost, number } from "../report";
import type { Section } from "../report";

/** Stretch and shear stiffness [N/m]. */
const STIFFNESSES = [
    [25, 0],
    [120, 0],
    [120, 40],
    [Fabrics.rubber.stretchStiffness, Fabrics.rubber.shearStiffness],
    [1e4, 200],
] as const;

/** The whole chapter. */
export function stretchSection(): Section {
    const data = [false, true].flatMap((isIrregular) =>
        [16, 32, 64, 128].flatMap((rows) =>
            [1, 4, 16].map((substepCount) => ({
                isIrregular,
                rows,
                substepCount,
                ratios: STIFFNESSES.map(
                    ([stretchStiffness, shearStiffness]) =>
                        hangByRow({ rows, substepCount, isIrregular, fabric: { stretchStiffness, shearStiffness } }).ratio,
                ),
            })),
        ),
    );
    const worst = (isIrregular: boolean): number =>
        100 *
        Math.max(
            ...data
                .filter((d) => d.isIrregular === isIrregular && d.rows === 64 && d.substepCount === 4)
                .flatMap(({ ratios }) => ratios.map((ratio) => Math.abs(ratio - 1))),
        );
    return {
        tables: [
            {
                title: "A sheet of 1 m and 0.5 kg/m² hung by its top row: elongation over ρ g L² / 2k",
                columns: ["mesh ", "rows", "substeps", ...STIFFNESSES.map(([k, shear]) => `${k} N/m, shear ${shear}`)],
                rows: data.map(({ isIrregular, rows, substepCount, ratios }) => [
                    isIrregular ? "irregular" : "grid",
                    `${rows}`,
                    `${substepCount}`,
                    ...ratios.map(number),
                ]),
                note: "1e4 N/m stretch by a quarter of a millimetre in all, which is what distances over irregular meshes are known to.",
            },
        ],
        bars: [
            atMost("elongation of a hanging sheet, 64 rows and 4 substeps, grid, worst", worst(false), 5, " %"),
            atMost("the same, irregular", worst(true), 5, " %"),
        ],
        data,
    };
}
