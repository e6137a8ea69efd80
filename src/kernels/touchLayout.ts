/**
 * Structs of the kernels that keep triangles of cloth off each other: see solver/crowd/touches.ts and assembly/touchPairs.ts.
 *
 * A *web* is a member's triangles in a tree of boxes; a *touch* is a particle at a triangle or an edge at an edge; a *crossing* an edge
 * through a triangle. Where all of a crowd's triangles are is said by its `points` (crowdLayout.ts).
 */
import type { CrowdArrays, MemberArrays } from "./crowdLayout";
import { asFloats, count, floats, integers, struct } from "./fields";
import type { Struct } from "./fields";
import { ROW } from "./layout";

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
    /** Sum of the corners, x y z 0 [m]. */
    centre: 4,
    /** The corners, x y z 0 each [m]. */
    corners: 8,
    /** How far it comes in the present substep on average, x y z [m], and how far its corners come from there, at most [m]. */
    displacement: 20,
    spread: 23,
    /** Number of slots. */
    count: 24,
} as const;

/**
 * Slots of a box: its corners [m], x y z 0 each; the least and the greatest of its triangles' unit normals; and the mean of their middles, now
 * and at rest [m].
 */
export const WebBox = { minimum: 0, maximum: 4, leastNormal: 8, mostNormal: 12, centre: 16, restCentre: 20, count: 24 } as const;

/** A member's triangles, in an order in which those near each other are near in the tree. */
export const WebLayout = {
    triangleCount: count,
    /** A power of two, at least the triangles; and the boxes: box k is over 2 k + 1 and 2 k + 2, the leaves are the last. */
    leafCount: count,
    boxCount: count,
    /** 1: parts of it that are far over the surface are close at rest. */
    hasLayers: count,
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

/** Slots of a touch: C = n · Σ w x - distance >= 0 over four particles; of a guard: it only sees that they do not pass. */
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
    /** Each particle of the first side stays at least so far from each of the second along the normal [m]: then they have not passed; -Infinity where they are too near to tell. */
    gap: 14,
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
    displacement: 10,
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
    guardCount: 2,
    /** 1 where there were more touches, crossings or boxes than there is room for. */
    isFull: 3,
    /** How many touches and guards would have been passed, in the last call of guardTouches. */
    heldCount: 4,
    /** In: pairs of boxes that one search looks at, at most. */
    mostBoxes: 5,
    /** How many touches and guards are narrow. */
    tightCount: 6,
    /** How many were passed, still, when guardTouches looked last. */
    openCount: 7,
    /** How often guardTouches has read all touches and guards since they were listed, before it chained them; see `heads`. */
    readCount: 8,
    /** Number of slots. */
    count: 9,
} as const;

/** Slots of what is summed up of a zone: masses times displacements since the substep began, the mass [kg], and masses times velocities [m a substep]. */
export const ZoneSum = { displacement: 0, mass: 3, velocity: 4, count: 8 } as const;

/** Pairs of boxes yet to be looked at, at most: two trees' depths, four at a time, are fewer. */
export const STACK = 256;

/** The touches and crossings of a crowd. */
export const TouchLayout = {
    /** Most touches and guards; particles of the crowd; most crossings. */
    capacity: count,
    particleCount: count,
    crossingCapacity: count,
    crowd: struct<CrowdArrays>("CrowdArrays"),
    /** See {@link TouchNumber}. */
    numbers: floats(TouchNumber.count),
    /** See {@link TouchProgress}. */
    progress: integers(TouchProgress.count),
    /** See {@link Touch}. Touches are listed from the first on, guards from the last on backwards. */
    touches: integers("capacity", Touch.count),
    touchFloats: asFloats("touches"),
    /** See {@link Crossing}. */
    crossings: integers("crossingCapacity", Crossing.count),
    crossingFloats: asFloats("crossings"),
    /** How far each particle may come from its point before it may have passed something [m]. Infinity: it touches nothing. */
    bounds: floats("particleCount"),
    /** Where places were when the substep began [m], x y z 0. */
    starts: floats("particleCount", ROW),
    /** What goes as one so that nothing passes: for each place another of the same zone, or itself. */
    zones: integers("particleCount"),
    /** Numbers of the touches and guards that are narrow: what is parted may pass those. */
    tight: integers("particleCount"),
    /**
     * Chains of the touches and guards of each place: the first link of each, NONE where there is none, and each link's next. Link 4 i + k is the k-th
     * particle of the i-th of touches and, after those, guards: there are links for as many as take half of the room, which only crowds have more of.
     */
    heads: integers("particleCount"),
    links: integers("capacity", 2),
    /** See {@link ZoneSum}. */
    zoneSums: floats("particleCount", ZoneSum.count),
    /** Boxes yet to be looked at. */
    stack: integers(STACK, 2),
};

/** See {@link TouchLayout}. */
export type TouchArrays = Struct<typeof TouchLayout>;
