import { BlockLayout } from "../../kernels/arena";
import { Frame } from "../../kernels/layout";
import type { SurfaceArrays } from "../../kernels/layout";

/** Numbers of the rows in a {@link Surface}. */
export interface SurfaceSize {
    readonly pointCount: number;
    readonly surfaceTriangleCount: number;
    readonly vertexCount: number;
    readonly hasNormals: boolean;
    readonly hasTangents: boolean;
}

/** The rendered surface's arrays, as consecutive views of one block. */
export class Surface implements SurfaceArrays {
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

    constructor(size: SurfaceSize) {
        this.pointCount = size.pointCount;
        this.surfaceTriangleCount = size.surfaceTriangleCount;
        this.vertexCount = size.vertexCount;
        this.hasNormals = size.hasNormals;
        this.hasTangents = size.hasTangents;
    }

    /** Bytes of the block that {@link cut} needs. */
    get byteLength(): number {
        const layout = new BlockLayout();
        this.cut(layout);
        return layout.byteLength;
    }

    /** Takes the views, always in the same order. */
    cut(layout: BlockLayout): void {
        const vertexNormals = this.hasNormals ? this.vertexCount : 0;
        const vertexTangents = this.hasTangents ? this.vertexCount : 0;
        this.particleOfPoint = layout.uint32(this.pointCount);
        this.surfaceTriangles = layout.uint32(this.surfaceTriangleCount * 3);
        this.pointOfVertex = layout.uint32(this.vertexCount);
        this.points = layout.float32(this.pointCount * 4);
        this.pointNormals = layout.float32(this.pointCount * 4);
        this.tangentWeights = layout.float32(vertexTangents * 2);
        this.tangentTriangles = layout.uint32(vertexTangents);
        this.vertexPositions = layout.float32(this.vertexCount * 3);
        this.vertexNormals = layout.float32(vertexNormals * 3);
        this.vertexTangents = layout.float32(vertexTangents * 4);
        this.frame = layout.float32(Frame.count);
    }
}
