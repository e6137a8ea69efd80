import { BoneCollider, BoneColliderKind } from "../../kernels/boneLayout";
import type { ColliderShape } from "../collision/shapes/registry";
import type { Affine } from "../math/affine";
import type { BoneRig } from "./boneRig";

/** Lengths of the rows of a pose. */
const lengths = new Float64Array(3);

/** Shapes that bone chains keep out of. */
const BONE_SHAPES: readonly ColliderShape[] = ["sphere", "capsule", "box", "halfSpace"];

/** Writes colliders of chains: a shape under its pose, see shapes/registry.ts. */
export const writeBoneCollider = {
    /** True of the shapes that chains keep out of. */
    supports(shape: ColliderShape): boolean {
        return BONE_SHAPES.includes(shape);
    },

    /** Has a collider be nowhere. */
    none(rig: BoneRig, index: number): void {
        rig.colliders[index * BoneCollider.count] = BoneColliderKind.none;
    },

    /** @param form radii of a capsule's ends, the larger is 1 @param margin distance that is kept from it [m] */
    at(
        rig: BoneRig,
        index: number,
        shape: ColliderShape,
        form: ArrayLike<number>,
        pose: Affine,
        isInside: boolean,
        margin: number,
    ): void {
        const { colliders } = rig;
        const o = index * BoneCollider.count;
        const isNew = colliders[o] === BoneColliderKind.none;
        for (let r = 0; r < 3; r++) {
            lengths[r] = Math.sqrt(
                pose[4 * r] * pose[4 * r] + pose[4 * r + 1] * pose[4 * r + 1] + pose[4 * r + 2] * pose[4 * r + 2],
            );
        }
        for (let c = 0; c < 3; c++) {
            colliders[o + BoneCollider.place + c] = pose[12 + c];
            colliders[o + BoneCollider.axes + c] = 0;
        }
        if (shape === "box") {
            colliders[o] = BoneColliderKind.box;
            for (let r = 0; r < 3; r++) {
                colliders[o + BoneCollider.sizes + r] = lengths[r] + margin;
                for (let c = 0; c < 3; c++) colliders[o + BoneCollider.axes + 3 * r + c] = pose[4 * r + c] / lengths[r];
            }
        } else if (shape === "halfSpace") {
            colliders[o] = BoneColliderKind.halfSpace;
            for (let c = 0; c < 3; c++) {
                const n = pose[8 + c] / lengths[2];
                colliders[o + BoneCollider.axes + c] = n;
                colliders[o + BoneCollider.place + c] += margin * n;
            }
        } else {
            colliders[o] = isInside ? BoneColliderKind.insideCapsule : BoneColliderKind.capsule;
            const width = shape === "capsule" ? Math.max(lengths[0], lengths[2]) : Math.max(lengths[0], lengths[1], lengths[2]);
            const first = shape === "capsule" ? form[0] * width : width;
            const second = shape === "capsule" ? form[1] * width : width;
            if (shape === "capsule") {
                for (let c = 0; c < 3; c++) {
                    const along = pose[4 + c] / lengths[1];
                    colliders[o + BoneCollider.place + c] -= along * (lengths[1] - first);
                    colliders[o + BoneCollider.axes + c] = along * (2 * lengths[1] - first - second);
                }
            }
            const kept = isInside ? -margin : margin;
            colliders[o + BoneCollider.sizes] = first + kept;
            colliders[o + BoneCollider.sizes + 1] = second + kept;
        }
        if (isNew) for (let k = 0; k < BoneCollider.count; k++) rig.previousColliders[o + k] = colliders[o + k];
    },
};
