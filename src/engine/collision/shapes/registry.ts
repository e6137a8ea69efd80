import type { Kernels } from "../../../kernels/kernelTable";
import { BoxCollider } from "./box";
import { CapsuleCollider } from "./capsule";
import type { Collider } from "./collider";
import { CylinderCollider } from "./cylinder";
import { HalfSpaceCollider } from "./halfSpace";
import { HullCollider } from "./hull";
import { meshColliderModule } from "./mesh.lazy";
import { QuadCollider } from "./quad";
import type { SkinnedPose } from "./skinnedPose";
import { SphereCollider } from "./sphere";

/**
 * Makes a collider for a cloth of so many particles.
 * @param form numbers that say which of its shape it is; empty for most
 * @param skin of one that bones carry, its vertices
 */
export type CreateCollider = (
    kernels: Kernels,
    particleCount: number,
    form: ArrayLike<number>,
    skin: SkinnedPose | null,
) => Collider;

/** The collider shapes by name. A new shape is one file, its kernel, its test and one line here. */
export const colliderShapes = {
    /** Unit sphere under the pose: spheres and ellipsoids. */
    sphere: ({ arena }) => new SphereCollider(arena),
    /** The cube [-1, 1]³ under the pose. */
    box: ({ arena }) => new BoxCollider(arena),
    /** Hull of two spheres along y in [-1, 1]³ under the pose. Form: the spheres' radii below and above, the larger is 1. */
    capsule: ({ arena }, _, form) => new CapsuleCollider(arena, form),
    /** Cylinder along y in [-1, 1]³ under the pose. */
    cylinder: ({ arena }) => new CylinderCollider(arena),
    /** Convex hull in [-1, 1]³ under the pose. Form: its planes, outward normals and normal · x, four numbers each. */
    hull: ({ arena }, _, form) => new HullCollider(arena, form),
    /** Triangles in [-1, 1]³ under the pose. Form: see MeshGeometry in meshTree.ts. */
    mesh: (kernels, particleCount, form) => meshColliderModule.module.createMesh(kernels, particleCount, form),
    /** Triangles that bones carry, see skin.ts; its unit frame is that in which they are. */
    skin: (kernels, particleCount, form, skin) => meshColliderModule.module.createSkin(kernels, particleCount, form, skin!),
    /** Unit rectangle [-1, 1]² at z = 0 under the pose, front towards +z. */
    plane: ({ arena }, particleCount) => new QuadCollider(arena, particleCount),
    /** Everything behind z = 0 under the pose. */
    halfSpace: ({ arena }) => new HalfSpaceCollider(arena),
} as const satisfies Record<string, CreateCollider>;

/** Name of a collider shape. */
export type ColliderShape = keyof typeof colliderShapes;
