import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { identity, invert, multiply } from "../../solver/affine";
import type { Affine } from "../../solver/affine";
import { worldMatrixOf } from "../nodes";

/** Within a call. */
const [parentWorld, toParent, wanted, inverse, local] = [identity(), identity(), identity(), identity(), identity()];
const quaternion = new Float64Array(4);
const rows = new Float64Array(9);

/**
 * Writes rigid motion to a node: position and rotation, whatever its parents, its scaling and its pivot. Knows again what it has written, and so whether someone else
 * has moved the node since.
 */
export class NodePose {
    /** Position and rotation as written, x y z, x y z w; NaN before. */
    private readonly _written = new Float64Array(7).fill(NaN);
    /** Where that is in its parent. */
    private readonly _local: Affine = identity();

    constructor(private readonly _node: TransformNode) {}

    /** Puts the node where a world matrix without other scale than its own has it. */
    write(world: Affine): void {
        const { _node: node, _written: written } = this;
        if (!this._readParent()) return;
        multiply(world, toParent, wanted);
        const { scaling } = node;
        readRotation(wanted, scaling.x < 0 ? -1 : 1, scaling.y < 0 ? -1 : 1);
        // As Babylon's physics does.
        node.rotationQuaternion ??= node.rotation.toQuaternion();
        node.rotationQuaternion.copyFromFloats(quaternion[0], quaternion[1], quaternion[2], quaternion[3]);
        // What pivots make of the rotation is for Babylon to say.
        const now = node.computeWorldMatrix(true).m;
        const x = world[12] - now[12];
        const y = world[13] - now[13];
        const z = world[14] - now[14];
        const m = toParent;
        const { position } = node;
        position.copyFromFloats(
            position.x + x * m[0] + y * m[4] + z * m[8],
            position.y + x * m[1] + y * m[5] + z * m[9],
            position.z + x * m[2] + y * m[6] + z * m[10],
        );
        local.set(node.computeWorldMatrix(true).m);
        multiply(local, toParent, this._local);
        this._read(written);
    }

    /**
     * Whether someone else has moved the node since it was written.
     * @param motion how, as a map of the world, out
     */
    takeMove(motion: Affine): boolean {
        const { _written: written } = this;
        if (Number.isNaN(written[0]) || this._isWritten()) return false;
        if (!this._readParent() || !invert(this._local, inverse)) return false;
        // Out of where it was in its parent, into where it is.
        multiply(toParent, inverse, wanted);
        local.set(worldMatrixOf(this._node));
        multiply(wanted, local, motion);
        // What is scaled to nothing moves once it has a size again.
        if (!invert(motion, inverse)) return false;
        this._read(written);
        multiply(local, toParent, this._local);
        return true;
    }

    private _isWritten(): boolean {
        const { _written: written, _node: node } = this;
        const { position: p, rotationQuaternion: q } = node;
        if (!q || p.x !== written[0] || p.y !== written[1] || p.z !== written[2]) return false;
        return q.x === written[3] && q.y === written[4] && q.z === written[5] && q.w === written[6];
    }

    private _read(target: Float64Array): void {
        const { position: p, rotationQuaternion: q } = this._node;
        target[0] = p.x;
        target[1] = p.y;
        target[2] = p.z;
        target[3] = q ? q.x : 0;
        target[4] = q ? q.y : 0;
        target[5] = q ? q.z : 0;
        target[6] = q ? q.w : 0;
    }

    /** Whether what it is in is somewhere. */
    private _readParent(): boolean {
        const parent = this._node.parent as TransformNode | null;
        parentWorld.fill(0);
        parentWorld[0] = parentWorld[5] = parentWorld[10] = parentWorld[15] = 1;
        if (parent) parentWorld.set(worldMatrixOf(parent));
        return invert(parentWorld, toParent);
    }
}

/** Writes the rotation of a matrix as a quaternion (Shepperd 1978), its first rows multiplied by signs, the third as it follows. What shears is made straight (Gram and Schmidt). */
function readRotation(m: Affine, sx: number, sy: number): void {
    for (let c = 0; c < 3; c++) {
        rows[c] = m[c] * sx;
        rows[3 + c] = m[4 + c] * sy;
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
    if (xx + yy + zz > 0) set(x, y, z, 1 + xx + yy + zz);
    else if (xx >= yy && xx >= zz) set(1 + xx - yy - zz, xy, zx, x);
    else if (yy >= zz) set(xy, 1 - xx + yy - zz, yz, y);
    else set(zx, yz, 1 - xx - yy + zz, z);
}

function normalise(o: number): void {
    const scale = 1 / Math.sqrt(rows[o] * rows[o] + rows[o + 1] * rows[o + 1] + rows[o + 2] * rows[o + 2]);
    for (let c = 0; c < 3; c++) rows[o + c] *= scale;
}

/** Writes a quaternion that is so long in these numbers. */
function set(x: number, y: number, z: number, w: number): void {
    const scale = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
    quaternion[0] = x * scale;
    quaternion[1] = y * scale;
    quaternion[2] = z * scale;
    quaternion[3] = w * scale;
}
