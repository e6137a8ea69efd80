/** (d) Cost per particle from 32² to 256²: two corners, one substep, hanging still; sizes take turns. */
import { OursCloth, oursSettings } from "./ours";
import { createScene } from "./peers/peer";
import { atMost, number, withSpread } from "./report";
import type { Section } from "./report";
import { takeTurns } from "./timing";

const RESOLUTIONS = [32, 64, 128, 256];
const SETTLING_FRAMES = 240;

/** Measures all sizes. */
export function scalingSection(isFull: boolean): Section {
    const cloths = RESOLUTIONS.map((n) => new OursCloth(createScene("twoCorners", n), oursSettings({ substeps: 1 })));
    for (const cloth of cloths) for (let frame = 0; frame < SETTLING_FRAMES; frame++) cloth.step();
    const timings = takeTurns(
        cloths.map((cloth) => ({ run: () => cloth.step() })),
        isFull ? 6000 : 2000,
    );
    const perParticle = timings.map(({ median, minimum, low, high }, i) => {
        const scale = 1e6 / RESOLUTIONS[i] ** 2;
        return { median: median * scale, minimum: minimum * scale, low: low * scale, high: high * scale };
    });
    const bytes = cloths.map(({ cloth }) => cloth.byteLength);
    for (const cloth of cloths) cloth.dispose();
    const medians = perParticle.map(({ median }) => median);
    return {
        tables: [
            {
                title: "Scaling: one step of two corners, 1 substep (median and quartiles)",
                columns: ["n", "particles", "ms", "ns a particle", "least ns", "to 32²", "arena kB"],
                rows: RESOLUTIONS.map((n, i) => [
                    String(n),
                    String(n * n),
                    number(timings[i].median),
                    withSpread(perParticle[i]),
                    number(perParticle[i].minimum),
                    number(medians[i] / medians[0]),
                    number(bytes[i] / 1000),
                ]),
            },
        ],
        bars: [atMost("cost per particle 32² to 256², largest over least", Math.max(...medians) / Math.min(...medians), 1.3, "x")],
        data: RESOLUTIONS.map((resolution, i) => ({ resolution, nsPerParticle: perParticle[i], arenaBytes: bytes[i] })),
    };
}
