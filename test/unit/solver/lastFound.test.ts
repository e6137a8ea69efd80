import { describe, expect, test } from "@jest/globals";
import { ManifoldCache } from "../../../src/engine/rigidbody/manifoldCache";

const axes = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
const [round, small] = [{ radius: 1 }, { radius: 0.1 }];
const normal = Float64Array.of(0, 1, 0);

describe("LastFound", () => {
    test("two lie as they did until they have crept or turned by more than counts, from step to step", () => {
        const last = new ManifoldCache();
        const middle = Float64Array.of(0, 2, 0);
        last.record(3, axes, middle, normal);
        const creep = (from: number, contact: number): boolean => {
            last.beginStep();
            middle[0] += 3e-6;
            const isSame = last.isUnchanged(from, axes, middle, round, round);
            if (isSame) last.retain(from, contact, new Float64Array(3));
            return isSame;
        };
        // By the first place, not by the last: what creeps on is looked at anew.
        expect([creep(3, 40), creep(40, 0), creep(0, 0), creep(0, 0)]).toEqual([true, true, true, false]);
        const turned = Float64Array.from(axes);
        turned[1] = 6e-6;
        middle[0] = 9e-6 - 3e-6;
        expect(last.isUnchanged(0, turned, middle, small, small)).toBe(true);
        expect(last.isUnchanged(0, turned, middle, small, round)).toBe(false);
        expect(last.isUnchanged(1000, axes, middle, round, round)).toBe(false);
    });
});
