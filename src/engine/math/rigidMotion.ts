import { rigidTransformOf, transformPoint } from "./affine";
import type { Affine } from "./affine";

/** Within a call: a rotation as a unit quaternion x y z w. */
const q = new Float64Array(4);

/**
 * Part of a motion: turned by a share of its angle about its axis, while a point goes that share of its straight way. What stretches
 * is taken for a rotation.
 * @param motion affine map; `place` a point [m], x y z; `share` from 0 (nothing) to 1 (all of it)
 * @returns a rigid map
 */
export function partOfMotion(motion: Affine, place: ArrayLike<number>, share: number): Affine {
    const part = rigidTransformOf(motion, place);
    const moved = new Float64Array(3);
    transformPoint(motion, place, 0, moved, 0);
    readQuaternion(part);
    const size = Math.hypot(q[0], q[1], q[2]);
    const half = share * Math.atan2(size, q[3]);
    const scale = size > 0 ? Math.sin(half) / size : 0;
    writeQuaternion(q[0] * scale, q[1] * scale, q[2] * scale, Math.cos(half), part);
    for (let c = 0; c < 3; c++) moved[c] = place[c] + (moved[c] - place[c]) * share;
    moveTo(part, place, moved);
    return part;
}

/**
 * The part of a motion that turns about one axis (swing-twist decomposition), and takes one place to another.
 * @param axis any length; none: it does not turn
 */
export function twistOfMotion(motion: Affine, axis: ArrayLike<number>, from: ArrayLike<number>, to: ArrayLike<number>): Affine {
    const part = rigidTransformOf(motion, from);
    readQuaternion(part);
    const length = Math.hypot(axis[0], axis[1], axis[2]);
    const along = length > 0 ? (q[0] * axis[0] + q[1] * axis[1] + q[2] * axis[2]) / length : 0;
    const size = Math.hypot(along, q[3]);
    // Turned upside down about an axis across, it may have turned by any angle.
    const [sine, cosine] = size > 0 && length > 0 ? [along / size / length, q[3] / size] : [0, 1];
    writeQuaternion(axis[0] * sine, axis[1] * sine, axis[2] * sine, cosine, part);
    moveTo(part, from, to);
    return part;
}

/** Gives a rotation the translation that takes one place to another. */
function moveTo(map: Affine, from: ArrayLike<number>, to: ArrayLike<number>): void {
    for (let c = 0; c < 3; c++) {
        map[12 + c] = to[c];
        for (let k = 0; k < 3; k++) map[12 + c] -= from[k] * map[4 * k + c];
    }
}

/** Angle by which a motion turns [rad], 0..π; what it stretches along its axes does not count. */
export function angleOfMotion(m: Affine): number {
    let trace = 0;
    for (let i = 0; i < 12; i += 4) trace += m[i + (i >> 2)] / Math.sqrt(m[i] * m[i] + m[i + 1] * m[i + 1] + m[i + 2] * m[i + 2]);
    const cosine = (trace - 1) / 2;
    return cosine >= 1 ? 0 : cosine > -1 ? Math.acos(cosine) : Math.PI;
}

/** Reads a rotation of row vectors as the quaternion of the shorter turn. From the largest of the four, which is at least 1/2. */
function readQuaternion(m: Affine): void {
    const squares = [1 + m[0] - m[5] - m[10], 1 - m[0] + m[5] - m[10], 1 - m[0] - m[5] + m[10], 1 + m[0] + m[5] + m[10]];
    const largest = squares.indexOf(Math.max(...squares));
    // Products of two components, times four.
    const products = [m[1] + m[4], m[2] + m[8], m[6] + m[9], m[6] - m[9], m[8] - m[2], m[1] - m[4]];
    const [xy, xz, yz, xw, yw, zw] = products;
    const rows = [
        [squares[0], xy, xz, xw],
        [xy, squares[1], yz, yw],
        [xz, yz, squares[2], zw],
        [xw, yw, zw, squares[3]],
    ];
    const scale = 0.5 / Math.sqrt(squares[largest]);
    const sign = rows[largest][3] < 0 ? -scale : scale;
    for (let i = 0; i < 4; i++) q[i] = rows[largest][i] * sign;
}

/** Writes the rotation of a unit quaternion, row vectors, to the linear part of a map. */
export function writeQuaternion(x: number, y: number, z: number, w: number, m: Affine): void {
    m[0] = 1 - 2 * (y * y + z * z);
    m[1] = 2 * (x * y + z * w);
    m[2] = 2 * (x * z - y * w);
    m[4] = 2 * (x * y - z * w);
    m[5] = 1 - 2 * (x * x + z * z);
    m[6] = 2 * (y * z + x * w);
    m[8] = 2 * (x * z + y * w);
    m[9] = 2 * (y * z - x * w);
    m[10] = 1 - 2 * (x * x + y * y);
}
