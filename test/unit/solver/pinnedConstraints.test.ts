// Constraints that are pinned at all ends are left out of the solver where they are many, as on garments of which most is skin.
import { expect, test } from "@jest/globals";
import { ClothBehavior } from "../../../src/index";
import { DistanceConstraints } from "../../../src/engine/solvers/xpbd/distanceConstraints";
import { createSquare, createWorld, instanceOf } from "../../bench/world";

const SIDE = 24;

/** A sheet of which most is pinned, stepped for a second. */
function hang(pinned: number): { cloth: ClothBehavior; constraints: DistanceConstraints[]; positions: Float32Array } {
    const mesh = createSquare(createWorld(), SIDE);
    const cloth = new ClothBehavior({ autoStep: false, pins: [{ select: Array.from({ length: pinned }, (_, v) => v) }] });
    mesh.addBehavior(cloth);
    for (let f = 0; f < 60; f++) cloth.step(1 / 60);
    const constraints = instanceOf(cloth).cloth.constraints.filter((one) => one instanceof DistanceConstraints);
    return { cloth, constraints, positions: cloth.getParticlePositions() };
}

const projected = ({ descriptor }: DistanceConstraints): number => descriptor[0];

test("three quarters pinned: most constraints are left out, and the rest moves as if they were not", () => {
    const { constraints, positions } = hang(0.75 * SIDE * SIDE);
    for (const one of constraints) expect(projected(one)).toBeLessThan(0.45 * one.constraintCount);
    const prototype = DistanceConstraints.prototype as unknown as { _leaveOutPinned(): void };
    const leaveOut = prototype._leaveOutPinned;
    prototype._leaveOutPinned = () => {};
    try {
        const all = hang(0.75 * SIDE * SIDE);
        for (const one of all.constraints) expect(projected(one)).toBe(one.constraintCount);
        expect(Math.max(...positions.map((x, q) => Math.abs(x - all.positions[q])))).toBeLessThan(1e-3);
    } finally {
        prototype._leaveOutPinned = leaveOut;
    }
});

test("when the pins go, all are solved, as they were laid out", () => {
    const { constraints: fresh } = hang(0);
    const { cloth, constraints } = hang(0.75 * SIDE * SIDE);
    cloth.unpin(cloth.pins[0]);
    cloth.step(1 / 60);
    constraints.forEach((one, k) => {
        expect(projected(one)).toBe(one.constraintCount);
        for (let s = 0; s < one.constraintCount; s++) {
            const [{ a, b }, other] = [one.constraintAt(s), fresh[k].constraintAt(s)];
            expect([Math.min(a, b), Math.max(a, b)]).toEqual([Math.min(other.a, other.b), Math.max(other.a, other.b)]);
        }
    });
});
