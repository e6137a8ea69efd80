import { identity, rigidTransformOf, transformPoint, writeRotation } from "./affine";
import type { Affine } from "./affine";

/** Within a call: a rotation as a unit quaternion x y z w. */
const q = new Float64Array(4);
const part = identity();

/** A rigid motion, passed through evenly: a place goes in a straight line, and all turns about it at a steady rate. */
export class RigidPath {
    /** The place before and after [m], x y z. */
    readonly from = new Float64Array(3);
    readonly to = new Float64Array(3);
    /** Angle times the axis [rad], x y z. */
    readonly rotation = new Float64Array(3);

    /** @param motion affine map, of which the rigid part counts; `place` a point [m], x y z */
    set(motion: Affine, place: ArrayLike<number>): void {
        const { from, to, rotation } = this;
        for (let c = 0; c < 3; c++) from[c] = place[c];
        transformPoint(motion, from, 0, to, 0);
        writeRotation(motion, part);
        readQuaternion(part);
        const sine = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
        const scale = sine > 0 ? (2 * Math.atan2(sine, q[3])) / sine : 0;
        for (let c = 0; c < 3; c++) rotation[c] = q[c] * scale;
    }

    /** Writes the first part of the motion as a rigid map. @param share from 0 (nothing) to 1 (all of it) */
    write(share: number, target: Affine): void {
        const { from, to, rotation } = this;
        const angle = Math.sqrt(rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2]);
        const scale = angle > 0 ? Math.sin((share * angle) / 2) / angle : 0;
        const w = Math.cos((share * angle) / 2);
        target.fill(0);
        target[15] = 1;
        writeQuaternion(rotation[0] * scale, rotation[1] * scale, rotation[2] * scale, w, target);
        for (let c = 0; c < 3; c++) {
            target[12 + c] = from[c] + (to[c] - from[c]) * share;
            for (let k = 0; k < 3; k++) target[12 + c] -= from[k] * target[4 * k + c];
        }
    }
}

/** Within a call. */
const path = new RigidPath();

/**
 * Part of a motion, see {@link RigidPath}.
 * @param motion affine map; `place` a point [m], x y z; `share` from 0 (nothing) to 1 (all of it)
 * @returns a rigid map
 */
export function partOfMotion(motion: Affine, place: ArrayLike<number>, share: number): Affine {
    const result = identity();
    path.set(motion, place);
    path.write(share, result);
    return result;
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
    // Four times the squares.
    q[0] = 1 + m[0] - m[5] - m[10];
    q[1] = 1 - m[0] + m[5] - m[10];
    q[2] = 1 - m[0] - m[5] + m[10];
    q[3] = 1 + m[0] + m[5] + m[10];
    let largest = 3;
    for (let i = 0; i < 3; i++) if (q[i] > q[largest]) largest = i;
    const square = q[largest];
    const w = largest < 3 ? m[OFF_DIAGONAL[largest]] - m[OFF_DIAGONAL[3 + largest]] : square;
    for (let i = 0; i < 3; i++) {
        // Four times the product of two of them.
        if (largest === 3) q[i] = m[OFF_DIAGONAL[i]] - m[OFF_DIAGONAL[3 + i]];
        else q[i] = i === largest ? square : m[4 * i + largest] + m[4 * largest + i];
    }
    q[3] = w;
    const scale = (w < 0 ? -0.5 : 0.5) / Math.sqrt(square);
    for (let i = 0; i < 4; i++) q[i] *= scale;
}

/** Slots of a rotation whose difference is four times w times x, y, z. */
const OFF_DIAGONAL = [6, 8, 1, 9, 2, 4];

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

/** Share of an amount that is beyond a limit, 0..1. */
export function shareBeyond(amount: number, limit: number): number {
    return amount > limit ? 1 - limit / amount : 0;
}
