import "../parts";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBinding } from "../../src/babylon/mesh/meshBinding";
import { getKernels } from "../../src/engine/index";
import type { Sheet } from "../physics/meshes";

/** The particles and triangles that a behavior would make of a mesh; null where it refuses the mesh. The mesh is disposed. */
export function sheetOf(mesh: Mesh): Sheet | null {
    try {
        const binding = new MeshBinding(mesh, getKernels());
        const sheet = { positions: Float32Array.from(binding.restPositions), triangles: Uint32Array.from(binding.triangles) };
        binding.dispose();
        return sheet;
    } catch {
        return null;
    } finally {
        mesh.dispose();
    }
}
