import { describe, expect, test } from "@jest/globals";
import { diagonalSplits, massSplits } from "../../../src/engine/solvers/xpbd/splitMasses";
import type { DistanceConstraintSet } from "../../../src/engine/topology/stencilSet";

/** Sticks to one particle at each of the points from the last particle, in the middle. */
function star(points: readonly (readonly number[])[]): { set: DistanceConstraintSet; positions: Float32Array } {
    const ones = new Float32Array(points.length).fill(1);
    return {
        set: {
            stiffness: "stretchStiffness",
            particlesA: new Uint32Array(points.length).fill(points.length),
            particlesB: Uint32Array.from(points.keys()),
            restLengths: ones,
            stiffnessFactors: ones,
        },
        positions: Float32Array.from([...points, [0, 0, 0]].flatMap(([x, y, z]) => [x + 0.5, y + 1, z + 2])),
    };
}

/** Into how many parts the mass in the middle is split for a stick, 1 where nothing is. */
const middle = (splits: Float32Array | null, stick = 0): number => splits?.[2 * stick] ?? 1;

/** Points turned about the axes. */
function turned(points: readonly (readonly number[])[], ...angles: readonly number[]): number[][] {
    let result = points.map((point) => [...point]);
    angles.forEach((angle, axis) => {
        const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
        const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
        result = result.map((p) => p.map((c, i) => (i === u ? cos * c - sin * p[v] : i === v ? sin * p[u] + cos * c : c)));
    });
    return result;
}

/** `count` points around, as far as `size`, raised by a share of it: of a cone. */
const around = (count: number, size: number, raised = 0): [number, number, number][] =>
    Array.from({ length: count }, (_, i) => {
        const angle = 0.3 + (2 * Math.PI * i) / count;
        // Any length will do: only directions count.
        const length = size * (1 + (i % 3));
        return [length * Math.cos(angle), length * Math.sin(angle), length * raised];
    });

/** Splits by the rule in the module's comment: 1 + 2.5 (c - 2), c half of the sticks' number where they go all around. */
describe.each([0.01, 1, 300])("masses are split by the directions of the sticks alone, %d m long", (size) => {
    test("not on a grid, in four directions at right angles", () => {
        const { set, positions } = star(around(4, size));
        for (const split of [massSplits, diagonalSplits]) expect(split(set, positions)).toBeNull();
    });

    test.each([
        [6, 3.5],
        [8, 6],
        [48, 56],
    ])("where %d sticks meet: %d", (count, split) => {
        const { set, positions } = star(around(count, size));
        const splits = massSplits(set, positions)!;
        expect(splits.length).toBe(2 * count);
        for (let s = 0; s < count; s++) {
            expect(middle(splits, s)).toBeCloseTo(split, 3);
            expect(splits[2 * s + 1]).toBe(1);
        }
        expect(middle(diagonalSplits(set, positions))).toBeCloseTo(split, 3);
    });

    test("along one line by all of them, whichever line", () => {
        for (const [x, y, z] of [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, 1],
            [1, -1, 0],
            [0, 1, 1],
            [1, 0, -1],
            [1, 2, 3],
        ]) {
            const along = [1, 2, -1, -3].map((l): [number, number, number] => [l * size * x, l * size * y, l * size * z]);
            const { set, positions } = star(along);
            expect(middle(massSplits(set, positions))).toBeCloseTo(6, 3);
        }
    });

    test("diagonals more where the sheet is curved, by three at most", () => {
        for (const angles of [[], [0.5], [0, 0.5], [0, 0, 0.5], [0.3, 0.8, -0.6]]) {
            const split = (raised: number): number => {
                const { set, positions } = star(turned(around(4, size, raised), ...angles));
                expect(massSplits(set, positions)).toBeNull();
                return middle(diagonalSplits(set, positions));
            };
            // Out of the sheet 4 raised² of 4; det A over the principal minors is nearly that.
            expect(split(0.03)).toBeCloseTo(1 + 200 * 4 * 0.03 ** 2, 1);
            expect(split(0.3)).toBe(4);
        }
    });
});

test("sticks of no length have no direction", () => {
    const { set, positions } = star([[0, 0, 0], ...around(6, 1)]);
    const splits = massSplits(set, positions);
    expect(middle(splits, 0)).toBe(1);
    for (let s = 1; s <= 6; s++) expect(middle(splits, s)).toBeCloseTo(3.5, 3);
});

test("a stick is split by the crowd in its own direction", () => {
    const line = (count: number, x: number, y: number): [number, number, number][] =>
        Array.from({ length: count }, (_, i) => [(i % 2 ? -1 : 1) * x, (i % 2 ? -1 : 1) * y, 0]);
    const points = [...line(6, 1, 0), ...line(2, 0, 0.1), ...line(3, 3, 4)];
    for (const angles of [[], [0.3, 0.8, -0.6]]) {
        const { set, positions } = star(turned(points, ...angles));
        const splits = massSplits(set, positions);
        expect(middle(splits, 0)).toBeCloseTo(1 + 2.5 * (6 + 3 * 0.36 - 2), 3);
        expect(middle(splits, 6)).toBeCloseTo(1 + 2.5 * (2 + 3 * 0.64 - 2), 3);
        expect(middle(splits, 8)).toBeCloseTo(1 + 2.5 * (6 * 0.36 + 2 * 0.64 + 3 - 2), 3);
    }
});
