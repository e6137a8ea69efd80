import { describe, expect, test } from "@jest/globals";
import type { Fabric } from "../../src/engine/index";
import { disc, grid, gridIndex, irregular } from "./meshes";
import type { Placement, Sheet } from "./meshes";
import { G, makeCloth, measure, runSeconds } from "./support";
import { seededRandom } from "../random";

const N = 10;
const CORNERS = [gridIndex(N, 0, N), gridIndex(N, N, N)];

/** Meshes of every kind with two particles to hang them by. */
const meshes: Record<string, (place: Placement) => { sheet: Sheet; pinned: number[] }> = {
    "grid, one-way diagonals": (place) => ({ sheet: grid(N, N, place, "oneWay"), pinned: CORNERS }),
    "grid, alternating diagonals": (place) => ({ sheet: grid(N, N, place, "alternating"), pinned: CORNERS }),
    disc: (place) => ({ sheet: disc(20, 6, place), pinned: [1 + 5 * 20, 1 + 5 * 20 + 10] }),
    irregular: (place) => ({ sheet: irregular(N, N, place, seededRandom(3)), pinned: CORNERS }),
    "very irregular": (place) => ({ sheet: irregular(N, N, place, seededRandom(7), 0.45), pinned: CORNERS }),
};

/** Hanging from its pins, or lying at their height; uneven by a tenth of a millimetre, as every real sheet is. */
const starts: Record<string, () => Placement> = {
    vertical: () => uneven((u, v) => [u, v - 1, 0]),
    horizontal: () => uneven((u, v) => [u, 0, v - 1]),
};

function uneven(place: Placement): Placement {
    const random = seededRandom(11);
    return (u, v) => {
        const [x, y, z] = place(u, v);
        const lift = (random() - 0.5) * 2e-4;
        return y === 0 && z !== 0 ? [x, lift, z] : [x, y, z + lift];
    };
}

const fabrics: Record<string, Partial<Fabric>> = {
    "edges only": {},
    cotton: { shearStiffness: 200, bendStiffness: 5e-5 },
    "rigid shear and bending": { shearStiffness: Infinity, bendStiffness: Infinity },
    elastic: { stretchStiffness: 1000, shearStiffness: 200, bendStiffness: 1e-3 },
};

/**
 * For 20 s. Without damping or wind a cloth loses energy to the method alone and never gains any. Gravity and motion only: what is in
 * the sticks comes on top and is never negative. The bug that this watches for: some orders of projection gain energy.
 */
describe("energy without damping", () => {
    const { seconds, substepCounts } = { seconds: 20, substepCounts: [1, 4, 10] };

    describe.each(Object.keys(starts))("%s start", (start) => {
        describe.each(Object.keys(meshes))("%s", (mesh) => {
            test.each(Object.keys(fabrics))("%s", (fabric) => {
                for (const substepCount of substepCounts) {
                    for (const tetherSlack of [0, Infinity]) {
                        const { sheet, pinned } = meshes[mesh](starts[start]());
                        const cloth = makeCloth(sheet, { fabric: fabrics[fabric], substepCount, tetherSlack, pinned });
                        const energy = (): number => measure(cloth).potential + measure(cloth).kinetic;
                        const before = energy();
                        const scale = measure(cloth).mass * G;
                        let most = -Infinity;
                        // Every third step: fast enough to see a peak of any motion that matters.
                        runSeconds(cloth, seconds, (step) => {
                            if (step % 3 === 0) most = Math.max(most, (energy() - before) / scale);
                        });
                        expect({ substepCount, tetherSlack, gain: most < 2e-4 ? "none" : most }).toEqual({
                            substepCount,
                            tetherSlack,
                            gain: "none",
                        });
                    }
                }
            });
        });
    });
});
