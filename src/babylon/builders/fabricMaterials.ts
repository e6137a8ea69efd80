import type { PBRMaterial } from "@babylonjs/core/Materials/PBR/pbrMaterial";
import type { Texture } from "@babylonjs/core/Materials/Textures/texture";
import { GetClass } from "@babylonjs/core/Misc/typeStore";
import type { Scene } from "@babylonjs/core/scene";
import { Fabrics, reject } from "../../engine/index";
import { checkScene } from "../support/validation";
import { fadeRelief, makeTexture } from "./babylonObjects";
import type { FabricName } from "../../engine/index";

/**
 * Appearance of a fabric: colour, red, green and blue as the eye sees them (sRGB), each 0 to 1; roughness; strength of its fuzz's sheen, 0
 * to 1, and how wide that is; how much light from behind shines through, 0 to 1; relief of its threads, 0 to 1, and how many squares
 * of eight threads a unit of u and v has, 0: none; whether it is a twill. Rows of numbers: calls would stay in every app.
 */
type FabricLook = readonly [
    colour: readonly [number, number, number],
    roughness: number,
    sheen: number,
    sheenRoughness: number,
    translucency: number,
    weave: number,
    squares: number,
    isTwill?: boolean,
];

const FABRIC_LOOKS: Record<FabricName, FabricLook> = {
    chiffon: [[0.93, 0.88, 0.86], 0.6, 0.3, 0.3, 0.8, 0.25, 60],
    rubber: [[0.16, 0.16, 0.17], 0.35, 0, 0, 0, 0, 0],
    silk: [[0.72, 0.13, 0.2], 0.32, 0.6, 0.25, 0.35, 0.2, 80],
    wool: [[0.33, 0.35, 0.4], 0.95, 0.5, 0.8, 0.05, 0.8, 30, true],
    nylon: [[0.15, 0.36, 0.66], 0.45, 0.3, 0.3, 0.5, 0.3, 60],
    cotton: [[0.88, 0.86, 0.81], 0.85, 0.25, 0.5, 0.3, 0.6, 40],
    linen: [[0.8, 0.74, 0.62], 0.9, 0.2, 0.6, 0.35, 0.9, 30],
    denim: [[0.14, 0.21, 0.36], 0.9, 0.2, 0.6, 0, 0.9, 36, true],
    canvas: [[0.82, 0.78, 0.68], 0.9, 0.1, 0.6, 0.15, 0.9, 24],
    leather: [[0.3, 0.17, 0.1], 0.5, 0.05, 0.4, 0, 0, 0],
    paper: [[0.95, 0.95, 0.94], 0.9, 0, 0, 0.3, 0, 0],
};

/** Materials that look like the {@link Fabrics}. */
export const FabricMaterials = {
    /**
     * A two-sided PBR material with a fabric's weave, sheen and translucency, in a colour that is usual for it: set `albedoColor` or
     * `albedoTexture` for another. The weave runs over u and v (`bumpTexture.uScale` and `vScale` say how fine).
     * @param fabric one of {@link Fabrics}
     * @param scene a scene in which PBRMaterial has been loaded: `import "@babylonjs/core/Materials/PBR/pbrMaterial"`
     * @throws RangeError on an unknown fabric or what is no scene; Error where PBRMaterial is not loaded
     */
    create(fabric: FabricName, scene: Scene): PBRMaterial {
        const owner = "FabricMaterials: create";
        checkScene(owner, scene);
        if (!Object.hasOwn(FABRIC_LOOKS, fabric)) reject(owner, "fabric", `one of ${Object.keys(Fabrics).join(", ")}`, fabric);
        const Material = GetClass("BABYLON.PBRMaterial") as (new (name: string, scene: Scene) => PBRMaterial) | undefined;
        if (!Material) throw new Error(`${owner} needs PBRMaterial: import "@babylonjs/core/Materials/PBR/pbrMaterial" first`);
        const [colour, roughness, sheen, sheenRoughness, translucency, weave, squares, isTwill] = FABRIC_LOOKS[fabric];
        const material = new Material(fabric, scene);
        material.albedoColor.set(...colour).toLinearSpaceToRef(material.albedoColor);
        material.metallic = 0;
        material.roughness = roughness;
        material.backFaceCulling = false;
        material.twoSidedLighting = true;
        if (sheen > 0) {
            material.sheen.isEnabled = true;
            material.sheen.intensity = sheen;
            material.sheen.roughness = sheenRoughness;
        }
        if (translucency > 0) {
            material.subSurface.isTranslucencyEnabled = true;
            material.subSurface.translucencyIntensity = translucency;
            // Light that shines through takes the cloth's colour; Babylon's newer way bleaches it.
            material.subSurface.legacyTranslucency = true;
        }
        if (weave > 0) material.bumpTexture = weaveNormalTexture(scene, weave, squares, !!isTwill);
        return material;
    },
};

/** Threads of a weave's square, and texels along its side. */
const THREADS = 8;
const SIZE = 128;
/** Strength of the relief by level of detail: of 16, 8 and 4 texels a thread. */
const FADING = [1, 0.8, 0.2];

/** Normals of a plain weave, in which warp and weft pass over each other like a chessboard, or of a twill, whose steps make diagonals. */
function weaveNormalTexture(scene: Scene, strength: number, squares: number, isTwill: boolean): Texture {
    const weave = (u: number, v: number): number[] => {
        const across = u * THREADS;
        const along = v * THREADS;
        const step = Math.floor(across) + Math.floor(along);
        const isWarp = isTwill ? step % 4 < 2 : step % 2 === 0;
        // Threads are round across, and bend where they dive.
        const bulge = 1.4 * ((isWarp ? across : along) % 1) - 0.7;
        const arch = 0.7 * ((isWarp ? along : across) % 1) - 0.35;
        const [x, y] = isWarp ? [bulge, arch] : [arch, bulge];
        return [0.5 + 0.5 * x, 0.5 + 0.5 * y, 0.5 + 0.5 * Math.sqrt(Math.max(0, 1 - x * x - y * y)), 1];
    };
    const texture = makeTexture(scene, "weave", SIZE, weave);
    fadeRelief(texture, SIZE, weave, FADING);
    texture.uScale = texture.vScale = squares;
    texture.level = strength;
    return texture;
}
