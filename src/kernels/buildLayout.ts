/**
 * Structs of the kernels that build a cloth: those run once at attach, in a memory of their own (see {@link Kernels.apart}), and what
 * they find is copied out. For what structs are see layout.ts.
 *
 * Bit-exact in every backend: these kernels compute in doubles and round where they store.
 */
import { count, doubles, flag, floats, integers } from "./fields";
import type { Struct } from "./fields";

/** Slots of {@link SplitLayout}'s parameters, in words of four bytes: each is a double. See methods/xpbd/splitMasses.ts. */
export const SplitParameter = {
    /** Crowd at which sticks do not disturb each other where the sheet is flat at rest. */
    undisturbed: 0,
    /** Where the sheet is curved that is less, by this times the smallest eigenvalue, but not below `leastUndisturbed`. */
    curvedUndisturbed: 2,
    leastUndisturbed: 4,
    /** What a split grows by with the crowd beyond the undisturbed one. */
    growth: 6,
    /** It grows by this times the smallest eigenvalue, too, and at most by `mostCurved`. */
    curved: 8,
    mostCurved: 10,
    count: 12,
} as const;

/** Split masses of a set of sticks. */
export const SplitLayout = {
    stickCount: count,
    particleCount: count,
    /** Whether the curvature of the sheet counts. */
    isCurved: flag,
    /** Particles of each stick, shape [stickCount]. */
    particlesA: integers("stickCount"),
    particlesB: integers("stickCount"),
    /** Rest positions [m], shape [particleCount, 3]. */
    positions: floats("particleCount", 3),
    /** See {@link SplitParameter}. */
    parameters: doubles(SplitParameter.count / 2),
    /** Σ n nᵀ at each particle as xx yy zz xy yz zx, shape [particleCount, 6]; zeros before. */
    sums: doubles("particleCount", 6),
    /** Out: into how many parts the masses of both ends of each stick are split, shape [stickCount, 2]. */
    splits: floats("stickCount", 2),
    /** Out: 1 where any is split, shape [1]. */
    isSplit: integers(1),
};

/** See {@link SplitLayout}. */
export type SplitArrays = Struct<typeof SplitLayout>;
