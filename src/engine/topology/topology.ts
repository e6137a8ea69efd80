/**
 * The shape of a cloth at rest: triangles, masses' shares of area, and the sticks, bending stencils and long limits that follow from them.
 * Immutable; any number of cloths of one shape can be built from it.
 * How those are found: kernels/wasm/assembly/{rest,bendLines,straightLimits}.ts.
 */
import type { TriangleArrays } from "../../kernels/layout";
import { ContentCache } from "../memory/contentCache";
import { pieceSizesOf } from "./pieceSizes";
import type { StencilSet, DistanceConstraintSet } from "./stencilSet";
import { runAll } from "../time/slices";
import type { Slices } from "../time/slices";
import { withRestSurface } from "./restSurface";
import type { LimitLines, RestConstraints } from "./restSurface";

/** See the top of the file. All lengths in metres, in the space of the rest positions. */
export interface ClothTopology extends RestConstraints {
    readonly particleCount: number;
    /** Rest positions [m], shape [particleCount, 3]. */
    readonly positions: Float32Array;
    /** Gives the same positions to what needs them later, and does not hold them meanwhile. */
    readonly rebuildPositions: () => Float32Array;
    /** Gives all of this again to what needs it later, from its triangles, and does not hold it meanwhile. */
    readonly rebuild: (triangles: Uint32Array) => ClothTopology;
    /** Particles of each triangle, shape [triangleCount, 3]. */
    readonly triangles: Uint32Array;
    /** Bending stencils over one edge, see kernels/assembly/bendStencils.ts. */
    readonly stencils: StencilSet;
    /** Upper bounds of distances over two edges, see kernels/assembly/unilateralLimitLines.ts; they do not give. */
    readonly unilateralLimits: DistanceConstraintSet;
    /** Limits over more edges, and on the bias, sparse; in the order of projection. */
    readonly farUnilateralLimits: readonly DistanceConstraintSet[];
    /** Diagonal of the bounding box at rest [m]. */
    readonly size: number;
    /** Size of each particle's piece [m], see {@link pieceSizesOf}; null: the mesh is one piece. */
    readonly pieceSizes?: Float32Array | null;
}

const NEAR_LIMITS: LimitLines = { span: 2, stride: 1, isBias: false };
/**
 * Far limits are sparse: each carries as much as span squared. What begins at every other particle of a row alone must end at the others, over an odd span, or
 * go with a set at all of them: only one colour of a grid's chessboard would be pulled, and creased.
 */
const FAR_LIMITS: readonly LimitLines[] = [
    { span: 16, stride: 4, isBias: true },
    { span: 4, stride: 4, isBias: true },
    { span: 16, stride: 4, isBias: false },
    { span: 9, stride: 2, isBias: false },
    { span: 4, stride: 1, isBias: false },
];

/** The topologies that were built last. */
const recentTopologies = new ContentCache<ClothTopology>();

/**
 * The topology of a sheet, see {@link buildTopology}; that of another one of the same numbers, where it is known.
 * @param recallPositions gives the positions again, holding no more than they need
 */
export function topologyOf(positions: Float32Array, triangles: Uint32Array, recallPositions: () => Float32Array): ClothTopology {
    return recentTopologies.get([positions, triangles], () => buildTopology(positions, triangles, recallPositions));
}

/** Builds in slices what {@link topologyOf} then finds. */
export function* topologySlices(
    positions: Float32Array,
    triangles: Uint32Array,
    recallPositions: () => Float32Array,
): Slices<ClothTopology> {
    const topology = yield* buildSlices(positions, triangles, recallPositions);
    return recentTopologies.get([positions, triangles], () => topology);
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
    return runAll(buildSlices(positions, triangles, recallPositions));
}

function buildSlices(positions: Float32Array, triangles: Uint32Array, recallPositions?: () => Float32Array): Slices<ClothTopology> {
    return withRestSurface(positions, triangles, function* (rest) {
        const sticks = rest.findDistanceConstraints();
        yield;
        const { areas } = sticks;
        const edgeCount = sticks.structural.particlesA.length;
        const stencils = yield* rest.findStencils(areas, 1);
        yield;
        const unilateralLimits = yield* rest.findLimits(NEAR_LIMITS, edgeCount);
        const farUnilateralLimits: DistanceConstraintSet[] = [];
        for (const lines of FAR_LIMITS) {
            yield;
            farUnilateralLimits.push(yield* rest.findLimits(lines, Math.ceil(edgeCount / lines.stride)));
        }
        yield;
        const topology: ClothTopology = {
            particleCount: areas.length,
            positions,
            rebuildPositions: recallPositions ?? (() => positions),
            rebuild: recallPositions ? rebuilderOf(recallPositions) : () => topology,
            triangles,
            ...sticks,
            stencils,
            unilateralLimits,
            farUnilateralLimits,
            size: rest.size,
            pieceSizes: pieceSizesOf(positions, triangles),
        };
        return topology;
    });
}

/** Outside of what makes the topology, so that it does not hold that. */
function rebuilderOf(recallPositions: () => Float32Array): ClothTopology["rebuild"] {
    return (triangles) => topologyOf(recallPositions(), triangles.slice(), recallPositions);
}

/**
 * A list derived from a topology now and, if it is needed again, once more: only the first call holds the topology.
 * @param triangles the topology's, as a body holds them
 */
export function rebuildable<Found>(
    topology: ClothTopology,
    triangles: TriangleArrays,
    find: (topology: ClothTopology) => Found,
): () => Found {
    const { rebuild: recall } = topology;
    let first: ClothTopology | null = topology;
    return () => {
        const rest = first ?? recall(triangles.triangles);
        first = null;
        return find(rest);
    };
}
