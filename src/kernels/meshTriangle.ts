import { MeshTriangle } from "./meshLayout";

/** Squares below this are none [m², m⁴]. */
const NO_AREA = 1e-30;

/** Writes the triangle of the corners x, x y z each, to the slots from o, see MeshTriangle. One without an area has no normal, and nothing is over it. */
export function writeTriangle(x: ArrayLike<number>, t: Float32Array, o: number): void {
    const ux = x[3] - x[0], uy = x[4] - x[1], uz = x[5] - x[2]; // prettier-ignore
    const vx = x[6] - x[0], vy = x[7] - x[1], vz = x[8] - x[2]; // prettier-ignore
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const squared = nx * nx + ny * ny + nz * nz;
    const hasArea = squared > NO_AREA;
    // Shares that are no numbers are in no triangle.
    const inverse = hasArea ? 1 / squared : NaN;
    const unit = hasArea ? 1 / Math.sqrt(squared) : 0;
    put(t, o + MeshTriangle.corner, x[0], x[1], x[2], 1 / Math.max(NO_AREA, ux * ux + uy * uy + uz * uz));
    put(t, o + MeshTriangle.ab, ux, uy, uz, 1 / Math.max(NO_AREA, vx * vx + vy * vy + vz * vz));
    put(t, o + MeshTriangle.ac, vx, vy, vz, 1 / Math.max(NO_AREA, (vx - ux) ** 2 + (vy - uy) ** 2 + (vz - uz) ** 2));
    put(t, o + MeshTriangle.normal, nx * unit, ny * unit, nz * unit, (nx * x[0] + ny * x[1] + nz * x[2]) * unit);
    // v × n and n × u over n².
    put(t, o + MeshTriangle.dualB, (vy * nz - vz * ny) * inverse, (vz * nx - vx * nz) * inverse, (vx * ny - vy * nx) * inverse, 0);
    put(t, o + MeshTriangle.dualC, (ny * uz - nz * uy) * inverse, (nz * ux - nx * uz) * inverse, (nx * uy - ny * ux) * inverse, 0);
}

function put(t: Float32Array, o: number, x: number, y: number, z: number, w: number): void {
    t[o] = x;
    t[o + 1] = y;
    t[o + 2] = z;
    t[o + 3] = w;
}
