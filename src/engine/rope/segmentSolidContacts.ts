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
import { MAX_SEGMENT_PUSH } from "../tunables";
import { SolidData } from "../../kernels/contactLayout";
import { surface } from "../collision/shapes/distanceFunctions";
import type { DistanceFunction } from "../collision/shapes/distanceFunctions";

/** A link in the solid's frame [m]: its ends where the way begins, then where it ends, x y z each. */
export const segment = new Float64Array(12);
/** Slots of a touch of a link. */
export const SegmentContact = {
    /** Position on the segment, 0..1. */
    share: 0,
    /** Unit normal out of the solid, in its frame, x y z. */
    normal: 1,
    /** Depth of that point inside, margin included [m]. */
    depth: 4,
    count: 5,
} as const;
/** Touches of a link at most. */
export const MAX_SEGMENT_CONTACTS = 16;
/** Contacts found of a segment. */
export const segmentContacts = new Float64Array(MAX_SEGMENT_CONTACTS * SegmentContact.count);
/** A contact so near to an end of a segment, as a share of it, is the particle's there. */
export const SEGMENT_END = 1e-3;

/** Most tangents that are looked at, and most steps along a way. */
const MAX_TANGENTS = 24;
const MAX_SWEEP_STEPS = 16;
/** So near to the least it has been found [m]. */
const PRECISION = 1e-6;
/** So near to what is kept, as a share of the sweep, a way has met the solid. */
const SWEEP_TOLERANCE = 0.125;
/** Two faces of which less than this is square to the link are on two sides of it: neither is the way out. */
const MIN_NORMAL_SHARE = 0.1;

/** The nearest point of the link that was last asked for: share, unit normal. A share that is no number: it has no way out. */
const nearestPoint = new Float64Array(4);

/** Finds where a link (see {@link segment}) touches a solid; how often: 0 or 1. */
export function detectSegmentSolidContact(solid: Float32Array, measure: DistanceFunction): number {
    const kept = solid[SolidData.keptDistance];
    const sweep = solid[SolidData.sweep];
    let moved = 0;
    for (let e = 0; e < 6; e += 3) {
        const x = segment[6 + e] - segment[e];
        const y = segment[7 + e] - segment[e + 1];
        const z = segment[8 + e] - segment[e + 2];
        moved = Math.max(moved, Math.sqrt(x * x + y * y + z * z));
    }
    const met = kept + SWEEP_TOLERANCE * sweep;
    let t = moved > sweep ? 0 : 1;
    let distance = measureSegment(solid, measure, t, met);
    for (let step = 0; step < MAX_SWEEP_STEPS && t < 1 && distance > met; step++) {
        t = Math.min(1, t + (distance - kept) / moved);
        distance = measureSegment(solid, measure, t, met);
    }
    const share = nearestPoint[0];
    if (!(share > SEGMENT_END && share < 1 - SEGMENT_END)) return 0;
    let depth = kept - distance;
    for (let c = 0; c < 3; c++) {
        const way = (1 - share) * (segment[6 + c] - segment[c]) + share * (segment[9 + c] - segment[3 + c]);
        depth -= nearestPoint[1 + c] * way * (1 - t);
        segmentContacts[SegmentContact.normal + c] = nearestPoint[1 + c];
    }
    segmentContacts[SegmentContact.share] = share;
    segmentContacts[SegmentContact.depth] = moved > sweep ? depth : Math.min(depth, MAX_SEGMENT_PUSH);
    return depth > 0 ? 1 : 0;
}

/** One side of the least: share, distance, its slope along the link, gradient x y z. */
const low = new Float64Array(6);
const high = new Float64Array(6);
const between = new Float64Array(6);

/**
 * Finds the {@link nearestPoint} point of the link at time t of its way, 0..1.
 * @param within what is farther is of no interest [m]
 * @returns its distance [m]; where that is beyond `within`, no more than it
 */
function measureSegment(solid: Float32Array, measure: DistanceFunction, t: number, within: number): number {
    measureAt(solid, measure, t, 0, low);
    measureAt(solid, measure, t, 1, high);
    if (low[2] >= 0) return updateNearest(low);
    if (high[2] <= 0) return updateNearest(high);
    for (let k = 0; k < MAX_TANGENTS; k++) {
        const s = (high[1] - low[1] + low[2] * low[0] - high[2] * high[0]) / (low[2] - high[2]);
        const least = low[1] + low[2] * (s - low[0]);
        if (least > within) {
            nearestPoint[0] = NaN;
            return least;
        }
        measureAt(solid, measure, t, s, between);
        if (between[1] - least < PRECISION) break;
        if (between[2] === 0) return updateNearest(between);
        (between[2] < 0 ? low : high).set(between);
    }
    const whole = high[2] - low[2];
    let squared = 0;
    for (let c = 1; c < 4; c++) {
        nearestPoint[c] = (high[2] * low[2 + c] - low[2] * high[2 + c]) / whole;
        squared += nearestPoint[c] * nearestPoint[c];
    }
    const length = Math.sqrt(squared);
    nearestPoint[0] = length > MIN_NORMAL_SHARE ? between[0] : NaN;
    for (let c = 1; c < 4; c++) nearestPoint[c] /= length;
    return between[1] / Math.max(MIN_NORMAL_SHARE, length);
}

function updateNearest(point: Float64Array): number {
    nearestPoint[0] = point[0];
    for (let c = 1; c < 4; c++) nearestPoint[c] = point[2 + c];
    return point[1];
}

/** Measures the solid at a share of the link at time t. */
function measureAt(solid: Float32Array, measure: DistanceFunction, t: number, share: number, into: Float64Array): void {
    const a = 1 - share;
    const b = 1 - t;
    const x = a * (b * segment[0] + t * segment[6]) + share * (b * segment[3] + t * segment[9]);
    const y = a * (b * segment[1] + t * segment[7]) + share * (b * segment[4] + t * segment[10]);
    const z = a * (b * segment[2] + t * segment[8]) + share * (b * segment[5] + t * segment[11]);
    measure(solid, x, y, z);
    into[0] = share;
    into[1] = surface[0];
    into[2] = 0;
    for (let c = 0; c < 3; c++) {
        into[2] += surface[1 + c] * (b * (segment[3 + c] - segment[c]) + t * (segment[9 + c] - segment[6 + c]));
        into[3 + c] = surface[1 + c];
    }
}
