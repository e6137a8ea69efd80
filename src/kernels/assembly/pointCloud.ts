/** Points of a list, shape [n, 3]. */
import { PointCloudArrays } from "./layout.generated";
import { double, putDouble, putReal, real } from "./memory";

export function mapPointCloud(cloud: PointCloudArrays): void {
    const x = cloud.points;
    const end: u32 = 3 * cloud.pointCount;
    for (let c: u32 = 0; c < 3; c++) {
        const mx = double(cloud.map, c);
        const my = double(cloud.map, 4 + c);
        const mz = double(cloud.map, 8 + c);
        const mw = double(cloud.map, 12 + c);
        let low = Infinity;
        let high = -Infinity;
        for (let i: u32 = 0; i < end; i += 3) {
            low = min<f64>(low, real(x, i + c));
            high = max<f64>(high, real(x, i + c));
            putReal(cloud.mapped, i + c, real(x, i) * mx + real(x, i + 1) * my + real(x, i + 2) * mz + mw);
        }
        putDouble(cloud.box, c, low);
        putDouble(cloud.box, 3 + c, high);
    }
}

/** Distance of two points of a list, shape [n, 3] [m]. */
export function distance(x: usize, a: u32, b: u32): f64 {
    return sqrt<f64>(dotAt(x, a, b, b));
}

/** (a-p)·(b-p) of three points of a list, shape [n, 3]. */
export function dotAt(x: usize, p: u32, a: u32, b: u32): f64 {
    const px = real(x, 3 * p);
    const py = real(x, 3 * p + 1);
    const pz = real(x, 3 * p + 2);
    return (real(x, 3 * a) - px) * (real(x, 3 * b) - px) +
        (real(x, 3 * a + 1) - py) * (real(x, 3 * b + 1) - py) +
        (real(x, 3 * a + 2) - pz) * (real(x, 3 * b + 2) - pz);
}

/** Writes (b-a)×(c-a) of three points of a list, shape [n, 3], and its length, twice the triangle's area, to target[o..o+3]. */
export function cross(x: usize, a: u32, b: u32, c: u32, target: usize): void {
    const px = real(x, 3 * a);
    const py = real(x, 3 * a + 1);
    const pz = real(x, 3 * a + 2);
    const ux = real(x, 3 * b) - px;
    const uy = real(x, 3 * b + 1) - py;
    const uz = real(x, 3 * b + 2) - pz;
    const vx = real(x, 3 * c) - px;
    const vy = real(x, 3 * c + 1) - py;
    const vz = real(x, 3 * c + 2) - pz;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    store<f64>(target, nx, 0);
    store<f64>(target, ny, 8);
    store<f64>(target, nz, 16);
    store<f64>(target, sqrt<f64>(nx * nx + ny * ny + nz * nz), 24);
}
