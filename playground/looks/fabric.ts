import * as BABYLON from "../babylon/looks";
import { paint } from "./paint";

/**
 * A woven, two-sided material with sheen. `albedo` is its printed pattern, `repeat` how many squares of eight threads the
 * weave has over u and over v, `translucency` (0 to 1) how much light from behind shines through.
 */
export function fabric(scene: BABYLON.Scene, albedo: BABYLON.BaseTexture, repeat: number[], translucency: number) {
    const material = new BABYLON.PBRMaterial("fabric", scene);
    material.albedoTexture = albedo;
    material.metallic = 0;
    material.roughness = 0.85;
    material.backFaceCulling = false;
    material.twoSidedLighting = true;

    const weave = weaveNormals(scene);
    weave.uScale = repeat[0];
    weave.vScale = repeat[1];
    weave.level = 0.6;
    material.bumpTexture = weave;

    material.sheen.isEnabled = true;
    material.sheen.intensity = 0.25;
    material.sheen.roughness = 0.5;
    if (translucency > 0) {
        material.subSurface.isTranslucencyEnabled = true;
        material.subSurface.translucencyIntensity = translucency;
    }
    return material;
}

/** The normal map of a plain weave, eight threads by eight: warp and weft pass over each other like a chessboard. */
export function weaveNormals(scene: BABYLON.Scene) {
    const threads = 8;
    const texture = paint(scene, 128, 128, (u, v) => {
        const across = u * threads;
        const along = v * threads;
        const isWarp = (Math.floor(across) + Math.floor(along)) % 2 === 0;
        const bulge = 2 * ((isWarp ? across : along) % 1) - 1;
        const arch = 2 * ((isWarp ? along : across) % 1) - 1;
        const normal = isWarp ? [0.7 * bulge, 0.35 * arch] : [0.35 * arch, 0.7 * bulge];
        return [0.5 + 0.5 * normal[0], 0.5 + 0.5 * normal[1], 0.5 + 0.5 * Math.sqrt(1 - normal[0] ** 2 - normal[1] ** 2)];
    });
    texture.name = "weave";
    return texture;
}

/** A plain, hard material, for what is not cloth. */
export function solid(scene: BABYLON.Scene, hex: string, roughness: number, metallic: number) {
    const material = new BABYLON.PBRMaterial("solid", scene);
    material.albedoColor = BABYLON.Color3.FromHexString(hex).toLinearSpace();
    material.roughness = roughness;
    material.metallic = metallic;
    return material;
}
