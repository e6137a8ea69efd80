import type { Scene } from "@babylonjs/core/scene";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { ColliderOptions } from "../colliders/colliderOptions";
import type { Collider, ColliderSource } from "../colliders/colliderOptions";
import { sceneLoopOf } from "../scene/sceneLoop";
import type { BoneShape } from "../colliders/colliderOptions";
import { fromSkeleton } from "../colliders/skeleton/fromSkeleton";
import type { SkeletonShapeOptions } from "../colliders/skeleton/fromSkeleton";
import { ColliderBinding } from "../colliders/colliderBinding";
import type { BodyBehavior } from "../behaviors/bodyBehavior";
import { shapesNear } from "./shapesNear";

/** Options of {@link Colliders.fromSkeleton}. */
export interface SkeletonOptions extends SkeletonShapeOptions {
    /**
     * A cloth on its mesh: only shapes that its free particles may reach from where all are now, see {@link ClothBehavior.maxDistance}. On a skin, await its
     * {@link ClothBehavior.whenReady} first. Left out: all.
     */
    near?: Pick<BodyBehavior, "attachedNode">;
}

/** Colliders of a whole scene: all its cloths meet them, present and future, whose groups and masks agree. */
export const Colliders = {
    /**
     * Gives a collider to all cloths of a scene. The cloth whose mesh it is does not meet it. Where the source is disposed, the
     * collider is dropped, with a warning.
     * @param source a mesh (followed every frame), a Plane (solid behind it), a BoundingSphere or a BoundingBox
     * @throws RangeError on a scene, source or option that cannot be used
     */
    add(scene: Scene, source: ColliderSource, options: ColliderOptions = {}): Collider {
        const { colliders } = sceneLoopOf("Colliders: add", scene);
        const collider = new ColliderBinding(source, options, "Colliders: add");
        colliders.add(collider);
        return collider;
    },

    /**
     * Takes it from them. A collider that is not the scene's is passed over.
     * @throws RangeError when it is no scene
     */
    remove(scene: Scene, collider: Collider): void {
        sceneLoopOf("Colliders: remove", scene).colliders.remove(collider);
    },

    /**
     * Bodies from bones: tapered capsules that are fitted to what each bone moves of a skinned mesh, in its bind pose, and that the bones
     * carry. Small bones (fingers, toes) have none. A VRM's own spring-bone colliders are taken instead, see {@link SkeletonOptions.gltf}.
     *
     *     for (const shape of Colliders.fromSkeleton(hero)) cape.addCollider(shape);
     *
     * Each is plain data and the source of a collider; leave out those that the cloth should not meet.
     * @throws RangeError on a mesh without skeleton or weights, or an option out of range
     */
    fromSkeleton(mesh: AbstractMesh, options: SkeletonOptions = {}): BoneShape[] {
        const { near, ...others } = options ?? {};
        const shapes = fromSkeleton(mesh, options && others);
        return near === undefined ? shapes : shapesNear(near, mesh, shapes);
    },
};
