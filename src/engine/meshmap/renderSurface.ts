/** Drawn surface of particles: vertex buffers as Babylon uploads them. */
export interface RenderSurface {
    readonly vertexCount: number;
    readonly hasNormals: boolean;
    readonly hasTangents: boolean;
    /** Shapes [vertexCount, 3], [vertexCount, 3] or empty, [vertexCount, 4] or empty. */
    readonly vertexPositions: Float32Array;
    readonly vertexNormals: Float32Array;
    readonly vertexTangents: Float32Array;
    /** Box of the positions, smallest x y z 0, largest x y z 0. */
    readonly bounds: Float32Array;
}
