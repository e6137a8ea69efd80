/**
 * Split masses: how a particle's mass is shared among the sticks that meet at it, so that one pass gains no energy.
 *
 *       ╲ ╱          nine sticks that pull in a few directions undo each other's work in the order of their
 *     ───●───        colours: the pass is then a non-symmetric operator P, and a mode of P with a complex
 *       ╱ ╲          eigenvalue p grows under Verlet, z² - 2 p z + p = 0, where |z| > 1
 *
 * Sticks along two lines that cross at right angles, as on a grid, do not disturb each other; all others do, by as much as their
 * directions agree. With A = Σ n nᵀ over the sticks at a particle, a stick of direction n meets the crowding c = nᵀ A n there: 2 on a
 * grid (itself and the one that goes on), 3 on a mesh of equilateral triangles, 24 at the pole of a disc of 48. A particle takes part
 * in the stick with 1/s of its mass (Tonge 2012, "Mass splitting"), s = 1 + {@link SPLIT_GROWTH} (c - 2): nothing is taken from grids,
 * nor from the short edges across a bundle of long ones, and a fan becomes nearly a Jacobi iteration, whose spectrum is real.
 * Momentum is kept. Chosen by the spectrum of a substep, see test/fuzz and docs/design-solver.md.
 */
import { CURVED_GROWTH, MAX_CURVED_GROWTH, SPLIT_GROWTH } from "../../tunables";
import { MassSplitLayout, MassSplitParameter } from "../../../kernels/constraintLayout";
import { withScratch } from "../../memory/withScratch";
import type { DistanceConstraintSet } from "../../topology/stencilSet";

/** Crowding in which sticks do not disturb each other: two in each of two directions, as on a grid. */
const UNDISTURBED_COUNT = 2;

/**
 * Into how many parts the masses of both ends of each stick of a set are split.
 * @param positions rest positions [m], shape [particleCount, 3]
 * @returns shape [constraintCount, 2], all >= 1; null where nothing is split
 */
export function massSplits(set: DistanceConstraintSet, positions: Float32Array): Float32Array | null {
    return splitBy(set, positions, false);
}

/** The split of a mesh whose sticks run evenly in all directions, so many for each particle: 2 on a grid, 3 on other meshes. */
export function meanSplit(sticksPerParticle: number): number {
    return 1 + SPLIT_GROWTH * Math.max(0, sticksPerParticle - UNDISTURBED_COUNT);
}

/** As {@link massSplits}, for the diagonals of rectangles. */
export function diagonalSplits(set: DistanceConstraintSet, positions: Float32Array): Float32Array | null {
    return splitBy(set, positions, true);
}

/** @param isCurved whether the curvature of the sheet counts */
function splitBy(set: DistanceConstraintSet, positions: Float32Array, isCurved: boolean): Float32Array | null {
    const numbers = { constraintCount: set.particlesA.length, particleCount: positions.length / 3, isCurved };
    return withScratch(MassSplitLayout, numbers, (arrays, kernels) => {
        arrays.particlesA.set(set.particlesA);
        arrays.particlesB.set(set.particlesB);
        arrays.positions.set(positions);
        const { parameters } = arrays;
        parameters[MassSplitParameter.undisturbed / 2] = UNDISTURBED_COUNT;
        parameters[MassSplitParameter.growth / 2] = SPLIT_GROWTH;
        parameters[MassSplitParameter.curved / 2] = CURVED_GROWTH;
        parameters[MassSplitParameter.maxCurvedGrowth / 2] = MAX_CURVED_GROWTH;
        kernels.splitMasses(arrays);
        return arrays.isSplit[0] === 1 ? arrays.splits.slice() : null;
    });
}
