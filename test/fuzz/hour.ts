/** An hour of simulated time: cloth on a ball, a cube and a capsule, and hung, that nobody moves and that may not sleep, gains no energy. */
import { Fabrics } from "../../src/engine/index";
import type { ColliderShape, Vector } from "../../src/engine/index";
import { grid, hanging, lying, topRow } from "../physics/meshes";
import { addCollider, makeCloth, measure, pose, runSeconds, stretchOf } from "../physics/support";

/** A side of the sheets, which measure a metre [quads]. */
const QUADS = 24;
/** Motion and energy are looked at so often [s]. */
const SAMPLE_SECONDS = 60;

/** What cloth lies on: shape, half axes [m], turned about z [rad]; null: it hangs by its top row. */
export const HOURS: Readonly<Record<string, readonly [ColliderShape, Vector, number] | null>> = {
    ball: ["sphere", [0.3, 0.3, 0.3], 0],
    cube: ["box", [0.2, 0.2, 0.2], 0],
    capsule: ["capsule", [0.1, 0.4, 0.1], Math.PI / 2],
    hung: null,
};

/** How an hour went. */
export interface Hour {
    /** Largest rise of the whole energy above that after the first minute, as a share of weight times a metre. */
    rise: number;
    /** Fastest mean speed at any sample after the first minute, by places of a whole second [m/s]. */
    fastest: number;
    /** Largest stretch at any of them. */
    stretch: number;
}

/** Lets so many minutes pass. */
export function passTime(name: string, minutes: number): Hour {
    const solid = HOURS[name];
    const sheet = grid(QUADS, QUADS, solid ? lying(1, 1, solid[1][1] + 0.02) : hanging(1, 1));
    const cloth = makeCloth(sheet, {
        fabric: Fabrics.cotton,
        tetherSlack: 0,
        pinned: solid ? [] : topRow(QUADS, QUADS),
    });
    if (solid) addCollider(cloth, solid[0], pose([0.013, 0, 0.021], solid[1], solid[2]));
    const hour: Hour = { rise: 0, fastest: 0, stretch: 0 };
    let settled = NaN;
    for (let minute = 0; minute <= minutes; minute++) {
        runSeconds(cloth, SAMPLE_SECONDS - 1);
        const before = cloth.state.positions.slice();
        runSeconds(cloth, 1);
        const { kinetic, potential, mass } = measure(cloth);
        if (minute === 0) settled = potential + kinetic;
        hour.rise = Math.max(hour.rise, (potential + kinetic - settled) / (mass * 9.81));
        for (let i = 0; i < cloth.state.particleCount; i++) {
            let squared = 0;
            for (let c = 0; c < 3; c++) squared += (cloth.state.positions[4 * i + c] - before[4 * i + c]) ** 2;
            if (minute > 0) hour.fastest = Math.max(hour.fastest, Math.sqrt(squared));
        }
        if (minute > 0) hour.stretch = Math.max(hour.stretch, stretchOf(cloth).max);
    }
    cloth.release();
    return hour;
}
