/**
 * Links of ropes against convex solids, by the solid's distance function d alone (solids.ts). Along a link it is convex, so its least lies no lower
 * than where tangents on both sides of it meet (Kelley 1960), and is found by going there:
 *
 *     d │╲         ╱          a ●━━━━━●━━━━━━━● b     the link's point at s, along n
 *       │ ╲__   __╱                   ↑ n
 *       │    ╲_╱            ░░░░░░░░░░░░░
 *       └─────s─────        C = d(a + s (b - a)) - kept >= 0
 *
 * Where d has an edge there, of two faces, n is what of their normals is square to the link: the way to the edge itself. A link that has moved
 * by more than the sweep is followed on its way as particles are: in steps of its distance, and where it meets the solid the plane there holds it.
 */
import { SolidData } from "../../kernels/contactLayout";
import { surface } from "./measures";
import type { Measure } from "./measures";

/** A link in the solid's frame [m]: its ends where the way begins, then where it ends, x y z each. */
export const link = new Float64Array(12);
/** Slots of a touch of a link. */
export const LinkTouch = {
    /** Where on the link, 0..1. */
    share: 0,
    /** Unit normal out of the solid, in its frame, x y z. */
    normal: 1,
    /** How deep that point is inside, what is kept included [m]. */
    depth: 4,
    count: 5,
} as const;
/** Touches of a link at most. */
export const LINK_TOUCHES = 16;
/** What was found of a link. */
export const touches = new Float64Array(LINK_TOUCHES * LinkTouch.count);
/** What is so near to an end of a link, as a share of it, is the particle's there. */
export const LINK_END = 1e-3;

/** Most tangents that are looked at, and most steps along a way. */
const TANGENTS = 24;
const STEPS = 16;
/** So near to the least it has been found [m]. */
const PRECISION = 1e-6;
/** So near to what is kept, as a share of the sweep, a way has met the solid. */
const CLOSE = 0.125;
/** What is inside without having come far comes out by no more than this in an answer [m], as triangles do: short links that whip an edge were thrown. */
const OUT = 3e-3;
/** Two faces of which less than this is square to the link are on two sides of it: neither is the way out. */
const LEAST = 0.1;

/** The nearest point of the link that was last asked for: share, unit normal. A share that is no number: it has no way out. */
const nearest = new Float64Array(4);

/** Finds where a link (see {@link link}) touches a solid; how often: 0 or 1. */
export function findLinkAtSolid(solid: Float32Array, measure: Measure): number {
    const kept = solid[SolidData.kept];
    const sweep = solid[SolidData.sweep];
    let moved = 0;
    for (let e = 0; e < 6; e += 3) {
        const x = link[6 + e] - link[e];
        const y = link[7 + e] - link[e + 1];
        const z = link[8 + e] - link[e + 2];
        moved = Math.max(moved, Math.sqrt(x * x + y * y + z * z));
    }
    const met = kept + CLOSE * sweep;
    let t = moved > sweep ? 0 : 1;
    let distance = measureLink(solid, measure, t, met);
    for (let step = 0; step < STEPS && t < 1 && distance > met; step++) {
        t = Math.min(1, t + (distance - kept) / moved);
        distance = measureLink(solid, measure, t, met);
    }
    const share = nearest[0];
    if (!(share > LINK_END && share < 1 - LINK_END)) return 0;
    let depth = kept - distance;
    for (let c = 0; c < 3; c++) {
        const way = (1 - share) * (link[6 + c] - link[c]) + share * (link[9 + c] - link[3 + c]);
        depth -= nearest[1 + c] * way * (1 - t);
        touches[LinkTouch.normal + c] = nearest[1 + c];
    }
    touches[LinkTouch.share] = share;
    touches[LinkTouch.depth] = moved > sweep ? depth : Math.min(depth, OUT);
    return depth > 0 ? 1 : 0;
}

/** One side of the least: share, distance, its slope along the link, gradient x y z. */
const low = new Float64Array(6);
const high = new Float64Array(6);
const between = new Float64Array(6);

/**
 * Finds the {@link nearest} point of the link at time t of its way, 0..1.
 * @param within what is farther is of no interest [m]
 * @returns its distance [m]; where that is beyond `within`, no more than it
 */
function measureLink(solid: Float32Array, measure: Measure, t: number, within: number): number {
    measureAt(solid, measure, t, 0, low);
    measureAt(solid, measure, t, 1, high);
    if (low[2] >= 0) return take(low);
    if (high[2] <= 0) return take(high);
    for (let k = 0; k < TANGENTS; k++) {
        const s = (high[1] - low[1] + low[2] * low[0] - high[2] * high[0]) / (low[2] - high[2]);
        const least = low[1] + low[2] * (s - low[0]);
        if (least > within) {
            nearest[0] = NaN;
            return least;
        }
        measureAt(solid, measure, t, s, between);
        if (between[1] - least < PRECISION) break;
        if (between[2] === 0) return take(between);
        (between[2] < 0 ? low : high).set(between);
    }
    const whole = high[2] - low[2];
    let squared = 0;
    for (let c = 1; c < 4; c++) {
        nearest[c] = (high[2] * low[2 + c] - low[2] * high[2 + c]) / whole;
        squared += nearest[c] * nearest[c];
    }
    const length = Math.sqrt(squared);
    nearest[0] = length > LEAST ? between[0] : NaN;
    for (let c = 1; c < 4; c++) nearest[c] /= length;
    return between[1] / Math.max(LEAST, length);
}

function take(point: Float64Array): number {
    nearest[0] = point[0];
    for (let c = 1; c < 4; c++) nearest[c] = point[2 + c];
    return point[1];
}

/** Measures the solid at a share of the link at time t. */
function measureAt(solid: Float32Array, measure: Measure, t: number, share: number, into: Float64Array): void {
    const a = 1 - share;
    const b = 1 - t;
    const x = a * (b * link[0] + t * link[6]) + share * (b * link[3] + t * link[9]);
    const y = a * (b * link[1] + t * link[7]) + share * (b * link[4] + t * link[10]);
    const z = a * (b * link[2] + t * link[8]) + share * (b * link[5] + t * link[11]);
    measure(solid, x, y, z);
    into[0] = share;
    into[1] = surface[0];
    into[2] = 0;
    for (let c = 0; c < 3; c++) {
        into[2] += surface[1 + c] * (b * (link[3 + c] - link[c]) + t * (link[9 + c] - link[6 + c]));
        into[3 + c] = surface[1 + c];
    }
}
