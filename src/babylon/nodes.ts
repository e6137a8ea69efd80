import type { Bone } from "@babylonjs/core/Bones/bone";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { isFiniteAffine } from "../solver/affine";
import type { Affine } from "../solver/affine";

/** World origin of simulation space [m], in doubles. */
export type Origin = Float64Array;

/** A node's world matrix, up to date even before the scene has evaluated its meshes: what moved this frame counts now. */
export function worldMatrixOf(node: TransformNode): ArrayLike<number> {
    return node.computeWorldMatrix(true).m;
}

/** A world matrix relative to the origin of simulation space; false, and pose untouched, if it is not finite. */
export function relativePose(world: ArrayLike<number>, origin: Origin, pose: Affine): boolean {
    if (!isFiniteAffine(world)) return false;
    pose.set(world);
    for (let i = 0; i < 3; i++) pose[12 + i] -= origin[i];
    return true;
}

/** Where something that carries particles is now; see {@link carrierOf}. */
export interface Carrier {
    isDisposed(): boolean;
    world(): ArrayLike<number>;
}

/** A TransformNode or Bone as a carrier of particles. Classes are told by name: there may be a second Babylon on the page. */
export function carrierOf(target: TransformNode | Bone): Carrier | null {
    if (isBone(target)) return new BoneCarrier(target);
    if (typeof target?.computeWorldMatrix !== "function") return null;
    return { isDisposed: () => target.isDisposed(), world: () => worldMatrixOf(target) };
}

function isBone(target: TransformNode | Bone): target is Bone {
    return target?.getClassName?.() === "Bone";
}

class BoneCarrier implements Carrier {
    private readonly _world = new Float64Array(16);
    private _mesh: AbstractMesh | null = null;

    constructor(private readonly _bone: Bone) {}

    isDisposed(): boolean {
        const skeleton = this._bone.getSkeleton();
        return !skeleton || skeleton.getScene().skeletons.indexOf(skeleton) < 0;
    }

    /** The linked node's matrix (glTF), else bone × skinned mesh. */
    world(): ArrayLike<number> {
        const node = this._bone.getTransformNode();
        if (node) return worldMatrixOf(node);
        const skeleton = this._bone.getSkeleton();
        skeleton.prepare(true);
        const bone = this._bone.getAbsoluteMatrix().m;
        if (!this._mesh || this._mesh.isDisposed()) {
            this._mesh = skeleton.getScene().meshes.find((mesh) => mesh.skeleton === skeleton) ?? null;
        }
        if (!this._mesh) return bone;
        const mesh = worldMatrixOf(this._mesh);
        for (let r = 0; r < 4; r++) {
            for (let c = 0; c < 4; c++) {
                let sum = 0;
                for (let k = 0; k < 4; k++) sum += bone[4 * r + k] * mesh[4 * k + c];
                this._world[4 * r + c] = sum;
            }
        }
        return this._world;
    }
}
