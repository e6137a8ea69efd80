// Crowds whose cloths take different substeps: no energy from a pace that is not theirs.
import { expect, test } from "@jest/globals";
import { backendNames } from "../../src/kernels/backend";
import { MemberNumber } from "../../src/kernels/crowdLayout";
import { Heap } from "./layers";
import { grid, lying } from "./meshes";
import { makeCloth } from "./support";

test.each(backendNames)("what is pushed goes by the substep that its motion is of, not by what is asked next, %s", (backend) => {
    const cloths = [1, 1.004].map((y, k) => makeCloth(backend, grid(4, 4, lying(0.1, 0.1, y)), { substepCount: 2 + 2 * k }));
    const heap = new Heap(cloths, 0.005, [], "triangles").run(2);
    const [first, second] = cloths.map(({ member }) => member!);
    const { substep } = second.body;
    second.refine(8);
    first.isMoving = true;
    second.isMoving = false;
    second.isRunning = true;
    second.takePart(first.body.settings);
    expect(second.numbers[MemberNumber.pace]).toBeCloseTo(cloths[0].substep / substep, 6);
    expect(heap.crossings).toBe(0);
});
