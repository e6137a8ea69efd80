import { describe, expect, test } from "@jest/globals";
import { identity, transformPoint, weld } from "../../../src/engine/index";
import {
    areSameNormals,
    findRows,
    fitAffine,
    matchEditedMesh,
    restNormals,
    rotateDirections,
} from "../../../src/engine/meshmap/matchEditedMesh";
import type { Affine } from "../../../src/engine/index";
import { difference } from "../binding/harness";

/** A wavy sheet of 7 × 5 vertices, as wide as `size`. */
function sheet(size: number, height = 0.2): Float32Array {
    const x = new Float32Array(105);
    for (let v = 0; v < 35; v++) {
        const [i, j] = [v % 7, Math.floor(v / 7)];
        x.set([(i / 6) * size, height * size * Math.sin(i + 2 * j), (j / 4) * size], 3 * v);
    }
    return x;
}

/** Turned, stretched unevenly, sheared and moved. */
const MAP = Float64Array.of(0.1, 2, -0.4, 0, -1, 0.25, 0.7, 0, 0.5, 0.35, 3, 0, 40, -7, 9, 1);

function moved(points: Float32Array, map: Affine): Float32Array {
    const result = points.slice();
    for (let o = 0; o < points.length; o += 3) transformPoint(map, points, o, result, o);
    return result;
}

describe("fitAffine", () => {
    test.each([0.01, 1, 1000])("finds the map of a sheet of %d m", (size) => {
        const map = MAP.map((entry, i) => (i < 12 ? entry : (entry % 15) * size));
        const found = fitAffine(sheet(size), moved(sheet(size), map), identity())!;
        expect(difference(found.subarray(0, 12), map.subarray(0, 12))).toBeLessThan(1e-4);
        expect(difference(found.subarray(12, 15), map.subarray(12, 15))).toBeLessThan(1e-4 * size);
    });

    test.each([0, 1, 2])(
        "takes from the expected map what a sheet flat along axis %d does not tell, and no translation",
        (axis) => {
            const expected = identity();
            const across = [0, 1, 2].map((c) => (c === axis ? -5 : 0));
            expected.set(across, 4 * axis);
            expected.set([1e7, -1e7, 1e7], 12);
            // Its flat axis is y; turn that to the one asked for.
            const flat = sheet(1, 0).map((_, i, all) => all[i - (i % 3) + ((i + 4 - axis) % 3)]);
            const found = fitAffine(flat, flat, expected)!;
            for (let row = 0; row < 3; row++) {
                const is = row === axis ? across : identity().subarray(4 * row, 4 * row + 3);
                expect(difference(found.subarray(4 * row, 4 * row + 3), is)).toBeLessThan(1e-4);
            }
            expect(difference(found.subarray(12, 15), [0, 0, 0])).toBeLessThan(1e-4);
        },
    );

    test.each([
        [0, 1],
        [0, 2],
        [1, 0],
        [1, 2],
        [2, 0],
        [2, 1],
    ])("so also for a strip along axis %d that is flat along axis %d", (along, flat) => {
        const across = 3 - along - flat;
        const expected = identity();
        for (let c = 0; c < 3; c++) expected[4 * flat + c] = c === across ? -5 : c === flat ? 2 : 0;
        const strip = new Float32Array(60);
        for (let v = 0; v < 20; v++) {
            strip[3 * v + along] = (v >> 1) * 10;
            strip[3 * v + across] = (v & 1) * 1e-2;
        }
        const found = fitAffine(strip, strip, expected)!;
        expect(found[4 * flat + across]).toBeCloseTo(-5, 3);
        expect(found[5 * along]).toBeCloseTo(1, 5);
        // Without a width it tells of its length alone.
        const line = strip.map((x, i) => (i % 3 === along ? x : 0));
        expect(fitAffine(line, line, expected)![4 * flat + across]).toBeCloseTo(-5, 3);
    });

    test("finds none for another shape", () => {
        const bent = sheet(1);
        bent[4] += 0.01;
        expect(fitAffine(sheet(1), bent, identity())).toBeNull();
    });
});

test("vertices where they were have the identity for their map, whatever is expected", () => {
    expect(matchEditedMesh(sheet(1, 0), sheet(1, 0), MAP)!.map).toEqual(identity());
});

describe("areSameNormals", () => {
    const normals = (turn: number): Float32Array =>
        Float32Array.from([0.3, 1, 2], (a) => a + turn).reduce((all, a, v) => {
            all.set([Math.cos(a), 0, Math.sin(a)], 3 * v);
            return all;
        }, new Float32Array(9));

    test("rounding does not count, a turn of two degrees does, of any of them", () => {
        expect(areSameNormals(normals(0), normals(1e-3))).toBe(true);
        expect(areSameNormals(normals(0), normals(0.035))).toBe(false);
        for (let v = 0; v < 3; v++) {
            const one = normals(0);
            one.set(normals(0.035).subarray(3 * v, 3 * v + 3), 3 * v);
            expect(areSameNormals(normals(0), one)).toBe(false);
        }
    });

    test("those of no length are the same as each other only", () => {
        const zero = normals(0);
        zero.fill(0, 3, 6);
        expect(areSameNormals(zero, zero.slice())).toBe(true);
        expect(areSameNormals(zero, normals(0))).toBe(false);
    });

    test("more of them are others", () => {
        expect(areSameNormals(normals(0), Float32Array.of(...normals(0), 0, 1, 0))).toBe(false);
        expect(areSameNormals(Float32Array.of(...normals(0), 0, 1, 0), normals(0))).toBe(false);
    });
});

test("normals at rest point to the side on which they were given, hard where they were hard", () => {
    // Two squares at a right angle that share an edge: given flat and now folded, or smooth all over.
    const flat = Float32Array.of(0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 2, 0, 0, 2, 0, 1, 1, 0, 1);
    const folded = flat.slice();
    folded.set([1, 1, 0, 1, 1, 1], 15);
    const indices = Uint32Array.of(0, 2, 1, 0, 3, 2, 4, 6, 5, 4, 7, 6);
    for (const side of [1, -1]) {
        const hard = Float32Array.from({ length: 24 }, (_, i) => (i < 12 ? [0, side, 0] : [-side, 0, 0])[i % 3]);
        expect(difference(restNormals(hard, folded, folded, indices, weld(folded, indices)), hard)).toBeLessThan(1e-6);
        const up = Float32Array.from({ length: 24 }, (_, i) => [0, side, 0][i % 3]);
        expect(difference(restNormals(hard, folded, flat, indices, weld(flat, indices)), up)).toBeLessThan(1e-6);
        const smooth = restNormals(up, flat, folded, indices, weld(folded, indices));
        for (const v of [0, 3]) expect(difference(smooth.subarray(3 * v, 3 * v + 3), [0, side, 0])).toBeLessThan(1e-6);
        // Between the two, by the area of the triangles that meet there.
        for (const [v, w] of [
            [1, 4],
            [2, 7],
        ]) {
            const [x, y, z] = smooth.subarray(3 * v, 3 * v + 3);
            expect([Math.hypot(x, y), Math.abs(z)]).toEqual([expect.closeTo(1, 5), 0]);
            expect(Math.min(-side * x, side * y)).toBeGreaterThan(0.4);
            expect(smooth.subarray(3 * w, 3 * w + 3)).toEqual(smooth.subarray(3 * v, 3 * v + 3));
        }
        for (const v of [5, 6]) expect(difference(smooth.subarray(3 * v, 3 * v + 3), [-side, 0, 0])).toBeLessThan(1e-6);
    }
});

test.each([3, 4])("directions turn with a map to unit length, in rows of %d", (size) => {
    const directions = [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
        [0.6, -0.8, 0],
        [0, 0, 0],
    ];
    const rows = Float32Array.from(directions.flatMap((d) => [...d, -1].slice(0, size)));
    rotateDirections(rows, size, MAP);
    const side = size === 4 ? [-1] : [];
    const expected = directions.flatMap((d) => {
        const turned = [0, 1, 2].map((c) => d[0] * MAP[c] + d[1] * MAP[4 + c] + d[2] * MAP[8 + c]);
        return [...turned.map((x) => x / (Math.hypot(...turned) || 1)), ...side];
    });
    expect(difference(rows, expected)).toBeLessThan(1e-6);
});

test("normals stay as given where nothing has an area at rest", () => {
    const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 0, 1, 5, 0, 0, 6, 0, 0, 5, 0, 1);
    const rest = positions.slice();
    rest.set([5, 0, 0, 6, 0, 0, 7, 0, 0], 9);
    const given = Float32Array.from({ length: 18 }, (_, i) => [0.48, -0.6, 0.64][i % 3]);
    const indices = Uint32Array.of(0, 1, 2, 3, 4, 5);
    const normals = restNormals(given, positions, rest, indices, weld(rest, indices));
    expect(normals.subarray(9)).toEqual(given.subarray(9));
    expect(difference(normals.subarray(0, 9), [0, -1, 0, 0, -1, 0, 0, -1, 0])).toBeLessThan(1e-6);
});

test("rows are found by their values: the first of equal ones, zero of either sign, and none for others", () => {
    const table = Float32Array.of(0, 0, 0, 1, 0, -0, 0, 2, 0, 1, 0, 0, -0, 0, 3, 0, 0, 0);
    expect([...findRows(table, table)]).toEqual([0, 1, 2, 1, 4, 0]);
    const negative = table.map((x) => (x === 0 ? -0 : x));
    expect([...findRows(negative, table)]).toEqual([0, 1, 2, 1, 4, 0]);
    expect([...findRows(table, negative)]).toEqual([0, 1, 2, 1, 4, 0]);
    expect([...findRows(Float32Array.of(0, 0, 1, 2, 0, 0, 0, 1, 0, NaN, 0, 0), table)]).toEqual([-1, -1, -1, -1]);
    // Babylon makes 0 of it as it merges vertices.
    expect([...findRows(Float32Array.of(1, 0, 0), Float32Array.of(1, -9e-9, 5e-9))]).toEqual([0]);
    expect([...findRows(Float32Array.of(1, 0, 2e-8), Float32Array.of(1, 0, 0))]).toEqual([-1]);
    const many = Float32Array.from({ length: 3000 }, (_, i) => Math.floor(i / 3) % 500);
    expect([...findRows(many, many)]).toEqual(Array.from({ length: 1000 }, (_, r) => r % 500));
});
