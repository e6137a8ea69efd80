/**
 * Structs of the kernels that keep cloth off itself and off other cloth: see engine/collision/self/selfCollision.ts and reference/crowd.ts.
 *
 * A *crowd* is bodies that share one grid; a *member* is one of them. Its space is simulation space about an origin of its own.
 */
import { asFloats, count, floats, integers, struct } from "./structSchema";
import type { Struct } from "./structSchema";
import { ROW } from "./layout";
import type { TriangleArrays } from "./layout";

/** Slots of a member's record. */
export const ProxyRecord = {
    /** Distance that its layers keep [m]. */
    thickness: 0,
    /** Radius of the discs about its particles that leave no hole between them [m]. */
    radius: 1,
    /** How much farther pairs are looked for [m]. */
    margin: 2,
    /** Pairs nearer than this at rest are left out, squared [m²]. */
    restExclusion: 3,
    friction: 4,
    /** Groups in which it is and that it meets, as bits. */
    group: 5,
    mask: 6,
    /** 1: its triangles keep it off itself, and off others that have this; 0: its particles. */
    usesTriangles: 7,
    /** One more than the numbers of members that it does not keep off, {@link MAX_EXCLUDED} of them at most; 0: no more. */
    excluded: 8,
    /** Number of slots. */
    count: 12,
} as const;

/** Members that one does not keep off, at most: a rope has two ends. */
export const MAX_EXCLUDED = 2;

/** Slots of {@link SelfCollisionLayout}'s numbers. */
export const SelfCollisionParameter = {
    /** Pairs are looked for up to this distance [m]: no member's own is longer; one over the side of a cell [1/m]. */
    searchDistance: 0,
    inverseCellSize: 1,
    /**
     * All that triangles have is listed that is no farther apart than this, and than both come in the present substep from what all do [m].
     * 0: only as much of it as is likely to meet.
     */
    listedDistance: 2,
    /** What is too near or passed through is pushed in a substep by this share of what it is pushed by in a long one: 1, or less in short ones. */
    pushShare: 3,
    /** Box of the particles' displacements since the lists were made [m], x y z 0: what is over all of them has moved none of them apart. */
    minDisplacement: 4,
    maxDisplacement: 8,
    /** Displacement by gravity in one substep [m], x y z 0. */
    gravity: 12,
    /** Square of how far any of them is from the middle of their box [m²]. */
    maxSquaredDeviation: 16,
    /** Number of slots. */
    count: 20,
} as const;

/** Slots of {@link SelfCollisionLayout}'s progress, and its limits. */
export const SelfCollisionCounter = {
    /** Pairs in the lists. */
    pairCount: 0,
    /** 1 where there were more pairs or candidates than there is room for. */
    overflowed: 1,
    /** Pairs that were closer than they may be, in the last call of resolvePairs. */
    contactCount: 2,
    /** Particles that are in pairs or touches. */
    activeCount: 3,
    /** In: how many candidates a particle looks at, at most, and how many pairs it begins. */
    maxCandidates: 4,
    maxPairs: 5,
    /** Number of slots. */
    count: 8,
} as const;

/** Slots of a pair: where the sheets run side by side, discs that are apart along one normal; else balls. */
export const PairRecord = {
    /** Byte offsets of both rows among the places. */
    a: 0,
    b: 1,
    /** Distance that they keep [m]. */
    distance: 2,
    friction: 3,
    /** Unit normal x y z, from b to a; zero: balls. */
    normal: 4,
    /** Square of how far discs reach across the normal [m²]. */
    squaredReach: 7,
    /** Number of slots. */
    count: 8,
} as const;

/** All that a crowd shares. Particles are numbered through all members; *sorted* arrays are in the order of the grid's cells. */
export const SelfCollisionLayout = {
    particleCount: count,
    proxyCount: count,
    /** Particles and four more. */
    paddedCount: count,
    /** Slots of the grid, a power of two, and those and one more. */
    cellCount: count,
    cellEndCount: count,
    /** Numbers of strangers, see below. */
    restPairCount: count,
    /** Most pairs. */
    capacity: count,
    /** See {@link ProxyRecord}. */
    proxies: integers("proxyCount", ProxyRecord.count),
    proxyFloats: asFloats("proxies"),
    /** See {@link SelfCollisionParameter}. */
    numbers: floats(SelfCollisionParameter.count),
    /** See {@link SelfCollisionCounter}. */
    progress: integers(SelfCollisionCounter.count),
    /** Places of all particles when the lists were made [m], shape [particleCount, 4]; the fourth lane is the member. */
    snapshot: floats("particleCount", ROW),
    /** Unit normals at the same time, x y z 0; zero where there is no surface. Same shape. */
    normals: floats("particleCount", ROW),
    /** Places at rest [m], x y z 0. Same shape. */
    rest: floats("particleCount", ROW),
    /**
     * Strangers: particles close at rest in space, but not over the surface; those of particle i are strangers[starts[i]] to
     * strangers[starts[i + 1] - 1]. Shapes [roomCount], [strangerCount].
     */
    restPairStarts: integers("paddedCount"),
    restPairs: integers("restPairCount"),
    /** Where each cell's particles begin in sorted arrays, and the end of the last, shape [cellEndCount]. */
    cellStarts: integers("cellEndCount"),
    /** Cell of each particle. */
    cells: integers("particleCount"),
    /** Sorted: coordinates [m], with four at infinity behind the last; numbers of the particles. */
    sortedX: floats("paddedCount"),
    sortedY: floats("paddedCount"),
    sortedZ: floats("paddedCount"),
    sorted: integers("particleCount"),
    /** Slot of each particle among the places; NONE where it is in no pair and no touch. */
    slots: integers("particleCount"),
    /** See {@link PairRecord}. */
    pairs: integers("capacity", PairRecord.count),
    pairFloats: asFloats("pairs"),
    /** Where the particles that are in pairs or touches begin, member after member, and their end, shape [memberCount, 2]. */
    activeRanges: integers("proxyCount", 2),
    /** Particle of each place. */
    activeParticles: integers("particleCount"),
    /** Where they are [m] and their inverse mass [1/kg], shape [particleCount, 4]. */
    activePositions: floats("particleCount", ROW),
    /** How far they come in a substep [m]; the fourth lane is zero. */
    velocities: floats("particleCount", ROW),
};

/** See {@link SelfCollisionLayout}. */
export type SelfCollisionArrays = Struct<typeof SelfCollisionLayout>;

/** Slots of {@link ProxyLayout}'s numbers. */
export const ProxyParameter = {
    /** Origin of its simulation space in that of the crowd [m], x y z 0. */
    offset: 0,
    /** What its displacements count for: how long the substep is in its own; 0: it stands still. */
    timeRatio: 4,
    /** Share of its inverse masses: 0: it stands still. */
    mobility: 5,
    /** 1: it takes the present substep. */
    isMoving: 6,
    /** 1: what pushes it changes its velocity; 0: only its place. */
    changesVelocity: 7,
    /** Box of its particles when the lists were made [m], x y z 0 each, in the crowd's space. */
    minimum: 8,
    maximum: 12,
    /** Number of slots. */
    count: 16,
} as const;

/** A body as a member. */
export const ProxyLayout = {
    particleCount: count,
    /** Its number among the members, and that of its first particle. */
    index: count,
    first: count,
    shared: struct<SelfCollisionArrays>("SelfCollisionArrays"),
    surface: struct<TriangleArrays>("TriangleArrays"),
    /** See {@link ProxyParameter}. */
    numbers: floats(ProxyParameter.count),
};

/** See {@link ProxyLayout}. */
export type ProxyArrays = Struct<typeof ProxyLayout>;
