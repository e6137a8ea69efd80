/**
 * Cost of one stick in one pass, ours against Jolt's: the slope of a step's time over substeps, so that what a step costs
 * once falls out. Both include what belongs to a substep beside the sticks (integration); neither has tethers.
 */
import { passes } from "../../src/engine/solvers/xpbd/registry";
import { OursCloth, oursSettings } from "./ours";
import { createGrid } from "./peers/grid";
import { joltPeer, joltSettings } from "./peers/jolt";
import { createScene } from "./peers/peer";
import type { PeerCloth } from "./peers/peer";
import { atLeast, withSpread } from "./report";
import type { Section } from "./report";
import { summarize, takeTurns } from "./timing";
import type { Timing } from "./timing";

const FEW = 4;
const MANY = 12;
const SETTLING_FRAMES = 60;

interface Slopes {
    readonly resolution: number;
    readonly joltSticks: number;
    readonly ourSticks: number;
    /** [ns per stick and pass] */
    readonly jolt: Timing;
    readonly ours: Timing;
    readonly ratio: Timing;
}

async function measureSlopes(resolution: number, budget: number): Promise<Slopes> {
    const scene = createScene("twoCorners", resolution);
    const grid = createGrid(scene);
    const withoutTethers = passes.filter((name) => name !== "tethers");
    const ours = [FEW, MANY].map((substeps) => new OursCloth(scene, oursSettings({ substeps, passes: withoutTethers })));
    const jolt: PeerCloth[] = [];
    for (const substeps of [FEW, MANY]) jolt.push(await joltPeer.create(scene, joltSettings({ substeps, tethers: 0 })));
    const cloths = [...jolt, ...ours];
    for (const cloth of cloths) for (let frame = 0; frame < SETTLING_FRAMES; frame++) cloth.step();
    const joltSticks = grid.structural.count + grid.shear.count + grid.bend.count;
    const ourSticks = ours[0].cloth.passes.reduce((sum, pass) => sum + pass.count, 0);
    const [joltFew, joltMany, oursFew, oursMany] = takeTurns(
        cloths.map((cloth) => ({ run: () => cloth.step() })),
        budget,
    );
    for (const cloth of cloths) cloth.dispose();
    const slope = (few: Timing, many: Timing, sticks: number): Timing =>
        summarize(many.turns.map((time, i) => ((time - few.turns[i]) * 1e6) / (MANY - FEW) / sticks));
    const a = slope(joltFew, joltMany, joltSticks);
    const b = slope(oursFew, oursMany, ourSticks);
    return { resolution, joltSticks, ourSticks, jolt: a, ours: b, ratio: summarize(a.turns.map((time, i) => time / b.turns[i])) };
}

/** Measures at 64² and 128². */
export async function stickPassSection(isFull: boolean): Promise<Section> {
    const budget = isFull ? 8000 : 2500;
    const all = [await measureSlopes(64, budget), await measureSlopes(128, budget)];
    return {
        tables: [
            {
                title: "One stick in one pass, by the slope over substeps (ns; median and quartiles)",
                columns: ["n", "sticks of Jolt", "Jolt ns", "sticks of ours", "ours ns", "ratio"],
                rows: all.map(({ resolution, joltSticks, ourSticks, jolt, ours, ratio }) => [
                    String(resolution),
                    String(joltSticks),
                    withSpread(jolt),
                    String(ourSticks),
                    withSpread(ours),
                    withSpread(ratio),
                ]),
                note: `From ${FEW} to ${MANY} substeps, integration included, tethers left out.`,
            },
        ],
        bars: all.map(({ resolution, ratio }) => atLeast(`per stick and pass against Jolt, ${resolution}²`, ratio.median, 4, "x")),
        data: all.map(({ jolt, ours, ratio, ...rest }) => ({ ...rest, jolt: brief(jolt), ours: brief(ours), ratio: brief(ratio) })),
    };
}

function brief({ median, minimum, low, high }: Timing): Omit<Timing, "turns"> {
    return { median, minimum, low, high };
}
