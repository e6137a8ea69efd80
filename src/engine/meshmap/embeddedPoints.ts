import { Frame, rowOf } from "../../kernels/layout";
import type { SurfaceArrays } from "../../kernels/layout";
import { determinant } from "../math/affine";
import { minHeight } from "./clusters";
import type { Clusters } from "./clusters";

/**
 * Lets every point that lies beside its cluster's particle ride on the widest triangle around that particle.
 * @param triangles clusters of each simulated triangle, shape [triangleCount, 3]
 * @param placeOfPoint place of each point, shape [pointCount]
 * @param places rest positions of the places in the world's axes and size [m], shape [placeCount, 3]
 */
export function embedPoints(
    { clusterCount, clusterOfPlace, placeOfCluster }: Clusters,
    triangles: Uint32Array,
    placeOfPoint: Uint32Array,
    places: Float32Array,
): EmbeddedPoints {
    const triangleOfCluster = widestTriangles(clusterCount, triangles, placeOfCluster, places);
    // A point that lies at the particle of each cluster.
    const pointOfCluster = new Uint32Array(clusterCount);
    const riding: number[] = [];
    placeOfPoint.forEach((place, point) => {
        const cluster = clusterOfPlace[place];
        if (placeOfCluster[cluster] === place) pointOfCluster[cluster] = point;
        else riding.push(point);
    });
    const carriers = riding.flatMap((point) => {
        const t = 3 * triangleOfCluster[clusterOfPlace[placeOfPoint[point]]];
        return [triangles[t], triangles[t + 1], triangles[t + 2]].map((cluster) => pointOfCluster[cluster]);
    });
    const rest = new Float32Array(placeOfPoint.length * 3);
    placeOfPoint.forEach((place, point) => rest.set(places.subarray(3 * place, 3 * place + 3), 3 * point));
    return new EmbeddedPoints(Uint32Array.from(riding), Uint32Array.from(carriers), rest);
}

/**
 * The triangle of the largest least height around each cluster, shape [clusterCount]: on a long thin one, even of more area, a
 * rider beside it would swing by many times what the triangle's corners move.
 */
function widestTriangles(clusterCount: number, triangles: Uint32Array, placeOfCluster: Uint32Array, x: Float32Array): Uint32Array {
    const found = new Uint32Array(clusterCount);
    const widest = new Float64Array(clusterCount).fill(-1);
    for (let i = 0; i < triangles.length; i += 3) {
        const height = minHeight(
            x,
            placeOfCluster[triangles[i]],
            placeOfCluster[triangles[i + 1]],
            placeOfCluster[triangles[i + 2]],
        );
        for (let k = i; k < i + 3; k++) {
            if (height <= widest[triangles[k]]) continue;
            widest[triangles[k]] = height;
            found[triangles[k]] = i / 3;
        }
    }
    return found;
}

/**
 * Points that ride on a triangle of other points, as the places of a cluster do that its particle does not lie at:
 *
 *     point = a + u (b - a) + v (c - a) + h n,   n = (b - a)×(c - a) / |(b - a)×(c - a)|
 *
 * n and h are those of the world: in the space of a mesh scaled by different factors, a height would change as cloth turns.
 */
export class EmbeddedPoints {
    private readonly _weights: Float64Array;

    /**
     * @param _points which points ride, shape [count]
     * @param _hostTriangles the points a b c of each, shape [count, 3]; none of them rides
     * @param rest rest positions of all points in the world's axes and size [m], shape [pointCount, 3]
     */
    constructor(
        private readonly _points: Uint32Array,
        private readonly _hostTriangles: Uint32Array,
        rest: Float32Array,
    ) {
        this._weights = new Float64Array(_points.length * 3);
        for (let i = 0; i < _points.length; i++) {
            const [a, b, c] = [0, 1, 2].map((k) => 3 * _hostTriangles[3 * i + k]);
            const p = 3 * _points[i];
            const ux = rest[b] - rest[a],
                uy = rest[b + 1] - rest[a + 1],
                uz = rest[b + 2] - rest[a + 2];
            const vx = rest[c] - rest[a],
                vy = rest[c + 1] - rest[a + 1],
                vz = rest[c + 2] - rest[a + 2];
            const dx = rest[p] - rest[a],
                dy = rest[p + 1] - rest[a + 1],
                dz = rest[p + 2] - rest[a + 2];
            const nx = uy * vz - uz * vy,
                ny = uz * vx - ux * vz,
                nz = ux * vy - uy * vx;
            const uu = ux * ux + uy * uy + uz * uz,
                uv = ux * vx + uy * vy + uz * vz,
                vv = vx * vx + vy * vy + vz * vz;
            const du = dx * ux + dy * uy + dz * uz,
                dv = dx * vx + dy * vy + dz * vz;
            const squared = uu * vv - uv * uv;
            this._weights[3 * i] = (du * vv - dv * uv) / squared;
            this._weights[3 * i + 1] = (dv * uu - du * uv) / squared;
            this._weights[3 * i + 2] = (dx * nx + dy * ny + dz * nz) / Math.sqrt(squared);
        }
    }

    /** Places the points, and widens the bounds by them. Call once a frame after transformPoints. */
    update({ points: x, frame }: SurfaceArrays): void {
        const { _points: points, _hostTriangles: carriers, _weights: weights } = this;
        // Takes a cross product of local space to the world's normal, seen from local space.
        const xx = product(frame, 0, 0),
            yy = product(frame, 1, 1),
            zz = product(frame, 2, 2);
        const xy = product(frame, 0, 1),
            yz = product(frame, 1, 2),
            zx = product(frame, 2, 0);
        const side = Math.sign(determinant(frame));
        for (let i = 0, q = 0; i < points.length; i++, q += 3) {
            const a = rowOf(carriers[q]);
            const b = rowOf(carriers[q + 1]);
            const c = rowOf(carriers[q + 2]);
            const ux = x[b] - x[a],
                uy = x[b + 1] - x[a + 1],
                uz = x[b + 2] - x[a + 2];
            const vx = x[c] - x[a],
                vy = x[c + 1] - x[a + 1],
                vz = x[c + 2] - x[a + 2];
            const cx = uy * vz - uz * vy,
                cy = uz * vx - ux * vz,
                cz = ux * vy - uy * vx;
            const nx = cx * xx + cy * xy + cz * zx,
                ny = cx * xy + cy * yy + cz * yz,
                nz = cx * zx + cy * yz + cz * zz;
            const length = Math.sqrt(cx * nx + cy * ny + cz * nz);
            const u = weights[q];
            const v = weights[q + 1];
            const h = length > 0 ? (side * weights[q + 2]) / length : 0;
            const o = rowOf(points[i]);
            x[o] = x[a] + ux * u + vx * v + nx * h;
            x[o + 1] = x[a + 1] + uy * u + vy * v + ny * h;
            x[o + 2] = x[a + 2] + uz * u + vz * v + nz * h;
            for (let k = 0; k < 3; k++) {
                if (x[o + k] < frame[Frame.minimum + k]) frame[Frame.minimum + k] = x[o + k];
                if (x[o + k] > frame[Frame.maximum + k]) frame[Frame.maximum + k] = x[o + k];
            }
        }
    }
}

/** Product of the axes of the world's map to local space along two local coordinates. */
function product(m: Float32Array, j: number, k: number): number {
    return m[j] * m[k] + m[4 + j] * m[4 + k] + m[8 + j] * m[8 + k];
}
