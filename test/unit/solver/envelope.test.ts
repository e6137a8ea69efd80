import { expect, test } from "@jest/globals";
import { envelopeOf, factorLDL, reduceBandwidth } from "../../../src/engine/solvers/projective/envelopeFactor";

/** Pairs of neighbours in a ring, named at random. */
function ring(count: number): Uint32Array {
    const name = (i: number): number => (i * 7) % count;
    return Uint32Array.from({ length: 2 * count }, (_, k) => name(((k >> 1) + (k & 1)) % count));
}

test("an order puts what is joined close together: two columns in a row of a ring", () => {
    const pairs = ring(50);
    const order = reduceBandwidth(50, pairs, 2);
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i));
    const placeOf = Uint32Array.from(order, (_, particle) => order.indexOf(particle));
    const entries = (groups: Uint32Array): number => envelopeOf(50, groups, 2).starts[50];
    expect(entries(pairs.map((i) => placeOf[i]))).toBeLessThanOrEqual(2 * 50);
    expect(entries(pairs)).toBeGreaterThan(4 * 50);
});

test("what is in pieces is ordered, too", () => {
    expect([...reduceBandwidth(4, Uint32Array.of(2, 3), 2)].sort()).toEqual([0, 1, 2, 3]);
});

test("L D Lᵀ is the matrix", () => {
    const n = 12;
    const pairs = ring(n);
    const envelope = envelopeOf(n, pairs, 2);
    const { firstColumns, starts } = envelope;
    const entries = new Float64Array(starts[n]);
    const diagonal = new Float64Array(n).fill(0.5);
    const matrix = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (i === j ? 0.5 : 0) as number));
    for (let k = 0; k < pairs.length; k += 2) {
        const [i, j] = [Math.max(pairs[k], pairs[k + 1]), Math.min(pairs[k], pairs[k + 1])];
        const stiffness = 1 + k;
        entries[starts[i] + j - firstColumns[i]] -= stiffness;
        diagonal[i] += stiffness;
        diagonal[j] += stiffness;
        matrix[i][j] = matrix[j][i] = matrix[i][j] - stiffness;
        matrix[i][i] += stiffness;
        matrix[j][j] += stiffness;
    }
    factorLDL(envelope, entries, diagonal);
    const l = (i: number, j: number): number =>
        i === j ? 1 : j < firstColumns[i] || j > i ? 0 : entries[starts[i] + j - firstColumns[i]];
    for (let i = 0; i < n; i++)
        for (let j = 0; j < n; j++) {
            const product = diagonal.reduce((sum, d, k) => sum + l(i, k) * d * l(j, k), 0);
            expect(product).toBeCloseTo(matrix[i][j], 9);
        }
});
