import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";

/**
 * Cotton with a print. `albedo` is its pattern, `squares` how many squares of eight threads the weave has over u and over v,
 * `translucency` (0 to 1) how much light from behind shines through.
 */
export function fabric(scene: BABYLON.Scene, albedo: BABYLON.BaseTexture, squares: number[], translucency: number) {
    const material = BABYLONCLOTH.FabricMaterials.create("cotton", scene);
    material.albedoColor = BABYLON.Color3.White();
    material.albedoTexture = albedo;
    const weave = material.bumpTexture as BABYLON.Texture;
    [weave.uScale, weave.vScale] = squares;
    material.subSurface.isTranslucencyEnabled = translucency > 0;
    material.subSurface.translucencyIntensity = translucency;
    return material;
}

/** A plain, hard material, for what is not cloth. */
export function solid(scene: BABYLON.Scene, hex: string, roughness: number, metallic: number) {
    const material = new BABYLON.PBRMaterial("solid", scene);
    material.albedoColor = BABYLON.Color3.FromHexString(hex).toLinearSpace();
    material.roughness = roughness;
    material.metallic = metallic;
    return material;
}
