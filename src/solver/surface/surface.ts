import type { Arena } from "../../kernels/arena";
import { SurfaceLayout } from "../../kernels/layout";
import type { SurfaceArrays } from "../../kernels/layout";
import { ArenaStruct } from "../arenaArrays";

/** Numbers of the rows in a {@link Surface}. */
export interface SurfaceSize {
    readonly pointCount: number;
    readonly surfaceTriangleCount: number;
    readonly vertexCount: number;
    readonly hasNormals: boolean;
    readonly hasTangents: boolean;
}

/** The rendered surface's arrays in one block. */
export class Surface extends ArenaStruct implements SurfaceArrays {
    readonly pointCount: number;
    readonly surfaceTriangleCount: number;
    readonly vertexCount: number;
    readonly hasNormals: boolean;
    readonly hasTangents: boolean;
    particleOfPoint!: Uint32Array;
    surfaceTriangles!: Uint32Array;
    pointOfVertex!: Uint32Array;
    points!: Float32Array;
    pointNormals!: Float32Array;
    tangentWeights!: Float32Array;
    tangentTriangles!: Uint32Array;
    vertexPositions!: Float32Array;
    vertexNormals!: Float32Array;
    vertexTangents!: Float32Array;
    frame!: Float32Array;

    /** @throws RangeError when there is no memory left */
    constructor(arena: Arena, size: SurfaceSize) {
        super(SurfaceLayout);
        this.pointCount = size.pointCount;
        this.surfaceTriangleCount = size.surfaceTriangleCount;
        this.vertexCount = size.vertexCount;
        this.hasNormals = size.hasNormals;
        this.hasTangents = size.hasTangents;
        this._allocate(arena);
    }
}
