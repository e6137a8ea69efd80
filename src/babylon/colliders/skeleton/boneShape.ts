import type { Bone } from "@babylonjs/core/Bones/bone";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { identity, isFiniteAffine, multiply } from "../../../engine/index";
import type { Affine } from "../../../engine/index";
import { customCopies, customProviders } from "../shapeProvider";
import type { ShapeProvider } from "../shapeProvider";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { worldMatrixOf } from "../../support/carriers";
import type { BoneShape } from "../colliderOptions";

/** Skinned meshes of shapes that follow a bone. */
const skinnedMeshes = new WeakMap<BoneShape, AbstractMesh>();

/** The skinned mesh of a shape that follows a bone; null of a shape that follows a node. */
export function skinnedMeshOf(shape: BoneShape): AbstractMesh | null {
    return skinnedMeshes.get(shape) ?? null;
}

/** A shape that follows a bone of a skinned mesh. */
export function onBone(shape: BoneShape, bone: Bone, skin: SkinPose): BoneShape {
    skinnedMeshes.set(shape, skin.mesh);
    const { toLocal, ...solid } = unitShape(shape);
    const index = bone.getIndex();
    customProviders.set(shape, () => ({
        shape: solid.shape,
        list: [{ ...solid, carrier: skin.mesh, readPose: (pose, frame) => skin.follow(index, toLocal, pose, frame) }],
        isDisposed: () => skin.isDisposed,
    }));
    customCopies.set(shape, (hierarchy) => {
        const mesh = hierarchy.copyOf(skin.mesh) as AbstractMesh | null;
        const copy = mesh?.skeleton?.bones[index];
        return mesh && copy ? onBone({ ...shape, carrier: copy }, copy, skinOf(mesh)) : null;
    });
    return shape;
}

const skins = new WeakMap<AbstractMesh, SkinPose>();

/** The pose of a mesh: one for all shapes on it. */
export function skinOf(mesh: AbstractMesh): SkinPose {
    let skin = skins.get(mesh);
    if (!skin) skins.set(mesh, (skin = new SkinPose(mesh)));
    return skin;
}

/** A shape that follows a node. */
export function onNode(shape: BoneShape, node: TransformNode): BoneShape {
    const { toLocal, ...solid } = unitShape(shape);
    const world = identity();
    const track = (pose: Affine): boolean => {
        world.set(worldMatrixOf(node));
        multiply(toLocal, world, pose);
        return isFiniteAffine(pose);
    };
    customProviders.set(shape, () => ({
        shape: solid.shape,
        list: [{ ...solid, carrier: node, readPose: track }],
        isDisposed: () => node.isDisposed(),
    }));
    customCopies.set(shape, (hierarchy) => {
        const copy = hierarchy.copyOf(node) as TransformNode | null;
        return copy && onNode({ ...shape, carrier: copy }, copy);
    });
    return shape;
}

/** The shape in its unit frame, and the map from there: y from start to end. */
function unitShape({ start, end, startRadius, endRadius }: BoneShape): Omit<ShapeProvider, "readPose"> & { toLocal: Affine } {
    const toLocal = identity();
    const radius = Math.max(startRadius, endRadius);
    const along = end.map((x, c) => x - start[c]);
    const length = Math.hypot(...along);
    // One sphere contains the other.
    if (!(length > Math.abs(startRadius - endRadius))) {
        for (let c = 0; c < 3; c++) {
            toLocal[5 * c] = radius;
            toLocal[12 + c] = startRadius < endRadius ? end[c] : start[c];
        }
        return { shape: "sphere", form: [], fit: toLocal, toLocal };
    }
    const y = along.map((x) => x / length);
    const least = y.map(Math.abs).indexOf(Math.min(...y.map(Math.abs)));
    const x = [0, 1, 2].map((c) => (c === least ? 1 : 0) - y[least] * y[c]);
    const across = Math.hypot(...x);
    const half = (length + startRadius + endRadius) / 2;
    for (let c = 0; c < 3; c++) {
        const [a, b] = [(c + 1) % 3, (c + 2) % 3];
        toLocal[c] = (radius * x[c]) / across;
        toLocal[4 + c] = half * y[c];
        toLocal[8 + c] = (radius * (x[a] * y[b] - x[b] * y[a])) / across;
        toLocal[12 + c] = start[c] + (half - startRadius) * y[c];
    }
    return { shape: "capsule", form: [startRadius / radius, endRadius / radius], fit: toLocal, toLocal };
}

/** Pose of a skinned mesh: maps shapes from the bind pose to the world. Shared by all shapes of the mesh. */
export class SkinPose {
    /** Of a frame: the mesh's world matrix, and the skinning matrices. */
    private readonly _world = new Float64Array(16);
    private _matrices!: Float32Array;
    private _frame = NaN;
    private readonly _skin = new Float64Array(16);
    private readonly _local = new Float64Array(16);

    constructor(readonly mesh: AbstractMesh) {}

    /** True if the mesh or its skeleton is disposed. */
    get isDisposed(): boolean {
        const { skeleton } = this.mesh;
        return this.mesh.isDisposed() || !skeleton || skeleton.getScene().skeletons.indexOf(skeleton) < 0;
    }

    /**
     * World pose of a shape that follows a bone.
     * @param bone index in the skinning matrices
     * @param place affine map from the shape to the mesh's local space in the bind pose
     * @param pose affine map from the shape to the world, out
     * @param frame number of the frame
     * @returns true if it is finite
     */
    follow(bone: number, place: Affine, pose: Affine, frame: number): boolean {
        const { mesh, _skin: skin, _local: local, _world: world } = this;
        if (this._frame !== frame) {
            this._frame = frame;
            mesh.skeleton!.prepare(true);
            this._matrices = mesh.skeleton!.getTransformMatrices(mesh);
            world.set(worldMatrixOf(mesh));
        }
        for (let i = 0; i < 16; i++) skin[i] = this._matrices[16 * bone + i];
        multiply(place, skin, local);
        multiply(local, world, pose);
        return isFiniteAffine(pose);
    }
}
