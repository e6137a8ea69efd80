/** The chain of a rope: particles in a row, each bound to the next; see layout.ts. */
import { count, floats, integers } from "./structSchema";
import type { Struct } from "./structSchema";
import { ROW } from "./layout";

/** Slots of {@link RopeArrays.contacts}. */
export const RopeContactSlot = {
    /** Number of contact records noted since the last pass. */
    count: 0,
    /** 1 while loads are known. */
    hasLoads: 1,
    /** One more than the substeps in which the chain is yet to grow. */
    growthSubsteps: 2,
    /** 1 if an end is pinned to a dynamic carrier, whose motion is not known here. */
    hasDynamicCarrier: 3,
    /** Number of those records that are self-collision contacts, whose other side may yield. */
    selfContactCount: 4,
    slots: 8,
} as const;

/** Slots of {@link RopeArrays.limits}. */
export const RopeLimit = {
    /** Largest depth by which a pass presses particles into a contact [m]. */
    maxDepth: 0,
    /** The least tension, below 0: by no more do links push [kg]. */
    minTension: 1,
    /** Length of the chain at rest [m], and its growth in each substep, below 0: it shortens. */
    length: 2,
    growth: 3,
    /** Compliance of a metre, over the square of the substep [1/(kg m)]. */
    compliance: 4,
    /** Blend of a link's pull direction from its direction before the substep, 0, to its present direction, 1. */
    directionBlend: 5,
    /** Mass of all free particles [kg]. */
    mass: 6,
    /** Largest tension at which friction still holds a rope wound round a collider [kg]. */
    windingTension: 7,
    /** Largest energy that a pass may add to particles in self-collision contact, times the square of the substep [kg m²]. */
    energyAllowance: 8,
    /** Largest tension of the last pass [kg]. */
    maxTension: 9,
    /** The length that it grows to [m]: the last of the substeps in which it does ends there, whatever those before were rounded to. */
    targetLength: 10,
    slots: 12,
} as const;

/** The links of one rope: link j binds the particles j and j + 1. */
export const RopeLayout = {
    linkCount: count,
    /** Links rounded up to a multiple of four. */
    paddedLinks: count,
    /** Rows of the links' arrays, one before the first and more than one behind the last: zeros, which stand for no link. */
    rowCount: count,
    /** Rows of the particles, as in ParticleLayout. */
    paddedCount: count,
    /** Share of the chain's length of each link, shape [paddedLinks]. */
    lengthShares: floats("paddedLinks"),
    /** Rest lengths [m], shape [paddedLinks]. */
    restLengths: floats("paddedLinks"),
    /** Rest lengths one substep ago [m], shape [paddedLinks]. */
    previousRestLengths: floats("paddedLinks"),
    /** Within a pass: squares of the links' lengths one substep ago [m²], shape [paddedLinks]. */
    previousSquaredLengths: floats("paddedLinks"),
    /** Compliance over the square of the substep [1/kg], shape [paddedLinks]; 0: inextensible. */
    compliances: floats("paddedLinks"),
    /** Within a pass: of link j, in row j + 1, the vector from its first particle to its second; and the pull direction, as long as the rest length [m], x y z 0. */
    vectors: floats("rowCount", ROW),
    pullDirections: floats("rowCount", ROW),
    /** Within a pass: the system own(j) μ(j) - after(j-1) μ(j-1) - after(j) μ(j+1) = excess(j), shape [rowCount] each. */
    diagonal: floats("rowCount"),
    offDiagonal: floats("rowCount"),
    rhs: floats("rowCount"),
    /** Result of the last pass: the tension of each link [kg], shape [rowCount]. */
    tensions: floats("rowCount"),
    /** Within a pass: 1 for a link that would push by more than it can, shape [rowCount]. */
    compressed: floats("rowCount"),
    /**
     * Unit normals of the contacts that were noted since the last pass, x y z; zeros: none. The fourth is 1 for a self-collision contact, whose other
     * side may yield. Shape [paddedCount, 4].
     */
    normals: floats("paddedCount", ROW),
    /** Recent tensions of the links in contact, which decay [kg], link j in slot j + 1; and the matching inverse masses [1/kg]. Shape [rowCount] each. */
    loads: floats("rowCount"),
    weights: floats("rowCount"),
    /** See {@link RopeLimit}. */
    limits: floats(RopeLimit.slots),
    /** See {@link RopeContactSlot}. */
    contacts: integers(RopeContactSlot.slots),
};

/** See {@link RopeLayout}. */
export type RopeArrays = Struct<typeof RopeLayout>;

/** Bending of a chain: the factors of a band matrix, see assembly/ropeBend.ts. */
export const RopeBendLayout = {
    particleCount: count,
    /** Particles and four more: zeros. */
    rowCount: count,
    /** Curvature at particle i: first [i] (a - b) + second [i] (c - b), of its neighbours a and c [1/m²]; 0 at the ends. Shape [rowCount]. */
    first: floats("rowCount"),
    second: floats("rowCount"),
    /** Moment per curvature times length [N m³], shape [rowCount]. */
    moments: floats("rowCount"),
    /** Factors L and 1/D of M/dt² + K = L D Lᵀ, the diagonal below and the second one, shape [rowCount]. */
    subdiagonal: floats("rowCount"),
    secondSubdiagonal: floats("rowCount"),
    inverses: floats("rowCount"),
    /** 1 where a particle moves, else 0, shape [rowCount]. */
    areFree: floats("rowCount"),
    /** Within a pass: moments, then moves, x y z 0; two rows of zeros first, and more behind. */
    rows: floats("rowCount", ROW),
};

/** See {@link RopeBendLayout}. */
export type RopeBendArrays = Struct<typeof RopeBendLayout>;
