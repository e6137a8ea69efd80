import { describe, expect, test } from "@jest/globals";
import { determinant, transformPoint } from "../../../src/engine/index";
import { validateState } from "../../../src/engine/state/state";
import { grid, lying } from "../../physics/meshes";
import { at, makeCloth, runSteps, setVelocity, velocityOf } from "../../physics/support";
import type { Vector } from "../../../src/engine/index";

/** Turned, stretched, sheared and moved, with no two entries alike. */
const MAP = Float64Array.of(0.1, 2, -0.4, 0, -1.1, 0.25, 0.7, 0, 0.5, 0.35, 3, 0, 4, -7, 9, 1);

const mapped = (point: Vector, isDirection = false): number[] => {
    const result = new Float64Array(3);
    transformPoint(MAP, point, 0, result, 0);
    return Array.from(result, (c, i) => (isDirection ? c - MAP[12 + i] : c));
};

describe("particles", () => {
    test("carried by a map keep their motion, which turns along, and stays as large where the map scales", () => {
        const cloth = makeCloth(grid(2, 2, lying(1, 2, 0.3)), { gravity: [0, 0, 0] });
        for (let i = 0; i < 9; i++) setVelocity(cloth, i, [1, -2, 3]);
        runSteps(cloth, 1);
        const { state } = cloth;
        const places = Array.from({ length: 9 }, (_, i) => at(cloth, i));
        const starts = Array.from(
            { length: 9 },
            (_, i): Vector => [0, 1, 2].map((c) => state.stepStart[4 * i + c]) as unknown as Vector,
        );
        const size = Math.cbrt(Math.abs(determinant(MAP)));
        const motions = Array.from({ length: 9 }, (_, i) => velocityOf(cloth, i));
        state.transform(MAP);
        for (let i = 0; i < 9; i++) {
            mapped(places[i]).forEach((x, c) => expect(at(cloth, i)[c]).toBeCloseTo(x, 5));
            mapped(starts[i]).forEach((x, c) => expect(state.stepStart[4 * i + c]).toBeCloseTo(x, 5));
            mapped(motions[i], true).forEach((v, c) => expect(velocityOf(cloth, i)[c]).toBeCloseTo(v / size, 4));
        }
    });

    test("velocities are scaled on every axis", () => {
        const cloth = makeCloth(grid(1, 1, lying()), { gravity: [0, 0, 0] });
        setVelocity(cloth, 2, [1, -2, 3]);
        cloth.state.scaleVelocities(0.5);
        [0.5, -1, 1.5].forEach((v, c) => expect(velocityOf(cloth, 2)[c]).toBeCloseTo(v, 5));
        expect(velocityOf(cloth, 1)).toEqual([0, 0, 0]);
    });
});

test.each([
    ["positions", 5, NaN, "BodyState: positions[5] is NaN"],
    ["previous", 0, Infinity, "BodyState: previous[0] is Infinity"],
    ["residuals", 7, 1, "BodyState: residuals[7], a fourth lane, is 1"],
    ["stepStart", 16, 2, "BodyState: stepStart[16], padding, is 2"],
] as const)("what must hold of %s is checked", (name, index, value, message) => {
    const { state } = makeCloth(grid(1, 1, lying()));
    expect(() => validateState(state)).not.toThrow();
    state[name][index] = value;
    expect(() => validateState(state)).toThrow(message);
});

test.each([
    [0, NaN, "BodyState: inverseMasses[0] is NaN"],
    [1, -1, "BodyState: inverseMasses[1] is -1"],
    [3, Infinity, "BodyState: inverseMasses[3] is Infinity"],
    [4, 1, "BodyState: inverseMasses[4], padding, is 1"],
])("the inverse mass %d may not be %d", (index, value, message) => {
    const { state } = makeCloth(grid(1, 1, lying()));
    state.inverseMasses[index] = value;
    expect(() => validateState(state)).toThrow(message);
});
