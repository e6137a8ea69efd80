import type { Bone } from "@babylonjs/core/Bones/bone";
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";

/** Within a call. */
const rest = new Quaternion();
const scaling = new Vector3();

/** A joint's node or bone: reads its pose as others set it, writes another one, and puts theirs back. */
export class JointNode {
    /** Rotation that others have set. */
    readonly animated = new Quaternion();
    /** Rotation of the file. */
    readonly rest = new Quaternion();
    private readonly _written = new Quaternion();
    private _isWritten = false;
    /** True if the node is turned by Euler angles, which stay as they are. */
    private _isEuler = false;
    /** True of a bone without a node. */
    readonly isBone: boolean;
    private readonly _scaling = new Vector3();

    /**
     * @param target a node, or a bone without one
     * @param bone bone that the node is linked to, for its rest; null: it rests as it is now
     */
    constructor(
        readonly target: TransformNode | Bone,
        bone: Bone | null,
    ) {
        this.isBone = target.getClassName() === "Bone";
        this.read();
        this.rest.copyFrom(this.animated);
        if (bone?.getRestMatrix().decompose(scaling, rest)) this.rest.copyFrom(rest);
    }

    get position(): Vector3 {
        return this.target.position;
    }

    get scaling(): Vector3 {
        if (!this.isBone) return (this.target as TransformNode).scaling;
        (this.target as Bone).getScaleToRef(this._scaling);
        return this._scaling;
    }

    /** Reads {@link animated}: what is as it was written was set by no other. */
    read(): void {
        const { target, animated, _written: written } = this;
        const q = target.rotationQuaternion;
        if (!q) {
            this._isEuler = true;
            const { x, y, z } = (target as TransformNode).rotation;
            Quaternion.RotationYawPitchRollToRef(y, x, z, animated);
        } else if (!this._isWritten || q.x !== written.x || q.y !== written.y || q.z !== written.z || q.w !== written.w) {
            if (q !== written) this._isEuler = false;
            animated.copyFrom(q);
        }
    }

    /**
     * Writes the rotation of the animation or of the file, bent. As arguments, numbers would be boxed.
     * @param bends unit quaternions x y z w; its own is at slot `o`
     */
    write(bends: Float64Array, o: number, isRest: boolean, share: { readonly blend: number }): void {
        const { target, animated, _written: written } = this;
        const from = isRest ? this.rest : animated;
        const ax = from.x;
        const ay = from.y;
        const az = from.z;
        const aw = from.w;
        const bx = bends[o];
        const by = bends[o + 1];
        const bz = bends[o + 2];
        const bw = bends[o + 3];
        written.x = aw * bx + ax * bw + ay * bz - az * by;
        written.y = aw * by - ax * bz + ay * bw + az * bx;
        written.z = aw * bz + ax * by - ay * bx + az * bw;
        written.w = aw * bw - ax * bx - ay * by - az * bz;
        if (share.blend < 1) Quaternion.SlerpToRef(animated, written, share.blend, written);
        this._isWritten = true;
        const q = target.rotationQuaternion;
        if (this.isBone || !q) target.rotationQuaternion = written;
        else if (q !== written) q.copyFrom(written);
    }

    /** Puts the rotation of others back, unless they have set another one. */
    putBack(): void {
        const { target, animated, _written: written } = this;
        if (!this._isWritten) return;
        this._isWritten = false;
        const q = target.rotationQuaternion;
        if (!q || q.x !== written.x || q.y !== written.y || q.z !== written.z || q.w !== written.w) return;
        if (this._isEuler) (target as TransformNode).rotationQuaternion = null;
        else if (this.isBone) target.rotationQuaternion = animated;
        else q.copyFrom(animated);
    }
}
