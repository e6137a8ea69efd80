/** Sticks without square roots (Jakobsen 2001, §3): how far they are off, and cloth of them. */
import { describe, expect, test } from "@jest/globals";
import { DistanceLayout, DistanceRecord, rowOffset } from "../../src/kernels/layout";
import type { DistanceArrays } from "../../src/kernels/layout";
import { solverModule } from "../../src/engine/index";
import { allocateStruct } from "../unit/kernels/arrays";
import { complete } from "../unit/kernels/allKernels";
import { particlesAt } from "../unit/kernels/smallCases";
import { grid, hanging, topRow } from "./meshes";
import { kernelsOf, lowest, makeCloth, measure, runSeconds, stretchOf } from "./support";

describe("sticks without square roots", () => {
    const kernels = complete(kernelsOf());

    /** What a pass leaves of a strain of a stick of length 1, both ends free. */
    function left(strain: number): number {
        const sticks: DistanceArrays = allocateStruct(kernels.arena, DistanceLayout, { constraintCount: 4 });
        sticks.maxPush[0] = Infinity;
        const particles = particlesAt(kernels, [0, 0, 0], [1 + strain, 0, 0]);
        sticks.records.set([0, 1, 2, 2, 2, 2, 2, 2].map(rowOffset));
        sticks.recordFloats.set([1, 0, 0, 0, 0.5, 0, 0, 0, 0.5, 0, 0, 0], DistanceRecord.restLengths);
        kernels.projectRootFreeDistances(particles, sticks);
        return particles.positions[4] - particles.positions[0] - 1;
    }

    test("of a strain ε they leave less than 0.6 ε² to 10 %, and never throw", () => {
        for (let strain = -0.1; strain <= 0.1001; strain += 0.01) {
            expect(Math.abs(left(strain))).toBeLessThan(0.6 * strain * strain + 1e-6);
            expect(Math.abs(left(strain))).toBeGreaterThan(0.4 * strain * strain - 1e-6);
        }
        expect(left(0.1)).toBeCloseTo(-0.0045, 4);
        expect(left(0.3)).toBeCloseTo(-0.0335, 3);
        for (const strain of [-1, -0.9, 3, 100]) expect(Math.abs(left(strain))).toBeLessThan(1 + Math.abs(strain));
        // Of no length, it has no direction.
        expect(left(-1)).toBe(-1);
    });

    test("cloth by its corners hangs as with roots, within a thousandth", async () => {
        await solverModule.load();
        const row = topRow(16, 16);
        const [rooted, free] = (["xpbd", "squareRootFree"] as const).map((solver) => {
            const cloth = makeCloth(grid(16, 16, hanging(1)), {
                solver,
                fabric: { damping: 2 },
                pinned: [row[0], row[16]],
            });
            runSeconds(cloth, 4);
            return cloth;
        });
        expect(lowest(free)).not.toBe(lowest(rooted));
        expect(Math.abs(lowest(free) - lowest(rooted))).toBeLessThan(1e-3);
        expect(Math.abs(stretchOf(free).max - stretchOf(rooted).max)).toBeLessThan(1e-3);
        // On average: from one moment to the next it differs by as much.
        const [shaken, still] = [free, rooted].map((cloth) => {
            let sum = 0;
            runSeconds(cloth, 2, () => (sum += measure(cloth).kinetic));
            return sum / 120;
        });
        expect(shaken).toBeLessThan(1.2 * still + 1e-5);
    });
});
