import { expect, test } from "@jest/globals";
import { Contact } from "../../../src/kernels/contactLayout";
import type { Clock } from "../../../src/engine/time/clock";
import { DynamicBodyProxy } from "../../../src/engine/collision/shapes/dynamicBodyProxy";
import { pose } from "../../physics/support";

test.each([0.01, 1, 100, 1e6])("a moment turns a pose, and leaves its size: %d rad", (turn) => {
    const taker = new DynamicBodyProxy(1, 1);
    const data = new Float32Array(Contact.shape);
    taker.beginFrame({ steps: 1, engineSeconds: 1 / 60, engineShare: 1 } as Clock, 1);
    // About (1, 2, 2) / 3.
    data.set([-turn / 3, (-2 * turn) / 3, (-2 * turn) / 3], Contact.angularImpulse);
    const turned = pose([0, 0, 0]);
    taker.advance(data);
    taker.applyDrift(turned);
    const dot = (a: number, b: number): number =>
        turned[a] * turned[b] + turned[a + 1] * turned[b + 1] + turned[a + 2] * turned[b + 2];
    for (const a of [0, 4, 8]) for (const b of [0, 4, 8]) expect(dot(a, b)).toBeCloseTo(a === b ? 1 : 0, 6);
    // The trace of a rotation is 1 + 2 cos, of Cayley's by 2 atan(turn / 2).
    expect(turned[0] + turned[5] + turned[10]).toBeCloseTo(1 + 2 * Math.cos(2 * Math.atan(turn / 2)), 6);
    expect(Math.sign(turned[1])).toBe(1);
});
