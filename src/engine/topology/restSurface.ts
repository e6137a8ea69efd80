import { BendStencilLayout, EdgeDistanceLayout, RestSurfaceLayout, StraightLimitLayout } from "../../kernels/restLayout";
import type { RestSurfaceArrays } from "../../kernels/restLayout";
import type { Kernels } from "../../kernels/kernelTable";
import { withScratch } from "../memory/withScratch";
import type { StencilSet, DistanceConstraintSet } from "./stencilSet";

/** Lines along which limits run. */
export interface LimitLines {
    /** Their length in edges, or in diagonals. */
    readonly span: number;
    /** They begin at every so manyth particle: 1, or an even number. */
    readonly stride: number;
    /** True if they go across the edges' right angles. */
    readonly isBias: boolean;
}

/** The sticks of a surface, and its measures. */
export interface RestConstraints {
    readonly structural: DistanceConstraintSet;
    readonly shear: DistanceConstraintSet;
    /** Each particle's share of area [m²]: a third of its triangles', shape [particleCount]. */
    readonly areas: Float32Array;
    /** Their sum [m²]. */
    readonly area: number;
    /** Share of the area that is rectangles, which have shear sticks. */
    readonly rectangleShare: number;
    /** Mean length of structural sticks [m]; 1 where there are none. */
    readonly meanLength: number;
}

/** Lists derived from the triangles of a surface at rest, one after the other; lives within {@link withRestSurface}. */
export class RestSurface {
    constructor(
        private readonly _rest: RestSurfaceArrays,
        private readonly _kernels: Kernels,
    ) {}

    /** Diagonal of its bounding box [m]. */
    get size(): number {
        return this._rest.size[0];
    }

    /** Its sticks, and its particles' shares of area [m²], see topology.ts. Comes before limits. */
    findDistanceConstraints(): RestConstraints {
        const { particleCount, cornerCount } = this._rest;
        const numbers = { rest: this._rest, particleCount, cornerCount, triangleCount: cornerCount / 3 };
        return withScratch(EdgeDistanceLayout, numbers, (s) => {
            this._kernels.findDistanceConstraints(s);
            const [structural, shear] = s.counts;
            const [area, rectangles, lengths] = s.sums;
            return {
                areas: s.areas.slice(),
                area,
                rectangleShare: rectangles / area,
                meanLength: structural > 0 ? lengths / structural : 1,
                structural: {
                    stiffness: "stretchStiffness",
                    particlesA: s.structuralA.slice(0, structural),
                    particlesB: s.structuralB.slice(0, structural),
                    restLengths: s.structuralLengths.slice(0, structural),
                    stiffnessFactors: s.structuralFactors.slice(0, structural),
                },
                shear: {
                    stiffness: "shearStiffness",
                    particlesA: s.shearA.slice(0, shear),
                    particlesB: s.shearB.slice(0, shear),
                    restLengths: s.shearLengths.slice(0, shear),
                    stiffnessFactors: s.shearFactors.slice(0, shear),
                },
            };
        });
    }

    /**
     * Upper bounds of distances along straight lines of so many edges, see kernels/assembly/unilateralLimitLines.ts.
     * @param every marches begin at every so manyth particle: 1, or an even number
     * @param isBias whether they go across the edges' right angles
     * @param capacity how many there may be: more are looked for twice
     */
    findLimits({ span, stride: every, isBias }: LimitLines, capacity: number): DistanceConstraintSet {
        return withScratch(StraightLimitLayout, { rest: this._rest, span, every, isBias, capacity }, (limits) => {
            this._kernels.findStraightLimits(limits);
            const [found] = limits.found;
            if (found > capacity) return this.findLimits({ span, stride: every, isBias }, found);
            return {
                stiffness: isBias ? "shearStiffness" : "stretchStiffness",
                particlesA: limits.particlesA.slice(0, found),
                particlesB: limits.particlesB.slice(0, found),
                restLengths: limits.restLengths.slice(0, found),
                stiffnessFactors: new Float32Array(found).fill(1),
            };
        });
    }

    /**
     * Bending stencils, see kernels/assembly/bendStencils.ts.
     * @param areas of the particles [m²]
     * @param span length of the arms in edges
     * @param minChords how long the chord of each line's stencil must be [m], 0 where none is wanted; null: as it is
     * @param capacity how many there may be: more are looked for twice
     */
    findStencils(
        areas: Float32Array,
        span: number,
        minChords: Float32Array | null = null,
        capacity = 3 * areas.length,
    ): StencilSet {
        const { particleCount, fanSize } = this._rest;
        const numbers = { rest: this._rest, particleCount, fanSize, span, capacity, isChosen: minChords !== null };
        return withScratch(BendStencilLayout, numbers, (lines) => {
            if (minChords) lines.minChords.set(minChords);
            lines.shares.set(areas);
            this._kernels.findBendStencils(lines);
            const [found] = lines.found;
            if (found > capacity) return this.findStencils(areas, span, minChords, found);
            return {
                particles: lines.particles.slice(0, 4 * found),
                weights: lines.weights.slice(0, 3 * found),
                areas: lines.areas.slice(0, found),
                curvatures: lines.curvatures.slice(0, found),
                lines: lines.lines.slice(0, found),
            };
        });
    }
}

/**
 * Surveys a surface at rest for as long as a function runs, and gives what that returns.
 * @param positions rest positions [m], shape [particleCount, 3]
 * @param triangles particles of each triangle, shape [triangleCount, 3]
 */
export function withRestSurface<Result>(
    positions: Float32Array,
    triangles: Uint32Array,
    find: (rest: RestSurface) => Result,
): Result {
    const numbers = {
        particleCount: positions.length / 3,
        cornerCount: triangles.length,
        fanSize: triangles.length + positions.length / 3,
    };
    return withScratch(RestSurfaceLayout, numbers, (rest, kernels) => {
        rest.positions.set(positions);
        rest.triangles.set(triangles);
        kernels.buildRestSurface(rest);
        return find(new RestSurface(rest, kernels));
    });
}
