/** Strain is limited once in a substep, wherever the cloth is, and whatever it collides with. */
import { expect, test } from "@jest/globals";
import type { CoupledGroup } from "../../../src/engine/state/steppingGroup";
import { grid, lying } from "../../physics/meshes";
import { addCollider, makeCloth, pose, runSteps } from "../../physics/support";

/** How often that is in a substep, over a ball that rests or comes up [m/s]. */
function limitsPerSubstep(height: number, speed: number, substepCount = 4, bond: CoupledGroup | null = null): number {
    const cloth = makeCloth(grid(8, 8, lying(1, 1, height)), { substepCount });
    const ballAt = (step: number) => pose([0, (speed * step) / 60, 0], [0.5, 0.5, 0.5]);
    const ball = addCollider(cloth, "sphere", ballAt(0));
    cloth.couplingIsland = bond;
    runSteps(cloth, 1);
    let count = 0;
    for (const length of cloth.lengthConstraints) length.limitStrain = () => count++;
    ball.setPose(ballAt(1));
    runSteps(cloth, 1);
    cloth.release();
    return count / substepCount;
}

test.each([
    ["far from a ball", 5, 0, 1],
    ["on it", 0.4, 0, 1],
    ["struck by it", 0.4, 20, 1],
    ["far from one that is fast", 5, 20, 1],
    ["far from a ball, in one substep", 5, 0, 1, 1],
    ["on it, in one substep", 0.4, 0, 1, 1],
])("%s", (_, height, speed, count, substepCount = 4) => {
    expect(limitsPerSubstep(height, speed, substepCount)).toBe(count);
});

test.each([
    ["far from a ball", 5, 1],
    ["on it", 0.4, 1],
])("in a stepping group, %s", (_, height, count) => {
    const group = { prepareStep() {}, resolveAfterSolve() {}, finishSubstep() {}, areCoupled: () => false };
    expect(limitsPerSubstep(height, 0, 4, group)).toBe(count);
});
