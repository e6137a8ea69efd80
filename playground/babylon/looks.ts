/** The part of Babylon that draws the scenes: what shapes.ts has, and materials, lights, shadows, textures and cameras. */
export * from "./shapes";
export { ArcRotateCamera } from "@babylonjs/core/Cameras/arcRotateCamera";
export { Engine } from "@babylonjs/core/Engines/engine";
export { DirectionalLight } from "@babylonjs/core/Lights/directionalLight";
export { HemisphericLight } from "@babylonjs/core/Lights/hemisphericLight";
export { ShadowGenerator } from "@babylonjs/core/Lights/Shadows/shadowGenerator";
export { ImageProcessingConfiguration } from "@babylonjs/core/Materials/imageProcessingConfiguration";
export { PBRMaterial } from "@babylonjs/core/Materials/PBR/pbrMaterial";
export { StandardMaterial } from "@babylonjs/core/Materials/standardMaterial";
export type { BaseTexture } from "@babylonjs/core/Materials/Textures/baseTexture";
export { DynamicTexture } from "@babylonjs/core/Materials/Textures/dynamicTexture";
export { RawTexture } from "@babylonjs/core/Materials/Textures/rawTexture";
export { Texture } from "@babylonjs/core/Materials/Textures/texture";
export { Color3, Color4 } from "@babylonjs/core/Maths/math.color";

/** Gives the colour, red, green, blue and maybe alpha, at u and v; see looks/paint.ts. */
export type Painter = (u: number, v: number) => number[];

/** What looks/studio.ts is told of a scene. */
export interface View {
    target: [number, number, number];
    alpha: number;
    beta: number;
    radius: number;
    extent: number;
    sun?: [number, number, number];
}
