import { describe, expect, test } from "@jest/globals";
import { Frame } from "../../../src/kernels/layout";
import type { SurfaceArrays } from "../../../src/kernels/layout";
import { embedPoints } from "../../../src/engine/meshmap/embeddedPoints";
import { difference } from "../binding/harness";

/** Points as rows x y z 0. */
function rowsOf(points: readonly (readonly number[])[]): Float32Array {
    return Float32Array.from(points.flatMap(([x, y, z]) => [x, y, z, 0]));
}

/** A frame that maps the world to local space by a scale along each axis, with bounds that hold nothing yet. */
function frameOf(scale: readonly number[]): Float32Array {
    const frame = new Float32Array(Frame.count);
    for (let i = 0; i < 3; i++) frame[5 * i] = scale[i];
    frame[15] = 1;
    frame.fill(Infinity, Frame.minimum, Frame.minimum + 3);
    frame.fill(-Infinity, Frame.maximum, Frame.maximum + 3);
    return frame;
}

/** Places that are points of their own, in this order; the last ones ride on the clusters named. */
function seat(places: readonly (readonly number[])[], triangles: readonly number[], ridden: readonly number[]) {
    const clusterCount = places.length - ridden.length;
    return embedPoints(
        {
            clusterCount,
            clusterOfPlace: Uint32Array.from([...Array(clusterCount).keys(), ...ridden]),
            placeOfCluster: Uint32Array.from(Array(clusterCount).keys()),
        },
        Uint32Array.from(triangles),
        Uint32Array.from(places.keys()),
        Float32Array.from(places.flat()),
    );
}

describe("a rider", () => {
    const triangle = [
        [0, 0, 0],
        [3, 0, 0],
        [0, 2, 0],
    ];

    test.each([
        ["inside", [1, 0.5, 0]],
        ["outside, above", [-1, 4, 0.7]],
        ["below", [0.1, 0.1, -0.3]],
    ])("stays where it was seated, and goes with its triangle: %s", (_, rider) => {
        const riders = seat([...triangle, rider], [0, 1, 2], [0]);
        // Turned by a quarter about y and moved; in local space, which is half as large, each along its axis.
        for (const scale of [
            [1, 1, 1],
            [0.5, 2, 4],
            [-1, 1, 3],
        ]) {
            const local = ([x, y, z]: readonly number[]): number[] => [scale[0] * (z + 7), scale[1] * (y - 2), scale[2] * (5 - x)];
            const points = rowsOf([...triangle.map(local), [9, 9, 9]]);
            const frame = frameOf(scale);
            riders.update({ points, frame } as SurfaceArrays);
            expect(difference(points.subarray(12, 15), local(rider))).toBeLessThan(1e-5);
            expect([...frame.subarray(Frame.minimum, Frame.minimum + 3)]).toEqual([...points.subarray(12, 15)]);
            expect([...frame.subarray(Frame.maximum, Frame.maximum + 3)]).toEqual([...points.subarray(12, 15)]);
        }
    });

    test("stretches along its triangle, and keeps its height", () => {
        const riders = seat([...triangle, [1.5, 1, 0.25]], [0, 1, 2], [0]);
        const points = rowsOf([
            [0, 0, 0],
            [6, 0, 0],
            [0, 8, 0],
            [9, 9, 9],
        ]);
        riders.update({ points, frame: frameOf([1, 1, 1]) } as SurfaceArrays);
        expect(difference(points.subarray(12, 15), [3, 4, 0.25])).toBeLessThan(1e-6);
    });

    test("rides on the triangle of the largest least height among those around its particle", () => {
        // Around place 0: a long one, a wide one, a small one; a still wider one lies beside, in the list before and after.
        const places = [
            [0, 0, 0],
            [50, 0, 0],
            [50, 1, 0],
            [0, 4, 0],
            [-4, 0, 0],
            [0, -1, 0],
            [1, -1, 0],
            [100, 0, 0],
            [120, 0, 0],
            [100, 20, 0],
            [0.1, 0.1, 0],
        ];
        const triangles = [7, 8, 9, 0, 1, 2, 0, 3, 4, 7, 9, 8, 0, 5, 6, 8, 7, 9];
        for (let turn = 0; turn < triangles.length; turn += 3) {
            const riders = seat(places, [...triangles.slice(turn), ...triangles.slice(0, turn)], [0]);
            // Only what it rides on comes along.
            const move = (i: number): number => ([0, 3, 4].includes(i) ? 5 : 0);
            const points = rowsOf(places.map(([x, y, z], i) => [x, y, z + move(i)]));
            riders.update({ points, frame: frameOf([1, 1, 1]) } as SurfaceArrays);
            expect(difference(points.subarray(40, 43), [0.1, 0.1, 5])).toBeLessThan(1e-5);
        }
    });
});
