/**
 * Structs of the kernels that prepare constraints for XPBD: mass splits, records in the order of projection, weights. Like all build kernels they run once at
 * attach, in a memory of their own (see {@link Kernels.createSeparate}), and their results are copied out. They compute in doubles and round on store, so
 * that the results are the same to the bit on every machine. For structs see layout.ts.
 */
import { asFloats, count, doubles, flag, floats, integers, struct } from "./structSchema";
import type { Struct } from "./structSchema";

/** Slots of {@link MassSplitLayout}'s parameters, in words of four bytes: each is a double. See engine/solvers/xpbd/splitMasses.ts. */
export const MassSplitParameter = {
    /** Density of distance constraints below which they do not disturb each other. */
    undisturbed: 0,
    /** Growth of a split per unit of density above the undisturbed one. */
    growth: 2,
    /** It grows by this times the smallest eigenvalue, too, and at most by `maxCurvedGrowth`. */
    curved: 4,
    maxCurvedGrowth: 6,
    count: 8,
} as const;

/** Mass splits of a set of distance constraints. */
export const MassSplitLayout = {
    constraintCount: count,
    particleCount: count,
    /** True if the curvature of the sheet is included. */
    isCurved: flag,
    /** Particles of each distance constraint, shape [constraintCount]. */
    particlesA: integers("constraintCount"),
    particlesB: integers("constraintCount"),
    /** Rest positions [m], shape [particleCount, 3]. */
    positions: floats("particleCount", 3),
    /** See {@link MassSplitParameter}. */
    parameters: doubles(MassSplitParameter.count / 2),
    /** Σ n nᵀ at each particle as xx yy zz xy yz zx, shape [particleCount, 6]; zeros before. */
    sums: doubles("particleCount", 6),
    /** Out: number of parts into which the masses of both ends of each distance constraint are split, shape [constraintCount, 2]. */
    splits: floats("constraintCount", 2),
    /** Out: 1 where any is split, shape [1]. */
    isSplit: integers(1),
};

/** See {@link MassSplitLayout}. */
export type MassSplitArrays = Struct<typeof MassSplitLayout>;

/** A set of distance constraints in the order of projection: colour after colour, laid out in records; see DistanceLayout in layout.ts. */
export const DistanceOrderLayout = {
    constraintCount: count,
    particleCount: count,
    /** True if masses are split. */
    isSplit: flag,
    /** Capacity in distance constraints, padding included; a multiple of four. */
    capacity: count,
    /** The particle that padding joins with itself. */
    spareParticle: count,
    /** Ends, rest lengths [m], stiffness factors and splits of each distance constraint. */
    particlesA: integers("constraintCount"),
    particlesB: integers("constraintCount"),
    restLengths: floats("constraintCount"),
    factors: floats("constraintCount"),
    splits: floats("constraintCount", "isSplit", 2),
    /** Distance constraints without a colour, and the last colour of each particle; zeros before. */
    remaining: integers("constraintCount"),
    lastColor: integers("particleCount"),
    /** Slots of a record: of DistanceRecord or LimitRecord. */
    recordSize: count,
    /** Out: records, shape [capacity / 4, recordSize]; weights are 0. Factors, 0 for padding, and splits in their order. */
    records: integers("capacity", 0.25, "recordSize"),
    recordFloats: asFloats("records"),
    orderedFactors: floats("capacity"),
    orderedSplits: floats("capacity", "isSplit", 2),
    /** Out: number of distance constraints with padding; may exceed the capacity. */
    orderedCount: integers(1),
};

/** See {@link DistanceOrderLayout}. */
export type DistanceOrderArrays = Struct<typeof DistanceOrderLayout>;

/** Kinds of bending stencils: of three particles, of four, with a curvature at rest. */
export const StencilKind = { line: 0, plane: 1, curved: 2, count: 3 } as const;

/** Slots of the progress of colouring: stencils of the kind; without a colour; of them passed over so far, and found to need a further group of 32 colours; first colour of the group; colours. */
export const StencilProgress = { chosen: 0, left: 1, next: 2, kept: 3, base: 4, colors: 5, count: 6 } as const;

/** The stencils of a kind in the order of projection, laid out in records; see LineStencilLayout and StencilLayout in layout.ts. */
export const StencilOrderLayout = {
    /** Of all kinds. */
    stencilCount: count,
    particleCount: count,
    /** See {@link StencilKind}. Where there is a curvature, colours are padded to whole groups of four. */
    kind: count,
    /** Slots of a record. */
    recordSize: count,
    /** Records that there is room for. */
    capacity: count,
    spareParticle: count,
    /** See engine/topology/stencilSet.ts. */
    particles: integers("stencilCount", 4),
    weights: floats("stencilCount", 3),
    areas: floats("stencilCount"),
    curvatures: floats("stencilCount"),
    lines: integers("stencilCount"),
    /** The stencils of the kind, their numbers shuffled, their colours; the number of each colour, then the position of its next one. */
    chosen: integers("stencilCount"),
    shuffled: integers("stencilCount"),
    colors: integers("stencilCount"),
    next: integers("stencilCount"),
    /** A bit for each of 32 colours at every particle. */
    used: integers("particleCount"),
    /** See {@link StencilProgress}. */
    progress: integers(StencilProgress.count),
    /** Out: records, of which the moves are 0; areas, 0 for padding, and lines in their order. */
    records: integers("capacity", "recordSize"),
    recordFloats: asFloats("records"),
    orderedAreas: floats("capacity"),
    orderedLines: integers("capacity"),
    /** Out: records with padding, which may be more than there is room for. */
    orderedCount: integers(1),
};

/** See {@link StencilOrderLayout}. */
export type StencilOrderArrays = Struct<typeof StencilOrderLayout>;

/** Inputs of the weights of distance constraints; see engine/solvers/xpbd/distanceConstraints.ts. */
export const DistanceWeightLayout = {
    constraintCount: count,
    /** Particles, and what pads them. */
    rowCount: count,
    /** True if masses are split. */
    isSplit: flag,
    /** True if a pass at rest yields by the compliance and no more. */
    isExact: flag,
    /** In, out: records, see DistanceLayout in layout.ts. */
    records: integers("constraintCount", 5),
    recordFloats: asFloats("records"),
    factors: floats("constraintCount"),
    splits: floats("constraintCount", "isSplit", 2),
    /** [1/kg] */
    inverseMasses: floats("rowCount"),
    /** Stiffness per unit of the factors, 1 / dt² of a substep [1/s²], and the over-relaxation of free ends: the factor on a correction that restores the rest length. */
    parameters: doubles(3),
};

/** See {@link DistanceWeightLayout}. */
export type DistanceWeightArrays = Struct<typeof DistanceWeightLayout>;

/** Distribution of each line's bending stiffness among stencils of several lengths; see engine/solvers/xpbd/bend.ts and LINES in restLayout.ts. */
export const BendStiffnessLayout = {
    particleCount: count,
    lineCount: count,
    /** Each particle's share of area [m²], and its inverse mass [1/kg]. */
    areas: floats("particleCount"),
    inverseMasses: floats("particleCount"),
    /** Areal density [kg/m²], and 1 / dt² of a substep [1/s²]. */
    parameters: doubles(2),
    /** Stiffness of each line, its remaining part, and the part that the present level can carry, then carries [N·m]; all of shape [lineCount]. */
    stiffnesses: floats("lineCount"),
    remainingStiffness: floats("lineCount"),
    carriedStiffness: floats("lineCount"),
    /** Chord length of the line's stencil on the present level [m]. */
    chords: floats("lineCount"),
    /** Out: least chord length on the next level [m], 0 where none is requested; and 1 if any is. */
    minChords: floats("lineCount"),
    areChordsRequested: integers(1),
    /** 1 where the next level has a stencil. */
    hasStencil: integers("lineCount"),
};

/** See {@link BendStiffnessLayout}. */
export type BendStiffnessArrays = Struct<typeof BendStiffnessLayout>;

/** The stencils of a kind and level, for their share of the lines' stiffness. */
export const StencilWeightLayout = {
    bend: struct<BendStiffnessArrays>("BendStiffnessArrays"),
    recordCount: count,
    /** Slots of a record: of LineStencilRecord or StencilRecord. */
    recordSize: count,
    /** In, out: records. */
    records: integers("recordCount", "recordSize"),
    recordFloats: asFloats("records"),
    /** Area of each stencil [m²], 0 for padding, and its line. */
    areas: floats("recordCount"),
    lines: integers("recordCount"),
    /** Extra weight of stencils with a pinned arm. */
    clamped: doubles(1),
};

/** See {@link StencilWeightLayout}. */
export type StencilWeightArrays = Struct<typeof StencilWeightLayout>;

/** The rest lengths in records of distance constraints or limits. */
export const DistanceLengthLayout = {
    constraintCount: count,
    /** Slots of a record: of DistanceRecord or LimitRecord. */
    recordSize: count,
    /** In, out: records. */
    records: integers("constraintCount", 0.25, "recordSize"),
    recordFloats: asFloats("records"),
    /** The lengths before they are scaled [m], and what by. */
    lengths: floats("constraintCount"),
    scale: doubles(1),
};

/** See {@link DistanceLengthLayout}. */
export type DistanceLengthArrays = Struct<typeof DistanceLengthLayout>;

/** Tethers in rounds; see engine/solvers/xpbd/tethers.ts. */
export const TetherOrderLayout = {
    particleCount: count,
    /** Tethers of a particle, at most. */
    slots: count,
    /** Tethers that there is room for. */
    capacity: count,
    /** Nearest groups, see engine/solvers/xpbd/tethers.ts: entries of each particle, shape [particleCount, slots]; the group of each source. */
    counts: integers("particleCount"),
    distances: floats("particleCount", "slots"),
    sources: integers("particleCount", "slots"),
    labels: integers("particleCount"),
    /** [1/kg] */
    inverseMasses: floats("particleCount"),
    /** Scale factor of the lengths. */
    scale: doubles(1),
    /** Of one particle: its entries in the order of their groups. */
    order: integers("slots"),
    /** Out: tethers of each round, and the longest of all distances [m]. */
    rounds: integers("slots"),
    longest: floats(1),
    /** Position of the next tether of each round. */
    next: integers("slots"),
    /** Out: the tethers. */
    particles: integers("capacity"),
    anchors: integers("capacity"),
    lengths: floats("capacity"),
};

/** See {@link TetherOrderLayout}. */
export type TetherOrderArrays = Struct<typeof TetherOrderLayout>;
