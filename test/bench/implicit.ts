/**
 * What a step of the implicit solvers costs on the sheet of Baraff & Witkin (1998, fig. 5): 2,592 triangles of the default fabric, hung by two corners, by an
 * edge, and dropped on a ball, for four seconds. The bar is real time, 16.7 ms a step; told is
 * the processor's time.
 *
 *     node --import ./.ci/ts.mjs test/bench/implicit.ts
 */
import { SystemNumber } from "../../src/kernels/implicitLayout";
import type { BlockSystem } from "../../src/engine/solvers/implicit/blockSystem";
import { Fabrics } from "../../src/engine/index";
import "../../src/engine/world/allModules";
import { grid, gridIndex, lying } from "../physics/meshes";
import { addCollider, makeCloth, pose, runSteps } from "../physics/support";

const CELLS = 36;
const STEPS = 240;

const scenes: Record<string, readonly number[] | null> = {
    "two corners": [gridIndex(CELLS, 0, CELLS), gridIndex(CELLS, CELLS, CELLS)],
    "an edge": Array.from({ length: CELLS + 1 }, (_, i) => gridIndex(CELLS, i, CELLS)),
    "on a ball": null,
};

for (const solver of ["implicit", "implicitBuckling"] as const) {
    for (const substepCount of [1, 4]) {
        for (const [name, pinned] of Object.entries(scenes)) {
            const sheet = grid(CELLS, CELLS, lying(1, 1, 0.3));
            const options = { solver, substepCount, springDamping: 1e-3, fabric: Fabrics.cotton };
            const cloth = makeCloth(sheet, pinned ? { ...options, pinned } : options);
            if (!pinned) addCollider(cloth, "sphere", pose([0, 0, 0], [0.25, 0.25, 0.25]));
            const { numbers } = (cloth.solver as unknown as { readonly _system: BlockSystem })._system;
            const times: number[] = [];
            let iterations = 0;
            for (let s = 0; s < STEPS; s++) {
                const start = process.cpuUsage();
                runSteps(cloth, 1);
                times.push(process.cpuUsage(start).user / 1000);
                iterations += numbers[SystemNumber.iterations] / STEPS;
            }
            times.sort((a, b) => a - b);
            const [median, most] = [times[STEPS / 2], times[Math.floor(0.95 * STEPS)]].map((ms) => ms.toFixed(1));
            console.log(
                `${solver}, ${name}, substeps ${substepCount}: ${median} ms a step (95 % within ${most}), ${iterations.toFixed(0)} iterations a system`,
            );
            cloth.release();
        }
    }
}
