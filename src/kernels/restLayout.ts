/**
 * Structs of the kernels that analyse a surface at rest: distance constraints, limits, stencils and geodesic distances. Like all build kernels they run once at
 * attach, in a memory of their own (see {@link Kernels.createSeparate}), and their results are copied out. They compute in doubles and round on store, so
 * that the results are the same to the bit on every machine. For structs see layout.ts.
 */
import { count, doubles, flag, floats, integers, struct } from "./structSchema";
import type { Struct } from "./structSchema";
import type { SelfCollisionArrays } from "./selfCollisionLayout";

/** Triangle fan around each particle. */
export const TriangleFanLayout = {
    /** Particles, and one. */
    startCount: count,
    /** Corners of all triangles. */
    cornerCount: count,
    /** Particles of the triangles, shape [cornerCount]. */
    triangles: integers("cornerCount"),
    /** Out: where each particle's triangles begin in `others`, in pairs, shape [startCount]; zeros before. */
    starts: integers("startCount"),
    /** Position of each particle's next entry. */
    next: integers("startCount"),
    /** Out: the two other corners of each triangle around a particle, in its winding, shape [cornerCount, 2]. */
    others: integers("cornerCount", 2),
};

/** See {@link TriangleFanLayout}. */
export type TriangleFanArrays = Struct<typeof TriangleFanLayout>;

/** A march of groups of sources over a mesh; see engine/solvers/xpbd/tethers.ts. Entries are `slots` to a particle. */
export const FastMarchingLayout = {
    particleCount: count,
    slots: count,
    startCount: count,
    cornerCount: count,
    /** See {@link TriangleFanLayout}. */
    starts: integers("startCount"),
    others: integers("cornerCount", 2),
    /** Rest positions [m], shape [particleCount, 3]. */
    positions: floats("particleCount", 3),
    /** The group of each source; NONE for all other particles. Shape [particleCount]. */
    labels: integers("particleCount"),
    /** Out: entries of each particle, shape [particleCount]. Zeros before. */
    counts: integers("particleCount"),
    /** Entries of each particle that are final, shape [particleCount]. Zeros before. */
    finalCounts: integers("particleCount"),
    /** Out: entries, shape [particleCount, slots] each. */
    distances: floats("particleCount", "slots"),
    sources: integers("particleCount", "slots"),
    /** When the march takes the entry: its distance, or later where an obtuse triangle shows it late. */
    keys: floats("particleCount", "slots"),
    /** Group of each entry. */
    groups: integers("particleCount", "slots"),
    /** Binary heap of the entries that wait, by key: its items, the place of each entry in it + 1, its size. Zeros before. */
    heapItems: integers("particleCount", "slots"),
    heapPlaces: integers("particleCount", "slots"),
    heapSize: integers(1),
};

/** See {@link FastMarchingLayout}. */
export type FastMarchingArrays = Struct<typeof FastMarchingLayout>;

/**
 * A surface at rest: the pairs of particles that its triangles join, and the fan of triangles around each particle; see assembly/restSurface.ts.
 * Side k of triangle t leads from its corner k to the next. Its number is 4 t + k, its place in arrays 3 t + k.
 */
export const RestSurfaceLayout = {
    particleCount: count,
    /** Corners of all triangles, as many as sides. */
    cornerCount: count,
    /** Room for the neighbours of all fans: corners and particles. */
    fanSize: count,
    /** Rest positions [m], shape [particleCount, 3]. */
    positions: floats("particleCount", 3),
    /** Particles of the triangles. */
    triangles: integers("cornerCount"),
    /** Out: diagonal of the positions' bounding box [m]. */
    size: doubles(1),
    /** Out: pairs of particles, each once as they come, the lower one first, shape [pairCount, 2]; first the sides, then pairs joined by further distance constraints. */
    pairs: integers("cornerCount", 2),
    pairCount: integers(1),
    /** First pair of each lower particle and the next one, + 1; 0: none. */
    firstPair: integers("particleCount"),
    nextPair: integers("cornerCount"),
    /** Out: the first two sides of each pair, NONE for none, shape [cornerCount, 2]. */
    pairSides: integers("cornerCount", 2),
    /** Out, by {@link EdgeDistanceLayout}'s kernel: 1 for the pairs that are structural edges. */
    isStructural: integers("cornerCount"),
    /** Out, by {@link EdgeDistanceLayout}'s kernel: 1 or 2, alternating along structural edges as on a chessboard, where the mesh allows it. */
    sides: integers("particleCount"),
    /** Out: the side of another triangle that each side is; NONE at a border. */
    across: integers("cornerCount"),
    /**
     * Out: coordinates of the third corner of a side's triangle, for marches: along the side from its first end, and beside it, over
     * its length; then the same from the second end. Shape [cornerCount, 2, 2].
     */
    thirds: doubles("cornerCount", 4),
    /** Out: start of each particle's fan; number of its neighbours; 1 if it is closed. */
    fanStarts: integers("particleCount"),
    fanCounts: integers("particleCount"),
    isClosed: integers("particleCount"),
    /** Out: neighbours in order around; the triangle between each and the next. */
    neighbours: integers("fanSize"),
    sectors: integers("fanSize"),
    /** Out, by {@link EdgeDistanceLayout}'s kernel: 1 where a structural edge leads to the neighbour. */
    isEdge: integers("fanSize"),
    /** Out: their directions in the tangent plane, ascending from 0 [rad], 2π in all where closed; distances [m]; the triangles' true angles. */
    angles: doubles("fanSize"),
    lengths: doubles("fanSize"),
    sectorAngles: doubles("fanSize"),
};

/** See {@link RestSurfaceLayout}. */
export type RestSurfaceArrays = Struct<typeof RestSurfaceLayout>;

/** The structural and shear edges of a surface at rest; see engine/topology/topology.ts. */
export const EdgeDistanceLayout = {
    rest: struct<RestSurfaceArrays>("RestSurfaceArrays"),
    particleCount: count,
    cornerCount: count,
    triangleCount: count,
    /** (b-a)×(c-a) of each triangle and its length, shape [triangleCount, 4]. */
    crosses: doubles("triangleCount", 4),
    /** Particles whose neighbours' sides are still unknown. */
    queue: integers("particleCount"),
    /** Out: each particle's share of area [m²]; zeros before. */
    areas: floats("particleCount"),
    /** Out: structural edges and shear edges, with their counts: ends, rest lengths [m], stiffness factors. */
    structuralA: integers("cornerCount"),
    structuralB: integers("cornerCount"),
    structuralLengths: floats("cornerCount"),
    structuralFactors: floats("cornerCount"),
    shearA: integers("cornerCount"),
    shearB: integers("cornerCount"),
    shearLengths: floats("cornerCount"),
    shearFactors: floats("cornerCount"),
    counts: integers(2),
    /** Out: area of the surface [m²], the part of it that is rectangles with shear edges [m²], and the sum of all structural lengths [m]. */
    sums: doubles(3),
};

/** See {@link EdgeDistanceLayout}. */
export type EdgeDistanceArrays = Struct<typeof EdgeDistanceLayout>;

/** Long limits along straight marches; see engine/topology/topology.ts. */
export const StraightLimitLayout = {
    rest: struct<RestSurfaceArrays>("RestSurfaceArrays"),
    /** Length of the marches in edges; and the stride of their start particles: 1, or an even number. */
    span: count,
    every: count,
    /** True if they run diagonally, between edges at right angles. */
    isBias: flag,
    /** Limits that there is room for. */
    capacity: count,
    /** Range of the particles that marches begin at in a call. */
    range: integers(2),
    /** Out: ends, lengths of the straight lines [m]; their number, which may exceed the capacity. */
    particlesA: integers("capacity"),
    particlesB: integers("capacity"),
    restLengths: floats("capacity"),
    found: integers(1),
};

/** See {@link StraightLimitLayout}. */
export type StraightLimitArrays = Struct<typeof StraightLimitLayout>;

/** Most distinct lines at a particle; further ones count as the last. */
export const LINES = 4;

/** Bending stencils along straight lines; see engine/topology/stencilSet.ts. */
export const BendStencilLayout = {
    rest: struct<RestSurfaceArrays>("RestSurfaceArrays"),
    particleCount: count,
    fanSize: count,
    /** Length of the arms in edges. */
    span: count,
    /** Stencils that there is room for. */
    capacity: count,
    /** Range of the particles whose stencils a call finds. */
    range: integers(2),
    /** True if stencils are requested for some lines only. */
    isChosen: flag,
    /** Least chord length of each line's stencil [m], 0 where none is requested; shape [particleCount, LINES]. */
    minChords: floats("particleCount", "isChosen", LINES),
    /** Each particle's share of area [m²]. */
    shares: floats("particleCount"),
    /**
     * Grid position of each particle, as flags: 8 if known, 1 and 2 if its row and its column have stencils, 4 if its diagonal lies
     * between the first neighbour of its cross and the second; then the neighbours of its row. Shape [particleCount, 3].
     */
    places: integers("particleCount", 3),
    /** Of one fan: 1 for the neighbours that are paired with their opposite; the pairs. */
    isPaired: integers("fanSize"),
    pairs: integers("fanSize"),
    /** Out. */
    particles: integers("capacity", 4),
    weights: floats("capacity", 3),
    areas: floats("capacity"),
    curvatures: floats("capacity"),
    lines: integers("capacity"),
    /** Out: their number, which may exceed the capacity. */
    found: integers(1),
};

/** See {@link BendStencilLayout}. */
export type BendStencilArrays = Struct<typeof BendStencilLayout>;

/** True if two particles of a body are close at rest in space, but not along the surface. */
export function areRestProximityPair(
    { restPairStarts, restPairs }: Pick<SelfCollisionArrays, "restPairStarts" | "restPairs">,
    i: number,
    j: number,
): boolean {
    for (let k = restPairStarts[i]; k < restPairStarts[i + 1]; k++) if (restPairs[k] === j) return true;
    return false;
}
