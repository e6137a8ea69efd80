/**
 * Structs of the kernels that keep cloth off itself and off other cloth: see solver/crowd/crowd.ts and reference/crowd.ts.
 *
 * A *crowd* is bodies that share one grid; a *member* is one of them. Its space is simulation space about an origin of its own.
 */
import { asFloats, count, floats, integers, struct } from "./fields";
import type { Struct } from "./fields";
import { ROW } from "./layout";
import type { TriangleArrays } from "./layout";

/** Slots of a member's record. */
export const MemberRecord = {
    /** Distance that its layers keep [m]. */
    thickness: 0,
    /** Radius of the discs about its particles that leave no hole between them [m]. */
    radius: 1,
    /** How much farther pairs are looked for [m]. */
    margin: 2,
    /** Pairs nearer than this at rest are left out, squared [m²]. */
    restReach: 3,
    friction: 4,
    /** Groups in which it is and that it meets, as bits. */
    group: 5,
    mask: 6,
    /** 1: its triangles keep it off itself, and off others that have this; 0: its particles. */
    hasTouches: 7,
    /** One more than the numbers of members that it does not keep off, {@link SPARED} of them at most; 0: no more. */
    spared: 8,
    /** Number of slots. */
    count: 12,
} as const;

/** Members that one does not keep off, at most: a rope has two ends. */
export const SPARED = 2;

/** Slots of {@link CrowdLayout}'s numbers. */
export const CrowdNumber = {
    /** Pairs are looked for up to this distance [m]: no member's own is longer; one over the side of a cell [1/m]. */
    reach: 0,
    inverseCell: 1,
    /**
     * All that triangles have is listed that is no farther apart than this, and than both come in the present substep from what all do [m].
     * 0: only as much of it as is likely to meet.
     */
    listed: 2,
    /** What is too near or passed through is pushed in a substep by this share of what it is pushed by in a long one: 1, or less in short ones. */
    pushShare: 3,
    /** Box of the particles' displacements since the lists were made [m], x y z 0: what is over all of them has moved none of them apart. */
    leastDisplacement: 4,
    mostDisplacement: 8,
    /** Displacement by gravity in one substep [m], x y z 0. */
    gravity: 12,
    /** Square of how far any of them is from the middle of their box [m²]. */
    farthest: 16,
    /** Number of slots. */
    count: 20,
} as const;

/** Slots of {@link CrowdLayout}'s progress, and its limits. */
export const CrowdProgress = {
    /** Pairs in the lists. */
    pairCount: 0,
    /** 1 where there were more pairs or candidates than there is room for. */
    isFull: 1,
    /** Pairs that were closer than they may be, in the last call of separatePairs. */
    contactCount: 2,
    /** Particles that are in pairs or touches. */
    placeCount: 3,
    /** In: how many candidates a particle looks at, at most, and how many pairs it begins. */
    mostCandidates: 4,
    mostPairs: 5,
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
    reach: 7,
    /** Number of slots. */
    count: 8,
} as const;

/** All that a crowd shares. Particles are numbered through all members; *sorted* arrays are in the order of the grid's cells. */
export const CrowdLayout = {
    particleCount: count,
    memberCount: count,
    /** Particles and four more. */
    roomCount: count,
    /** Slots of the grid, a power of two, and those and one more. */
    cellCount: count,
    cellEndCount: count,
    /** Numbers of strangers, see below. */
    strangerCount: count,
    /** Most pairs. */
    capacity: count,
    /** See {@link MemberRecord}. */
    members: integers("memberCount", MemberRecord.count),
    memberFloats: asFloats("members"),
    /** See {@link CrowdNumber}. */
    numbers: floats(CrowdNumber.count),
    /** See {@link CrowdProgress}. */
    progress: integers(CrowdProgress.count),
    /** Places of all particles when the lists were made [m], shape [particleCount, 4]; the fourth lane is the member. */
    points: floats("particleCount", ROW),
    /** Unit normals at the same time, x y z 0; zero where there is no surface. Same shape. */
    normals: floats("particleCount", ROW),
    /** Places at rest [m], x y z 0. Same shape. */
    rest: floats("particleCount", ROW),
    /**
     * Strangers: particles close at rest in space, but not over the surface; those of particle i are strangers[starts[i]] to
     * strangers[starts[i + 1] - 1]. Shapes [roomCount], [strangerCount].
     */
    strangerStarts: integers("roomCount"),
    strangers: integers("strangerCount"),
    /** Where each cell's particles begin in sorted arrays, and the end of the last, shape [cellEndCount]. */
    cellStarts: integers("cellEndCount"),
    /** Cell of each particle. */
    cells: integers("particleCount"),
    /** Sorted: coordinates [m], with four at infinity behind the last; numbers of the particles. */
    sortedX: floats("roomCount"),
    sortedY: floats("roomCount"),
    sortedZ: floats("roomCount"),
    sorted: integers("particleCount"),
    /** Slot of each particle among the places; NONE where it is in no pair and no touch. */
    slots: integers("particleCount"),
    /** See {@link PairRecord}. */
    pairs: integers("capacity", PairRecord.count),
    pairFloats: asFloats("pairs"),
    /** Where the particles that are in pairs or touches begin, member after member, and their end, shape [memberCount, 2]. */
    placeRanges: integers("memberCount", 2),
    /** Particle of each place. */
    placed: integers("particleCount"),
    /** Where they are [m] and their inverse mass [1/kg], shape [particleCount, 4]. */
    places: floats("particleCount", ROW),
    /** How far they come in a substep [m]; the fourth lane is zero. */
    velocities: floats("particleCount", ROW),
};

/** See {@link CrowdLayout}. */
export type CrowdArrays = Struct<typeof CrowdLayout>;

/** Slots of {@link MemberLayout}'s numbers. */
export const MemberNumber = {
    /** Origin of its simulation space in that of the crowd [m], x y z 0. */
    offset: 0,
    /** What its displacements count for: how long the substep is in its own; 0: it stands still. */
    pace: 4,
    /** Share of its inverse masses: 0: it stands still. */
    mobility: 5,
    /** 1: it takes the present substep. */
    isMoving: 6,
    /** 1: what pushes it changes its velocity; 0: only its place. */
    isPushed: 7,
    /** Box of its particles when the lists were made [m], x y z 0 each, in the crowd's space. */
    minimum: 8,
    maximum: 12,
    /** Number of slots. */
    count: 16,
} as const;

/** A body as a member. */
export const MemberLayout = {
    particleCount: count,
    /** Its number among the members, and that of its first particle. */
    index: count,
    first: count,
    crowd: struct<CrowdArrays>("CrowdArrays"),
    surface: struct<TriangleArrays>("TriangleArrays"),
    /** See {@link MemberNumber}. */
    numbers: floats(MemberNumber.count),
};

/** See {@link MemberLayout}. */
export type MemberArrays = Struct<typeof MemberLayout>;
