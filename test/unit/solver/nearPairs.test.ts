import { describe, expect, test } from "@jest/globals";
import { SweepAndPrune, BOX_SIZE } from "../../../src/engine/rigidbody/sweepAndPrune";
import { seededRandom } from "../../random";

/** All pairs, one by one. */
function pairsOf(ranges: Float64Array): number[] {
    const pairs: number[] = [];
    const count = ranges.length / BOX_SIZE;
    for (let i = 0; i < count; i++)
        for (let k = i + 1; k < count; k++) {
            const meets = (a: number, b: number): boolean =>
                [0, 1, 2].every((c) => ranges[BOX_SIZE * a + c] <= ranges[BOX_SIZE * b + 3 + c]);
            if (meets(i, k) && meets(k, i)) pairs.push(i, k);
        }
    return pairs;
}

describe("NearPairs", () => {
    test.each([1, 2, 40, 120])("finds every pair of %d boxes that move, in rising order", (count) => {
        const random = seededRandom(count);
        const near = new SweepAndPrune();
        const centres = Float64Array.from({ length: 3 * count }, () => 8 * random());
        let found = 0;
        for (let frame = 0; frame < 40; frame++) {
            // Along another axis from the middle on.
            const wide = frame < 20 ? 0 : 2;
            near.resize(count);
            for (let i = 0; i < count; i++)
                for (let c = 0; c < 3; c++) {
                    centres[3 * i + c] += 0.2 * (random() - 0.5);
                    const middle = centres[3 * i + c] * (c === wide ? 2 : 1);
                    const half = frame % 10 === 9 && i === 3 ? NaN : 0.2 + random();
                    near.boxes[BOX_SIZE * i + c] = middle - half;
                    near.boxes[BOX_SIZE * i + 3 + c] = middle + half;
                }
            near.find();
            const expected = pairsOf(near.boxes);
            found += expected.length;
            expect(Array.from(near.pairs.subarray(0, 2 * near.count))).toEqual(expected);
        }
        if (count > 2) expect(found).toBeGreaterThan(300);
    });

    test("finds those of another number of boxes", () => {
        const near = new SweepAndPrune();
        for (const count of [5, 0, 3, 90]) {
            near.resize(count);
            near.boxes.fill(1);
            near.find();
            expect(near.count).toBe(pairsOf(near.boxes).length / 2);
        }
    });
});
