import { expect, test } from "@jest/globals";
import { multiply, transformPoint, identity } from "../../../src/engine/index";
import type { Affine } from "../../../src/engine/index";
import { angleOfMotion, partOfMotion } from "../../../src/engine/math/rigidMotion";
import { pose } from "../../physics/support";
import { seededRandom } from "../../random";

const mapped = (m: Affine, place: number[]): number[] => {
    const result = new Float64Array(3);
    transformPoint(m, place, 0, result, 0);
    return [...result];
};

test("half of a motion, twice, is the motion; all of it is itself, nothing the identity", () => {
    const random = seededRandom(2);
    for (let life = 0; life < 300; life++) {
        const motion = identity();
        const turn = (2 * random() - 1) * Math.PI * 0.999;
        const axes = ["x", "y", "z"] as const;
        multiply(pose([0, 0, 0], [1, 1, 1], turn, axes[life % 3]), pose([random(), random(), random()]), motion);
        expect(angleOfMotion(motion)).toBeCloseTo(Math.abs(turn), 6);
        const place = [random(), random(), random()];
        const half = partOfMotion(motion, place, 0.5);
        const second = partOfMotion(motion, mapped(half, place), 0.5);
        // The angle adds up; the straight way of the place does, as far as it is seen from there.
        const both = identity();
        multiply(half, second, both);
        for (let i = 0; i < 11; i++) expect(both[i]).toBeCloseTo(motion[i], 9);
        const [start, end] = [place, mapped(motion, place)];
        mapped(half, place).forEach((x, c) => expect(x).toBeCloseTo((start[c] + end[c]) / 2, 9));
        partOfMotion(motion, place, 1).forEach((x, i) => expect(x).toBeCloseTo(motion[i], 9));
        partOfMotion(motion, place, 0).forEach((x, i) => expect(x).toBeCloseTo(i % 5 === 0 ? 1 : 0, 9));
    }
});

test("what is flat or stretches turns by what it can", () => {
    const flat = pose([1, 2, 3], [1, 0, 0]);
    expect([...partOfMotion(flat, [0, 0, 0], 0.5)]).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.5, 1, 1.5, 1]);
});
