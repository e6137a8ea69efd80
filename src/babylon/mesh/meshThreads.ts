import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { findWarpWeft, isIsotropic } from "../../engine/index";
import type { Fabric, WarpWeft, WarpWeftFinder } from "../../engine/index";
import { readFloats } from "./readMesh";

/**
 * Checks that a fabric has threads on a mesh, if its stiffness differs along warp and weft.
 * @throws RangeError where the mesh has no texture coordinates
 */
export function checkWarpWeft(mesh: Mesh, fabric: Fabric): void {
    for (const name of ["stretchStiffness", "bendStiffness"] as const) {
        if (isIsotropic(fabric[name]) || readUvs(mesh)) continue;
        const rule = `must be one number on a mesh without texture coordinates ("${mesh.name}")`;
        throw new RangeError(`ClothBehavior: fabric.${name} ${rule}, got { warp, weft }`);
    }
}

/**
 * Finds the threads of a mesh that is cloth when they are asked for, and then keeps them.
 * @param binding whose particles are drawn at the mesh's vertices
 * @param recallPositions gives the particles' rest positions [m]
 */
export function warpWeftOf(
    mesh: Mesh,
    binding: { readonly particleOfVertex: Uint32Array; readonly vertexCount: number },
    recallPositions: () => Float32Array,
): WarpWeftFinder {
    let threads: WarpWeft | null = null;
    return () => {
        if (threads) return threads;
        const indices = mesh.getIndices() ?? Array.from({ length: binding.vertexCount }, (_, v) => v);
        return (threads = findWarpWeft(recallPositions(), indices, binding.particleOfVertex, readUvs(mesh)!));
    };
}

function readUvs(mesh: Mesh): Float32Array | null {
    return mesh.geometry && readFloats(mesh.geometry, "uv", 2);
}
