import { CylinderData, HullData } from "../../../kernels/contactLayout";

/** Distance from a solid's surface, below 0 inside, and the unit gradient x y z, at the point that was last measured. */
export const surface = new Float64Array(4);

/** Writes {@link surface} at a point of the solid's frame. The distance is nowhere more than the true one. */
export type DistanceFunction = (solid: Float32Array, x: number, y: number, z: number) => void;

/** A rectangle in the half plane of the distance r from the axis and the height y; inside, out by the mantle before the lids. */
export function measureCylinder(solid: Float32Array, x: number, y: number, z: number): void {
    const r = Math.sqrt(x * x + z * z);
    const er = r - solid[CylinderData.radius];
    const ey = Math.abs(y) - solid[CylinderData.halfHeight];
    let gr = Math.max(0, er);
    let gy = Math.max(0, ey);
    let length = Math.sqrt(gr * gr + gy * gy);
    surface[0] = length;
    if (!(Math.max(er, ey) > 0)) {
        gr = er >= ey ? 1 : 0;
        gy = 1 - gr;
        length = 1;
        surface[0] = Math.max(er, ey);
    }
    gr /= length;
    surface[1] = r > 0 ? (gr * x) / r : gr;
    surface[2] = (y < 0 ? -gy : gy) / length;
    surface[3] = r > 0 ? (gr * z) / r : 0;
}

/** The plane that the point is highest above; beside edges and corners that is less than the distance. */
export function measureHull(solid: Float32Array, x: number, y: number, z: number): void {
    surface[0] = -Infinity;
    const end = HullData.planes + 4 * solid[HullData.planeCount];
    for (let o = HullData.planes; o < end; o += 4) {
        const height = x * solid[o] + y * solid[o + 1] + z * solid[o + 2] - solid[o + 3];
        if (!(height > surface[0])) continue;
        surface[0] = height;
        surface[1] = solid[o];
        surface[2] = solid[o + 1];
        surface[3] = solid[o + 2];
    }
}
