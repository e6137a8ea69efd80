import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { identity, invert, multiply } from "../../engine/math/affine";
import type { Affine } from "../../engine/math/affine";
import { worldMatrixOf } from "../nodes";
import { readRotation } from "../rotation";

/** Within a call. */
const [parentWorld, toParent, wanted, inverse, local] = [identity(), identity(), identity(), identity(), identity()];
const quaternion = new Float64Array(4);

/**
 * Writes rigid motion to a node: position and rotation, whatever its parents, its scaling and its pivot. Knows again what it has written, and so whether someone else
 * has moved the node since.
 */
export class NodePose {
    /** Position and rotation as written, x y z, x y z w; at first, as found. */
    private readonly _written = new Float64Array(7);
    /** Where that is in its parent. */
    private readonly _local: Affine = identity();

    constructor(private readonly _node: TransformNode) {
        local.set(worldMatrixOf(_node));
        this._readParent();
        this._storeWritten();
    }

    /** Puts the node where a world matrix without other scale than its own has it. */
    write(world: Affine): void {
        const { _node: node } = this;
        if (!this._readParent()) return;
        multiply(world, toParent, wanted);
        const { scaling } = node;
        readRotation(wanted, scaling.x, scaling.y, quaternion);
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
        this._storeWritten();
    }

    /**
     * Whether someone else has moved the node since it was written.
     * @param motion how, as a map of the world, out
     */
    readExternalMove(motion: Affine): boolean {
        if (this._isWritten()) return false;
        if (!this._readParent() || !invert(this._local, inverse)) return false;
        // Out of where it was in its parent, into where it is.
        multiply(toParent, inverse, wanted);
        local.set(worldMatrixOf(this._node));
        multiply(wanted, local, motion);
        // What is scaled to nothing moves once it has a size again.
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

    /** Keeps where the node is, and has it in its parent where {@link local} is in the world. */
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

    /** Whether what it is in is somewhere. */
    private _readParent(): boolean {
        const parent = this._node.parent as TransformNode | null;
        parentWorld.fill(0);
        parentWorld[0] = parentWorld[5] = parentWorld[10] = parentWorld[15] = 1;
        if (parent) parentWorld.set(worldMatrixOf(parent));
        return invert(parentWorld, toParent);
    }
}
