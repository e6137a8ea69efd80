/** The implicit method's linear system, and what adds to it; see layout.ts. */
import { count, doubles, floats, integers } from "./structSchema";
import type { Struct } from "./structSchema";
import { ROW } from "./layout";

/** Slots of a block of 3 × 3: its columns, x y z 0 each. */
export const MatrixBlock = { x: 0, y: ROW, z: 2 * ROW, count: 3 * ROW } as const;

/** Blocks of a row of the system: from `first` those of particles before it, from `middle` those after it, up to `end`; in the order of particles. */
export const SystemRow = { first: 0, middle: 1, end: 2, count: 4 } as const;

/** Numbers of a step. */
export const SystemNumber = {
    /** Its length h [s]. */
    step: 0,
    /** Damping β, as a share of stiffness [s]. */
    damping: 1,
    /** The error to be left, as a share of that of no solution at all, both as energies; and most iterations. */
    tolerance: 2,
    maxIterations: 3,
    /** Acceleration that all particles have, x y z 0 [m/s²]. */
    gravity: 4,
    /** Out: iterations taken, and 1 if the error is below the tolerance. */
    iterations: 8,
    isSolved: 9,
    /** Out: growth of the largest strain of a triangle in the step. */
    strain: 10,
    /** Share by which the diagonal was increased for its factors, in and out. */
    diagonalBoost: 11,
    count: 12,
} as const;

/** A Δv = b, by blocks of two particles each; see assembly/sparseSystem.ts. */
export const SystemLayout = {
    particleCount: count,
    /** Pairs of particles that act on each other, both ways round. */
    blockCount: count,
    /** Places and velocities when the step begins, shape [particleCount, 3]; the motion's. */
    places: doubles("particleCount", 3),
    velocities: doubles("particleCount", 3),
    /** See {@link SystemNumber}. */
    numbers: floats(SystemNumber.count),
    /** See {@link SystemRow}. */
    rows: integers("particleCount", SystemRow.count),
    /** The other particle of each block. */
    columns: integers("blockCount"),
    /** Each block without its contribution to the diagonal blocks, which follow: a body moved as a whole is not held. Shape [blockCount, MatrixBlock.count]. */
    blocks: floats("blockCount", MatrixBlock.count),
    /** Of the incomplete factors L U ≈ A: L where the column is before the row, U where it is after it; and the inverses of U's diagonal. */
    factors: floats("blockCount", MatrixBlock.count),
    inverses: floats("particleCount", MatrixBlock.count),
    /** While a row is factored: its block of each particle, from 1; 0: none. */
    marks: integers("particleCount"),
    /** Masses [kg], shape [particleCount]; 0: held. */
    masses: floats("particleCount"),
    /** b [N s], x y z 0. */
    right: doubles("particleCount", ROW),
    /** Δv, that of the last step before it is solved, and what solving it needs; x y z 0 each. */
    solution: floats("particleCount", ROW),
    residual: floats("particleCount", ROW),
    direction: floats("particleCount", ROW),
    product: floats("particleCount", ROW),
    conditioned: floats("particleCount", ROW),
};

/** Blocks of the pairs of a triangle, 01 10 02 20 12 21, and of a hinge, 01 10 02 20 03 30 12 21 13 31 23 32. */
export const TriangleBlocks = { count: 6 } as const;
export const HingeBlocks = { count: 12 } as const;

/** Stiffnesses of a sheet [N/m]. */
export const MembraneNumber = { warp: 0, weft: 1, shear: 2, count: 4 } as const;

/** Stretch and shear of triangles; see assembly/membrane.ts. */
export const MembraneLayout = {
    triangleCount: count,
    particles: integers("triangleCount", 3),
    blocks: integers("triangleCount", TriangleBlocks.count),
    /** Weights of the corners' positions in ∂x/∂u, then ∂x/∂v [1/m]. */
    weights: doubles("triangleCount", 6),
    /** [m²] */
    areas: doubles("triangleCount"),
    /** Strains ||w_u| - 1| and ||w_v| - 1| when the step began. */
    strains: doubles("triangleCount", 2),
    /** See {@link MembraneNumber}. */
    stiffnesses: doubles(MembraneNumber.count),
};

/** Hinges about edges; see assembly/bendingHinges.ts. */
export const HingeLayout = {
    hingeCount: count,
    /** a b of the edge, c d beside it. */
    particles: integers("hingeCount", 4),
    blocks: integers("hingeCount", HingeBlocks.count),
    /** Sine and cosine of the angle at rest, and |e| / |n|² that either triangle counts with at most [1/m³]. */
    rests: doubles("hingeCount", 4),
    /** Against the angle [N·m]. */
    stiffnesses: doubles("hingeCount"),
    /** C' of each particle of the hinge at hand. */
    gradient: doubles(4, 3),
};

/** Springs that buckle; see assembly/flexion.ts. */
export const FlexionLayout = {
    springCount: count,
    /** a at one end, c d at the other: between those. */
    particles: integers("springCount", 3),
    blocks: integers("springCount", TriangleBlocks.count),
    /** Share of c in the other end; the rest is d's. */
    shares: doubles("springCount"),
    /** Length at rest [m]. */
    lengths: doubles("springCount"),
    /** Bending stiffness of the beam [N·m²], 0: none; and what it resists by before it buckles [N/m]. */
    stiffnesses: doubles("springCount", 2),
    /** C' of each particle of the spring at hand. */
    gradient: doubles(3, 3),
};

/** See {@link SystemLayout}. */
export type SystemArrays = Struct<typeof SystemLayout>;
/** See {@link MembraneLayout}. */
export type MembraneArrays = Struct<typeof MembraneLayout>;
/** See {@link FlexionLayout}. */
export type FlexionArrays = Struct<typeof FlexionLayout>;
/** See {@link HingeLayout}. */
export type HingeArrays = Struct<typeof HingeLayout>;
