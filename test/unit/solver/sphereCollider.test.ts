import { describe, expect, test } from "@jest/globals";
import { Contact, SphereData } from "../../../src/kernels/contactLayout";
import { SphereCollider } from "../../../src/engine/collision/shapes/sphere";
import { DynamicBodyProxy } from "../../../src/engine/collision/shapes/dynamicBodyProxy";
import type { Clock } from "../../../src/engine/time/clock";
import { PLAIN, kernelsOf, pose } from "../../physics/support";
import type { Vector } from "../../../src/engine/index";

const THICKNESS = 0.25;

/** What the kernel reads of a sphere at a pose. */
function placed(at: Float64Array): SphereCollider {
    const collider = new SphereCollider(kernelsOf().arena);
    collider.setPose(at);
    collider.beginStep({ fraction: 1 });
    collider.moveTo(1, 1, { ...PLAIN, thickness: THICKNESS });
    return collider;
}

const slots = ({ data }: SphereCollider, slot: number, count: number): number[] => [...data.subarray(slot, slot + count)];

describe("what the kernel reads of an ellipsoid", () => {
    const half: Vector = [3, 1, 2];

    test("its half axes, the shortest first, whichever way it is turned", () => {
        for (const angle of [0, 0.4, 2]) {
            const sphere = placed(pose([5, 6, 7], half, angle, "x"));
            expect(slots(sphere, SphereData.centre, 3)).toEqual([5, 6, 7]);
            slots(sphere, SphereData.squares, 3).forEach((square, i) => expect(square).toBeCloseTo([1, 4, 9][i], 5));
            slots(sphere, SphereData.squareDifferences, 3).forEach((excess, i) => expect(excess).toBeCloseTo([0, 3, 8][i], 5));
            expect(slots(sphere, SphereData.reach, 1)[0]).toBeCloseTo(3 + THICKNESS, 4);
            expect(slots(sphere, SphereData.isRound, 1)).toEqual([0]);
            // The end of each half axis goes to a unit vector of its own.
            const ends = [
                [0, Math.cos(angle), Math.sin(angle)],
                [0, -2 * Math.sin(angle), 2 * Math.cos(angle)],
                [3, 0, 0],
            ];
            ends.forEach(([x, y, z], axis) => {
                const m = slots(sphere, SphereData.toUnit, 12);
                const unit = [0, 1, 2].map((c) => Math.abs(x * m[c] + y * m[4 + c] + z * m[8 + c]));
                [0, 1, 2].forEach((c) => expect(unit[c]).toBeCloseTo(c === axis ? 1 : 0, 5));
            });
        }
    });

    test("is the same of a sheared sphere, whose half axes are found", () => {
        // Rows (1, 0, 0), (1, 1, 0), (0, 0, 1): the half axes of the image are the singular values, the golden ratio and its inverse.
        const sheared = Float64Array.of(1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
        const golden = (1 + Math.sqrt(5)) / 2;
        slots(placed(sheared), SphereData.squares, 3).forEach((square, i) =>
            expect(square).toBeCloseTo([1 / golden ** 2, 1, golden ** 2][i], 5),
        );
    });
});

test.each([
    [[0.5, 0.5, 0.5], 1],
    [[0.5, 0.5 * (1 + 1e-7), 0.5], 1],
    [[0.5, 0.5 * (1 + 1e-5), 0.5], 0],
    [[0.5, 0.5, 0.5 * (1 - 1e-5)], 0],
    [[200, 200, 200], 1],
] as [Vector, number][])("half axes %p: round %d", (half, isRound) => {
    expect(slots(placed(pose([0, 0, 0], half, 0.7, "y")), SphereData.isRound, 1)).toEqual([isRound]);
});

test.each([
    [1, 1, 0],
    [1, 1, 1e-7],
    [0.9e-15, 0.9e-15, 0.9e-15],
    [1.1e15, 1.1e15, 1.1e15],
    [NaN, 1, 1],
])("half axes %d, %d, %d have no inside to keep out of", (...half) => {
    const sphere = placed(pose([0, 0, 0], half));
    expect(slots(sphere, SphereData.reach, 1)).toEqual([0]);
    expect(sphere.mayTouch(Float32Array.of(-1, -1, -1, 0, 1, 1, 1, 0))).toBe(false);
});

test.each([
    [1, 1, 1.1e-6],
    [1.1e-15, 1.1e-15, 1.1e-15],
    [0.9e15, 0.9e15, 0.9e15],
])("half axes %d, %d, %d have one", (...half) => {
    expect(slots(placed(pose([0, 0, 0], half)), SphereData.reach, 1)[0]).toBeGreaterThan(Math.max(...half));
});

test("may touch what its sphere of reach meets, and nothing beyond", () => {
    const sphere = placed(pose([1, 2, 3], [0.5, 0.5, 0.5]));
    const box = (x: number, y: number, z: number): Float32Array => Float32Array.of(x, y, z, 0, x + 1, y + 1, z + 1, 0);
    expect(sphere.mayTouch(box(0.5, 1.5, 2.5))).toBe(true);
    for (let axis = 0; axis < 3; axis++) {
        for (const [offset, touches] of [
            [0.74, true],
            [0.76, false],
            [-1.74, true],
            [-1.76, false],
        ] as const) {
            const corner = [0.5, 1.5, 2.5];
            corner[axis] = axis + 1 + offset;
            expect(sphere.mayTouch(box(corner[0], corner[1], corner[2]))).toBe(touches);
        }
    }
    // Past a corner both ways count.
    expect(sphere.mayTouch(box(1.5, 2.5, 3.5))).toBe(false);
    expect(sphere.mayTouch(box(1.4, 2.4, 3.4))).toBe(true);
});

test("what has never moved moves nothing, exactly: a pose times its inverse leaves something", () => {
    const sphere = placed(pose([0.3, -0.7, 1.1], [0.1, 0.3, 0.7], 0.4, "z"));
    sphere.beginStep({ fraction: 1 });
    sphere.moveTo(1, 1, PLAIN);
    expect(slots(sphere, Contact.motion, 16)).toEqual(Array<number>(16).fill(0));
});

test("what stops moves its contacts no more: the material's motion is 0 again a step later", () => {
    const sphere = placed(pose([0, 0, 0], [1, 1, 1]));
    const step = (): number[] => {
        sphere.beginStep({ fraction: 1 });
        sphere.moveTo(1, 2, PLAIN);
        sphere.moveTo(2, 2, PLAIN);
        return slots(sphere, Contact.motion, 16);
    };
    const still = Array<number>(16).fill(0);
    step();
    sphere.setPose(pose([0.5, 0, 0], [1, 1, 1]));
    expect(step().slice(12, 15)).toEqual([0.25, 0, 0]);
    for (let frame = 0; frame < 3; frame++) {
        sphere.holdPose();
        expect(step().map(Math.abs)).toEqual(still);
    }
    sphere.setPose(pose([0.5, 1, 0], [1, 1, 1]));
    expect(step().slice(12, 15)).toEqual([0, 0.5, 0]);
});

test("what stands is as far from the picture as that is moved along, on any axis; what is nowhere is not", () => {
    const sphere = placed(pose([1, 2, 3], [1, 1, 1]));
    for (let step = 0; step < 2; step++) {
        sphere.holdPose();
        sphere.beginStep({ fraction: 1 });
        sphere.moveTo(1, 1, PLAIN);
    }
    const motion = { map: pose([0, 0, 0]), isMoving: false, alpha: 0.5 };
    const distanceOf = (collider: SphereCollider): number => {
        const distance = new Float64Array(1).fill(NaN);
        collider.measureRenderLag(motion, distance);
        return distance[0];
    };
    expect(distanceOf(sphere)).toBe(0);
    for (let axis = 0; axis < 3; axis++) {
        motion.map.set([0, 0, 0], 12);
        motion.map[12 + axis] = -0.25;
        motion.isMoving = true;
        expect(distanceOf(sphere)).toBeCloseTo(0.25, 6);
        expect(distanceOf(new SphereCollider(kernelsOf().arena))).toBe(0);
    }
});

test("what drifts disturbs a body that it is far from until it has gone back: what it was lent is given back in steps alone", () => {
    const sphere = placed(pose([0, 0, 0], [1, 1, 1]));
    const taker = (sphere.dynamicBody = new DynamicBodyProxy(1, 1));
    const far = Float32Array.of(9, 9, 9, 0, 10, 10, 10, 0);
    const fabric = { ...PLAIN, thickness: THICKNESS };
    const frame = (push: number): boolean => {
        taker.beginFrame({ steps: 1, engineSeconds: 1 / 60, engineShare: 1 } as Clock, 2);
        sphere.data[Contact.impulse] = push;
        for (const done of [1, 2]) {
            sphere.moveTo(done, 2, fabric);
            sphere.data[Contact.impulse] = 0;
        }
        return sphere.mayDisturb(far, fabric);
    };
    expect(frame(-0.5)).toBe(true);
    expect(frame(0)).toBe(false);
});
