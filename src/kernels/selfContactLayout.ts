/**
 * Structs of the kernels of triangle self-collision: see engine/collision/self/selfContacts.ts and assembly/bvhPairs.ts.
 *
 * A *BVH* holds a proxy's triangles in a tree of boxes; a *contact* is a particle at a triangle or an edge at an edge; an *intersection* an
 * edge through a triangle. The triangles' positions are in `snapshot` (selfCollisionLayout.ts).
 */
import type { SelfCollisionArrays, ProxyArrays } from "./selfCollisionLayout";
import { asFloats, count, floats, integers, struct } from "./structSchema";
import type { Struct } from "./structSchema";
import { ROW } from "./layout";

/** Slots of a BVH's triangle. */
export const BvhTriangle = {
    /** Its three particles, numbered in the proxy. */
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
    /** Mean displacement in the present substep, x y z [m], and the largest deviation of a corner's displacement from it [m]. */
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

/** A proxy's triangles, in an order in which those near each other are near in the tree. */
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

/** Slots of a contact: C = n · Σ w x - distance >= 0 over four particles; of a guard: it only detects that both sides pass each other. */
export const SelfContactRecord = {
    /** Byte offsets of the particles' rows among the active particles; while contacts are listed, their particle numbers. */
    rows: 0,
    /** Their weights: above 0 those of one side, below 0 of the other; each side's sum is 1. */
    weights: 4,
    /** Unit normal x y z, from the second side to the first. */
    normal: 8,
    /** Distance that they keep [m]. */
    distance: 11,
    friction: 12,
    /** Number of particles on the first side: 1, at a triangle, or 2, of an edge. */
    firstSideCount: 13,
    /** Least distance of each particle of the first side from each of the second along the normal [m]: while it is kept they have not passed; -Infinity if they are too near to tell. */
    minGap: 14,
    /** Height along gravity, and bucket of it, while contacts are ordered. */
    height: 15,
    /** Number of slots. */
    count: 16,
} as const;

/** Slots of an intersection: an edge with a point in a triangle. */
export const IntersectionRecord = {
    /** Rows of the edge's two and the triangle's three particles, as in {@link SelfContactRecord}. */
    rows: 0,
    /** Shares of those in the point; those of the triangle are negative. */
    weights: 5,
    /** Displacement of the edge relative to the triangle in a substep [m], x y z. */
    displacement: 10,
    /** Number of slots. */
    count: 16,
} as const;

/** Slots of {@link SelfContactLayout}'s numbers: parameters of the two BVHs that are searched. */
export const SelfContactParameter = {
    /** Contacts are listed up to this distance [m]. */
    searchDistance: 0,
    /** Distance that a contact keeps [m]. */
    distance: 1,
    friction: 2,
    /** Displacement of intersections per substep by untangling [m]. */
    untangleStep: 3,
    /** Number of slots. */
    count: 4,
} as const;

/** Slots of {@link SelfContactLayout}'s progress. */
export const SelfContactCounter = {
    contactCount: 0,
    intersectionCount: 1,
    ccdCount: 2,
    /** 1 if there were more contacts, intersections or boxes than the capacity. */
    overflowed: 3,
    /** Number of contacts and guards that would have been violated, in the last call of enforceSeparation. */
    violationCount: 4,
    /** In: most pairs of boxes that one search tests. */
    maxBoxPairs: 5,
    /** Number of narrow contacts and guards. */
    narrowCount: 6,
    /** Number of contacts and guards still violated at the end of the last enforceSeparation. */
    unresolvedCount: 7,
    /** Number of full scans by enforceSeparation since the contacts were listed, before it built chains; see `firstLinks`. */
    scanCount: 8,
    /** Number of slots. */
    count: 9,
} as const;

/**
 * Slots of an impact zone's sums: masses times displacements since the substep began, the mass [kg], and masses times velocities [m a substep]; of
 * one that turns, masses times start positions, and about their mean the angular momentum and the inertia, xx yy zz xy yz zx.
 */
export const ImpactZoneSum = { displacement: 0, mass: 3, velocity: 4, centre: 4, spin: 7, inertia: 10, count: 16 } as const;

/** Most pending pairs of boxes: two trees' depths, four at a time, are fewer. */
export const STACK = 256;

/** The contacts and intersections of all proxies. */
export const SelfContactLayout = {
    /** Most contacts and guards; particles of all proxies; most intersections. */
    capacity: count,
    particleCount: count,
    intersectionCapacity: count,
    shared: struct<SelfCollisionArrays>("SelfCollisionArrays"),
    /** See {@link SelfContactParameter}. */
    numbers: floats(SelfContactParameter.count),
    /** See {@link SelfContactCounter}. */
    progress: integers(SelfContactCounter.count),
    /** See {@link SelfContactRecord}. Contacts are listed from the first on, guards from the last on backwards. */
    records: integers("capacity", SelfContactRecord.count),
    recordFloats: asFloats("records"),
    /** Numbers of the contacts in the order in which they are resolved. */
    order: integers("capacity"),
    /** See {@link IntersectionRecord}. */
    intersections: integers("intersectionCapacity", IntersectionRecord.count),
    intersectionFloats: asFloats("intersections"),
    /** Largest displacement of each particle from its snapshot before it may have violated a contact [m]. Infinity: it has no contacts. */
    bounds: floats("particleCount"),
    /** Positions at the start of the substep [m], x y z 0. */
    startPositions: floats("particleCount", ROW),
    /** Rigid impact zones, which move as one so that nothing passes: for each active particle another of the same zone, or itself. */
    impactZones: integers("particleCount"),
    /** Numbers of the narrow contacts and guards, which separating other contacts may violate. */
    narrow: integers("particleCount"),
    /**
     * Chains of the contacts and guards of each active particle: the first link of each, NONE where there is none, and each link's next. Link 4 i + k is the k-th
     * particle of the i-th of contacts and, after those, guards. There are links for half of the capacity; only several bodies together have more.
     */
    firstLinks: integers("particleCount"),
    nextLinks: integers("capacity", 2),
    /** See {@link ImpactZoneSum}. */
    impactZoneSums: floats("particleCount", ImpactZoneSum.count),
    /** Pending pairs of boxes. */
    stack: integers(STACK, 2),
};

/** See {@link SelfContactLayout}. */
export type SelfContactArrays = Struct<typeof SelfContactLayout>;
