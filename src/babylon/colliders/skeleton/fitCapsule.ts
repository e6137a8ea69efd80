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
/** Number of lengths tried for a capsule within the skin. */
const INSETS = 16;
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

/**
 * The largest of some capsules within the skin, of one radius: along the bone's axis or a coordinate axis through the middle of its points, and symmetric about that.
 * @param points of the bone, shape [n, 3]; `skin` vertices that stay outside, shape [n, 3]
 */
export function insideCapsule(points: readonly number[], axis: Axis, skin: readonly number[]): Capsule {
    const { base } = principalAxis(points);
    const units: readonly Vector[] = [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
    ];
    const all = [axis, ...units.map((direction) => ({ base, direction, from: NaN, to: NaN }))].map((a) =>
        insideAlong(points, a, skin),
    );
    const most = Math.max(...all.map(({ volume }) => volume));
    return all.find(({ volume }) => volume === most)!.capsule;
}

function insideAlong(points: readonly number[], axis: Axis, skin: readonly number[]): { capsule: Capsule; volume: number } {
    const { base, direction: d, from, to } = axis;
    const along = (all: readonly number[], i: number): number =>
        [0, 1, 2].reduce((sum, c) => sum + (all[i + c] - base[c]) * d[c], 0);
    const heights = points.flatMap((_, i) => (i % 3 === 0 ? [along(points, i)] : []));
    const low = Number.isNaN(from) ? quantile(heights, OUTLIER_SHARE) : from;
    const high = Number.isNaN(to) ? quantile(heights, 1 - OUTLIER_SHARE) : to;
    // Heights and squared distances from the axis.
    const rings: number[] = [];
    for (let i = 0; i < skin.length; i += 3) {
        const height = along(skin, i);
        rings.push(height, [0, 1, 2].reduce((sum, c) => sum + (skin[i + c] - base[c]) ** 2, 0) - height * height);
    }
    let best = { inset: 0, radius: 0, volume: -1 };
    for (let k = 0; k <= INSETS; k++) {
        const inset = ((high - low) * k) / (2 * INSETS);
        let squared = Infinity;
        for (let i = 0; i < rings.length; i += 2) {
            const beyond = Math.max(0, low + inset - rings[i], rings[i] - (high - inset));
            squared = Math.min(squared, rings[i + 1] + beyond * beyond);
        }
        const radius = Math.sqrt(Math.max(0, squared));
        const volume = radius * radius * (high - low - 2 * inset + (4 / 3) * radius);
        if (volume > best.volume) best = { inset, radius, volume };
    }
    const at = (height: number): Vector => [0, 1, 2].map((c) => base[c] + height * d[c]) as unknown as Vector;
    const { inset, radius, volume } = best;
    return { capsule: { start: at(low + inset), end: at(high - inset), startRadius: radius, endRadius: radius }, volume };
}

/** The number below which a share of all numbers is. */
function quantile(numbers: readonly number[], share: number): number {
    const sorted = Float64Array.from(numbers).sort();
    return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
