/** Two or more cloths of one scene step by step in turns: the ratio of their costs, whatever the machine does meanwhile. */
import type { PeerCloth } from "./peers/peer";
import type { SweepRow } from "./peers/sweep";
import { peers } from "./peers/index";
import { oursPeer } from "./ours";
import { ratio, takeTurns } from "./timing";
import type { Timing } from "./timing";

/** Frames before the clock: the fall. */
const SETTLING_FRAMES = 150;

/** Builds the cloth of a row again and lets it settle. */
async function settle({ peer, scene, settings }: SweepRow): Promise<PeerCloth> {
    const maker = [...peers, oursPeer([]), oursPeer([])].find(({ name }) => name === peer)!;
    const cloth = await maker.create(scene, settings);
    for (let frame = 0; frame < SETTLING_FRAMES; frame++) cloth.step();
    return cloth;
}

/**
 * Their time over ours, both settled and taking turns.
 * @param budget processor time for the turns [ms]
 */
export async function duel(
    theirs: SweepRow,
    ours: SweepRow,
    budget: number,
): Promise<{ theirs: Timing; ours: Timing; ratio: Timing }> {
    const cloths = [await settle(theirs), await settle(ours)];
    const [a, b] = takeTurns(
        cloths.map((cloth) => ({ run: () => cloth.step() })),
        budget,
    );
    for (const cloth of cloths) cloth.dispose();
    return { theirs: a, ours: b, ratio: ratio(a, b) };
}
