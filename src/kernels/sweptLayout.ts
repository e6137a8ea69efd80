/**
 * Structs of the kernels that find the contacts of triangles about once a step: see engine/collision/self/sweptContacts.ts and
 * assembly/sweptTree.ts, sweptPairs.ts and sweptNarrow.ts.
 *
 * A *leaf* is four neighbouring triangles with the edges and vertices that they own. A *group* is four nodes of a level of the tree: leaves at
 * level 0, groups of the level below above. Boxes of four are stored as columns: least x of four, least y, least z, greatest x, y, z.
 */
import { ROW } from "./layout";
import type { SelfCollisionArrays } from "./selfCollisionLayout";
import type { SelfContactArrays } from "./selfContactLayout";
import { count, floats, integers, struct } from "./structSchema";
import type { Struct } from "./structSchema";

/** Slots of a leaf. Numbers are those of the particles through all proxies; the number after the last marks an empty slot. */
export const SweptLeaf = {
    /** Four triangles of three particles each, a row each. */
    triangles: 0,
    /** Eight owned edges of two particles each. */
    edges: 16,
    /** Four owned vertices. */
    vertices: 32,
    /** Number of the proxy. */
    proxy: 36,
    /** Number of slots. */
    count: 40,
} as const;

/** Slots of a box of four, as columns. */
export const FourBoxes = { minimum: 0, maximum: 12, count: 24 } as const;

/** Slots of a leaf's boxes: of its triangles, its first and last four edges, and its vertices. */
export const SweptLeafBoxes = { triangles: 0, edges: 24, vertices: 72, count: 96 } as const;

/** Slots of four cones: least and greatest unit normal, and mean of the corners now and at rest [m], as columns. */
export const FourCones = { minNormal: 0, maxNormal: 12, centre: 24, restCentre: 36, count: 48 } as const;

/** Slots of {@link SweptLayout}'s numbers. */
export const SweptParameter = {
    /** Least uncertainty of a forecast displacement [m], its share of the displacement, and the largest [m]. */
    leastMargin: 0,
    marginShare: 1,
    mostMargin: 2,
    /** Share of its distance within which a contact is narrowed: 1, or less for the last check of a substep. */
    reach: 3,
    /** 1: the narrow phase commits the sides at the end of a substep; 0: it writes contacts. */
    commits: 4,
    /** 1: it leaves out pairs that were passed when the substep began. */
    joins: 5,
    /** Number of slots. */
    count: 8,
} as const;

/** Slots of {@link SweptLayout}'s progress. */
export const SweptCounter = {
    /** Listed pairs of a vertex and a triangle, and of two edges. */
    faceCount: 0,
    edgeCount: 1,
    /** 1 if there were more than there is room for. */
    overflowed: 2,
    /** Particles that have left their forecast. */
    strayCount: 3,
    /** Pairs that the last narrow phase found in contact. */
    contactCount: 4,
    /** Number of slots. */
    count: 5,
} as const;

/** The tree of all triangles of a group, and its listed pairs. */
export const SweptLayout = {
    particleCount: count,
    /** Particles and one more, in which nothing is. */
    paddedCount: count,
    leafCount: count,
    groupCount: count,
    /** Groups of level 0. */
    coneCount: count,
    levelCount: count,
    /** Most pending pairs of nodes, and pairs that are filtered at once. */
    stackCount: count,
    chunkCount: count,
    faceCapacity: count,
    edgeCapacity: count,
    shared: struct<SelfCollisionArrays>("SelfCollisionArrays"),
    contacts: struct<SelfContactArrays>("SelfContactArrays"),
    /** See {@link SweptParameter}. */
    numbers: floats(SweptParameter.count),
    /** See {@link SweptCounter}. */
    progress: integers(SweptCounter.count),
    /** First group of each level. */
    levels: integers("levelCount"),
    /** See {@link SweptLeaf} and {@link SweptLeafBoxes}. */
    leaves: integers("leafCount", SweptLeaf.count),
    leafBoxes: floats("leafCount", SweptLeafBoxes.count),
    /** See {@link FourBoxes} and {@link FourCones}. */
    groups: floats("groupCount", FourBoxes.count),
    cones: floats("coneCount", FourCones.count),
    /** Forecast displacement of each particle less the drift [m] and its uncertainty [m]; and the box of its path. */
    forecasts: floats("paddedCount", ROW),
    lows: floats("paddedCount", ROW),
    highs: floats("paddedCount", ROW),
    /** Pending pairs of nodes: level, first, second, and whether both are of one proxy. */
    stack: integers("stackCount", ROW),
    /** Pairs that wait for the filter: particles of a vertex and a triangle, or of two edges. */
    rawFaces: integers("chunkCount", ROW),
    rawEdges: integers("chunkCount", ROW),
    /** Columns of four pairs. */
    lanes: floats(ROW, 32),
    /** Listed pairs: rows of their particles as in SelfContactRecord, the side of the first [±1], distance [m] and friction. */
    faceRows: integers("faceCapacity", ROW),
    faceSides: floats("faceCapacity"),
    faceDistances: floats("faceCapacity"),
    faceFrictions: floats("faceCapacity"),
    edgeRows: integers("edgeCapacity", ROW),
    edgeSides: floats("edgeCapacity"),
    edgeDistances: floats("edgeCapacity"),
    edgeFrictions: floats("edgeCapacity"),
};

/** See {@link SweptLayout}. */
export type SweptArrays = Struct<typeof SweptLayout>;
