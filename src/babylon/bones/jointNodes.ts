import type { Bone } from "@babylonjs/core/Bones/bone";
import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { JointPose, identity, multiply, transformPoint, writeQuaternion } from "../../engine/index";
import type { CopiedHierarchy } from "../mesh/copiedHierarchy";
import type { BoneHierarchy, FoundJoint } from "./chainJoints";
import { isBone, parentOf } from "./chainJoints";

/** Flags of a joint. */
const IS_WRITTEN = 1;
/** Turned by Euler angles, which stay as they are. */
const IS_EULER = 2;
/** A bone without a node. */
const IS_BONE = 4;
/** It keeps its pose, or is only a tail. */
const IS_PASSIVE = 8;

/** Joints of the chains of the page, by their nodes and bones. */
export const jointOf = new WeakMap<object, { readonly nodes: JointNodes; readonly index: number }>();

/** Within a call. */
const rest = new Quaternion();
const turned = new Quaternion();
const scaling = new Vector3();
const place = new Float64Array(3);
const matrix = new Matrix();
/** Rounding of the numbers of a matrix. */
const SAME_MATRIX = 1e-4;
const local = identity();

/**
 * Nodes and bones of joints, and after them those that are only tails: reads their poses as others set them, writes other ones, and puts theirs back.
 * Records are in arrays: a hundred avatars have more of them than a cache holds.
 */
export class JointNodes {
    /** Joints, then tails. */
    private readonly _targets: readonly (TransformNode | Bone)[];
    private readonly _jointCount: number;
    /** Rotations that others have set, those of the file, and those that were written, unit quaternions x y z w. */
    private readonly _animated: Float64Array;
    private readonly _rest: Float64Array;
    private readonly _written: Float64Array;
    private readonly _flags: Uint8Array;
    /** Target at the tail of each joint; -1: none. */
    private readonly _tails: Int32Array;
    /** Joint that each target is a child of; -1: none. */
    private readonly _parents: Int32Array;
    /** Quaternions of nodes that have none of their own, and the Euler angles that Babylon clears for them. */
    private readonly _ownRotations = new Map<number, Quaternion>();
    private readonly _angles = new Map<number, Vector3>();

    constructor(
        private readonly _joints: readonly FoundJoint[],
        hierarchy: BoneHierarchy,
    ) {
        const targets: (TransformNode | Bone)[] = _joints.map(({ target }) => target);
        this._jointCount = targets.length;
        const indexOf = new Map(targets.map((target, j) => [target, j]));
        this._tails = Int32Array.from(_joints, ({ tail }) => {
            if (!tail) return -1;
            const index = indexOf.get(tail) ?? targets.push(tail) - 1;
            indexOf.set(tail, index);
            return index;
        });
        this._targets = targets;
        this._parents = Int32Array.from(targets, (target) => {
            const parent = parentOf(target);
            return (parent && indexOf.get(parent)) ?? -1;
        });
        const count = targets.length;
        this._animated = new Float64Array(4 * count);
        this._rest = new Float64Array(4 * count);
        this._written = new Float64Array(4 * count);
        this._flags = Uint8Array.from(targets, (target, j) => {
            const isPassive = _joints[j]?.isPassive ?? true;
            return (isBone(target) ? IS_BONE : 0) | (isPassive ? IS_PASSIVE : 0);
        });
        targets.forEach((target, j) => {
            if (j < this._jointCount) jointOf.set(target, { nodes: this, index: j });
            this._readRotation(j);
            const bone = j < _joints.length ? _joints[j].bone : hierarchy.boneOf(target);
            for (let c = 0; c < 4; c++) this._rest[4 * j + c] = this._animated[4 * j + c];
            // A node without a bone rests as it is now.
            if (bone?.getRestMatrix().decompose(scaling, rest)) put(this._rest, 4 * j, rest);
        });
    }

    /** Writes records of {@link JointPose}. @param isRest true for the rotations of the file */
    read(poses: Float64Array, isRest: boolean): void {
        const { _targets: targets, _flags: flags, _jointCount: count } = this;
        for (let j = 0, o = 0; j < count; j++, o += JointPose.count) {
            this._readRotation(j);
            const from = isRest && (flags[j] & IS_PASSIVE) === 0 ? this._rest : this._animated;
            poses[o] = from[4 * j];
            poses[o + 1] = from[4 * j + 1];
            poses[o + 2] = from[4 * j + 2];
            poses[o + 3] = from[4 * j + 3];
            const { position } = targets[j];
            poses[o + JointPose.translation] = position.x;
            poses[o + JointPose.translation + 1] = position.y;
            poses[o + JointPose.translation + 2] = position.z;
            const size = this._scalingOf(j);
            poses[o + JointPose.scaling] = size.x;
            poses[o + JointPose.scaling + 1] = size.y;
            poses[o + JointPose.scaling + 2] = size.z;
        }
        for (let j = 0, o = 0; j < count; j++, o += JointPose.count) {
            if ((flags[j] & IS_PASSIVE) !== 0) continue;
            this._readTail(j, poses);
            poses[o + JointPose.tail] = place[0] * poses[o + JointPose.scaling];
            poses[o + JointPose.tail + 1] = place[1] * poses[o + JointPose.scaling + 1];
            poses[o + JointPose.tail + 2] = place[2] * poses[o + JointPose.scaling + 2];
        }
    }

    /**
     * Writes the rotations of the animation or of the file, bent.
     * @param bends a unit quaternion of each joint, x y z w @param blend share of what is written, 0..1
     */
    write(bends: Float64Array, isRest: boolean, blend: number): void {
        const { _targets: targets, _flags: flags, _animated: animated, _written: written } = this;
        const from = isRest ? this._rest : animated;
        for (let j = 0, o = 0; j < this._jointCount; j++, o += 4) {
            const flag = flags[j];
            if ((flag & IS_PASSIVE) !== 0) continue;
            const ax = from[o];
            const ay = from[o + 1];
            const az = from[o + 2];
            const aw = from[o + 3];
            const bx = bends[o];
            const by = bends[o + 1];
            const bz = bends[o + 2];
            const bw = bends[o + 3];
            written[o] = aw * bx + ax * bw + ay * bz - az * by;
            written[o + 1] = aw * by - ax * bz + ay * bw + az * bx;
            written[o + 2] = aw * bz + ax * by - ay * bx + az * bw;
            written[o + 3] = aw * bw - ax * bx - ay * by - az * bz;
            if (blend < 1) blendRotation(animated, written, o, blend);
            flags[j] = flag | IS_WRITTEN;
            const target = targets[j];
            const q = (flag & IS_BONE) !== 0 ? turned : (target.rotationQuaternion ?? this._ownRotation(j));
            q.x = written[o];
            q.y = written[o + 1];
            q.z = written[o + 2];
            q.w = written[o + 3];
            // A bone takes a copy.
            if ((flag & (IS_BONE | IS_EULER)) !== 0) target.rotationQuaternion = q;
        }
    }

    /** Puts the rotations of others back, unless they have set other ones. */
    putBack(): void {
        const { _targets: targets, _flags: flags, _animated: animated } = this;
        for (let j = 0; j < this._jointCount; j++) {
            const flag = flags[j];
            if ((flag & IS_WRITTEN) === 0) continue;
            flags[j] = flag & ~IS_WRITTEN;
            const target = targets[j];
            const q = target.rotationQuaternion;
            if (!q || !this._isAsWritten(q, j)) continue;
            if ((flag & IS_EULER) !== 0) {
                const node = target as TransformNode;
                node.rotationQuaternion = null;
                node.rotation.copyFrom(this._anglesOf(j));
            } else {
                const to = (flag & IS_BONE) !== 0 ? turned : q;
                to.x = animated[4 * j];
                to.y = animated[4 * j + 1];
                to.z = animated[4 * j + 2];
                to.w = animated[4 * j + 3];
                if (to === turned) target.rotationQuaternion = turned;
            }
        }
    }

    /**
     * Gives an animation that has found the simulated pose of a joint that of others.
     * @param path name of its property @param found what it has found
     */
    correct(j: number, path: string, found: Quaternion | Matrix): void {
        const { _animated: animated, _written: written } = this;
        if ((this._flags[j] & IS_WRITTEN) === 0) return;
        if (path === "rotationQuaternion") {
            const q = found as Quaternion;
            if (this._isAsWritten(q, j)) Quaternion.FromArrayToRef(animated, 4 * j, q);
        } else if (path === "_matrix") {
            const { position } = this._targets[j];
            const size = this._scalingOf(j);
            Matrix.ComposeToRef(size, Quaternion.FromArrayToRef(written, 4 * j, turned), position, matrix);
            if (!matrix.equalsWithEpsilon(found as Matrix, SAME_MATRIX)) return;
            Matrix.ComposeToRef(size, Quaternion.FromArrayToRef(animated, 4 * j, turned), position, found as Matrix);
        }
    }

    /** Gives joints of a copy the pose that others have set: copied is the simulated one. */
    poseCopy(hierarchy: CopiedHierarchy): void {
        for (let j = 0; j < this._jointCount; j++) {
            const copy = hierarchy.copyOf(this._targets[j]) as TransformNode | null;
            if (copy && copy !== this._targets[j]) copy.rotationQuaternion = Quaternion.FromArray(this._animated, 4 * j);
        }
    }

    /** Places of the tails in the world as bones rest [m], for the lengths of links. @param roots of joints without a parent among them: the world of what carries each */
    restTails(roots: readonly Float64Array[]): Float64Array[] {
        const worlds: Float64Array[] = [];
        return this._joints.map((_, j) => {
            const world = identity();
            writeQuaternion(this._rest[4 * j], this._rest[4 * j + 1], this._rest[4 * j + 2], this._rest[4 * j + 3], local);
            this._scalingOf(j)
                .asArray()
                .forEach((scale, r) => {
                    for (let c = 0; c < 3; c++) local[4 * r + c] *= scale;
                });
            local.set(this._targets[j].position.asArray(), 12);
            const parent = this._parents[j];
            multiply(local, parent < 0 ? roots[j] : worlds[parent], world);
            worlds.push(world);
            const end = this._targets[this._tails[j]]?.position;
            const point = Float64Array.of(end?.x ?? 0, end?.y ?? 0, end?.z ?? 0);
            transformPoint(world, point, 0, point, 0);
            return point;
        });
    }

    /** What is as it was written was set by no other. */
    private _readRotation(j: number): void {
        const { _animated: animated, _flags: flags } = this;
        const target = this._targets[j];
        const q = target.rotationQuaternion;
        if (!q) {
            flags[j] |= IS_EULER;
            const { rotation } = target as TransformNode;
            this._anglesOf(j).copyFrom(rotation);
            Quaternion.RotationYawPitchRollToRef(rotation.y, rotation.x, rotation.z, turned);
            put(animated, 4 * j, turned);
        } else if ((flags[j] & IS_WRITTEN) === 0 || !this._isAsWritten(q, j)) {
            if (q !== this._ownRotations.get(j)) flags[j] &= ~IS_EULER;
            animated[4 * j] = q.x;
            animated[4 * j + 1] = q.y;
            animated[4 * j + 2] = q.z;
            animated[4 * j + 3] = q.w;
        }
    }

    private _isAsWritten(q: Quaternion, j: number): boolean {
        const { _written: written } = this;
        return q.x === written[4 * j] && q.y === written[4 * j + 1] && q.z === written[4 * j + 2] && q.w === written[4 * j + 3];
    }

    private _anglesOf(j: number): Vector3 {
        let angles = this._angles.get(j);
        if (!angles) this._angles.set(j, (angles = new Vector3()));
        return angles;
    }

    private _ownRotation(j: number): Quaternion {
        let q = this._ownRotations.get(j);
        if (!q) this._ownRotations.set(j, (q = new Quaternion()));
        return q;
    }

    private _scalingOf(j: number): Vector3 {
        const target = this._targets[j];
        if ((this._flags[j] & IS_BONE) === 0) return (target as TransformNode).scaling;
        (target as Bone).getScaleToRef(scaling);
        return scaling;
    }

    /** Place of a joint's tail in its space, to {@link place}. */
    private _readTail(j: number, poses: Float64Array): void {
        const tail = this._tails[j];
        if (tail < 0) {
            // As long as the chain says, in the direction in which the joint lies from its parent.
            const o = j * JointPose.count + JointPose.translation;
            const length = Math.sqrt(poses[o] * poses[o] + poses[o + 1] * poses[o + 1] + poses[o + 2] * poses[o + 2]);
            const scale = length > 0 ? this._joints[j].chain.endLength! / length : 0;
            for (let c = 0; c < 3; c++) place[c] = scale * poses[o + c];
            return;
        }
        if (tail < this._jointCount) {
            const o = tail * JointPose.count + JointPose.translation;
            for (let c = 0; c < 3; c++) place[c] = poses[o + c];
        } else {
            const { position } = this._targets[tail];
            place[0] = position.x;
            place[1] = position.y;
            place[2] = position.z;
        }
        for (let k = this._parents[tail]; k >= 0 && k !== j; k = this._parents[k]) throughParent(poses, k * JointPose.count);
    }
}

/** Takes {@link place} from a joint's space to its parent's. @param o slot of its record */
function throughParent(poses: Float64Array, o: number): void {
    const [qx, qy, qz, qw] = [poses[o], poses[o + 1], poses[o + 2], poses[o + 3]];
    const x = place[0] * poses[o + JointPose.scaling];
    const y = place[1] * poses[o + JointPose.scaling + 1];
    const z = place[2] * poses[o + JointPose.scaling + 2];
    const tx = 2 * (qy * z - qz * y);
    const ty = 2 * (qz * x - qx * z);
    const tz = 2 * (qx * y - qy * x);
    place[0] = poses[o + JointPose.translation] + x + qw * tx + qy * tz - qz * ty;
    place[1] = poses[o + JointPose.translation + 1] + y + qw * ty + qz * tx - qx * tz;
    place[2] = poses[o + JointPose.translation + 2] + z + qw * tz + qx * ty - qy * tx;
}

/** Turns what is written back towards what others have set. */
function blendRotation(animated: Float64Array, written: Float64Array, o: number, blend: number): void {
    Quaternion.FromArrayToRef(animated, o, rest);
    Quaternion.FromArrayToRef(written, o, turned);
    Quaternion.SlerpToRef(rest, turned, blend, turned);
    put(written, o, turned);
}

function put(to: Float64Array, o: number, q: Quaternion): void {
    to[o] = q.x;
    to[o + 1] = q.y;
    to[o + 2] = q.z;
    to[o + 3] = q.w;
}
