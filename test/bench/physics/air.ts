/** Air: terminal speeds of plates, flags in steady wind, sheets that are dropped, sails. Known answers: test/physics/. */
import { Fabrics } from "../../../src/engine/index";
import { dropSheet, fallOfPlate, fillSail, flyFlag } from "../../physics/air";
import { atLeast, atMost, number, percent } from "../report";
import type { Bar, Section } from "../report";

/** The whole chapter. */
export function airSection(): Section {
    const sections = [plates(), flags(), lightWinds(), likeFlags(), drops(), sails()];
    return {
        tables: sections.flatMap(({ tables }) => tables),
        bars: sections.flatMap(({ bars }) => bars),
        data: sections.map(({ data }) => data),
    };
}

function plates(): Section {
    const data: { angle: number; hertz: number; substepCount: number; quads: number; error: number }[] = [];
    for (const angle of [0, 45]) {
        for (const hertz of [30, 60, 240]) {
            for (const substepCount of [1, 4, 8]) {
                for (const quads of [8, 64]) {
                    const fall = { angle: (angle * Math.PI) / 180, hertz, substepCount, quads, seconds: 6 };
                    const { across, along } = fallOfPlate(fall);
                    data.push({ angle, hertz, substepCount, quads, error: Math.max(Math.abs(across - 1), Math.abs(along - 1)) });
                }
            }
        }
    }
    return {
        tables: [
            {
                title: "Terminal speed of a stiff sheet: error (%)",
                columns: ["angle", "step (Hz)", "substeps", "quads", "error"],
                rows: data.map((d) => [`${d.angle}°`, `${d.hertz}`, `${d.substepCount}`, `${d.quads}²`, percent(d.error)]),
            },
        ],
        bars: [atMost("terminal speed, largest error", 100 * Math.max(...data.map(({ error }) => error)), 2, " %")],
        data,
    };
}

/** Quads along a flag and substeps. */
const FLAGS = [
    [24, 4],
    [24, 16],
    [48, 8],
] as const;
const DENSITIES = [0.12, 0.2, 0.3];

/** By how much frequencies are off proportion to the wind, at most [%]. */
function offProportion(flights: readonly { frequency: number; speed: number }[]): number {
    const rates = flights.map(({ frequency, speed }) => frequency / speed);
    const mean = rates.reduce((sum, rate) => sum + rate) / rates.length;
    return 100 * Math.max(...rates.map((rate) => Math.abs(rate / mean - 1)));
}

function flags(): Section {
    const data = [];
    const bars: Bar[] = [];
    for (const [columns, substepCount] of FLAGS) {
        const stretches: number[] = [];
        for (const arealDensity of DENSITIES) {
            const flights = [4, 6, 8, 11, 15].map((speed) => ({
                columns,
                substepCount,
                arealDensity,
                speed,
                ...flyFlag({ speed, arealDensity, columns, substepCount }),
            }));
            data.push(...flights);
            stretches.push(...flights.map(({ maxStretch }) => maxStretch));
            const name = `flag of ${arealDensity} kg/m², ${columns} quads, ${substepCount} substeps`;
            bars.push(atLeast(`${name}: least swing`, 100 * Math.min(...flights.map(({ swing }) => swing)), 10, " %"));
            bars.push(atMost(`${name}: frequency off proportion to the wind`, offProportion(flights), 25, " %"));
        }
        bars.push(atMost(`flags, ${columns} quads, ${substepCount} substeps: stretch`, 100 * Math.max(...stretches), 5, " %"));
    }
    return {
        tables: [
            {
                title: "Flags of 3 × 2 m in steady wind, 3° off their plane; last 10 of 20 s",
                columns: ["quads", "substeps", "kg/m²", "wind m/s", "swing %", "Hz", "Hz s/m", "stretch mean %", "max %"],
                rows: data.map((d) => [
                    `${d.columns}`,
                    `${d.substepCount}`,
                    `${d.arealDensity}`,
                    `${d.speed}`,
                    percent(d.swing),
                    number(d.frequency),
                    number(d.frequency / d.speed),
                    percent(d.meanStretch),
                    percent(d.maxStretch),
                ]),
                note: "Swing of the trailing edge's middle, peak to peak, of the length. Frequency by crossings of the mean.",
            },
        ],
        bars,
        data,
    };
}

/** Below a critical speed a flag hangs down its pole. */
function lightWinds(): Section {
    const data = [0.4, 0.8, 1.6, 2.4, 3.2].map((speed) => ({ speed, ...flyFlag({ speed, arealDensity: 0.3 }) }));
    return {
        tables: [
            {
                title: "A flag of 3 × 2 m and 0.3 kg/m² in light wind, 24 quads, 4 substeps; last 10 of 20 s",
                columns: ["wind m/s", "swing %", "Hz", "trailing edge: off the pole m", "below its top m"],
                rows: data.map((d) => [`${d.speed}`, percent(d.swing), number(d.frequency), number(d.tip[0]), number(-d.tip[1])]),
            },
        ],
        bars: [atMost("flag in a wind of 0.8 m/s: swing", 100 * data[1].swing, 10, " %")],
        data,
    };
}

/** What weighs, resists and is damped in proportion to the wind moves alike in each: weight alone is not in proportion, so what is heavy hangs lower in light wind. */
function likeFlags(): Section {
    const speeds = [4, 8, 15];
    const data = FLAGS.flatMap(([columns, substepCount]) =>
        DENSITIES.map((arealDensity) => ({
            columns,
            substepCount,
            arealDensity,
            flights: speeds.map((speed) => ({
                speed,
                ...flyFlag({ speed, arealDensity, columns, substepCount, likeAt: 8 }),
            })),
        })),
    );
    return {
        tables: [
            {
                title: "The same where weight, stiffness and damping are in proportion to the wind, at 8 m/s as above: Hz s/m",
                columns: ["quads", "substeps", "kg/m²", ...speeds.map((speed) => `${speed} m/s`)],
                rows: data.map(({ columns, substepCount, arealDensity, flights }) => [
                    `${columns}`,
                    `${substepCount}`,
                    `${arealDensity}`,
                    ...flights.map(({ frequency, speed }) => number(frequency / speed)),
                ]),
            },
        ],
        bars: data.map(({ columns, substepCount, arealDensity, flights }) =>
            atMost(
                `flag of ${arealDensity} kg/m², ${columns} quads, ${substepCount} substeps, weight in proportion: frequency off it`,
                offProportion(flights),
                25,
                " %",
            ),
        ),
        data,
    };
}

function drops(): Section {
    const data = [3, 10, 30].map((angle) => ({ angle, ...dropSheet({ angle, seconds: 4 }) }));
    return {
        tables: [
            {
                title: "A square metre of cotton dropped in still air, after 4 s",
                columns: ["at", "flatness", "sways", "speed of fall m/s", "stretch %"],
                rows: data.map((d) => [`${d.angle}°`, number(d.flatness), `${d.sways}`, number(d.fall), percent(d.stretch)]),
                note: "Flatness: length of the sum of the area vectors over the sum of their lengths. Theory of the flat sheet: 1.65 m/s.",
            },
        ],
        bars: [atLeast("dropped at 3°: flatness after 4 s", data[0].flatness, 0.95)],
        data,
    };
}

function sails(): Section {
    const data = [4, 8, 12].map((speed) => ({ speed, ...fillSail({ speed, fabric: Fabrics.denim, seconds: 6 }) }));
    return {
        tables: [
            {
                title: "A sail of denim, 3 × 4 m, held by three corners, the wind at 45° (% of 3 m)",
                columns: ["wind m/s", "depth", "motion in the last second", "stretch %"],
                rows: data.map((d) => [`${d.speed}`, percent(d.depth), percent(d.motion), percent(d.stretch)]),
            },
        ],
        bars: [
            atMost("sail: motion in the last second", 100 * Math.max(...data.map(({ motion }) => motion)), 1, " %"),
            atMost("sail: stretch", 100 * Math.max(...data.map(({ stretch }) => stretch)), 5, " %"),
        ],
        data,
    };
}
