import { createCloth, mapPointCloud, topologyOf } from "../../engine/index";
import type { Affine } from "../../engine/index";
import type { BodyKind } from "./bodyKind";
import { MeshBinding } from "../mesh/meshBinding";
import { checkWarpWeft, warpWeftOf } from "../mesh/meshThreads";

/** Meshes as sheets of cloth. */
export const clothKind: BodyKind<MeshBinding> = {
    owner: "ClothBehavior",
    perturbsFlat: true,
    bind: (mesh, kernels, toWorld, clones) => new MeshBinding(mesh, kernels, toWorld, clones),
    build(binding, kernels, settings, pose, rest, origin) {
        const { mesh } = binding;
        checkWarpWeft(mesh, settings.fabric);
        const recall = createRestReader(binding.restPositions, pose.slice());
        const topology = topologyOf(rest, binding.triangles, recall);
        const threads = warpWeftOf(mesh, binding, recall);
        const cloth = createCloth(kernels, topology, rest, settings, origin, binding.sharedTriangles, threads);
        binding.releaseTriangles();
        return cloth;
    },
};

/** Maps points once more, holding nothing else: cloths of one shape share it. */
function createRestReader(local: Float32Array, pose: Affine): () => Float32Array {
    return () => mapPointCloud(local, pose).mapped;
}
