import * as BABYLON from "../babylon";
import { mix, paint, repeat } from "./paint";

/**
 * A woven, two-sided material with sheen. `albedo` is its printed pattern, `squares` how many squares of eight threads the
 * weave has over u and over v, `translucency` (0 to 1) how much light from behind shines through.
 */
export function fabric(scene: BABYLON.Scene, albedo: BABYLON.BaseTexture, squares: number[], translucency: number) {
    const material = new BABYLON.PBRMaterial("fabric", scene);
    material.albedoTexture = albedo;
    material.metallic = 0;
    material.roughness = 0.85;
    material.backFaceCulling = false;
    material.twoSidedLighting = true;

    material.bumpTexture = repeat(weaveNormals(scene), squares[0], squares[1]);
    material.bumpTexture.level = 0.6;

    material.sheen.isEnabled = true;
    material.sheen.intensity = 0.25;
    material.sheen.roughness = 0.5;
    if (translucency > 0) {
        material.subSurface.isTranslucencyEnabled = true;
        material.subSurface.translucencyIntensity = translucency;
        // Light that shines through takes the colour of the print; Babylon's newer way bleaches it.
        material.subSurface.legacyTranslucency = true;
    }
    return material;
}

/**
 * The normal map of a plain weave, eight threads by eight: warp and weft pass over each other like a chessboard. Its smaller
 * copies are flatter, plain from two texels a thread on: threads as fine as pixels would make a moiré.
 */
export function weaveNormals(scene: BABYLON.Scene) {
    const threads = 8;
    const size = 128;
    const weave = (strength: number) => (u: number, v: number) => {
        const across = u * threads;
        const along = v * threads;
        const isWarp = (Math.floor(across) + Math.floor(along)) % 2 === 0;
        const bulge = strength * (1.4 * ((isWarp ? across : along) % 1) - 0.7);
        const arch = strength * (0.7 * ((isWarp ? along : across) % 1) - 0.35);
        const [x, y] = isWarp ? [bulge, arch] : [arch, bulge];
        return [0.5 + 0.5 * x, 0.5 + 0.5 * y, 0.5 + 0.5 * Math.sqrt(1 - x * x - y * y)];
    };
    const texture = paint(scene, size, size, weave(1));
    texture.name = "weave";
    for (let level = 1; size >> level > 0; level++) {
        const texels = mix(size >> level, size >> level, weave(Math.max(0, 1 - level / 3)));
        (scene.getEngine() as BABYLON.Engine).updateTextureData(
            texture.getInternalTexture()!,
            texels,
            0,
            0,
            size >> level,
            size >> level,
            0,
            level,
        );
    }
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
