import type { Bone } from "@babylonjs/core/Bones/bone";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { PinHold } from "./pinHold";
import type { Select } from "./select";

/** What to hold, and what carries it: see {@link ClothBehavior.pin}. */
export interface PinOptions {
    select: Select;
    target?: TransformNode | Bone | null;
    hold?: PinHold | null;
}

/** Vertices held by the mesh itself, a TransformNode or a Bone; made by {@link ClothBehavior.pin}. */
export interface Pin {
    /** Which vertices. */
    readonly select: Select;
    /** What carries them; null: the cloth's own mesh. */
    readonly target: TransformNode | Bone | null;
    /** How it holds; null: rigidly. */
    readonly hold: PinHold | null;
    /** Number of pinned particles, less those that a {@link SoftHold} has let go; 0 while not attached. */
    readonly particleCount: number;
    /** Whether the target is gone. */
    readonly isDisposed: boolean;
}
