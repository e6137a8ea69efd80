/** A sheet of some stretch stiffness that hangs by its top row: of length L it becomes longer by ρ g L² / 2k. */
import type { Fabric } from "../../src/engine/index";
import { warpOf, weftOf } from "../../src/engine/materials/warpWeftStiffness";
import { seededRandom } from "../random";
import { grid, irregular } from "./meshes";
import type { Placement } from "./meshes";
import { at, G, makeCloth, measure, runSeconds, threadsOf } from "./support";

/**
 * Hangs a sheet of 1 m, 0.5 kg/m² and eight columns of squares.
 * @param weight how many times that of the earth it hangs in
 * @param isWeft whether it hangs along its weft, else along its warp
 * @returns its elongation over theory's, and its kinetic energy [J]
 */
export function hangByRow({
    rows = 64,
    substepCount = 4,
    weight = 1,
    isIrregular = false,
    isWeft = false,
    fabric = {} as Partial<Fabric>,
}): { ratio: number; kinetic: number } {
    const place: Placement = (u, v) => [(8 * u) / rows, v - 1, 0];
    const sheet = isIrregular ? irregular(8, rows, place, seededRandom(3)) : grid(8, rows, place);
    const height = (p: number): number => sheet.positions[3 * p + 1];
    const all = Array.from({ length: sheet.positions.length / 3 }, (_, p) => p);
    const cloth = makeCloth(sheet, {
        fabric: { arealDensity: 0.5, damping: 3, ...fabric },
        gravity: [0, -weight * G, 0],
        substepCount,
        tetherSlack: 0,
        pinned: all.filter((p) => height(p) > -1e-6),
        threads: threadsOf(sheet, isWeft ? 0 : 1, isWeft ? 1 : 0),
    });
    runSeconds(cloth, 6);
    const bottom = all.filter((p) => height(p) < -1 + 1e-6);
    const elongation = -1 - bottom.reduce((sum, p) => sum + at(cloth, p)[1], 0) / bottom.length;
    const { arealDensity, stretchStiffness } = cloth.settings.fabric;
    const stiffness = isWeft ? weftOf(stretchStiffness) : warpOf(stretchStiffness);
    const { kinetic } = measure(cloth);
    cloth.release();
    return { ratio: elongation / ((arealDensity * weight * G) / (2 * stiffness)), kinetic };
}
