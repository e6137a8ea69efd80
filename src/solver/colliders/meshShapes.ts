import type { Kernels } from "../../kernels/kernels";
import { meshKernels } from "../../kernels/modules/mesh.generated";
import { MeshCollider } from "./mesh";
import type { PosedSkin } from "./posedSkin";
import { SkinMeshCollider } from "./skinMesh";

export { PosedSkin } from "./posedSkin";

/** @param form see MeshForm in meshTree.ts */
export function makeMesh(kernels: Kernels, particleCount: number, form: ArrayLike<number>): MeshCollider {
    return new MeshCollider(kernels.add(meshKernels).arena, particleCount, form);
}

/** @param form whether it is closed */
export function makeSkin({ arena }: Kernels, particleCount: number, form: ArrayLike<number>, skin: PosedSkin): SkinMeshCollider {
    return new SkinMeshCollider(arena, particleCount, form[0], skin);
}
