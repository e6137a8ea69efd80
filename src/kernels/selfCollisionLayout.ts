/**
 * Structs of the self-collision kernels: see engine/collision/self/selfCollision.ts and test/reference/pairResponse.ts.
 *
 * Bodies that share one grid are its *proxies*. The shared space is simulation space about an origin of its own.
 */
import { asFloats, count, floats, integers, struct } from "./structSchema";
import type { Struct } from "./structSchema";
import { ROW } from "./layout";
import type { TriangleArrays } from "./layout";

/** Slots of a proxy's record. */
export const ProxyRecord = {
    /** Distance that its layers keep [m]. */
    thickness: 0,
    /** Radius of the discs about its particles that leave no hole between them [m]. */
    radius: 1,
    /** Extra search distance for pairs [m]. */
    margin: 2,
    /** Pairs nearer than this at rest are left out, squared [m²]. */
    restExclusion: 3,
    friction: 4,
    /** Collision groups of the proxy, and mask of those it collides with, as bits. */
    group: 5,
    mask: 6,
    /** 1: its triangles keep it off itself, and off others that have this; 0: its particles. */
    usesTriangles: 7,
    /** One more than the numbers of ignored proxies, {@link MAX_EXCLUDED} of them at most; 0: no more. */
    excluded: 8,
    /** Number of slots. */
    count: 12,
} as const;

/** Most ignored proxies of one proxy: a rope has two ends. */
export const MAX_EXCLUDED = 2;

/** Slots of {@link SelfCollisionLayout}'s numbers. */
export const SelfCollisionParameter = {
    /** Search distance for pairs [m], at least every proxy's own; and the inverse side of a cell [1/m]. */
    searchDistance: 0,
    inverseCellSize: 1,
    /**
     * Distance, plus the relative motion of both sides in the present substep [m], up to which all triangle contacts are listed.
     * 0: only those that are likely to become active.
     */
    listedDistance: 2,
    /** Penetration recovery in a substep, as a share of that of a long substep: 1, or less in short ones. */
    pushShare: 3,
    /** Box of the particles' displacements since the lists were built [m], x y z 0: displacement common to all particles moves none of them apart. */
    minDisplacement: 4,
    maxDisplacement: 8,
    /** Displacement by gravity in one substep [m], x y z 0. */
    gravity: 12,
    /** Square of the largest distance of a displacement from the middle of their box [m²]. */
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
    /** Particles that are in pairs or contacts. */
    activeCount: 3,
    /** In: most candidates that a particle tests, and most pairs that it begins. */
    maxCandidates: 4,
    maxPairs: 5,
    /** Number of slots. */
    count: 8,
} as const;

/** Slots of a pair: where the sheets run side by side, discs that are apart along one normal; else balls. */
export const PairRecord = {
    /** Byte offsets of both rows among the active particles. */
    a: 0,
    b: 1,
    /** Distance that they keep [m]. */
    distance: 2,
    friction: 3,
    /** Unit normal x y z, from b to a; zero: balls. */
    normal: 4,
    /** Square of the discs' reach across the normal [m²]. */
    squaredReach: 7,
    /** Number of slots. */
    count: 8,
} as const;

/** Shared data of all proxies. Particles are numbered through all proxies; *sorted* arrays are in the order of the grid's cells. */
export const SelfCollisionLayout = {
    particleCount: count,
    proxyCount: count,
    /** Particles and four more. */
    paddedCount: count,
    /** Slots of the grid, a power of two, and those and one more. */
    cellCount: count,
    cellEndCount: count,
    /** Number of rest proximity pairs, see below. */
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
    /** Positions of all particles when the lists were built [m], shape [particleCount, 4]; the fourth lane is the proxy. */
    snapshot: floats("particleCount", ROW),
    /** Unit normals at the same time, x y z 0; zero where there is no surface. Same shape. */
    normals: floats("particleCount", ROW),
    /** Places at rest [m], x y z 0. Same shape. */
    rest: floats("particleCount", ROW),
    /**
     * Rest proximity pairs: particles close at rest in space, but not along the surface; those of particle i are restPairs[restPairStarts[i]] to
     * restPairs[restPairStarts[i + 1] - 1]. Shapes [paddedCount], [restPairCount].
     */
    restPairStarts: integers("paddedCount"),
    restPairs: integers("restPairCount"),
    /** Start of each cell's particles in the sorted arrays, and the end of the last, shape [cellEndCount]. */
    cellStarts: integers("cellEndCount"),
    /** Cell of each particle. */
    cells: integers("particleCount"),
    /** Sorted: coordinates [m], with four at infinity behind the last; numbers of the particles. */
    sortedX: floats("paddedCount"),
    sortedY: floats("paddedCount"),
    sortedZ: floats("paddedCount"),
    sorted: integers("particleCount"),
    /** Active slot of each particle; NONE if it is in no pair and no contact. */
    slots: integers("particleCount"),
    /** See {@link PairRecord}. */
    pairs: integers("capacity", PairRecord.count),
    pairFloats: asFloats("pairs"),
    /** Start and end of each proxy's active particles, those in pairs or contacts, shape [proxyCount, 2]. */
    activeRanges: integers("proxyCount", 2),
    /** Particle of each active slot. */
    activeParticles: integers("particleCount"),
    /** Positions of the active particles [m] and their inverse mass [1/kg], shape [particleCount, 4]. */
    activePositions: floats("particleCount", ROW),
    /** Displacement of the active particles per substep [m]; the fourth lane is zero. */
    velocities: floats("particleCount", ROW),
};

/** See {@link SelfCollisionLayout}. */
export type SelfCollisionArrays = Struct<typeof SelfCollisionLayout>;

/** Slots of {@link ProxyLayout}'s numbers. */
export const ProxyParameter = {
    /** Origin of its simulation space in the shared space [m], x y z 0. */
    offset: 0,
    /** Factor on its displacements: the present substep in units of its own; 0: it stands still. */
    timeRatio: 4,
    /** Share of its inverse masses: 0: it stands still. */
    mobility: 5,
    /** 1: it takes the present substep. */
    isMoving: 6,
    /** 1: pushes change its velocity; 0: only its position. */
    changesVelocity: 7,
    /** Box of its particles when the lists were built [m], x y z 0 each, in the shared space. */
    minimum: 8,
    maximum: 12,
    /** Its substeps that a list of triangle contacts is made for. */
    sweptSubsteps: 16,
    /** Number of slots. */
    count: 20,
} as const;

/** A body as a collision proxy. */
export const ProxyLayout = {
    particleCount: count,
    /** Its number among the proxies, and that of its first particle. */
    index: count,
    first: count,
    shared: struct<SelfCollisionArrays>("SelfCollisionArrays"),
    surface: struct<TriangleArrays>("TriangleArrays"),
    /** See {@link ProxyParameter}. */
    numbers: floats(ProxyParameter.count),
};

/** See {@link ProxyLayout}. */
export type ProxyArrays = Struct<typeof ProxyLayout>;
