/** Cloth that little or nothing holds. Known answers: test/physics/. */
import { catchSheet, flyFree, LIMP, lieOnSphere, swing, wearCape } from "../../physics/freeCloth";
import { atLeast, atMost, number, percent } from "../report";
import type { Section } from "../report";

/** The whole chapter. */
export function freeClothSection(): Section {
    const lying = [63, 127].map((quads) => ({ name: `on a sphere, ${quads + 1}²`, ...lieOnSphere(quads) }));
    const stretches = [
        ...lying,
        { name: "irregular on a sphere, 33²", ...lieOnSphere(32, { mesh: "irregular" }) },
        { name: "thrown and caught by two corners, 33²", ...catchSheet(32) },
        ...[1, 2, 3, 9, 18, 23].map((seed) => ({
            name: `silk cape, irregular, 2 substeps, seed ${seed}`,
            ...wearCape(seed),
        })),
    ];
    const energies = [1, 2, 4, 8, 16].map((substepCount) => ({
        substepCount,
        ...swing(substepCount),
        limp: swing(substepCount, LIMP),
    }));
    const flights = (["alternating", "irregular"] as const).flatMap((kind) =>
        [1, 4, 16].map((substepCount) => ({ kind, substepCount, ...flyFree(kind, substepCount) })),
    );
    return {
        tables: [
            {
                title: "Free cloth at 4 substeps: stretch (%)",
                columns: ["scene ", "mean", "max"],
                rows: stretches.map(({ name, mean, max }) => [name, percent(mean), percent(max)]),
            },
            {
                title: "A sheet hung by its top row, let go at 45°, after 10 s without air: energy (%)",
                columns: ["substeps", "kept", "gained", "limp: kept", "gained"],
                rows: energies.map(({ substepCount, kept, gained, limp }) => [
                    `${substepCount}`,
                    ...[kept, gained, limp.kept, limp.gained].map(percent),
                ]),
                note: "Of motion and height: what bends and shears gives back what it took. Limp: neither.",
            },
            {
                title: "A sheet that flies, spins and crumples for 2 s, without gravity and air: change, as a share",
                columns: ["mesh ", "substeps", "momentum", "spin", "energy of motion"],
                rows: flights.map(({ kind, substepCount, momentum, spin, gained }) => [
                    kind,
                    `${substepCount}`,
                    momentum.toExponential(1),
                    spin.toExponential(1),
                    number(gained),
                ]),
            },
        ],
        bars: [
            atMost("64² on a sphere: mean stretch", 100 * lying[0].mean, 0.5, " %"),
            atMost("64² on a sphere: largest stretch", 100 * lying[0].max, 5, " %"),
            atMost("128² on a sphere: mean stretch", 100 * lying[1].mean, 0.8, " %"),
            atMost("128² on a sphere: largest stretch", 100 * lying[1].max, 8, " %"),
            atMost("thrown and caught: largest stretch", 100 * stretches[3].max, 5, " %"),
            atMost("cape: largest stretch", 100 * Math.max(...stretches.slice(4).map(({ max }) => max)), 8, " %"),
            atLeast("swinging sheet, 4 substeps: energy kept", 100 * energies[2].kept, 60, " %"),
            atMost(
                "swinging sheet that stores none: energy gained",
                100 * Math.max(...energies.map(({ limp }) => limp.gained)),
                0,
                " %",
            ),
            atMost("free sheet: momentum lost a second (1e-6)", 0.5e6 * Math.max(...flights.map(({ momentum }) => momentum)), 1),
            atMost("free sheet: spin lost a second (1e-3)", 0.5e3 * Math.max(...flights.map(({ spin }) => spin)), 1),
        ],
        data: { stretches, energies, flights },
    };
}
