/**
 * The shape of a cloth at rest: triangles, masses' shares of area, and the sticks, bending stencils and long limits that follow from them.
 * Immutable; any number of cloths of one shape can be built from it.
 * How those are found: kernels/wasm/assembly/{rest,bendLines,straightLimits}.ts.
 */
import type { TriangleArrays } from "../../kernels/layout";
import { Shapes } from "../shapes";
import type { StencilSet } from "../constraints/stencilSet";
import type { StickSet } from "../constraints/stickSet";
import { withRest } from "./restSurface";
import type { LimitLines, RestSticks } from "./restSurface";

/** See the top of the file. All lengths in metres, in the space of the rest positions. */
export interface ClothTopology extends RestSticks {
    readonly particleCount: number;
    /** Rest positions [m], shape [particleCount, 3]. */
    readonly positions: Float32Array;
    /** Gives the same positions to what needs them later, and does not hold them meanwhile. */
    readonly recallPositions: () => Float32Array;
    /** Gives all of this again to what needs it later, from its triangles, and does not hold it meanwhile. */
    readonly recall: (triangles: Uint32Array) => ClothTopology;
    /** Particles of each triangle, shape [triangleCount, 3]. */
    readonly triangles: Uint32Array;
    /** Bending stencils over one edge, see kernels/wasm/assembly/bendLines.ts. */
    readonly stencils: StencilSet;
    /** Upper bounds of distances over two edges, see kernels/wasm/assembly/straightLimits.ts; they do not give. */
    readonly longLimits: StickSet;
    /** The same over more edges, and on the bias, sparse; in the order of projection. */
    readonly farLimits: readonly StickSet[];
    /** Diagonal of the bounding box at rest [m]. */
    readonly size: number;
}

const NEAR: LimitLines = { span: 2, every: 1, isBias: false };
/** What goes far is sparse: each carries as much as span squared. */
const FAR: readonly LimitLines[] = [
    { span: 16, every: 4, isBias: true },
    { span: 4, every: 4, isBias: true },
    { span: 16, every: 4, isBias: false },
    { span: 8, every: 2, isBias: false },
    { span: 4, every: 2, isBias: false },
];

/** The topologies that were built last. */
const known = new Shapes<ClothTopology>();

/**
 * The topology of a sheet, see {@link buildTopology}; that of another one of the same numbers, where it is known.
 * @param recallPositions gives the positions again, holding no more than they need
 */
export function topologyOf(positions: Float32Array, triangles: Uint32Array, recallPositions: () => Float32Array): ClothTopology {
    return known.get([positions, triangles], () => buildTopology(positions, triangles, recallPositions));
}

/**
 * Builds the topology.
 * @param positions rest positions [m], shape [particleCount, 3]
 * @param triangles particles of each triangle, shape [triangleCount, 3]; no degenerate ones, no duplicates
 * @param recallPositions gives the positions again; left out: all is kept
 */
export function buildTopology(
    positions: Float32Array,
    triangles: Uint32Array,
    recallPositions?: () => Float32Array,
): ClothTopology {
    return withRest(positions, triangles, (rest) => {
        const sticks = rest.findSticks();
        const { areas } = sticks;
        const edgeCount = sticks.structural.particlesA.length;
        const topology: ClothTopology = {
            particleCount: areas.length,
            positions,
            recallPositions: recallPositions ?? (() => positions),
            recall: recallPositions ? recallerOf(recallPositions) : () => topology,
            triangles,
            ...sticks,
            stencils: rest.findStencils(areas, 1),
            longLimits: rest.findLimits(NEAR, edgeCount),
            farLimits: FAR.map((lines) => rest.findLimits(lines, Math.ceil(edgeCount / lines.every))),
            size: rest.size,
        };
        return topology;
    });
}

/** Outside of what makes the topology, so that it does not hold that. */
function recallerOf(recallPositions: () => Float32Array): ClothTopology["recall"] {
    return (triangles) => topologyOf(recallPositions(), triangles.slice(), recallPositions);
}

/**
 * Most cloths never change once they run: what only changes need is forgotten after so many derivations, when attached and as pins are added
 * before the first step, and found again by the next one, which is thus slow. From then on it is kept.
 */
export const RARE_CHANGES = 2;

/**
 * What follows from a topology, to be found now and, where it is needed again, once more: only the first call holds the topology.
 * @param triangles the topology's, as a body holds them
 */
export function recalling<Found>(
    topology: ClothTopology,
    triangles: TriangleArrays,
    find: (topology: ClothTopology) => Found,
): () => Found {
    const { recall } = topology;
    let first: ClothTopology | null = topology;
    return () => {
        const rest = first ?? recall(triangles.triangles);
        first = null;
        return find(rest);
    };
}
