// Crowds whose cloths take different substeps, or more than there may be: all go by what they are, not by what is asked next.
import { expect, test } from "@jest/globals";
import { ProxyParameter } from "../../src/kernels/selfCollisionLayout";
import { ROW, rowOf } from "../../src/kernels/layout";
import { AdaptiveSubsteps } from "../../src/engine/collision/self/adaptiveSubsteps";
import { CcdRollback } from "../../src/engine/collision/self/ccdRollback";
import type { CollisionProxy } from "../../src/engine/collision/self/collisionProxy";
import { Heap } from "./layers";
import { grid, lying } from "./meshes";
import { makeCloth, measure, setVelocity } from "./support";

/** Two sheets of different substeps, one over the other, after two frames. */
function membersOf(isAdaptive = false): CollisionProxy[] {
    const cloths = [1, 1.004].map((y, k) => makeCloth(grid(4, 4, lying(0.1, 0.1, y)), { substepCount: 2 + 2 * k }));
    new Heap(cloths, 0.005, [], "robust", isAdaptive).run(2);
    return cloths.map(({ collisionProxy: member }) => member!);
}

test("what is pushed goes by the substep that its motion is of, not by what is asked next", () => {
    const [first, second] = membersOf();
    const ratio = first.body.substep / second.body.substep;
    second.setSubstepFactor(8);
    second.isMoving = false;
    second.stepsInFrame = true;
    second.writeParticipation(first.body.settings);
    expect(second.numbers[ProxyParameter.timeRatio]).toBeCloseTo(ratio, 6);
});

test("what is pushed between its own substeps is put back with the rest, and keeps its displacement", () => {
    const members = membersOf();
    for (const [k, member] of members.entries()) [member.isMoving, member.stepsInFrame] = [k === 0, true];
    const holdBack = new CcdRollback();
    holdBack.recordStarts(members);
    const { positions, previous, residuals, particleCount } = members[1].body.state;
    const start = positions.slice();
    const displacement = positions[1] - previous[1] + residuals[1];
    for (let o = 1; o < rowOf(particleCount); o += ROW) {
        positions[o] += 0.125;
        previous[o] += 0.125;
    }
    holdBack.scaleMotion(members, 0);
    // Not by toEqual: it tells -0 from 0.
    expect(positions.every((x, o) => x === start[o])).toBe(true);
    expect(positions[1] - previous[1] + residuals[1]).toBeCloseTo(displacement, 5);
});

test("what steps adaptively takes no more substeps than there may be, and later as many as it was asked to", () => {
    const members = membersOf(true);
    const fineness = new AdaptiveSubsteps();
    for (let step = 0; step < 3; step++) {
        fineness.beginStep(members);
        fineness.endSubstep(false, false);
    }
    const [{ body, substepFactor: times }] = members;
    expect(times).toBe(4);
    // As a setter does: what is asked for, by the present fineness.
    body.settings.substepCount = 256 * times;
    fineness.beginStep(members);
    expect(body.settings.substepCount).toBe(256);
    expect(members[1].body.settings.substepCount).toBe(4);
});

// What had its own substep later was moved aside, and kept its speed; the other was stopped: both came to a stop where neither should.
test.each(
    (["particles", "triangles", "robust"] as const).flatMap((tier) => [
        [tier, 4, 8] as const,
        [tier, 8, 4] as const,
        [tier, 4, 5] as const,
    ]),
)("what meets in free flight, by %s in %i and %i substeps, keeps its momentum, %s", (tier, first, second) => {
    const cloths = [first, second].map((substepCount, k) =>
        makeCloth(grid(6 - k, 6, lying(0.4, 0.4, 0.05 * k)), {
            substepCount,
            gravity: [0, 0, 0],
            fabric: { damping: 0, thickness: 0.01 },
        }),
    );
    for (let i = 0; i < cloths[1].state.particleCount; i++) setVelocity(cloths[1], i, [0, -2, 0]);
    const before = measure(cloths[1]).momentum[1];
    new Heap(cloths, tier === "particles" ? null : 0.01, [], tier).run(8);
    const after = cloths.map((cloth) => measure(cloth).momentum[1]);
    expect(Math.abs((after[0] + after[1]) / before - 1)).toBeLessThan(0.02);
    for (const momentum of after) expect(momentum / before).toBeGreaterThan(0.2);
});
