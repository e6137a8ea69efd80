import type { Bone } from "@babylonjs/core/Bones/bone";
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { identity, multiply, writeQuaternion } from "../../engine/index";
import type { Affine } from "../../engine/index";

/** Record of a bone's pose in its parent's space: position x y z, rotation x y z w, scaling x y z. */
export const BonePose = { position: 0, rotation: 3, scaling: 7, count: 10 } as const;

/** Within a call. */
const scaling = new Vector3();
const local = identity();
const other = new Quaternion();
const [fromPosition, fromRotation] = [new Vector3(), new Quaternion()];
const [toPosition, toRotation] = [new Vector3(), new Quaternion()];

/**
 * Poses of a mesh's bones, as set by an animation or by user code, while the ragdoll writes the bones, too: a value that differs from the one written last was set by
 * others. Bones with a linked transform node (glTF) are read and written there.
 */
export class BonePoses {
    /** Parents first. */
    readonly bones: readonly Bone[];
    /** Index of each bone's parent in {@link bones}, -1: none. */
    readonly parents: readonly number[];
    /** Poses set by others: current, and before the last change; shape [n, BonePose.count]. */
    readonly current: Float64Array;
    readonly previous: Float64Array;
    private readonly _last: Float64Array;
    private readonly _written: Float64Array;
    private readonly _root = identity();

    constructor(private readonly _mesh: AbstractMesh) {
        this.bones = parentsFirst(_mesh.skeleton!.bones);
        this.parents = this.bones.map((bone) => this.bones.indexOf(bone.getParent()!));
        const length = this.bones.length * BonePose.count;
        this.current = new Float64Array(length);
        this.previous = new Float64Array(length);
        this._last = new Float64Array(length);
        this._written = new Float64Array(length).fill(NaN);
        this.read();
    }

    /** Stores the poses of the last but one reading as {@link previous}. */
    storePrevious(): void {
        this.previous.set(this._last);
    }

    /** Reads values that others have set. @returns true if any has changed */
    read(): boolean {
        const { bones, current: now, _written: written } = this;
        this._last.set(now);
        let isChanged = false;
        for (let i = 0, o = 0; i < bones.length; i++, o += BonePose.count) {
            const node = bones[i].getTransformNode();
            const p = node ? node.position : bones[i].position;
            const q = node ? (node.rotationQuaternion ?? node.rotation.toQuaternion()) : bones[i].rotationQuaternion;
            const s = node ? node.scaling : (bones[i].getScaleToRef(scaling), scaling);
            if (p.x !== written[o] || p.y !== written[o + 1] || p.z !== written[o + 2]) {
                isChanged ||= p.x !== now[o] || p.y !== now[o + 1] || p.z !== now[o + 2];
                now[o] = p.x;
                now[o + 1] = p.y;
                now[o + 2] = p.z;
            }
            const isOurs = q.x === written[o + 3] && q.y === written[o + 4] && q.z === written[o + 5] && q.w === written[o + 6];
            if (!isOurs) {
                isChanged ||= q.x !== now[o + 3] || q.y !== now[o + 4] || q.z !== now[o + 5] || q.w !== now[o + 6];
                now[o + 3] = q.x;
                now[o + 4] = q.y;
                now[o + 5] = q.z;
                now[o + 6] = q.w;
            }
            now[o + 7] = s.x;
            now[o + 8] = s.y;
            now[o + 9] = s.z;
        }
        return isChanged;
    }

    /** Computes the matrix of a bone in the mesh's space; call for parents first. @param poses {@link current} or {@link previous} */
    composeBone(i: number, poses: Float64Array, all: readonly Affine[]): void {
        compose(poses, i * BonePose.count, local);
        const parent = this.parents[i];
        multiply(local, parent < 0 ? this.rootMatrix() : all[parent], all[i]);
    }

    /** Parent matrix of root bones, in the mesh's space. */
    rootMatrix(): Affine {
        const { skeleton } = this._mesh;
        if (skeleton?.needInitialSkinMatrix) this._root.set(this._mesh.getPoseMatrix().m);
        return this._root;
    }

    /**
     * Writes a bone's pose, blended between the current one and another.
     * @param pose position and rotation, as {@link BonePose} @param share of the other, 0..1
     */
    write(i: number, pose: Float64Array, share: number): void {
        const { current: now, _written: written } = this;
        const o = i * BonePose.count;
        fromPosition.copyFromFloats(now[o], now[o + 1], now[o + 2]);
        fromRotation.copyFromFloats(now[o + 3], now[o + 4], now[o + 5], now[o + 6]);
        other.copyFromFloats(pose[3], pose[4], pose[5], pose[6]);
        toPosition.copyFromFloats(pose[0], pose[1], pose[2]);
        if (share === 0) {
            toPosition.copyFrom(fromPosition);
            toRotation.copyFrom(fromRotation);
        } else if (share === 1) toRotation.copyFrom(other);
        else {
            Vector3.LerpToRef(fromPosition, toPosition, share, toPosition);
            Quaternion.SlerpToRef(fromRotation, other, share, toRotation);
        }
        const node = this.bones[i].getTransformNode();
        if (node) {
            node.position.copyFrom(toPosition);
            node.rotationQuaternion ??= node.rotation.toQuaternion();
            node.rotationQuaternion.copyFrom(toRotation);
        } else {
            this.bones[i].position = toPosition;
            this.bones[i].rotationQuaternion = toRotation;
        }
        written[o] = toPosition.x;
        written[o + 1] = toPosition.y;
        written[o + 2] = toPosition.z;
        written[o + 3] = toRotation.x;
        written[o + 4] = toRotation.y;
        written[o + 5] = toRotation.z;
        written[o + 6] = toRotation.w;
    }
}

function parentsFirst(bones: readonly Bone[]): Bone[] {
    const depth = (bone: Bone): number => {
        const parent = bone.getParent();
        return parent ? 1 + depth(parent) : 0;
    };
    return [...bones].sort((a, b) => depth(a) - depth(b));
}

/** As Babylon: scaling, then rotation, then translation. */
function compose(poses: Float64Array, o: number, target: Affine): void {
    const x = poses[o + BonePose.rotation];
    const y = poses[o + BonePose.rotation + 1];
    const z = poses[o + BonePose.rotation + 2];
    const w = poses[o + BonePose.rotation + 3];
    writeQuaternion(x, y, z, w, target);
    for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) target[4 * r + c] *= poses[o + BonePose.scaling + r];
    for (let c = 0; c < 3; c++) target[12 + c] = poses[o + c];
}
