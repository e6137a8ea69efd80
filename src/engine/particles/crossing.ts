/**
 * When a point that moves crosses a triangle that moves, all corners in straight lines at even speed: the earliest root in 0..1 of
 *
 *     f(t) = p · (e × g),    p, e and g the ways from corner a to the point, to b and to c, each linear in t
 *
 * a cubic, at which the point is within the triangle (Provot 1997, "Collision and self-collision handling in cloth model dedicated to design
 * garments"). With the signs of its Bernstein coefficients most are told not to cross at once; the roots are bracketed by the extrema, and halved.
 */

/** Slots of the numbers that {@link findCrossing} takes and gives. */
export const CrossingSlot = {
    /** In: where the point and the corners a, b, c are at t = 0 and at 1, x y z each [m]. */
    point: 0,
    a: 6,
    b: 12,
    c: 18,
    /** Out: the time, 0..1; f at 0; shares of the corners in the place. */
    time: 24,
    side: 25,
    shares: 26,
    count: 29,
} as const;

/** So far outside of a triangle, as a share, still counts as within: no gap between it and its neighbour is left by rounding. */
const INSIDE_TOLERANCE = 1e-7;
/** Halvings of a bracket: to the last bit that counts. */
const BISECTIONS = 50;

/** Within a call: coefficients of the cubic, the ends of its brackets, and the ways from a at a time. */
const cubic = new Float64Array(4);
const bracketEnds = new Float64Array(4);
const edgeVectors = new Float64Array(18);
const rootTime = new Float64Array(9);

/** True if the point crosses the triangle. @param n see {@link CrossingSlot} */
export function findCrossing(n: Float64Array): boolean {
    // At 0 and how much they change by 1: p, e, g.
    for (let k = 0; k < 3; k++) {
        const from = k === 0 ? CrossingSlot.point : k === 1 ? CrossingSlot.b : CrossingSlot.c;
        for (let c = 0; c < 3; c++) {
            edgeVectors[6 * k + c] = n[from + c] - n[CrossingSlot.a + c];
            edgeVectors[6 * k + 3 + c] = n[from + 3 + c] - n[CrossingSlot.a + 3 + c] - edgeVectors[6 * k + c];
        }
    }
    cubic.fill(0);
    addVolume(0, 0, 6, 12);
    addVolume(1, 3, 6, 12);
    addVolume(1, 0, 9, 12);
    addVolume(1, 0, 6, 15);
    addVolume(2, 0, 9, 15);
    addVolume(2, 3, 6, 15);
    addVolume(2, 3, 9, 12);
    addVolume(3, 3, 9, 15);
    const b0 = cubic[0];
    const b1 = b0 + cubic[1] / 3;
    const b2 = b0 + (2 * cubic[1] + cubic[2]) / 3;
    const b3 = b0 + cubic[1] + cubic[2] + cubic[3];
    if ((b0 > 0 && b1 > 0 && b2 > 0 && b3 > 0) || (b0 < 0 && b1 < 0 && b2 < 0 && b3 < 0)) return false;
    n[CrossingSlot.side] = b0;
    const brackets = findBrackets();
    for (let k = 0; k < brackets; k++) {
        if (!bisect(k)) continue;
        n[CrossingSlot.time] = rootTime[0];
        if (isInsideTriangle(n)) return true;
    }
    return false;
}

/** Adds the volume of three of the {@link edgeVectors} to a coefficient of the cubic; returned, it would be boxed. */
function addVolume(power: number, a: number, b: number, c: number): void {
    const w = edgeVectors;
    cubic[power] +=
        w[a] * (w[b + 1] * w[c + 2] - w[b + 2] * w[c + 1]) +
        w[a + 1] * (w[b + 2] * w[c] - w[b] * w[c + 2]) +
        w[a + 2] * (w[b] * w[c + 1] - w[b + 1] * w[c]);
}

function valueAt(t: number): number {
    return cubic[0] + t * (cubic[1] + t * (cubic[2] + t * cubic[3]));
}

/** Writes between which {@link bracketEnds} the cubic rises or falls all the way. @returns how many such brackets there are */
function findBrackets(): number {
    bracketEnds[0] = 0;
    let count = 0;
    const a = 3 * cubic[3];
    const b = cubic[2];
    const c = cubic[1];
    const squared = b * b - a * c;
    if (squared > 0) {
        // The root that does not cancel, and the other by the product of both.
        const q = -(b + (b < 0 ? -1 : 1) * Math.sqrt(squared));
        const s = q / a;
        const t = c / q;
        const first = Math.min(s, t);
        const second = Math.max(s, t);
        if (first > 0 && first < 1) bracketEnds[++count] = first;
        if (second > 0 && second < 1) bracketEnds[++count] = second;
    }
    bracketEnds[++count] = 1;
    return count;
}

/** Finds the root in a bracket: `now[0]`. @returns whether there is one */
function bisect(k: number): boolean {
    let low = bracketEnds[k];
    let high = bracketEnds[k + 1];
    const atLow = valueAt(low);
    const atHigh = valueAt(high);
    if (atLow > 0 === atHigh > 0 && atLow !== 0 && atHigh !== 0) return false;
    if (atLow === 0) high = low;
    for (let i = 0; i < BISECTIONS && high - low > 1e-15; i++) {
        const middle = (low + high) / 2;
        if (valueAt(middle) > 0 === atLow > 0) low = middle;
        else high = middle;
    }
    rootTime[0] = high;
    return true;
}

/** True if the point is within the triangle at the time; writes the barycentric coordinates. */
function isInsideTriangle(n: Float64Array): boolean {
    const t = n[CrossingSlot.time];
    for (let k = 0; k < 9; k++) {
        const at = 6 * Math.floor(k / 3) + (k % 3);
        rootTime[k] = edgeVectors[at] + t * edgeVectors[at + 3];
    }
    writeShares(rootTime, 3, 6, n, CrossingSlot.shares);
    const s = CrossingSlot.shares;
    return n[s] >= -INSIDE_TOLERANCE && n[s + 1] >= -INSIDE_TOLERANCE && n[s + 2] >= -INSIDE_TOLERANCE;
}

/**
 * Writes the shares of the corners in the place of a triangle's plane nearest to a point; NaN where it has no area.
 * @param x the way from the first corner to the point at 0; to the other two at `e` and `g`
 */
export function writeShares(x: Float64Array, e: number, g: number, target: Float64Array, at: number): void {
    const ee = x[e] * x[e] + x[e + 1] * x[e + 1] + x[e + 2] * x[e + 2];
    const eg = x[e] * x[g] + x[e + 1] * x[g + 1] + x[e + 2] * x[g + 2];
    const gg = x[g] * x[g] + x[g + 1] * x[g + 1] + x[g + 2] * x[g + 2];
    const pe = x[0] * x[e] + x[1] * x[e + 1] + x[2] * x[e + 2];
    const pg = x[0] * x[g] + x[1] * x[g + 1] + x[2] * x[g + 2];
    const area = ee * gg - eg * eg;
    target[at + 1] = (gg * pe - eg * pg) / area;
    target[at + 2] = (ee * pg - eg * pe) / area;
    target[at] = 1 - target[at + 1] - target[at + 2];
}
