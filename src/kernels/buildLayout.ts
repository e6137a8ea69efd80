/**
 * Structs of the kernels that build a cloth: those run once at attach, in a memory of their own (see {@link Kernels.apart}), and what
 * they find is copied out. For what structs are see layout.ts.
 *
 * Bit-exact in every backend: these kernels compute in doubles and round where they store.
 */
import { asFloats, count, doubles, flag, floats, integers, struct } from "./fields";
import type { Struct } from "./fields";

/** Slots of {@link SplitLayout}'s parameters, in words of four bytes: each is a double. See methods/xpbd/splitMasses.ts. */
export const SplitParameter = {
    /** Crowd at which sticks do not disturb each other. */
    undisturbed: 0,
    /** What a split grows by with the crowd beyond the undisturbed one. */
    growth: 2,
    /** It grows by this times the smallest eigenvalue, too, and at most by `mostCurved`. */
    curved: 4,
    mostCurved: 6,
    count: 8,
} as const;

/** Split masses of a set of sticks. */
export const SplitLayout = {
    stickCount: count,
    particleCount: count,
    /** Whether the curvature of the sheet counts. */
    isCurved: flag,
    /** Particles of each stick, shape [stickCount]. */
    particlesA: integers("stickCount"),
    particlesB: integers("stickCount"),
    /** Rest positions [m], shape [particleCount, 3]. */
    positions: floats("particleCount", 3),
    /** See {@link SplitParameter}. */
    parameters: doubles(SplitParameter.count / 2),
    /** Σ n nᵀ at each particle as xx yy zz xy yz zx, shape [particleCount, 6]; zeros before. */
    sums: doubles("particleCount", 6),
    /** Out: into how many parts the masses of both ends of each stick are split, shape [stickCount, 2]. */
    splits: floats("stickCount", 2),
    /** Out: 1 where any is split, shape [1]. */
    isSplit: integers(1),
};

/** See {@link SplitLayout}. */
export type SplitArrays = Struct<typeof SplitLayout>;

/** Where the triangles around each particle are. */
export const FanLayout = {
    /** Particles, and one. */
    startCount: count,
    /** Corners of all triangles. */
    cornerCount: count,
    /** Particles of the triangles, shape [cornerCount]. */
    triangles: integers("cornerCount"),
    /** Out: where each particle's triangles begin in `others`, in pairs, shape [startCount]; zeros before. */
    starts: integers("startCount"),
    /** Where the next one goes. */
    next: integers("startCount"),
    /** Out: the two other corners of each triangle around a particle, in its winding, shape [cornerCount, 2]. */
    others: integers("cornerCount", 2),
};

/** See {@link FanLayout}. */
export type FanArrays = Struct<typeof FanLayout>;

/** No particle, no group. */
export const NONE = 0xffffffff;

/** A march of groups of sources over a mesh; see solver/rest/nearestGroups.ts. Entries are `slots` to a particle. */
export const MarchLayout = {
    particleCount: count,
    slots: count,
    startCount: count,
    cornerCount: count,
    /** See {@link FanLayout}. */
    starts: integers("startCount"),
    others: integers("cornerCount", 2),
    /** Rest positions [m], shape [particleCount, 3]. */
    positions: floats("particleCount", 3),
    /** 1 where lists are added to, shape [particleCount]; so are all below, but those of entries. */
    region: integers("particleCount"),
    /** 1 for the groups whose entries are wanting there, by a group's name. */
    isMarched: integers("particleCount"),
    /** The group of each source; NONE for all other particles. */
    labels: integers("particleCount"),
    /** In, out: entries of each particle. */
    counts: integers("particleCount"),
    /** Entries of each particle that are final: at first, all. */
    taken: integers("particleCount"),
    /** In, out: entries, shape [particleCount, slots] each. */
    distances: floats("particleCount", "slots"),
    keys: floats("particleCount", "slots"),
    sources: integers("particleCount", "slots"),
    /** Group of each entry. */
    groups: integers("particleCount", "slots"),
    /** Binary heap of the entries that wait, by key: its items, the place of each entry in it + 1, its size. Zeros before. */
    heapItems: integers("particleCount", "slots"),
    heapPlaces: integers("particleCount", "slots"),
    heapSize: integers(1),
    /** Out: entries that were passed on. */
    passes: integers(1),
};

/** See {@link MarchLayout}. */
export type MarchArrays = Struct<typeof MarchLayout>;

/** Slots of the box in {@link WeldLayout}, in words of four bytes: each is a double. */
export const WeldBox = {
    /** Smallest and largest coordinates, x y z each: of the vertices used, then wider by the tolerance. */
    minimum: 0,
    maximum: 6,
    /** Two vertices closer than this are one place. */
    tolerance: 12,
    count: 14,
} as const;

/** Vertices by place; see solver/surface/weld.ts. */
export const WeldLayout = {
    vertexCount: count,
    indexCount: count,
    /** Slots of the hash, a power of two. */
    slotCount: count,
    /** Mesh-local, shape [vertexCount, 3]. */
    positions: floats("vertexCount", 3),
    /** Vertices that are used, shape [indexCount]. */
    indices: integers("indexCount"),
    /** See {@link WeldBox}; measureUsed writes the box. */
    box: doubles(WeldBox.count / 2),
    /** First place of each slot, NONE before; the next in a slot. */
    heads: integers("slotCount"),
    next: integers("vertexCount"),
    /** Out: place of each vertex, first vertex of each place, number of places. */
    placeOfVertex: integers("vertexCount"),
    vertexOfPlace: integers("vertexCount"),
    placeCount: integers(1),
};

/** See {@link WeldLayout}. */
export type WeldArrays = Struct<typeof WeldLayout>;

/** Slots of {@link FaceLayout}'s counts. */
export const FaceCount = { corners: 0, undecided: 1, particles: 2, strays: 3, count: 4 } as const;

/** The triangles that have an area, and the particles at their corners; see solver/surface/faces.ts. */
export const FaceLayout = {
    vertexCount: count,
    indexCount: count,
    placeCount: count,
    hasNormals: flag,
    positions: floats("vertexCount", 3),
    normals: floats("vertexCount", "hasNormals", 3),
    indices: integers("indexCount"),
    placeOfVertex: integers("vertexCount"),
    vertexOfPlace: integers("placeCount"),
    /** First corners of the faces of which the normals do not tell which side is out. */
    undecided: integers("indexCount"),
    /** Out: vertices of each face; particles of the same. */
    corners: integers("indexCount"),
    cornerParticles: integers("indexCount"),
    /** Out: particle of each place and vertex, NONE where there is none; first vertex of each particle. */
    particleOfPlace: integers("placeCount"),
    particleOfVertex: integers("vertexCount"),
    vertexOfParticle: integers("placeCount"),
    /** Out: see {@link FaceCount}. */
    counts: integers(FaceCount.count),
};

/** See {@link FaceLayout}. */
export type FaceArrays = Struct<typeof FaceLayout>;

/** Each set of three corners once; see uniqueTriangles in solver/surface/faces.ts. */
export const UniqueLayout = {
    cornerCount: count,
    /** Slots of the hash, a power of two. */
    slotCount: count,
    corners: integers("cornerCount"),
    /** First corner of the triangle in each slot; NONE before. */
    slots: integers("slotCount"),
    sorted: integers("cornerCount"),
    /** Out: the triangles, and how many corners they have. */
    triangles: integers("cornerCount"),
    end: integers(1),
};

/** See {@link UniqueLayout}. */
export type UniqueArrays = Struct<typeof UniqueLayout>;

/** Particles split along hard edges; see solver/surface/points.ts. */
export const PointLayout = {
    vertexCount: count,
    cornerCount: count,
    particleCount: count,
    hasNormals: flag,
    normals: floats("vertexCount", "hasNormals", 3),
    corners: integers("cornerCount"),
    particleOfVertex: integers("vertexCount"),
    isCorner: integers("vertexCount"),
    /** First point of each particle, NONE before; the next of the same particle. */
    firstPoint: integers("particleCount"),
    nextPoint: integers("vertexCount"),
    vertexOfPoint: integers("vertexCount"),
    /** Out. */
    particleOfPoint: integers("vertexCount"),
    pointOfVertex: integers("vertexCount"),
    surfaceTriangles: integers("cornerCount"),
    pointCount: integers(1),
};

/** See {@link PointLayout}. */
export type PointArrays = Struct<typeof PointLayout>;

/** Edges far below the mesh's scale; see solver/surface/clusters.ts. */
export const EdgeLayout = {
    placeCount: count,
    cornerCount: count,
    positions: floats("placeCount", 3),
    triangles: integers("cornerCount"),
    /** In: the share of the scale, the side of a square of a place's mean share of the area, below which an edge is short. Out: that length. */
    shortest: doubles(1),
    /** Out: ends of the short edges, and how many those are. */
    short: integers("cornerCount", 2),
    shortCount: integers(1),
};

/** See {@link EdgeLayout}. */
export type EdgeArrays = Struct<typeof EdgeLayout>;

/** A surface at rest: the pairs of particles that its triangles join, and the fan of triangles around each particle; see scalar/rest.ts. */
export const RestLayout = {
    particleCount: count,
    /** Corners of all triangles, as many as sides: side k of a triangle leads from its corner k to the next. */
    cornerCount: count,
    /** Room for the neighbours of all fans: corners and particles. */
    fanSize: count,
    /** Rest positions [m], shape [particleCount, 3]. */
    positions: floats("particleCount", 3),
    /** Particles of the triangles. */
    triangles: integers("cornerCount"),
    /** Out: diagonal of the positions' bounding box [m]. */
    size: doubles(1),
    /** Out: pairs of particles, each once as they come, the lower one first, shape [pairCount, 2]; first the sides, then pairs that sticks have joined. */
    pairs: integers("cornerCount", 2),
    pairCount: integers(1),
    /** First pair of each lower particle and the next one, + 1; 0: none. */
    firstPair: integers("particleCount"),
    nextPair: integers("cornerCount"),
    /** Out: the first two triangles of each pair, NONE for none, shape [cornerCount, 2]. */
    pairTriangles: integers("cornerCount", 2),
    /** Out, by {@link EdgeStickLayout}'s kernel: 1 for the pairs that are structural sticks. */
    isStructural: integers("cornerCount"),
    /** Out, by the same: 1 or 2, in turns along structural sticks as on a chessboard, where the mesh allows it. */
    sides: integers("particleCount"),
    /** Out: the triangle across each side; NONE at a border. */
    across: integers("cornerCount"),
    /** Out: where each particle's fan begins; how many neighbours it has; 1 where it goes all around. */
    fanStarts: integers("particleCount"),
    fanCounts: integers("particleCount"),
    isClosed: integers("particleCount"),
    /** Out: neighbours in order around; the triangle between each and the next. */
    neighbours: integers("fanSize"),
    sectors: integers("fanSize"),
    /** Out: their directions in the tangent plane, ascending from 0 [rad], 2π in all where closed; distances [m]; the triangles' true angles. */
    angles: doubles("fanSize"),
    lengths: doubles("fanSize"),
    sectorAngles: doubles("fanSize"),
};

/** See {@link RestLayout}. */
export type RestArrays = Struct<typeof RestLayout>;

/** The sticks of a surface at rest; see solver/rest/topology.ts. */
export const EdgeStickLayout = {
    rest: struct<RestArrays>("RestArrays"),
    particleCount: count,
    cornerCount: count,
    triangleCount: count,
    /** (b-a)×(c-a) of each triangle and its length, shape [triangleCount, 4]. */
    crosses: doubles("triangleCount", 4),
    /** Particles whose neighbours' sides are not known yet. */
    queue: integers("particleCount"),
    /** Out: each particle's share of area [m²]; zeros before. */
    areas: floats("particleCount"),
    /** Out: structural sticks and shear sticks, how many of each: ends, rest lengths [m], stiffness factors. */
    structuralA: integers("cornerCount"),
    structuralB: integers("cornerCount"),
    structuralLengths: floats("cornerCount"),
    structuralFactors: floats("cornerCount"),
    shearA: integers("cornerCount"),
    shearB: integers("cornerCount"),
    shearLengths: floats("cornerCount"),
    shearFactors: floats("cornerCount"),
    counts: integers(2),
};

/** See {@link EdgeStickLayout}. */
export type EdgeStickArrays = Struct<typeof EdgeStickLayout>;

/** Long limits along straight marches; see solver/rest/topology.ts. */
export const StraightLimitLayout = {
    rest: struct<RestArrays>("RestArrays"),
    /** Length of the marches in edges; they begin at every so manyth particle: 1, or an even number. */
    span: count,
    every: count,
    /** Whether they go across, between edges at right angles. */
    isBias: flag,
    /** Limits that there is room for. */
    capacity: count,
    /** Out: ends, lengths of the straight lines [m]; how many there are, which may be more than there is room for. */
    particlesA: integers("capacity"),
    particlesB: integers("capacity"),
    restLengths: floats("capacity"),
    found: integers(1),
};

/** See {@link StraightLimitLayout}. */
export type StraightLimitArrays = Struct<typeof StraightLimitLayout>;

/** Lines that are told apart at a particle; further ones count as the last. */
export const LINES = 4;

/** Bending stencils along straight lines; see solver/constraints/stencilSet.ts for what is found. */
export const BendLineLayout = {
    rest: struct<RestArrays>("RestArrays"),
    particleCount: count,
    fanSize: count,
    /** Length of the arms in edges. */
    span: count,
    /** Stencils that there is room for. */
    capacity: count,
    /** Whether only some lines want stencils. */
    isChosen: flag,
    /** How long the chord of each line's stencil must be [m], 0 where none is wanted; shape [particleCount, LINES]. */
    leastChords: floats("particleCount", "isChosen", LINES),
    /** Each particle's share of area [m²]. */
    shares: floats("particleCount"),
    /** 0, or 1 and 2 for even and odd particles of grids. */
    parities: integers("particleCount"),
    /** Of one fan: 1 for the neighbours that are paired with their opposite; the pairs. */
    isPaired: integers("fanSize"),
    pairs: integers("fanSize"),
    /** Out. */
    particles: integers("capacity", 4),
    weights: floats("capacity", 3),
    areas: floats("capacity"),
    curvatures: floats("capacity"),
    lines: integers("capacity"),
    /** Out: how many there are, which may be more than there is room for. */
    found: integers(1),
};

/** See {@link BendLineLayout}. */
export type BendLineArrays = Struct<typeof BendLineLayout>;

/** A set of sticks in the order of projection: colour after colour, laid out in records; see StickLayout in layout.ts. */
export const StickOrderLayout = {
    stickCount: count,
    particleCount: count,
    /** Whether masses are split. */
    isSplit: flag,
    /** Sticks that there is room for, with padding; a multiple of four. */
    capacity: count,
    /** The particle that padding joins with itself. */
    spareParticle: count,
    /** Ends, rest lengths [m], stiffness factors and splits of each stick. */
    particlesA: integers("stickCount"),
    particlesB: integers("stickCount"),
    restLengths: floats("stickCount"),
    factors: floats("stickCount"),
    splits: floats("stickCount", "isSplit", 2),
    /** Sticks without a colour, and the last colour of each particle; zeros before. */
    remaining: integers("stickCount"),
    lastColor: integers("particleCount"),
    /** Out: records, shape [capacity / 4, StickRecord.count]; weights are 0. Factors, 0 for padding, and splits in their order. */
    records: integers("capacity", 5),
    recordFloats: asFloats("records"),
    laidFactors: floats("capacity"),
    laidSplits: floats("capacity", "isSplit", 2),
    /** Out: sticks with padding, which may be more than there is room for. */
    laid: integers(1),
};

/** See {@link StickOrderLayout}. */
export type StickOrderArrays = Struct<typeof StickOrderLayout>;

/** Kinds of bending stencils: of three particles, of four, with a curvature at rest. */
export const StencilKind = { line: 0, plane: 1, curved: 2, count: 3 } as const;

/** The stencils of a kind in the order of projection, laid out in records; see LineStencilLayout and StencilLayout in layout.ts. */
export const StencilOrderLayout = {
    /** Of all kinds. */
    stencilCount: count,
    particleCount: count,
    /** See {@link StencilKind}. Where there is a curvature, colours are padded to whole groups of four. */
    kind: count,
    /** Slots of a record. */
    recordSize: count,
    /** Records that there is room for. */
    capacity: count,
    spareParticle: count,
    /** See solver/constraints/stencilSet.ts. */
    particles: integers("stencilCount", 4),
    weights: floats("stencilCount", 3),
    areas: floats("stencilCount"),
    curvatures: floats("stencilCount"),
    lines: integers("stencilCount"),
    /** The stencils of the kind, their numbers shuffled, their colours; how many of each colour, then where its next one goes. */
    chosen: integers("stencilCount"),
    shuffled: integers("stencilCount"),
    colors: integers("stencilCount"),
    next: integers("stencilCount"),
    /** A bit for each of 32 colours at every particle. */
    used: integers("particleCount"),
    /** Out: records, of which the moves are 0; areas, 0 for padding, and lines in their order. */
    records: integers("capacity", "recordSize"),
    recordFloats: asFloats("records"),
    laidAreas: floats("capacity"),
    laidLines: integers("capacity"),
    /** Out: records with padding, which may be more than there is room for. */
    laid: integers(1),
};

/** See {@link StencilOrderLayout}. */
export type StencilOrderArrays = Struct<typeof StencilOrderLayout>;

/** What the weights of sticks follow from; see methods/xpbd/sticks.ts. */
export const StickWeightLayout = {
    stickCount: count,
    /** Particles, and what pads them. */
    rowCount: count,
    /** Whether masses are split. */
    isSplit: flag,
    /** Whether at rest a pass gives by the compliance and no more. */
    isExact: flag,
    /** In, out: records, see StickLayout in layout.ts. */
    records: integers("stickCount", 5),
    recordFloats: asFloats("records"),
    factors: floats("stickCount"),
    splits: floats("stickCount", "isSplit", 2),
    /** [1/kg] */
    inverseMasses: floats("rowCount"),
    /** Stiffness per unit of the factors, 1 / dt² of a substep [1/s²], and by how much more than back to a stick's length free ends move. */
    parameters: doubles(3),
};

/** See {@link StickWeightLayout}. */
export type StickWeightArrays = Struct<typeof StickWeightLayout>;

/** Points, and where a map brings them. */
export const CloudLayout = {
    pointCount: count,
    /** Affine map, row vectors, shape [4, 4]. */
    map: doubles(16),
    /** Shape [pointCount, 3]. */
    points: floats("pointCount", 3),
    /** Out: the box of the points, smallest and largest, x y z each. */
    box: doubles(6),
    /** Out: the points mapped. */
    mapped: floats("pointCount", 3),
};

/** See {@link CloudLayout}. */
export type CloudArrays = Struct<typeof CloudLayout>;
