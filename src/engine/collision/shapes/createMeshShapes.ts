import type { Kernels } from "../../../kernels/kernelTable";
import { meshKernels } from "../../../kernels/modules/mesh.generated";
import { MeshCollider } from "./mesh";
import type { SkinnedPose } from "./skinnedPose";
import { SkinnedMeshCollider } from "./skinnedMesh";

export { SkinnedPose as PosedSkin } from "./skinnedPose";

/** @param form see MeshGeometry in meshTree.ts */
export function createMesh(kernels: Kernels, particleCount: number, form: ArrayLike<number>): MeshCollider {
    return new MeshCollider(kernels.add(meshKernels).arena, particleCount, form);
}

/** @param form whether it is closed */
export function createSkin(
    { arena }: Kernels,
    particleCount: number,
    form: ArrayLike<number>,
    skin: SkinnedPose,
): SkinnedMeshCollider {
    return new SkinnedMeshCollider(arena, particleCount, form[0], skin);
}
