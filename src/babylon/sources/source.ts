import type { Affine } from "../../solver/affine";
import type { ColliderShape } from "../../solver/colliders/registry";

/** What errors about the colliders of a cloth name. */
export const OWNER = "ClothBehavior: addCollider";

/** What a collider follows: a shape, and where it is. */
export interface Source {
    readonly shape: ColliderShape;
    /** Numbers that say which of its shape it is, see colliders/registry.ts. */
    readonly form: ArrayLike<number>;
    /** Numbers that tell how the shape lies in what is followed: with the same ones, it is the same solid. */
    readonly fit: ArrayLike<number>;
    isDisposed(): boolean;
    /** Fills the pose (unit frame → world); false where it is not finite. */
    track(pose: Affine): boolean;
}
