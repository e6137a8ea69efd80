import { Frame, ROW, rowOf } from "../../src/kernels/layout";
import type { ParticleArrays, SurfaceArrays } from "../../src/kernels/layout";

/** See Kernels.transformPoints: local = lerp(stepStart, position, alpha) · toLocal. */
export function transformPoints(particles: ParticleArrays, surface: SurfaceArrays): void {
    const { positions: x, stepStart } = particles;
    const { particleOfPoint, points, frame, pointCount } = surface;
    const alpha = frame[Frame.alpha];
    const m0 = frame[0],
        m1 = frame[1],
        m2 = frame[2];
    const m4 = frame[4],
        m5 = frame[5],
        m6 = frame[6];
    const m8 = frame[8],
        m9 = frame[9],
        m10 = frame[10];
    const m12 = frame[12],
        m13 = frame[13],
        m14 = frame[14];
    let minX = Infinity,
        minY = Infinity,
        minZ = Infinity;
    let maxX = -Infinity,
        maxY = -Infinity,
        maxZ = -Infinity;
    for (let i = 0; i < pointCount; i++) {
        const o = rowOf(particleOfPoint[i]);
        const wx = stepStart[o] + (x[o] - stepStart[o]) * alpha;
        const wy = stepStart[o + 1] + (x[o + 1] - stepStart[o + 1]) * alpha;
        const wz = stepStart[o + 2] + (x[o + 2] - stepStart[o + 2]) * alpha;
        const lx = wx * m0 + wy * m4 + wz * m8 + m12;
        const ly = wx * m1 + wy * m5 + wz * m9 + m13;
        const lz = wx * m2 + wy * m6 + wz * m10 + m14;
        const q = rowOf(i);
        points[q] = lx;
        points[q + 1] = ly;
        points[q + 2] = lz;
        if (lx < minX) minX = lx;
        if (lx > maxX) maxX = lx;
        if (ly < minY) minY = ly;
        if (ly > maxY) maxY = ly;
        if (lz < minZ) minZ = lz;
        if (lz > maxZ) maxZ = lz;
    }
    frame[Frame.minimum] = minX;
    frame[Frame.minimum + 1] = minY;
    frame[Frame.minimum + 2] = minZ;
    frame[Frame.maximum] = maxX;
    frame[Frame.maximum + 1] = maxY;
    frame[Frame.maximum + 2] = maxZ;
}

/**
 * Point normals: the sum of the triangles' cross products (each as long as twice the area), made unit. A point without
 * any area keeps a zero normal. Triangles of a mirrored mesh are wound the other way round.
 */
export function computeNormals(surface: SurfaceArrays): void {
    const { points, pointNormals: n, surfaceTriangles, surfaceTriangleCount, pointCount } = surface;
    const side = surface.isMirrored ? -1 : 1;
    n.fill(0);
    for (let t = 0, end = surfaceTriangleCount * 3; t < end; t += 3) {
        const a = rowOf(surfaceTriangles[t]);
        const b = rowOf(surfaceTriangles[t + 1]);
        const c = rowOf(surfaceTriangles[t + 2]);
        const ax = points[a];
        const ay = points[a + 1];
        const az = points[a + 2];
        const e1x = points[b] - ax;
        const e1y = points[b + 1] - ay;
        const e1z = points[b + 2] - az;
        const e2x = points[c] - ax;
        const e2y = points[c + 1] - ay;
        const e2z = points[c + 2] - az;
        const nx = e1y * e2z - e1z * e2y;
        const ny = e1z * e2x - e1x * e2z;
        const nz = e1x * e2y - e1y * e2x;
        n[a] += nx;
        n[a + 1] += ny;
        n[a + 2] += nz;
        n[b] += nx;
        n[b + 1] += ny;
        n[b + 2] += nz;
        n[c] += nx;
        n[c + 1] += ny;
        n[c + 2] += nz;
    }
    for (let o = 0, end = rowOf(pointCount); o < end; o += ROW) {
        const length = Math.sqrt(n[o] * n[o] + n[o + 1] * n[o + 1] + n[o + 2] * n[o + 2]);
        if (length > 0) {
            n[o] /= side * length;
            n[o + 1] /= side * length;
            n[o + 2] /= side * length;
        }
    }
}

/** See Kernels.writeVertices. */
export function writeVertices(surface: SurfaceArrays): void {
    const { pointOfVertex, points, pointNormals, vertexPositions, vertexNormals, vertexCount, hasNormals } = surface;
    for (let v = 0, q = 0; v < vertexCount; v++, q += 3) {
        const o = rowOf(pointOfVertex[v]);
        vertexPositions[q] = points[o];
        vertexPositions[q + 1] = points[o + 1];
        vertexPositions[q + 2] = points[o + 2];
        if (hasNormals) {
            vertexNormals[q] = pointNormals[o];
            vertexNormals[q + 1] = pointNormals[o + 1];
            vertexNormals[q + 2] = pointNormals[o + 2];
        }
    }
}

/**
 * Tangents: each vertex remembers its authored tangent as (b-a) u + (c-a) v in one of its triangles; the same combination
 * of the deformed edges, made orthogonal to the vertex normal (Gram–Schmidt) and unit, is the tangent now.
 */
export function writeTangents(surface: SurfaceArrays): void {
    const { points, pointNormals, pointOfVertex, surfaceTriangles, tangentTriangles, tangentWeights, vertexTangents } = surface;
    for (let v = 0; v < surface.vertexCount; v++) {
        const t = tangentTriangles[v] * 3;
        const a = rowOf(surfaceTriangles[t]);
        const b = rowOf(surfaceTriangles[t + 1]);
        const c = rowOf(surfaceTriangles[t + 2]);
        const n = rowOf(pointOfVertex[v]);
        const u1 = tangentWeights[2 * v];
        const u2 = tangentWeights[2 * v + 1];
        let tx = (points[b] - points[a]) * u1 + (points[c] - points[a]) * u2;
        let ty = (points[b + 1] - points[a + 1]) * u1 + (points[c + 1] - points[a + 1]) * u2;
        let tz = (points[b + 2] - points[a + 2]) * u1 + (points[c + 2] - points[a + 2]) * u2;
        const along = tx * pointNormals[n] + ty * pointNormals[n + 1] + tz * pointNormals[n + 2];
        tx -= along * pointNormals[n];
        ty -= along * pointNormals[n + 1];
        tz -= along * pointNormals[n + 2];
        const length = Math.sqrt(tx * tx + ty * ty + tz * tz);
        if (length > 0) {
            vertexTangents[4 * v] = tx / length;
            vertexTangents[4 * v + 1] = ty / length;
            vertexTangents[4 * v + 2] = tz / length;
        }
    }
}
