/**
 * Split masses: how a particle's mass is shared among the sticks that meet at it, so that one pass gains no energy.
 *
 *       ╲ ╱          nine sticks that pull in a few directions undo each other's work in the order of their
 *     ───●───        colours: the pass is then a non-symmetric operator P, and a mode of P with a complex
 *       ╱ ╲          eigenvalue p grows under Verlet, z² - 2 p z + p = 0, where |z| > 1
 *
 * Sticks along two lines that cross at right angles, as on a grid, do not disturb each other; all others do, by as much as their
 * directions n agree. A = Σ n nᵀ over a particle's sticks has the largest eigenvalue 2 on a grid, 3 on a mesh of equilateral
 * triangles, 24 at the pole of a disc of 48. A particle takes part in each stick with 1/s of its mass (Tonge 2012, "Mass
 * splitting"), s = 1 + {@link SPLIT} (λ - 2): nothing is taken from grids, and a fan becomes nearly a Jacobi iteration, whose
 * spectrum is real. Momentum is kept. Chosen by the spectrum of a substep, see test/survey and docs/design.md.
 */
import type { StickSet } from "../rest/stickSet";

/** Largest eigenvalue at which sticks do not disturb each other: two in each of two directions, as on a grid. */
const UNDISTURBED = 2;
/** That of bend sticks on a grid, which lie askew to each other, but pull softly. */
const UNDISTURBED_BEND = 3.6;
/** What a particle's split grows by with the eigenvalue beyond the undisturbed one. */
const SPLIT = 1.5;
/** Squarings of A that make its largest eigenvalue stand out: A to the power of 16. */
const SQUARINGS = 4;
/**
 * Diagonals and bend sticks disturb the structural sticks, too, where the sheet is curved at rest: their split grows by this much
 * with the smallest eigenvalue, that of the direction out of the sheet, and at most by {@link MOST_CURVED}.
 */
const CURVED = 200;
const MOST_CURVED = 3;

/**
 * Into how many parts each particle's mass is split among the sticks of a set.
 * @param positions rest positions [m], shape [particleCount, 3]
 * @returns shape [particleCount], all >= 1; null where nothing is split
 */
export function massSplits(set: StickSet, positions: Float32Array): Float32Array | null {
    return splitBy(set, positions, (m, o) => splitBeyond(UNDISTURBED, m, o));
}

/** The same for the diagonals of rectangles. */
export function diagonalSplits(set: StickSet, positions: Float32Array): Float32Array | null {
    return splitBy(set, positions, (m, o) => splitBeyond(UNDISTURBED, m, o) * curvedSplit(m, o));
}

/** The same for bend sticks. */
export function bendSplits(set: StickSet, positions: Float32Array): Float32Array | null {
    return splitBy(set, positions, (m, o) => splitBeyond(UNDISTURBED_BEND, m, o) * curvedSplit(m, o));
}

function splitBeyond(undisturbed: number, m: Float64Array, o: number): number {
    return Math.max(1, 1 + SPLIT * (largestEigenvalue(m, o) - undisturbed));
}

function curvedSplit(m: Float64Array, o: number): number {
    return 1 + Math.min(MOST_CURVED, CURVED * smallestEigenvalue(m, o));
}

function splitBy(set: StickSet, positions: Float32Array, splitOf: (m: Float64Array, o: number) => number): Float32Array | null {
    const splits = new Float32Array(positions.length / 3);
    const directions = sumDirections(set, positions);
    let isSplit = false;
    for (let i = 0; i < splits.length; i++) {
        splits[i] = splitOf(directions, 6 * i);
        // Below this it is rounding.
        isSplit ||= splits[i] > 1.0001;
    }
    return isSplit ? splits : null;
}

/** Σ n nᵀ at each particle as xx yy zz xy yz zx, shape [particleCount, 6]. */
function sumDirections({ particlesA, particlesB }: StickSet, x: Float32Array): Float64Array {
    const sums = new Float64Array((x.length / 3) * 6);
    for (let s = 0; s < particlesA.length; s++) {
        const a = particlesA[s];
        const b = particlesB[s];
        const dx = x[3 * b] - x[3 * a];
        const dy = x[3 * b + 1] - x[3 * a + 1];
        const dz = x[3 * b + 2] - x[3 * a + 2];
        const squared = dx * dx + dy * dy + dz * dz;
        if (!(squared > 0)) continue;
        const k = 1 / squared;
        for (let o = 6 * a, turn = 0; turn < 2; turn++, o = 6 * b) {
            sums[o] += dx * dx * k;
            sums[o + 1] += dy * dy * k;
            sums[o + 2] += dz * dz * k;
            sums[o + 3] += dx * dy * k;
            sums[o + 4] += dy * dz * k;
            sums[o + 5] += dz * dx * k;
        }
    }
    return sums;
}

/** Largest eigenvalue of a symmetric matrix xx yy zz xy yz zx without negative ones, by squaring it; +, -, *, / only. */
function largestEigenvalue(m: Float64Array, o: number): number {
    const trace = m[o] + m[o + 1] + m[o + 2];
    if (trace <= UNDISTURBED) return trace;
    let xx = m[o],
        yy = m[o + 1],
        zz = m[o + 2],
        xy = m[o + 3],
        yz = m[o + 4],
        zx = m[o + 5];
    for (let k = 0; k < SQUARINGS; k++) {
        const s = 1 / (xx + yy + zz);
        const a = xx * s,
            b = yy * s,
            c = zz * s,
            d = xy * s,
            e = yz * s,
            f = zx * s;
        xx = a * a + d * d + f * f;
        yy = d * d + b * b + e * e;
        zz = f * f + e * e + c * c;
        xy = a * d + d * b + f * e;
        yz = d * f + b * e + e * c;
        zx = a * f + d * e + f * c;
    }
    // tr(A Aᵏ) / tr(Aᵏ)
    const along = m[o] * xx + m[o + 1] * yy + m[o + 2] * zz + 2 * (m[o + 3] * xy + m[o + 4] * yz + m[o + 5] * zx);
    return along / (xx + yy + zz);
}

/** About the smallest eigenvalue, where it is much smaller than the others: det A over the sum of the principal 2×2 minors. */
function smallestEigenvalue(m: Float64Array, o: number): number {
    const xx = m[o],
        yy = m[o + 1],
        zz = m[o + 2],
        xy = m[o + 3],
        yz = m[o + 4],
        zx = m[o + 5];
    const minors = xx * yy + yy * zz + zz * xx - xy * xy - yz * yz - zx * zx;
    const determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * zx) + zx * (xy * yz - yy * zx);
    return minors > 1e-9 ? Math.max(0, determinant / minors) : 0;
}
