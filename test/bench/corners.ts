/** 128², two corners: our frame in turns with one pass of the scalar kernels over the same sticks. */
import { Sticks } from "../../src/solver/methods/xpbd/sticks";
import { OursCloth } from "./ours";
import type { OursSettings } from "./ours";
import type { SweepRow } from "./peers/sweep";
import { atMost, number, percent, withSpread } from "./report";
import type { Section } from "./report";
import { ratio, takeTurns } from "./timing";

const SETTLING_FRAMES = 240;

/** @param row our cheapest setting that meets the bar's stretch */
export function scalarPassBar({ scene, settings, measurement }: SweepRow, isFull: boolean): Section {
    const ours = new OursCloth(scene, settings as OursSettings);
    const reference = new OursCloth(scene, { ...(settings as OursSettings), backend: "scalar" });
    for (let frame = 0; frame < SETTLING_FRAMES; frame++) {
        ours.step();
        reference.step();
    }
    const { state, kernels, constraints } = reference.cloth;
    const sticks = constraints.filter(
        (constraint) => constraint instanceof Sticks && constraint.name !== "longLimits" && constraint.name !== "farLimits",
    );
    const positions = state.positions.slice();
    const scalarPass = {
        restore: () => state.positions.set(positions),
        run() {
            for (let i = 0; i < sticks.length; i++) sticks[i].project(kernels, state);
        },
    };
    const [frame, pass] = takeTurns([{ run: () => ours.step() }, scalarPass], isFull ? 6000 : 2000);
    const share = ratio(frame, pass);
    const count = sticks.reduce((sum, constraint) => sum + constraint.count, 0);
    for (const cloth of [ours, reference]) cloth.dispose();
    const { meanStretch, maxStretch } = measurement;
    return {
        tables: [
            {
                title: "128², two corners: a frame against one scalar pass over its sticks",
                columns: ["substeps", "mean / max %", "frame ms", "sticks", "scalar pass ms", "ns a stick", "ratio"],
                rows: [
                    [
                        settings.label,
                        `${percent(meanStretch)} / ${percent(maxStretch)}`,
                        withSpread(frame),
                        String(count),
                        withSpread(pass),
                        number((pass.median * 1e6) / count),
                        withSpread(share),
                    ],
                ],
                note: "The pass goes over structural and shear sticks once; our frame has bending stencils, limits and tethers too.",
            },
        ],
        bars: [
            atMost(
                "128², two corners, <= 0.5 % mean and <= 10 % max: frame over one scalar pass",
                share.median,
                0.5,
                "x",
                `${settings.label} substeps, ${percent(meanStretch)} / ${percent(maxStretch)} %`,
            ),
        ],
        data: { frame: frame.median, pass: pass.median, sticks: count },
    };
}
