import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { deterministicExp } from "../../../src/engine/state/contactDamping";
import { expectHolds } from "../../property";

test("is exp(-x)", () => {
    expect(deterministicExp(0)).toBe(1);
    expectHolds(
        fc.property(fc.double({ min: 0, max: 30, noNaN: true }), (x) => {
            expect(Math.abs(deterministicExp(x) / Math.exp(-x) - 1)).toBeLessThan(1e-11);
        }),
    );
});

test("falls, and stays within 0 and 1, up to any size", () => {
    let last = 1;
    for (let x = 1e-9; x < 1e300; x *= 1.7) {
        const y = deterministicExp(x);
        expect(y >= 0 && y <= last * (1 + 1e-12)).toBe(true);
        last = y;
    }
    expect([1e19, 1e38, 1e300, Number.MAX_VALUE].map(deterministicExp)).toEqual([0, 0, 0, 0]);
});

test("of a sum is the product, so that substeps do not change the damping", () => {
    for (const n of [2, 4, 7]) expect(deterministicExp(0.3 / n) ** n).toBeCloseTo(deterministicExp(0.3), 14);
});
