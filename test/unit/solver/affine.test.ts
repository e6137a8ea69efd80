import { describe, expect, test } from "@jest/globals";
import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import fc from "fast-check";
import { determinant, identity, invert, isFiniteAffine, multiply, transformPoint } from "../../../src/engine/index";
import { lerp } from "../../../src/engine/math/affine";
import type { Affine } from "../../../src/engine/index";
import { expectHolds } from "../../property";

const size = fc.oneof(fc.double({ min: 0.1, max: 10, noNaN: true }), fc.double({ min: -10, max: -0.1, noNaN: true }));
const number = fc.double({ min: -10, max: 10, noNaN: true });
/** Scales, mirrors, turns and moves, as Babylon composes them. */
const affines = fc
    .record({
        scale: fc.tuple(size, size, size),
        turn: fc.tuple(number, number, number),
        move: fc.tuple(number, number, number),
    })
    .map(({ scale, turn, move }) =>
        Matrix.Compose(new Vector3(...scale), Quaternion.RotationYawPitchRoll(...turn), new Vector3(...move)),
    );

const from = (matrix: Matrix): Affine => Float64Array.from(matrix.m);

function expectNear(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
    for (let i = 0; i < expected.length; i++) expect(Math.abs(actual[i] - expected[i])).toBeLessThan(tolerance);
}

describe("as Babylon's matrices", () => {
    test("multiply", () => {
        expectHolds(
            fc.property(affines, affines, (a, b) => {
                const product = identity();
                multiply(from(a), from(b), product);
                expectNear(product, a.multiply(b).m, 1e-3);
            }),
        );
    });

    test("determinant", () => {
        expectHolds(
            fc.property(affines, (a) => {
                expect(Math.abs(determinant(from(a)) - a.determinant())).toBeLessThan(1e-4 * Math.abs(a.determinant()) + 1e-6);
            }),
        );
    });

    test("transformPoint", () => {
        expectHolds(
            fc.property(affines, number, number, number, (a, x, y, z) => {
                const target = new Float64Array(5);
                transformPoint(from(a), [9, x, y, z], 1, target, 2);
                expectNear(target, [0, 0, ...Vector3.TransformCoordinates(new Vector3(x, y, z), a).asArray()], 1e-3);
            }),
        );
    });
});

describe("invert", () => {
    test("gives the identity back", () => {
        expectHolds(
            fc.property(affines, (a) => {
                const inverse = identity();
                const product = identity();
                expect(invert(from(a), inverse)).toBe(true);
                multiply(from(a), inverse, product);
                expectNear(product, identity(), 1e-9);
            }),
        );
    });

    test.each([
        ["a scale of 0", Matrix.Scaling(1, 0, 1)],
        ["NaN", Matrix.Scaling(1, NaN, 1)],
        ["Infinity", Matrix.Scaling(1, Infinity, 1)],
        ["all 0", Matrix.Zero()],
        ["what is too large", { m: Float64Array.from(identity(), (entry) => entry * 1e150) }],
    ])("refuses %s, and leaves the result alone", (_, matrix) => {
        const result = identity();
        expect(invert(matrix.m, result)).toBe(false);
        expect(result).toEqual(identity());
    });

    test("reaches from a tenth of a micrometre to ten thousand kilometres", () => {
        for (const scale of [1e-7, 1e7]) {
            const result = identity();
            expect(invert(from(Matrix.Scaling(scale, scale, scale)), result)).toBe(true);
            expect(result[0] * scale).toBeCloseTo(1, 5);
        }
    });
});

test("lerp goes from one to the other, entry by entry", () => {
    const [a, b, result] = [identity(), identity(), identity()];
    b[12] = 4;
    b[0] = 3;
    lerp(a, b, 0.25, result);
    expect([result[0], result[12], result[15]]).toEqual([1.5, 1, 1]);
    lerp(a, b, 0, result);
    expect(result).toEqual(a);
    lerp(a, b, 1, result);
    expect(result).toEqual(b);
});

test("isFiniteAffine looks at every entry", () => {
    expect(isFiniteAffine(identity())).toBe(true);
    for (let i = 0; i < 16; i++) {
        for (const bad of [NaN, Infinity, -Infinity]) {
            const m = identity();
            m[i] = bad;
            expect(isFiniteAffine(m)).toBe(false);
        }
    }
});
