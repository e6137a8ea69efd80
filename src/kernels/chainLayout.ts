/** The chain of a rope: particles in a row, each bound to the next; see layout.ts. */
import { count, floats, integers, struct } from "./fields";
import type { Struct } from "./fields";
import { ROW } from "./layout";
import type { ParticleArrays } from "./layout";

/** Slots of {@link ChainArrays.contacts}. */
export const ChainContact = {
    /** How many records of contacts were noted since the last pass. */
    count: 0,
    /** 1 while loads are known. */
    areLoaded: 1,
    /** One more than the substeps in which the chain is yet to grow. */
    growing: 2,
    /** 1 where an end belongs to what carries it: what moves that is not known here. */
    areTaken: 3,
    /** How many of those that were noted are touches of its crowd, which may give way. */
    touchCount: 4,
    slots: 8,
} as const;

/** Slots of {@link ChainArrays.limits}. */
export const ChainLimit = {
    /** How deep a pass presses what is in contact, at most [m]. */
    depth: 0,
    /** The least tension, below 0: by no more do links push [kg]. */
    tension: 1,
    /** Length of the chain at rest [m], and how much longer it is in each substep that it grows, below 0: shorter. */
    length: 2,
    growth: 3,
    /** Compliance of a metre, over the square of the substep [1/(kg m)]. */
    compliance: 4,
    /** What of the direction in which a link pulls is that in which it leads now, from 0 to 1. */
    lead: 5,
    /** What all that is free weighs [kg]. */
    mass: 6,
    /** The tension up to which friction holds what it is wound round [kg]. */
    wound: 7,
    /** What a pass may add to the energy of what touches others of its crowd, times the square of the substep [kg m²]. */
    ease: 8,
    /** What pulled hardest in the last pass [kg]. */
    hardest: 9,
    /** The length that it grows to [m]: the last of the substeps in which it does ends there, whatever those before were rounded to. */
    whole: 10,
    slots: 12,
} as const;

/** The links of one rope: link j binds the particles j and j + 1. */
export const ChainLayout = {
    linkCount: count,
    /** Links rounded up to a multiple of four. */
    paddedLinks: count,
    /** Rows of what links have, one before the first and more than one behind the last: zeros, which stand for no link. */
    rowCount: count,
    /** Rows of the particles, as in ParticleLayout. */
    paddedCount: count,
    /** What of the chain's length each link is, shape [paddedLinks]. */
    parts: floats("paddedLinks"),
    /** Rest lengths [m], shape [paddedLinks]. */
    restLengths: floats("paddedLinks"),
    /** The same one substep ago. */
    restBefore: floats("paddedLinks"),
    /** Within a pass: squares of the links' lengths one substep ago [m²], shape [paddedLinks]. */
    squaresBefore: floats("paddedLinks"),
    /** Compliance over the square of the substep [1/kg], shape [paddedLinks]; 0: inextensible. */
    compliances: floats("paddedLinks"),
    /** Within a pass: of link j, in row j + 1, what leads from its first particle to its second, and along which it pulls, as long as at rest [m], x y z 0. */
    vectors: floats("rowCount", ROW),
    pulls: floats("rowCount", ROW),
    /** Within a pass: the system own(j) μ(j) - after(j-1) μ(j-1) - after(j) μ(j+1) = excess(j), shape [rowCount] each. */
    own: floats("rowCount"),
    after: floats("rowCount"),
    excess: floats("rowCount"),
    /** What has come of the last pass: what each link pulls by [kg], shape [rowCount]. */
    tensions: floats("rowCount"),
    /** Within a pass: 1 for a link that would push by more than it can, shape [rowCount]. */
    pushed: floats("rowCount"),
    /**
     * Unit normals of the contacts that were noted since the last pass, x y z; zeros: none. The fourth is 1 where that is with others of its crowd, which may
     * give way. Shape [paddedCount, 4].
     */
    normals: floats("paddedCount", ROW),
    /** What links have pulled by of late, while anything was in contact [kg], link j in slot j + 1; and inverse masses beside that [1/kg]. Shape [rowCount] each. */
    loads: floats("rowCount"),
    weights: floats("rowCount"),
    /** See {@link ChainLimit}. */
    limits: floats(ChainLimit.slots),
    /** See {@link ChainContact}. */
    contacts: integers(ChainContact.slots),
};

/** See {@link ChainLayout}. */
export type ChainArrays = Struct<typeof ChainLayout>;

/** Bending of a chain: the factors of a band matrix, see assembly/chainBend.ts. */
export const ChainBendLayout = {
    particleCount: count,
    /** Particles and four more: zeros. */
    rowCount: count,
    /** Curvature at particle i: first [i] (a - b) + second [i] (c - b), of its neighbours a and c [1/m²]; 0 at the ends. Shape [rowCount]. */
    first: floats("rowCount"),
    second: floats("rowCount"),
    /** Moment per curvature times length [N m³], shape [rowCount]. */
    moments: floats("rowCount"),
    /** Factors L and 1/D of M/dt² + K = L D Lᵀ, the diagonal below and the second one, shape [rowCount]. */
    below: floats("rowCount"),
    farBelow: floats("rowCount"),
    inverses: floats("rowCount"),
    /** 1 where a particle moves, else 0, shape [rowCount]. */
    areFree: floats("rowCount"),
    /** Within a pass: moments, then moves, x y z 0; two rows of zeros first, and more behind. */
    rows: floats("rowCount", ROW),
};

/** See {@link ChainBendLayout}. */
export type ChainBendArrays = Struct<typeof ChainBendLayout>;

/** Floats of a column: a number of each of four chains; and of three, x y z. */
const COLUMN = 4;
const COLUMNS = 12;

/** What passes over teams of four chains have within a pass, as one chain has, in columns: shape [rowCount, 4] or [rowCount, 3, 4]. Teams of as many links share it. */
export const ChainColumnsLayout = {
    /** Particles of a chain, rounded up, and more. */
    rowCount: count,
    squaresBefore: floats("rowCount", COLUMN),
    /** From particle to particle, then by what each moves [m]. */
    vectors: floats("rowCount", COLUMNS),
    pulls: floats("rowCount", COLUMNS),
    own: floats("rowCount", COLUMN),
    after: floats("rowCount", COLUMN),
    excess: floats("rowCount", COLUMN),
    tensions: floats("rowCount", COLUMN),
    /** Masks of the links that push by more than they can, and tensions that were found before those are left out. */
    pushed: floats("rowCount", COLUMN),
    solved: floats("rowCount", COLUMN),
};

/** See {@link ChainColumnsLayout}. */
export type ChainColumnsArrays = Struct<typeof ChainColumnsLayout>;

/** Four chains of as many links, which are projected at once; of fewer than four, the last stands in for those that are missing. */
export const ChainTeamLayout = {
    /** How many there are, 2 to 4. */
    memberCount: count,
    /** See {@link ChainColumnsLayout}. */
    rowCount: count,
    first: struct<ParticleArrays>("ParticleArrays"),
    second: struct<ParticleArrays>("ParticleArrays"),
    third: struct<ParticleArrays>("ParticleArrays"),
    fourth: struct<ParticleArrays>("ParticleArrays"),
    firstChain: struct<ChainArrays>("ChainArrays"),
    secondChain: struct<ChainArrays>("ChainArrays"),
    thirdChain: struct<ChainArrays>("ChainArrays"),
    fourthChain: struct<ChainArrays>("ChainArrays"),
    columns: struct<ChainColumnsArrays>("ChainColumnsArrays"),
    /** Above 0 where rest lengths are others than in the last pass. */
    growing: integers(1),
    /** What lasts from pass to pass, in columns. */
    restLengths: floats("rowCount", COLUMN),
    restBefore: floats("rowCount", COLUMN),
    compliances: floats("rowCount", COLUMN),
    /** Inverse masses [1/kg]. */
    masses: floats("rowCount", COLUMN),
};

/** See {@link ChainTeamLayout}. */
export type ChainTeamArrays = Struct<typeof ChainTeamLayout>;

/** Bending of four chains of as many particles at once; of fewer than four, the last stands in for those that are missing. */
export const ChainBendTeamLayout = {
    /** How many there are, 2 to 4. */
    memberCount: count,
    /** See {@link ChainColumnsLayout}. */
    rowCount: count,
    first: struct<ParticleArrays>("ParticleArrays"),
    second: struct<ParticleArrays>("ParticleArrays"),
    third: struct<ParticleArrays>("ParticleArrays"),
    fourth: struct<ParticleArrays>("ParticleArrays"),
    firstBend: struct<ChainBendArrays>("ChainBendArrays"),
    secondBend: struct<ChainBendArrays>("ChainBendArrays"),
    thirdBend: struct<ChainBendArrays>("ChainBendArrays"),
    fourthBend: struct<ChainBendArrays>("ChainBendArrays"),
    /** Of which a pass uses the vectors, for moves. */
    columns: struct<ChainColumnsArrays>("ChainColumnsArrays"),
    /** Above 0 until the columns have been laid. */
    fresh: integers(1),
    /** As of one chain, in columns, shape [rowCount, 4] each; `sums`: of the two before it. */
    before: floats("rowCount", COLUMN),
    after: floats("rowCount", COLUMN),
    sums: floats("rowCount", COLUMN),
    moments: floats("rowCount", COLUMN),
    below: floats("rowCount", COLUMN),
    farBelow: floats("rowCount", COLUMN),
    inverses: floats("rowCount", COLUMN),
    areFree: floats("rowCount", COLUMN),
};

/** See {@link ChainBendTeamLayout}. */
export type ChainBendTeamArrays = Struct<typeof ChainBendTeamLayout>;
