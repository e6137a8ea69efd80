/** Flags in steady wind at 60 and 144 Hz, against the bars of motion. Known answers: test/physics/air.test.ts. */
import { Fabrics } from "../../../src/engine/index";
import { hangFlags } from "../../physics/air";
import { atLeast, atMost, number } from "../report";
import type { Section } from "../report";

/** Wind [m/s], and the mean angle of a nylon flag of 1.5 m below the horizontal [°]: least and most. */
const WINDS = [
    [2.5, 55, 72],
    [4.4, 30, 52],
    [9.4, 8, 25],
] as const;

/** Flags whose mean counts: each hangs and flies in turn, for tens of seconds. */
const FLAGS = 6;

/** Mean angle of flags, and their flapping frequency over (1/2π)√(ρU²/mL). */
export function motionSection(): Section {
    const data = WINDS.flatMap(([speed, least, most]) =>
        [60, 144].map((hertz) => {
            const { angle, frequency } = hangFlags(speed, FLAGS, { hertz });
            const expected = Math.sqrt((1.2 * speed * speed) / (Fabrics.nylon.arealDensity * 1.5)) / (2 * Math.PI);
            return { speed, hertz, angle, least, most, flapping: frequency / expected };
        }),
    );
    return {
        tables: [
            {
                title: "Nylon flag of 1.5 m in steady wind",
                columns: ["wind (m/s)", "step (Hz)", "angle (°)", "bar (°)", "flapping over theory"],
                rows: data.map((d) => [`${d.speed}`, `${d.hertz}`, number(d.angle), `${d.least}–${d.most}`, number(d.flapping)]),
            },
        ],
        bars: data.flatMap(({ speed, hertz, angle, least, most, flapping }) => {
            const name = `flag in ${speed} m/s at ${hertz} Hz`;
            const bars = [atLeast(`${name}: angle`, angle, least, "°"), atMost(`${name}: angle`, angle, most, "°")];
            // A flag that hangs does not flap.
            if (speed < 4) return bars;
            return [...bars, atLeast(`${name}: flapping`, flapping, 0.5), atMost(`${name}: flapping`, flapping, 1.5)];
        }),
        data,
    };
}
