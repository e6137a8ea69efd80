/**
 * The shape of a cloth at rest: triangles, masses' shares of area, and the sticks, bending stencils and long limits that follow from them.
 * Immutable; any number of cloths of one shape can be built from it.
 * How those are found: kernels/scalar/{rest,bendLines,straightLimits}.ts.
 */
import { Shapes } from "../shapes";
import type { StencilSet } from "../constraints/stencilSet";
import type { StickSet } from "../constraints/stickSet";
import { withRest } from "./restSurface";

/** See the top of the file. All lengths in metres, in the space of the rest positions. */
export interface ClothTopology {
    readonly particleCount: number;
    /** Rest positions [m], shape [particleCount, 3]. */
    readonly positions: Float32Array;
    /** Gives the same positions to what needs them later, and does not hold them meanwhile. */
    readonly recallPositions: () => Float32Array;
    /** Particles of each triangle, shape [triangleCount, 3]. */
    readonly triangles: Uint32Array;
    /** Each particle's share of area [m²]: a third of its triangles', shape [particleCount]. */
    readonly areas: Float32Array;
    readonly structural: StickSet;
    readonly shear: StickSet;
    /** Bending stencils over one edge, see kernels/scalar/bendLines.ts. */
    readonly stencils: StencilSet;
    /** Upper bounds of distances over four edges, see kernels/scalar/straightLimits.ts; not tied to a stiffness. */
    readonly longLimits: StickSet;
    /** The same over sixteen edges. */
    readonly farLimits: StickSet;
    /** Diagonal of the bounding box at rest [m]. */
    readonly size: number;
}

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
 * @param recallPositions gives the positions again; left out: they are kept
 */
export function buildTopology(
    positions: Float32Array,
    triangles: Uint32Array,
    recallPositions = (): Float32Array => positions,
): ClothTopology {
    return withRest(positions, triangles, (rest) => {
        const { areas, structural, shear } = rest.findSticks();
        const edgeCount = structural.particlesA.length;
        return {
            particleCount: areas.length,
            positions,
            recallPositions,
            triangles,
            areas,
            structural,
            shear,
            stencils: rest.findStencils(areas, 1),
            longLimits: rest.findLimits(4, 1, edgeCount),
            farLimits: rest.findLimits(16, 2, edgeCount / 2),
            size: diagonal(positions),
        };
    });
}

function diagonal(x: Float32Array): number {
    let squared = 0;
    for (let axis = 0; axis < 3; axis++) {
        let low = Infinity;
        let high = -Infinity;
        for (let i = axis; i < x.length; i += 3) {
            low = Math.min(low, x[i]);
            high = Math.max(high, x[i]);
        }
        if (high > low) squared += (high - low) ** 2;
    }
    return Math.sqrt(squared);
}
