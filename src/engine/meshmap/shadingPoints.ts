import { NONE } from "../../kernels/layout";
import { ShadingPointLayout } from "../../kernels/surfaceLayout";
import { withScratch } from "../memory/withScratch";
import type { SurfaceTriangles } from "./weldedTriangles";
import type { MeshData } from "./meshData";

/** The points of a surface; see SurfaceArrays for the fields. */
export interface ShadingPoints {
    readonly pointCount: number;
    readonly particleOfPoint: Uint32Array;
    readonly pointOfVertex: Uint32Array;
    /** Points of each face, shape [faceCount, 3]. */
    readonly surfaceTriangles: Uint32Array;
}

/**
 * Splits the particles into points along the hard edges of the authored normals. Vertices of one particle share a point, and so a smooth
 * normal, when the cosine between their authored normals is above 0.999 (2.6°: more than the rounding of byte normals, less than an edge
 * that one can see).
 */
export function findShadingPoints({ vertexCount, bindNormals: normals }: MeshData, faces: SurfaceTriangles): ShadingPoints {
    const { corners, particleCount, particleOfVertex } = faces;
    const numbers = { vertexCount, particleCount, cornerCount: corners.length, hasNormals: normals !== null };
    return withScratch(ShadingPointLayout, numbers, (arrays, kernels) => {
        if (normals) arrays.normals.set(normals);
        arrays.corners.set(corners);
        arrays.particleOfVertex.set(particleOfVertex);
        arrays.firstPoint.fill(NONE);
        kernels.findShadingPoints(arrays);
        const [pointCount] = arrays.pointCount;
        return {
            pointCount,
            particleOfPoint: arrays.particleOfPoint.slice(0, pointCount),
            pointOfVertex: arrays.pointOfVertex.slice(),
            surfaceTriangles: arrays.surfaceTriangles.slice(),
        };
    });
}

/**
 * Writes each vertex's authored tangent as (b-a) u + (c-a) v in the largest of the faces around it, least squares.
 * @param weights shape [vertexCount, 2], out
 * @param triangles shape [vertexCount], out
 */
export function findTangents(
    data: MeshData,
    faces: SurfaceTriangles,
    points: ShadingPoints,
    weights: Float32Array,
    triangles: Uint32Array,
): void {
    const { vertexCount, bindPositions: x, bindTangents: tangents } = data;
    const { corners, faceCount } = faces;
    const { pointCount, pointOfVertex } = points;
    const largest = new Float64Array(vertexCount).fill(-1);
    const faceOfVertex = new Int32Array(vertexCount).fill(-1);
    const faceOfPoint = new Int32Array(pointCount).fill(-1);
    for (let f = 0; f < faceCount; f++) {
        const [uu, uv, vv] = gram(x, corners, f);
        const area = uu * vv - uv * uv;
        for (let k = 3 * f; k < 3 * f + 3; k++) {
            const v = corners[k];
            if (area > largest[v]) {
                largest[v] = area;
                faceOfVertex[v] = f;
            }
            faceOfPoint[pointOfVertex[v]] = f;
        }
    }
    for (let v = 0; v < vertexCount; v++) {
        const f = faceOfVertex[v] >= 0 ? faceOfVertex[v] : faceOfPoint[pointOfVertex[v]];
        triangles[v] = f;
        const [uu, uv, vv] = gram(x, corners, f);
        const determinant = uu * vv - uv * uv;
        if (determinant > 0) {
            const a = corners[3 * f] * 3,
                b = corners[3 * f + 1] * 3,
                c = corners[3 * f + 2] * 3;
            let tu = 0,
                tv = 0;
            for (let k = 0; k < 3; k++) {
                tu += tangents![4 * v + k] * (x[b + k] - x[a + k]);
                tv += tangents![4 * v + k] * (x[c + k] - x[a + k]);
            }
            weights[2 * v] = (tu * vv - tv * uv) / determinant;
            weights[2 * v + 1] = (tv * uu - tu * uv) / determinant;
        }
    }
}

/** Products of the edges u = b-a and v = c-a of a face: u·u, u·v, v·v. */
function gram(x: Float32Array, corners: Uint32Array, f: number): [number, number, number] {
    const a = corners[3 * f] * 3,
        b = corners[3 * f + 1] * 3,
        c = corners[3 * f + 2] * 3;
    let uu = 0,
        uv = 0,
        vv = 0;
    for (let k = 0; k < 3; k++) {
        const u = x[b + k] - x[a + k];
        const v = x[c + k] - x[a + k];
        uu += u * u;
        uv += u * v;
        vv += v * v;
    }
    return [uu, uv, vv];
}
