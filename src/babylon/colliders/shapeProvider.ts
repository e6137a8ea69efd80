import type { Node } from "@babylonjs/core/node";
import type { CopiedHierarchy } from "../mesh/copiedHierarchy";
import type { Affine, ColliderShape, Skin } from "../../engine/index";

/** Name of the method in errors about colliders of a cloth. */
export const OWNER = "ClothBehavior: addCollider";

/** A shape that a collider follows, and where it is. */
export interface ShapeProvider {
    readonly shape: ColliderShape;
    /** Numbers that say which of its shape it is, see shapes/registry.ts. */
    readonly form: ArrayLike<number>;
    /** Of triangles that bones carry, as they are in each frame. */
    readonly skin?: Skin;
    /** Numbers that tell how the shape lies in what is followed: with the same ones, it is the same solid. */
    readonly fit: ArrayLike<number>;
    /** The node that carries it, whose physics body takes the impulses of contact, and which of its thin instances. */
    readonly node?: Node;
    readonly instance?: number;
    /** Node that must be enabled and in the scene for it to be solid, if that is not {@link node}. */
    readonly carrier?: Node;
    /** Fills the pose (unit frame → world); false where it is not finite. @param frame number of the frame, within which it may be kept */
    readPose(pose: Affine, frame: number): boolean;
    /** A number that is another one after each change of what {@link readPose} tells; NaN, or left out: that has to be asked. */
    poseRevision?(): number;
}

/** All that a collider follows: one shape, or several that belong together. */
export interface ShapeProviders {
    /** Name of the shape for users. */
    readonly shape: string;
    /** Another list where it has changed. */
    readonly list: readonly ShapeProvider[];
    isDisposed(): boolean;
    /**
     * Takes in what has changed since the last frame. @returns whether the parts are others
     * @throws Error when it can be followed no longer
     */
    review?(): boolean;
}

/** One shape alone. */
export function singleProvider(source: ShapeProvider, isDisposed = (): boolean => false): ShapeProviders {
    return { shape: source.shape, list: [source], isDisposed };
}

/** Shapes of objects that were made to be colliders, given by their makers, so that a page without them need not load their code. */
export const customProviders = new WeakMap<object, () => ShapeProviders>();

/** Of such objects, what makes another of them for a copy of what they follow; null where that was not copied. */
export const customCopies = new WeakMap<object, (hierarchy: CopiedHierarchy) => object | null>();
