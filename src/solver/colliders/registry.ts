import type { Arena } from "../../kernels/arena";
import type { Collider } from "./collider";
import { PlaneCollider } from "./plane";
import { SphereCollider } from "./sphere";

/** The collider shapes by name, for a cloth of so many particles. A new shape is one file, its kernel, its test and one line here. */
export const colliderShapes = {
    /** Unit sphere under the pose: spheres and ellipsoids. */
    sphere: (arena: Arena): Collider => new SphereCollider(arena),
    /** Unit rectangle [-1, 1]² at z = 0 under the pose, front towards +z. */
    plane: (arena: Arena, particleCount: number): Collider => new PlaneCollider(arena, false, particleCount),
    /** Everything behind z = 0 under the pose. */
    halfSpace: (arena: Arena, particleCount: number): Collider => new PlaneCollider(arena, true, particleCount),
};

/** Name of a collider shape. */
export type ColliderShape = keyof typeof colliderShapes;
