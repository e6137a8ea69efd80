import type { Affine } from "../../solver/affine";
import type { ColliderShape } from "../../solver/colliders/registry";
import type { Origin } from "../nodes";

/** What errors about colliders name. */
export const OWNER = "ClothBehavior: addCollider";

/** What a collider follows: a shape, and where it is. */
export interface Source {
    readonly shape: ColliderShape;
    /** Whether the shape's centre tells where it is: that of a half-space, far away, moves with the slightest turn. */
    readonly hasCentre: boolean;
    isDisposed(): boolean;
    /** Fills the pose (unit frame → simulation space); false where it is not finite. */
    track(origin: Origin, pose: Affine): boolean;
}
