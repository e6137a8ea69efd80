/**
 * Structs of the kernels that keep triangles of cloth off each other: see engine/collision/self/selfContacts.ts and assembly/bvhPairs.ts.
 *
 * A *web* is a member's triangles in a tree of boxes; a *touch* is a particle at a triangle or an edge at an edge; a *crossing* an edge
 * through a triangle. Where all of a crowd's triangles are is said by its `points` (crowdLayout.ts).
 */
import type { SelfCollisionArrays, ProxyArrays } from "./selfCollisionLayout";
import { asFloats, count, floats, integers, struct } from "./structSchema";
import type { Struct } from "./structSchema";
import { ROW } from "./layout";

/** Slots of a web's triangle. */
export const BvhTriangle = {
    /** Its three particles, numbered in the member. */
    corners: 0,
    /** Bits: 1 << k: it owns its k-th corner, 8 << k: the edge from its k-th corner on. Each particle and each edge has one owner. */
    ownership: 3,
    /** Triangles at the edges from its corners on, NONE at a border. */
    neighbours: 4,
    /** Number of slots. */
    count: 8,
} as const;

/** Slots of where a triangle is. */
export const BvhFace = {
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
export const BvhBox = { minimum: 0, maximum: 4, minNormal: 8, maxNormal: 12, centre: 16, restCentre: 20, count: 24 } as const;

/** A member's triangles, in an order in which those near each other are near in the tree. */
export const BvhLayout = {
    triangleCount: count,
    /** A power of two, at least the triangles; and the boxes: box k is over 2 k + 1 and 2 k + 2, the leaves are the last. */
    leafCount: count,
    boxCount: count,
    /** 1: parts of it that are far over the surface are close at rest. */
    hasLayers: count,
    proxy: struct<ProxyArrays>("ProxyArrays"),
    /** See {@link BvhTriangle}. */
    triangles: integers("triangleCount", BvhTriangle.count),
    /** See {@link BvhFace}. */
    faces: floats("triangleCount", BvhFace.count),
    /** See {@link BvhBox}. */
    boxes: floats("boxCount", BvhBox.count),
};

/** See {@link BvhLayout}. */
export type BvhArrays = Struct<typeof BvhLayout>;

/** Slots of a touch: C = n · Σ w x - distance >= 0 over four particles; of a guard: it only sees that they do not pass. */
export const SelfContactRecord = {
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
    firstSideCount: 13,
    /** Each particle of the first side stays at least so far from each of the second along the normal [m]: then they have not passed; -Infinity where they are too near to tell. */
    minGap: 14,
    /** Number of slots. */
    count: 16,
} as const;

/** Slots of a crossing: an edge, of which a point is in a triangle. */
export const IntersectionRecord = {
    /** Rows of the edge's two and the triangle's three particles, as in {@link SelfContactRecord}. */
    rows: 0,
    /** Shares of those in the point; those of the triangle are negative. */
    weights: 5,
    /** Where the edge goes against the triangle in a substep [m], x y z. */
    displacement: 10,
    /** Number of slots. */
    count: 16,
} as const;

/** Slots of {@link SelfContactLayout}'s numbers: what holds for the two webs that are searched. */
export const SelfContactParameter = {
    /** Touches are listed up to this distance [m]. */
    searchDistance: 0,
    /** What they keep [m]. */
    distance: 1,
    friction: 2,
    /** How far crossings are moved in a substep [m]. */
    untangleStep: 3,
    /** Number of slots. */
    count: 4,
} as const;

/** Slots of {@link SelfContactLayout}'s progress. */
export const SelfContactCounter = {
    contactCount: 0,
    intersectionCount: 1,
    ccdCount: 2,
    /** 1 where there were more touches, crossings or boxes than there is room for. */
    overflowed: 3,
    /** How many touches and guards would have been passed, in the last call of enforceSeparation. */
    violationCount: 4,
    /** In: pairs of boxes that one search looks at, at most. */
    maxBoxPairs: 5,
    /** How many touches and guards are narrow. */
    narrowCount: 6,
    /** How many were passed, still, when enforceSeparation looked last. */
    unresolvedCount: 7,
    /** How often enforceSeparation has read all touches and guards since they were listed, before it chained them; see `heads`. */
    scanCount: 8,
    /** Number of slots. */
    count: 9,
} as const;

/** Slots of what is summed up of a zone: masses times displacements since the substep began, the mass [kg], and masses times velocities [m a substep]. */
export const ImpactZoneSum = { displacement: 0, mass: 3, velocity: 4, count: 8 } as const;

/** Pairs of boxes yet to be looked at, at most: two trees' depths, four at a time, are fewer. */
export const STACK = 256;

/** The touches and crossings of a crowd. */
export const SelfContactLayout = {
    /** Most touches and guards; particles of the crowd; most crossings. */
    capacity: count,
    particleCount: count,
    intersectionCapacity: count,
    shared: struct<SelfCollisionArrays>("SelfCollisionArrays"),
    /** See {@link SelfContactParameter}. */
    numbers: floats(SelfContactParameter.count),
    /** See {@link SelfContactCounter}. */
    progress: integers(SelfContactCounter.count),
    /** See {@link SelfContactRecord}. Touches are listed from the first on, guards from the last on backwards. */
    records: integers("capacity", SelfContactRecord.count),
    recordFloats: asFloats("records"),
    /** See {@link IntersectionRecord}. */
    intersections: integers("intersectionCapacity", IntersectionRecord.count),
    intersectionFloats: asFloats("intersections"),
    /** How far each particle may come from its point before it may have passed something [m]. Infinity: it touches nothing. */
    bounds: floats("particleCount"),
    /** Where places were when the substep began [m], x y z 0. */
    startPositions: floats("particleCount", ROW),
    /** What goes as one so that nothing passes: for each place another of the same zone, or itself. */
    impactZones: integers("particleCount"),
    /** Numbers of the touches and guards that are narrow: what is parted may pass those. */
    narrow: integers("particleCount"),
    /**
     * Chains of the touches and guards of each place: the first link of each, NONE where there is none, and each link's next. Link 4 i + k is the k-th
     * particle of the i-th of touches and, after those, guards: there are links for as many as take half of the room, which only crowds have more of.
     */
    firstLinks: integers("particleCount"),
    nextLinks: integers("capacity", 2),
    /** See {@link ImpactZoneSum}. */
    impactZoneSums: floats("particleCount", ImpactZoneSum.count),
    /** Boxes yet to be looked at. */
    stack: integers(STACK, 2),
};

/** See {@link SelfContactLayout}. */
export type SelfContactArrays = Struct<typeof SelfContactLayout>;
