/**
 * Babylon objects that builders create. The only file of the builders that imports Babylon classes at run time: Mesh and TransformNode, which every app with
 * cloth has, and RawTexture, which bundlers drop when unused.
 */
import { RawTexture } from "@babylonjs/core/Materials/Textures/rawTexture";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { ThinEngine } from "@babylonjs/core/Engines/thinEngine";
import type { Material } from "@babylonjs/core/Materials/material";
import type { Scene } from "@babylonjs/core/scene";
import type { Sheet } from "./sheets";

/** Trilinear sampling with mipmaps. */
const TRILINEAR = 3;
/** Texture address mode; raw textures clamp by default. */
const WRAP = 1;

/** A mesh of a sheet, seen from both sides in a material of its own. */
export function makeMesh(name: string, sheet: Sheet, scene: Scene): Mesh {
    const mesh = new Mesh(name, scene);
    mesh.setVerticesData("position", sheet.positions, true);
    mesh.setVerticesData("uv", sheet.uvs, false);
    mesh.setIndices(sheet.indices);
    mesh.createNormals(true);
    mesh.material = makeTwoSided(name, scene);
    return mesh;
}

/** An invisible mesh: not pickable, not serialised, not listed by the Inspector. */
export function makeHidden(name: string, positions: Float32Array, indices: number[], scene: Scene): Mesh {
    const mesh = new Mesh(name, scene);
    mesh.setVerticesData("position", positions, false);
    mesh.setIndices(indices);
    mesh.isVisible = mesh.isPickable = false;
    mesh.doNotSerialize = true;
    mesh.reservedDataStore = { hidden: true };
    return mesh;
}

/** A copy of the scene's default material, which is Babylon's StandardMaterial unless the user says otherwise, seen from both sides. */
function makeTwoSided(name: string, scene: Scene): Material {
    const material = scene.defaultMaterial.clone(name) as Material & { twoSidedLighting?: boolean };
    material.backFaceCulling = false;
    material.twoSidedLighting = true;
    return material;
}

/** A child node. @param x position in the parent's space */
export function makeNode(name: string, parent: TransformNode, x: number, y: number, z: number): TransformNode {
    const node = new TransformNode(name, parent.getScene());
    node.parent = parent;
    node.position.set(x, y, z);
    return node;
}

/** Calls in every frame of a mesh's scene, after its cloth was drawn, until it is disposed. */
export function onFrames(mesh: Mesh, call: () => void): void {
    const { onBeforeActiveMeshesEvaluationObservable: frames } = mesh.getScene();
    const observer = frames.add(call);
    mesh.onDisposeObservable.addOnce(() => frames.remove(observer));
}

/** Red, green, blue and alpha of a texture, each 0 to 1, at u and v. */
type Texel = (u: number, v: number) => number[];

/** Bytes of a square texture. */
function texels(size: number, texel: Texel): Uint8Array {
    const bytes = new Uint8Array(4 * size * size);
    for (let i = 0; i < size * size; i++) {
        const column = i % size;
        const colour = texel((column + 0.5) / size, ((i - column) / size + 0.5) / size);
        for (let c = 0; c < 4; c++) bytes[4 * i + c] = Math.round(255 * Math.min(1, Math.max(0, colour[c])));
    }
    return bytes;
}

/**
 * A square texture that is laid side by side.
 * @param texel red, green, blue and alpha, each 0 to 1, at u and v
 */
export function makeTexture(scene: Scene, name: string, size: number, texel: Texel): RawTexture {
    const texture = RawTexture.CreateRGBATexture(texels(size, texel), size, size, scene, true, false, TRILINEAR);
    texture.name = name;
    texture.wrapU = texture.wrapV = WRAP;
    texture.anisotropicFilteringLevel = 8;
    return withFullClones(texture);
}

/** Upload of a part of a texture's level of detail. */
type LevelUpload = Pick<ThinEngine, "updateTextureData" | "getRenderingCanvas">;

/**
 * Makes the relief of a normal map fade before its pattern is as fine as pixels: a pattern of two texels, kept by averaged levels of detail, makes moiré.
 * @param size of the texture @param texel as of {@link makeTexture}
 * @param strengths of the relief, of the levels of detail from the first on; beyond these it is flat
 */
export function fadeRelief(texture: RawTexture, size: number, texel: Texel, strengths: readonly number[]): void {
    const engine = texture.getScene()!.getEngine() as unknown as LevelUpload;
    const internal = texture.getInternalTexture();
    // NullEngine has no canvas, and uploads nothing.
    for (let level = 1; internal && engine.getRenderingCanvas() && size >> level > 0; level++) {
        const strength = strengths[level] ?? 0;
        const faded = texels(size >> level, (u, v) => {
            const [x, y, z] = texel(u, v);
            return [0.5 + strength * (x - 0.5), 0.5 + strength * (y - 0.5), 1 + strength * (z - 1), 1];
        });
        engine.updateTextureData(internal, faded, 0, 0, size >> level, size >> level, 0, level);
    }
    const clone = texture.clone.bind(texture) as () => RawTexture;
    texture.clone = () => {
        const copy = clone();
        fadeRelief(copy, size, texel, strengths);
        return copy;
    };
}

/** Texture properties that a clone must keep. */
const COPIED_PROPERTIES = ["name", "hasAlpha", "level", "uScale", "vScale", "wrapU", "wrapV", "anisotropicFilteringLevel"] as const;

/** Makes clones of a texture keep its scale and wrapping. Babylon's clones of raw textures lose both: the weave of a cloned material would be 40 times too coarse. */
function withFullClones(texture: RawTexture): RawTexture {
    const clone = texture.clone.bind(texture) as () => RawTexture;
    texture.clone = () => {
        const copy = withFullClones(clone());
        for (const name of COPIED_PROPERTIES) copy[name] = texture[name] as never;
        return copy;
    };
    return texture;
}
