/**
 * Structs of the kernels that keep triangles of cloth off each other: see solver/crowd/touches.ts and scalar/touchPairs.ts.
 *
 * A *web* is a member's triangles in a tree of boxes; a *touch* is a particle at a triangle or an edge at an edge; a *crossing* an edge
 * through a triangle. Where all of a crowd's triangles are is said by its `points` (crowdLayout.ts).
 */
import type { CrowdArrays, MemberArrays } from "./crowdLayout";
import { asFloats, count, floats, integers, struct } from "./fields";
import type { Struct } from "./fields";

/** Slots of a web's triangle. */
export const WebTriangle = {
    /** Its three particles, numbered in the member. */
    corners: 0,
    /** Bits: 1 << k: it owns its k-th corner, 8 << k: the edge from its k-th corner on. Each particle and each edge has one owner. */
    owned: 3,
    /** Triangles at the edges from its corners on, NONE at a border. */
    neighbours: 4,
    /** Number of slots. */
    count: 8,
} as const;

/** Slots of where a triangle is. */
export const WebFace = {
    /** Unit normal x y z, zero where it has no area, and its product with any corner [m]. */
    normal: 0,
    offset: 3,
    /** Sum of the corners, x y z 0 [m], now and at rest. */
    centre: 4,
    restCentre: 8,
    /** The corners, x y z 0 each [m]. */
    corners: 12,
    /** Number of slots. */
    count: 24,
} as const;

/** Slots of a box: its corners [m], x y z 0 each. */
export const WebBox = { minimum: 0, maximum: 4, count: 8 } as const;

/** A member's triangles, in an order in which those near each other are near in the tree. */
export const WebLayout = {
    triangleCount: count,
    /** A power of two, at least the triangles; and the boxes: box k is over 2 k + 1 and 2 k + 2, the leaves are the last. */
    leafCount: count,
    boxCount: count,
    member: struct<MemberArrays>("MemberArrays"),
    /** See {@link WebTriangle}. */
    triangles: integers("triangleCount", WebTriangle.count),
    /** See {@link WebFace}. */
    faces: floats("triangleCount", WebFace.count),
    /** See {@link WebBox}. */
    boxes: floats("boxCount", WebBox.count),
};

/** See {@link WebLayout}. */
export type WebArrays = Struct<typeof WebLayout>;

/** Slots of a touch: C = n · Σ w x - distance >= 0 over four particles. */
export const Touch = {
    /** Byte offsets of the particles' rows among the crowd's places; while touches are listed, their numbers in the crowd. */
    rows: 0,
    /** Their weights: above 0 those of one side, below 0 of the other; each side's sum is 1. */
    weights: 4,
    /** Unit normal x y z, from the second side to the first. */
    normal: 8,
    /** Distance that they keep [m]. */
    distance: 11,
    friction: 12,
    /** How many particles are of the first side: 1, at a triangle, or 2, of an edge. */
    firsts: 13,
    /** Number of slots. */
    count: 16,
} as const;

/** Slots of a crossing: an edge, of which a point is in a triangle. */
export const Crossing = {
    /** Rows of the edge's two and the triangle's three particles, as in {@link Touch}. */
    rows: 0,
    /** Shares of those in the point; those of the triangle are negative. */
    weights: 5,
    /** Where the edge goes against the triangle in a substep [m], x y z. */
    way: 10,
    /** Number of slots. */
    count: 16,
} as const;

/** Slots of {@link TouchLayout}'s numbers: what holds for the two webs that are searched. */
export const TouchNumber = {
    /** Touches are listed up to this distance [m]. */
    reach: 0,
    /** What they keep [m]. */
    distance: 1,
    friction: 2,
    /** How far crossings are moved in a substep [m]. */
    pull: 3,
    /** Number of slots. */
    count: 4,
} as const;

/** Slots of {@link TouchLayout}'s progress. */
export const TouchProgress = {
    touchCount: 0,
    crossingCount: 1,
    /** Touches that have been passed through a little, and keep their side: how many. */
    keptCount: 2,
    /** 1 where there were more touches, crossings or boxes than there is room for. */
    isFull: 3,
    /** How many particles have come as far as they may, in the last call of boundPlaces for each member, in sum. */
    heldCount: 7,
    /** In: whether touches are listed, and whether crossings are. */
    listsTouches: 4,
    listsCrossings: 5,
    /** In: pairs of boxes that one search looks at, at most. */
    mostBoxes: 6,
    /** Number of slots. */
    count: 8,
} as const;

/** Pairs of boxes yet to be looked at, at most: two trees' depths, four at a time, are fewer. */
export const STACK = 256;

/** The touches and crossings of a crowd. */
export const TouchLayout = {
    /** Most touches; particles of the crowd; most crossings, most touches that keep their side: a power of two. */
    capacity: count,
    particleCount: count,
    crossingCapacity: count,
    keptCapacity: count,
    crowd: struct<CrowdArrays>("CrowdArrays"),
    /** See {@link TouchNumber}. */
    numbers: floats(TouchNumber.count),
    /** See {@link TouchProgress}. */
    progress: integers(TouchProgress.count),
    /** See {@link Touch}. */
    touches: integers("capacity", Touch.count),
    touchFloats: asFloats("touches"),
    /** See {@link Crossing}. */
    crossings: integers("crossingCapacity", Crossing.count),
    crossingFloats: asFloats("crossings"),
    /** A table of touches that keep their side, by the numbers of their four particles; NONE: free. */
    kept: integers("keptCapacity", 4),
    /** How far each particle may come from its point, against what it touches with, while the lists hold [m]. Infinity: it touches nothing. */
    bounds: floats("particleCount"),
    /** Boxes yet to be looked at. */
    stack: integers(STACK, 2),
};

/** See {@link TouchLayout}. */
export type TouchArrays = Struct<typeof TouchLayout>;
