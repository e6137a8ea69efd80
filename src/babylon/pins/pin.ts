import type { Bone } from "@babylonjs/core/Bones/bone";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { PinHold } from "./pinHold";
import type { Select } from "./select";

/** Vertices to hold, and their carrier: see {@link ClothBehavior.pin}. */
export interface PinOptions {
    select: Select;
    target?: TransformNode | Bone | null;
    hold?: PinHold | null;
}

/** Vertices held by the mesh itself, a TransformNode or a Bone; made by {@link ClothBehavior.pin}. */
export interface Pin {
    /** Vertices to hold. */
    readonly select: Select;
    /** Carrier; null: the cloth's own mesh. */
    readonly target: TransformNode | Bone | null;
    /** Kind of hold; null: rigid. */
    readonly hold: PinHold | null;
    /** Number of pinned particles, less those that a {@link SoftHold} has let go; 0 while not attached. */
    readonly particleCount: number;
    /** True if the target is gone. */
    readonly isDisposed: boolean;
}
