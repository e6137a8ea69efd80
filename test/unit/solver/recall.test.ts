/** What only changes need is let go of after the first preparation, and found again, to the bit, by the first change. */
import { expect, test } from "@jest/globals";
import { getKernels, createCloth } from "../../../src/engine/index";
import type { Body } from "../../../src/engine/index";
import type { Bend } from "../../../src/engine/solvers/xpbd/bend";
import type { FarUnilateralLimits } from "../../../src/engine/solvers/xpbd/farUnilateralLimits";
import type { DistanceConstraints } from "../../../src/engine/solvers/xpbd/distanceConstraints";
import { buildTopology } from "../../../src/engine/topology/topology";
import { irregular, lying } from "../../physics/meshes";
import { makeCloth, pinParticles } from "../../physics/support";
import { seededRandom } from "../../random";

const { positions, triangles } = irregular(12, 16, lying(1), seededRandom(3), 0.3);
const FABRIC = { shearStiffness: 200, bendStiffness: 5e-5 };

/** All records of a cloth. */
function recordsOf({ constraints }: Body): Uint32Array[] {
    return constraints.flatMap((constraint) => {
        if (constraint.name === "bend")
            return (constraint as Bend).levels.flatMap(({ kinds }) => kinds.map((kind) => kind.records.slice()));
        if (constraint.name === "farUnilateralLimits")
            return (constraint as FarUnilateralLimits).levels.map(({ records }) => records.slice());
        return "records" in constraint ? (constraint as DistanceConstraints).records.slice() : [];
    });
}

test("what weights follow from is found again", () => {
    const kept = makeCloth({ positions, triangles }, { fabric: FABRIC, tetherSlack: 0, pinned: [0, 9] });
    const topology = buildTopology(positions, triangles, () => positions.slice());
    let recalled = 0;
    const recall = (given: Uint32Array): typeof topology => {
        recalled++;
        return buildTopology(positions.slice(), given.slice());
    };
    const kernels = getKernels();
    const cloth = createCloth(kernels, { ...topology, rebuild: recall }, positions, {
        ...kept.settings,
        fabric: { ...kept.settings.fabric },
    });
    pinParticles(cloth, [0, 9]);
    cloth.prepare();
    expect(recalled).toBe(0);
    expect(recordsOf(cloth)).toEqual(recordsOf(kept));
    const counts: number[] = [];
    for (const stiffness of [1e-2, 1e-5, 1e-3, 1e-4]) {
        for (const body of [kept, cloth]) {
            body.settings.fabric.bendStiffness = stiffness;
            body.settings.fabric.shearStiffness = 1000 * stiffness;
            pinParticles(body, [Math.round(1 / stiffness) % 150]);
            body.prepare();
        }
        expect(recordsOf(cloth)).toEqual(recordsOf(kept));
        counts.push(recalled);
    }
    // What changes time and again is kept.
    expect(counts[0]).toBeGreaterThan(0);
    expect(counts[1]).toBeGreaterThan(counts[0]);
    expect(counts.slice(2)).toEqual([counts[1], counts[1]]);
    kept.release();
    cloth.release();
});
