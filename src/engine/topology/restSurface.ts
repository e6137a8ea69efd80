import { BendStencilLayout, EdgeDistanceLayout, RestSurfaceLayout, StraightLimitLayout } from "../../kernels/restLayout";
import type { RestSurfaceArrays } from "../../kernels/restLayout";
import type { Kernels } from "../../kernels/kernelTable";
import { openScratch, withScratch } from "../memory/withScratch";
import type { Slices } from "../time/slices";
import type { StencilSet, DistanceConstraintSet } from "./stencilSet";

/** Particles whose lines are found in one slice of a build. */
const SLICE_PARTICLES = 8192;

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
     * @param lines `stride`: marches begin at every so manyth particle: 1, or an even number; `isBias`: they go across the edges' right angles
     * @param capacity how many there may be: more are looked for twice
     */
    *findLimits({ span, stride: every, isBias }: LimitLines, capacity: number): Slices<DistanceConstraintSet> {
        const { particleCount } = this._rest;
        const { struct: limits, release } = openScratch(StraightLimitLayout, { rest: this._rest, span, every, isBias, capacity });
        try {
            for (let from = 0; from < particleCount; from += SLICE_PARTICLES) {
                if (from > 0) yield;
                limits.range[0] = from;
                limits.range[1] = Math.min(particleCount, from + SLICE_PARTICLES);
                this._kernels.findStraightLimits(limits);
            }
            const [found] = limits.found;
            if (found <= capacity)
                return {
                    stiffness: isBias ? "shearStiffness" : "stretchStiffness",
                    particlesA: limits.particlesA.slice(0, found),
                    particlesB: limits.particlesB.slice(0, found),
                    restLengths: limits.restLengths.slice(0, found),
                    stiffnessFactors: new Float32Array(found).fill(1),
                };
            capacity = found;
        } finally {
            release();
        }
        return yield* this.findLimits({ span, stride: every, isBias }, capacity);
    }

    /**
     * Bending stencils, see kernels/assembly/bendStencils.ts.
     * @param areas of the particles [m²]
     * @param span length of the arms in edges
     * @param minChords how long the chord of each line's stencil must be [m], 0 where none is wanted; null: as it is
     * @param capacity how many there may be: more are looked for twice
     */
    *findStencils(
        areas: Float32Array,
        span: number,
        minChords: Float32Array | null = null,
        capacity = 3 * areas.length,
    ): Slices<StencilSet> {
        const { particleCount, fanSize } = this._rest;
        const numbers = { rest: this._rest, particleCount, fanSize, span, capacity, isChosen: minChords !== null };
        const { struct: lines, release } = openScratch(BendStencilLayout, numbers);
        try {
            if (minChords) lines.minChords.set(minChords);
            lines.shares.set(areas);
            for (let from = 0; from < particleCount; from += SLICE_PARTICLES) {
                if (from > 0) yield;
                lines.range[0] = from;
                lines.range[1] = Math.min(particleCount, from + SLICE_PARTICLES);
                this._kernels.findBendStencils(lines);
            }
            const [found] = lines.found;
            if (found <= capacity)
                return {
                    particles: lines.particles.slice(0, 4 * found),
                    weights: lines.weights.slice(0, 3 * found),
                    areas: lines.areas.slice(0, found),
                    curvatures: lines.curvatures.slice(0, found),
                    lines: lines.lines.slice(0, found),
                };
            capacity = found;
        } finally {
            release();
        }
        return yield* this.findStencils(areas, span, minChords, capacity);
    }
}

/** A surveyed surface, until it is released. */
export interface OpenRestSurface {
    readonly rest: RestSurface;
    release(): void;
}

/**
 * Surveys a surface at rest.
 * @param positions rest positions [m], shape [particleCount, 3]
 * @param triangles particles of each triangle, shape [triangleCount, 3]
 */
export function* openRestSurface(positions: Float32Array, triangles: Uint32Array): Slices<OpenRestSurface> {
    const numbers = {
        particleCount: positions.length / 3,
        cornerCount: triangles.length,
        fanSize: triangles.length + positions.length / 3,
    };
    const { struct: rest, kernels, release } = openScratch(RestSurfaceLayout, numbers);
    let isBuilt = false;
    try {
        rest.positions.set(positions);
        rest.triangles.set(triangles);
        kernels.buildRestSurface(rest);
        yield;
        isBuilt = true;
        return { rest: new RestSurface(rest, kernels), release };
    } finally {
        if (!isBuilt) release();
    }
}

/** Surveys a surface at rest for as long as work on it runs, and gives what that returns; see {@link openRestSurface}. */
export function* withRestSurface<Result>(
    positions: Float32Array,
    triangles: Uint32Array,
    find: (rest: RestSurface) => Slices<Result>,
): Slices<Result> {
    const { rest, release } = yield* openRestSurface(positions, triangles);
    try {
        return yield* find(rest);
    } finally {
        release();
    }
}
