/** Materials of the studio's cloth and stands. */
import "@babylonjs/core/Materials/PBR/pbrMaterial";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Scene } from "@babylonjs/core/scene";
import { FabricMaterials } from "babylon-cloth";
import * as BABYLON from "../babylon";
import type { Tuning } from "./document";

/** A tuning's material; null: what the builder or the file has. */
export function materialOf({ look, colour }: Tuning, scene: Scene): BABYLON.PBRMaterial | null {
    if (look === null) return null;
    const material = FabricMaterials.create(look, scene);
    if (colour !== null) material.albedoColor = BABYLON.Color3.FromHexString(colour).toLinearSpace();
    return material;
}

/** Gives a mesh another material, and lets go of one that {@link materialOf} has made. */
export function dress(mesh: Mesh, material: BABYLON.PBRMaterial | null, own: Mesh["material"]): void {
    const before = mesh.material;
    mesh.material = material ?? own;
    if (before && before !== own) before.dispose(false, true);
}
