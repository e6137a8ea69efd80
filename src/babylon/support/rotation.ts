import type { Affine } from "../../engine/index";

/** Within a call. */
const rows = new Float64Array(9);

/**
 * Writes the rotation of a matrix as a quaternion, x y z w (Shepperd 1978): of its first rows, turned round where their scale is below 0, the third as it follows. What shears is made
 * straight (Gram and Schmidt).
 */
export function readRotation(m: Affine, sx: number, sy: number, quaternion: Float64Array): void {
    for (let c = 0; c < 3; c++) {
        rows[c] = sx < 0 ? -m[c] : m[c];
        rows[3 + c] = sy < 0 ? -m[4 + c] : m[4 + c];
    }
    normalise(0);
    const lean = rows[0] * rows[3] + rows[1] * rows[4] + rows[2] * rows[5];
    for (let c = 0; c < 3; c++) rows[3 + c] -= lean * rows[c];
    normalise(3);
    for (let c = 0; c < 3; c++) {
        const d = (c + 1) % 3;
        const e = (c + 2) % 3;
        rows[6 + c] = rows[d] * rows[3 + e] - rows[e] * rows[3 + d];
    }
    const xx = rows[0];
    const yy = rows[4];
    const zz = rows[8];
    const x = rows[5] - rows[7];
    const y = rows[6] - rows[2];
    const z = rows[1] - rows[3];
    const xy = rows[1] + rows[3];
    const yz = rows[5] + rows[7];
    const zx = rows[6] + rows[2];
    // Four times the squares of x y z w; from the largest.
    if (xx + yy + zz > 0) set(quaternion, x, y, z, 1 + xx + yy + zz);
    else if (xx >= yy && xx >= zz) set(quaternion, 1 + xx - yy - zz, xy, zx, x);
    else if (yy >= zz) set(quaternion, xy, 1 - xx + yy - zz, yz, y);
    else set(quaternion, zx, yz, 1 - xx - yy + zz, z);
}

function normalise(o: number): void {
    const scale = 1 / Math.sqrt(rows[o] * rows[o] + rows[o + 1] * rows[o + 1] + rows[o + 2] * rows[o + 2]);
    for (let c = 0; c < 3; c++) rows[o + c] *= scale;
}

/** Writes a quaternion that is so long in these numbers. */
function set(quaternion: Float64Array, x: number, y: number, z: number, w: number): void {
    const scale = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
    quaternion[0] = x * scale;
    quaternion[1] = y * scale;
    quaternion[2] = z * scale;
    quaternion[3] = w * scale;
}
