import { rowOf } from "../../../kernels/layout";
import type { RopeSettings } from "../../rope/ropeMaterial";
import type { ClothSettings } from "../../state/settings";

/** True if the triangles are a rope's segments, which have no area: see engine/bodies/rope.ts. */
export function areRopeSegments(triangles: Uint32Array): boolean {
    return triangles.length > 0 && triangles[1] === triangles[2];
}

/** Arc length of each point along a line, as a share of the line's length. @param points shape [n, 3] */
export function arcSharesOf(points: Float32Array): Float64Array {
    const shares = new Float64Array(points.length / 3);
    for (let i = 1, o = 3; i < shares.length; i++, o += 3)
        shares[i] =
            shares[i - 1] + Math.hypot(points[o] - points[o - 3], points[o + 1] - points[o - 2], points[o + 2] - points[o - 1]);
    const length = shares[shares.length - 1];
    return shares.map((share) => share / length);
}

/** Writes a rope's rest positions to the group's from a row on: straight, at its present length. Whatever its initial shape, the rope collides with its distant parts. */
export function writeStraightRest(rest: Float32Array, first: number, shares: Float64Array, settings: ClothSettings): void {
    const { length } = (settings as RopeSettings).rope;
    for (let i = 0; i < shares.length; i++) rest[rowOf(first + i)] = shares[i] * length;
}

/** Share of a mesh's triangles whose size counts: a few large ones, as about a pole, do not make all cloth thick. */
const PERCENTILE = 0.95;
/** Discs that just reach the middle of each triangle leave no hole; a little more, none where cloth is stretched. */
const SAFETY = 0.75 / Math.SQRT1_2;

/**
 * The radius of discs about the particles of a mesh that leave no hole between them [m]: what is farthest from the corners of a triangle
 * is its circumcentre, or on the longest edge of an obtuse one. 0.75 edges on a grid.
 * @param positions rest positions [m], shape [particleCount, 3]
 * @param triangles particles of each triangle, shape [triangleCount, 3]
 */
export function discRadius(positions: Float32Array, triangles: Uint32Array): number {
    const radii = new Float64Array(triangles.length / 3);
    for (let t = 0; t < radii.length; t++) {
        const [a, b, c] = triangles.subarray(3 * t, 3 * t + 3);
        const squares = [squaredDistance(positions, a, b), squaredDistance(positions, b, c), squaredDistance(positions, c, a)];
        const [s0, s1, s2] = squares.sort((p, q) => p - q);
        // Circumradius abc / 4A; 16 A² by Heron's formula in squares.
        const isObtuse = s2 >= s0 + s1;
        radii[t] = Math.sqrt(isObtuse ? s2 / 4 : (s0 * s1 * s2) / (4 * s1 * s2 - (s1 + s2 - s0) ** 2));
    }
    radii.sort();
    return radii.length > 0 ? SAFETY * radii[Math.floor(PERCENTILE * (radii.length - 1))] : 0;
}

function squaredDistance(x: Float32Array, a: number, b: number): number {
    return (x[3 * a] - x[3 * b]) ** 2 + (x[3 * a + 1] - x[3 * b + 1]) ** 2 + (x[3 * a + 2] - x[3 * b + 2]) ** 2;
}
