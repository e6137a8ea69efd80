/**
 * A tapered capsule around points.
 *
 *        ·  ·   ·
 *      (───────────)      start and end along the axis; at each, the radius that holds most of the points of its half
 *        ·   ·  ·
 */
import type { Vector } from "../../../engine/index";

export interface Capsule {
    readonly start: Vector;
    readonly end: Vector;
    readonly startRadius: number;
    readonly endRadius: number;
}

/** Axis of a bone's points. */
export interface Axis {
    /** A point of it. */
    readonly base: Vector;
    /** Unit direction. */
    readonly direction: Vector;
    /** Distances of the capsule's sphere centres from the base, by joints. NaN: by the points. */
    readonly from: number;
    readonly to: number;
}

/** Power iterations for the principal axis. */
const POWER_ITERATIONS = 30;
/** Share of points at each end of the axis that is ignored as outliers. */
const OUTLIER_SHARE = 0.02;

/** The principal axis of points, through their centroid. @param points shape [n, 3] */
export function principalAxis(points: readonly number[]): Axis {
    const middle: [number, number, number] = [0, 0, 0];
    for (let i = 0; i < points.length; i++) middle[i % 3] += (3 * points[i]) / points.length;
    const spread = new Float64Array(9);
    for (let i = 0; i < points.length; i += 3) {
        for (let k = 0; k < 9; k++) {
            const [a, b] = [Math.floor(k / 3), k % 3];
            spread[k] += (points[i + a] - middle[a]) * (points[i + b] - middle[b]);
        }
    }
    let direction: [number, number, number] = [0.31, 0.87, 0.38];
    for (let turn = 0; turn < POWER_ITERATIONS; turn++) {
        const next = [0, 3, 6].map((r) => spread[r] * direction[0] + spread[r + 1] * direction[1] + spread[r + 2] * direction[2]);
        const length = Math.hypot(...next);
        if (!(length > 0)) break;
        direction = next.map((x) => x / length) as [number, number, number];
    }
    const length = Math.hypot(...direction);
    return { base: middle, direction: direction.map((x) => x / length) as unknown as Vector, from: NaN, to: NaN };
}

/** @param share share of the points of each half inside its radius, 0..1 */
export function fitCapsule(points: readonly number[], { base, direction: d, from, to }: Axis, share: number): Capsule {
    const heights: number[] = [];
    const distances: number[] = [];
    for (let i = 0; i < points.length; i += 3) {
        const [x, y, z] = [0, 1, 2].map((c) => points[i + c] - base[c]);
        const height = x * d[0] + y * d[1] + z * d[2];
        heights.push(height);
        distances.push(Math.sqrt(Math.max(0, x * x + y * y + z * z - height * height)));
    }
    const low = quantile(heights, OUTLIER_SHARE);
    const high = quantile(heights, 1 - OUTLIER_SHARE);
    const middle = ((Number.isNaN(from) ? low : from) + (Number.isNaN(to) ? high : to)) / 2;
    const all = quantile(distances, share);
    const half = (isHere: (height: number) => boolean): number => {
        const here = distances.filter((_, i) => isHere(heights[i]));
        return here.length < 4 ? all : quantile(here, share);
    };
    const startRadius = half((height) => height < middle);
    const endRadius = half((height) => height >= middle);
    // Without a joint the capsule ends with its points.
    let start = Number.isNaN(from) ? low + startRadius : from;
    let end = Number.isNaN(to) ? high - endRadius : to;
    if (start > end) start = end = Number.isNaN(from) ? (Number.isNaN(to) ? (low + high) / 2 : to) : from;
    const at = (height: number): Vector => [0, 1, 2].map((c) => base[c] + height * d[c]) as unknown as Vector;
    return { start: at(start), end: at(end), startRadius, endRadius };
}

/** The number below which a share of all numbers is. */
function quantile(numbers: readonly number[], share: number): number {
    const sorted = Float64Array.from(numbers).sort();
    return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
