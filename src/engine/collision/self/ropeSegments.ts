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
