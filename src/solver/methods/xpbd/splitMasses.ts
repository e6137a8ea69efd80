/**
 * Split masses: how a particle's mass is shared among the sticks that meet at it, so that one pass gains no energy.
 *
 *       ╲ ╱          nine sticks that pull in a few directions undo each other's work in the order of their
 *     ───●───        colours: the pass is then a non-symmetric operator P, and a mode of P with a complex
 *       ╱ ╲          eigenvalue p grows under Verlet, z² - 2 p z + p = 0, where |z| > 1
 *
 * Sticks along two lines that cross at right angles, as on a grid, do not disturb each other; all others do, by as much as their
 * directions agree. With A = Σ n nᵀ over the sticks at a particle, a stick of direction n meets the crowd c = nᵀ A n there: 2 on a
 * grid (itself and the one that goes on), 3 on a mesh of equilateral triangles, 24 at the pole of a disc of 48. A particle takes part
 * in the stick with 1/s of its mass (Tonge 2012, "Mass splitting"), s = 1 + {@link SPLIT} (c - 2): nothing is taken from grids,
 * nor from the short edges across a bundle of long ones, and a fan becomes nearly a Jacobi iteration, whose spectrum is real.
 * Momentum is kept. Chosen by the spectrum of a substep, see test/survey and docs/design.md.
 */
import type { StickSet } from "../../constraints/stickSet";

/** Crowd in which sticks do not disturb each other: two in each of two directions, as on a grid. */
const UNDISTURBED = 2;
/** That of bend sticks in the plane, which lie askew to each other on a grid, but pull softly. */
const UNDISTURBED_BEND = 3.6;
/** How fast that falls to {@link UNDISTURBED} where the sheet is curved at rest, with the smallest eigenvalue of A. */
const CURVED_BEND = 1000;
/** What a split grows by with the crowd beyond the undisturbed one. */
const SPLIT = 2.5;
/**
 * Diagonals and bend sticks disturb the structural sticks, too, where the sheet is curved at rest: their split grows by this much
 * with the smallest eigenvalue, that of the direction out of the sheet, and at most by {@link MOST_CURVED}.
 */
const CURVED = 200;
const MOST_CURVED = 3;

/**
 * Into how many parts the masses of both ends of each stick of a set are split.
 * @param positions rest positions [m], shape [particleCount, 3]
 * @returns shape [stickCount, 2], all >= 1; null where nothing is split
 */
export function massSplits(set: StickSet, positions: Float32Array): Float32Array | null {
    return splitBy(set, positions, UNDISTURBED, false);
}

/** The same for the diagonals of rectangles. */
export function diagonalSplits(set: StickSet, positions: Float32Array): Float32Array | null {
    return splitBy(set, positions, UNDISTURBED, true);
}

/** The same for bend sticks. */
export function bendSplits(set: StickSet, positions: Float32Array): Float32Array | null {
    return splitBy(set, positions, UNDISTURBED_BEND, true);
}

/**
 * @param undisturbed crowd at which sticks do not disturb each other where the sheet is flat at rest
 * @param isCurved whether the curvature of the sheet counts
 */
function splitBy(set: StickSet, x: Float32Array, undisturbed: number, isCurved: boolean): Float32Array | null {
    const { particlesA, particlesB } = set;
    const splits = new Float32Array(particlesA.length * 2);
    const sums = sumDirections(set, x);
    let isSplit = false;
    for (let s = 0; s < particlesA.length; s++) {
        const a = particlesA[s];
        const b = particlesB[s];
        const dx = x[3 * b] - x[3 * a];
        const dy = x[3 * b + 1] - x[3 * a + 1];
        const dz = x[3 * b + 2] - x[3 * a + 2];
        const splitA = splitAt(sums, 6 * a, dx, dy, dz, undisturbed, isCurved);
        const splitB = splitAt(sums, 6 * b, dx, dy, dz, undisturbed, isCurved);
        splits[2 * s] = splitA;
        splits[2 * s + 1] = splitB;
        // Below this it is rounding.
        isSplit ||= splitA > 1.0001 || splitB > 1.0001;
    }
    return isSplit ? splits : null;
}

/** The split of the particle at o for a stick along d: by the crowd that it meets there, and by the smallest eigenvalue of A. */
function splitAt(m: Float64Array, o: number, dx: number, dy: number, dz: number, undisturbed: number, isCurved: boolean): number {
    const squared = dx * dx + dy * dy + dz * dz;
    const along =
        dx * dx * m[o] +
        dy * dy * m[o + 1] +
        dz * dz * m[o + 2] +
        2 * (dx * dy * m[o + 3] + dy * dz * m[o + 4] + dz * dx * m[o + 5]);
    const crowd = squared > 0 ? along / squared : 0;
    if (!isCurved) return Math.max(1, 1 + SPLIT * (crowd - undisturbed));
    const outward = smallestEigenvalue(m, o);
    const bound = Math.max(UNDISTURBED, undisturbed - CURVED_BEND * outward);
    return Math.max(1, 1 + SPLIT * (crowd - bound)) * (1 + Math.min(MOST_CURVED, CURVED * outward));
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
        addDirection(sums, 6 * a, dx, dy, dz, k);
        addDirection(sums, 6 * b, dx, dy, dz, k);
    }
    return sums;
}

function addDirection(sums: Float64Array, o: number, dx: number, dy: number, dz: number, k: number): void {
    sums[o] += dx * dx * k;
    sums[o + 1] += dy * dy * k;
    sums[o + 2] += dz * dz * k;
    sums[o + 3] += dx * dy * k;
    sums[o + 4] += dy * dz * k;
    sums[o + 5] += dz * dx * k;
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
