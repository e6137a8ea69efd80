import type { Bone } from "@babylonjs/core/Bones/bone";
import type { Skeleton } from "@babylonjs/core/Bones/skeleton";
import type { Matrix } from "@babylonjs/core/Maths/math.vector";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Node } from "@babylonjs/core/node";
import type { Scene } from "@babylonjs/core/scene";
import { isFiniteAffine } from "../../engine/index";
import type { Affine } from "../../engine/index";

/** World origin of simulation space [m], in doubles. */
export type Origin = Float64Array;

/** Babylon's hidden member of a node attached to a bone: the node whose skeleton the bone belongs to. */
interface BoneAttachedNode {
    readonly _transformToBoneReferal?: TransformNode | null;
}

/**
 * A node's world matrix, up to date even before the scene has evaluated its meshes: what moved this frame counts now. Computed
 * only where Babylon knows of a change, in the node or in what carries it.
 */
export function worldMatrixOf(node: TransformNode): ArrayLike<number> {
    return babylonWorldMatrixOf(node).m;
}

/** Equal to Babylon's matrix, whose update flag changes after each change. */
export function babylonWorldMatrixOf(node: TransformNode): Matrix {
    const isChanged = prepareBones(node) || !node.isSynchronized();
    return node.computeWorldMatrix(isChanged);
}

/**
 * A node on a bone reads the bone and the node that wears it as they were in the last frame, unless they are renewed first.
 * @returns whether a bone carries the node
 */
function prepareBones(node: TransformNode): boolean {
    let isCarried = false;
    for (let n: Node | null = node; n; n = n.parent) {
        if (n !== node && isBone(n)) {
            n.getSkeleton().prepare(true);
            return true;
        }
        const wearer: TransformNode | null | undefined = (n as unknown as BoneAttachedNode)._transformToBoneReferal;
        if (!wearer) continue;
        isCarried = true;
        if (wearer !== node) worldMatrixOf(wearer);
    }
    return isCarried;
}

/** A world matrix relative to the origin of simulation space; false, and pose untouched, if it is not finite. */
export function relativePose(world: ArrayLike<number>, origin: Origin, pose: Affine): boolean {
    if (!isFiniteAffine(world)) return false;
    pose.set(world);
    for (let i = 0; i < 3; i++) pose[12 + i] -= origin[i];
    return true;
}

/** Present pose of a carrier of particles; see {@link carrierOf}. */
export interface Carrier {
    isDisposed(): boolean;
    /** World matrix, row vectors. @param own the cloth's mesh */
    world(own: MeshCarrier): ArrayLike<number>;
    /** World matrix of a node that is near it, maybe of the last frame; null: none. Costs little. */
    approximateWorld(): ArrayLike<number> | null;
}

/** The cloth's mesh: carries the pins that have no target. */
export interface MeshCarrier extends Pick<Carrier, "isDisposed" | "world"> {
    readonly mesh: TransformNode;
    /** The skeleton that the mesh wore when it became cloth. */
    readonly skeleton: Skeleton | null;
    /** Counts the changes of its place in simulation space; told at the begin of a frame. */
    readonly revision: number;
}

/** A TransformNode or Bone as a carrier of particles. Classes are told by name: there may be a second Babylon on the page. */
export function carrierOf(target: TransformNode | Bone): Carrier | null {
    if (isBone(target)) return new BoneCarrier(target);
    if (typeof target?.computeWorldMatrix !== "function") return null;
    return {
        isDisposed: () => target.isDisposed(),
        world: () => worldMatrixOf(target),
        approximateWorld: () => target.computeWorldMatrix().m,
    };
}

function isBone(target: Node): target is Bone {
    return target?.getClassName?.() === "Bone";
}

/** Babylon's hidden member of a skeleton: the container that it is in, which may be out of the scene; null once it is disposed. */
type ContainedSkeleton = Skeleton & { readonly _parentContainer?: Pick<Scene, "meshes"> | null };

class BoneCarrier implements Carrier {
    private readonly _world = new Float64Array(16);
    private _skinnedMesh: TransformNode | null = null;

    constructor(private readonly _bone: Bone) {}

    isDisposed(): boolean {
        if (this._bone.isDisposed()) return true;
        const skeleton: ContainedSkeleton = this._bone.getSkeleton();
        return !skeleton._parentContainer && skeleton.getScene().skeletons.indexOf(skeleton) < 0;
    }

    approximateWorld(): ArrayLike<number> | null {
        const node = this._bone.getTransformNode() ?? this._skinnedMesh;
        return node && node.computeWorldMatrix().m;
    }

    /** The linked node's matrix (glTF), else bone × the mesh that wears the skeleton. */
    world(own: MeshCarrier): ArrayLike<number> {
        const node = this._bone.getTransformNode();
        if (node) return worldMatrixOf(node);
        const skeleton: ContainedSkeleton = this._bone.getSkeleton();
        skeleton.prepare(true);
        const bone = this._bone.getAbsoluteMatrix().m;
        if (own.skeleton === skeleton) this._skinnedMesh = own.mesh;
        if (!this._skinnedMesh || this._skinnedMesh.isDisposed()) {
            const isWearer = (mesh: AbstractMesh): boolean => mesh.skeleton === skeleton;
            this._skinnedMesh =
                skeleton.getScene().meshes.find(isWearer) ?? skeleton._parentContainer?.meshes.find(isWearer) ?? null;
        }
        if (!this._skinnedMesh) return bone;
        const wearer = worldMatrixOf(this._skinnedMesh);
        for (let r = 0; r < 4; r++) {
            for (let c = 0; c < 4; c++) {
                let sum = 0;
                for (let k = 0; k < 4; k++) sum += bone[4 * r + k] * wearer[4 * k + c];
                this._world[4 * r + c] = sum;
            }
        }
        return this._world;
    }
}
