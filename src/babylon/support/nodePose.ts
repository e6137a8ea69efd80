import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { identity, invert, multiply } from "../../engine/index";
import { worldMatrixOf } from "./carriers";
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

/** Within a call. */
const [parentWorld, toParent, wanted, inverse, local] = [identity(), identity(), identity(), identity(), identity()];
const quaternion = new Float64Array(4);

/**
 * Writes rigid motion to a node, as position and rotation, with any parents, scaling and pivot. It remembers the written values, and so detects that others have moved
 * the node.
 */
export class NodePose {
    /** Position and rotation as written, x y z, x y z w; initially the node's. */
    private readonly _written = new Float64Array(7);
    /** Matrix of the written pose in the parent's space. */
    private readonly _local: Affine = identity();

    constructor(private readonly _node: TransformNode) {
        local.set(worldMatrixOf(_node));
        this._readParent();
        this._storeWritten();
    }

    /** Moves the node to a world matrix; its scale must be the node's. */
    write(world: Affine): void {
        const { _node: node } = this;
        if (!this._readParent()) return;
        multiply(world, toParent, wanted);
        const { scaling } = node;
        readRotation(wanted, scaling.x, scaling.y, quaternion);
        // Babylon's physics does so, too.
        node.rotationQuaternion ??= node.rotation.toQuaternion();
        node.rotationQuaternion.copyFromFloats(quaternion[0], quaternion[1], quaternion[2], quaternion[3]);
        // Babylon computes the effect of pivots.
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
        this._storeWritten();
    }

    /**
     * Motion of the node by others since it was written.
     * @param motion the motion as a map of the world, out
     * @returns true if others have moved it
     */
    readExternalMove(motion: Affine): boolean {
        if (this._isWritten()) return false;
        if (!this._readParent() || !invert(this._local, inverse)) return false;
        // From its old pose in the parent to the current one.
        multiply(toParent, inverse, wanted);
        local.set(worldMatrixOf(this._node));
        multiply(wanted, local, motion);
        // A node with zero scale is moved once it has a scale again.
        if (!invert(motion, inverse)) return false;
        this._storeWritten();
        return true;
    }

    private _isWritten(): boolean {
        const { _written: written, _node: node } = this;
        const { position: p } = node;
        if (p.x !== written[0] || p.y !== written[1] || p.z !== written[2]) return false;
        const q = node.rotationQuaternion ?? node.rotation.toQuaternion();
        return q.x === written[3] && q.y === written[4] && q.z === written[5] && q.w === written[6];
    }

    /** Stores the node's position and rotation, and its matrix in the parent's space. */
    private _storeWritten(): void {
        const { _written: written, _node: node } = this;
        multiply(local, toParent, this._local);
        written[0] = node.position.x;
        written[1] = node.position.y;
        written[2] = node.position.z;
        const q = node.rotationQuaternion ?? node.rotation.toQuaternion();
        written[3] = q.x;
        written[4] = q.y;
        written[5] = q.z;
        written[6] = q.w;
    }

    /** Reads the parent's matrix. @returns true if it is invertible */
    private _readParent(): boolean {
        const parent = this._node.parent as TransformNode | null;
        parentWorld.fill(0);
        parentWorld[0] = parentWorld[5] = parentWorld[10] = parentWorld[15] = 1;
        if (parent) parentWorld.set(worldMatrixOf(parent));
        return invert(parentWorld, toParent);
    }
}
