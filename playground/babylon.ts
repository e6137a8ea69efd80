/** The part of Babylon that the scenes need, under its names in the global `BABYLON`: what comes here is in the page. */
import { ImportMeshAsync as importMesh } from "@babylonjs/core/Loading/sceneLoader";
import "@babylonjs/core/Lights/Shadows/shadowGeneratorSceneComponent";
import "@babylonjs/core/Meshes/thinInstanceMesh";
import "@babylonjs/core/Particles/particleSystemComponent";
import "@babylonjs/core/Physics/joinedPhysicsEngineComponent";
import "@babylonjs/core/Physics/v2/physicsEngineComponent";

export { ArcRotateCamera } from "@babylonjs/core/Cameras/arcRotateCamera";
export { Bone } from "@babylonjs/core/Bones/bone";
export { Skeleton } from "@babylonjs/core/Bones/skeleton";
export type { Camera } from "@babylonjs/core/Cameras/camera";
export { DirectionalLight } from "@babylonjs/core/Lights/directionalLight";
export type { Engine } from "@babylonjs/core/Engines/engine";
export { HemisphericLight } from "@babylonjs/core/Lights/hemisphericLight";
export { ShadowGenerator } from "@babylonjs/core/Lights/Shadows/shadowGenerator";
export { ImageProcessingConfiguration } from "@babylonjs/core/Materials/imageProcessingConfiguration";
export { PBRMaterial } from "@babylonjs/core/Materials/PBR/pbrMaterial";
export { StandardMaterial } from "@babylonjs/core/Materials/standardMaterial";
export { RawCubeTexture } from "@babylonjs/core/Materials/Textures/rawCubeTexture";
export type { BaseTexture } from "@babylonjs/core/Materials/Textures/baseTexture";
export { DynamicTexture } from "@babylonjs/core/Materials/Textures/dynamicTexture";
export { RawTexture } from "@babylonjs/core/Materials/Textures/rawTexture";
export { Texture } from "@babylonjs/core/Materials/Textures/texture";
export { Color3, Color4 } from "@babylonjs/core/Maths/math.color";
export { Curve3 } from "@babylonjs/core/Maths/math.path";
export { Plane } from "@babylonjs/core/Maths/math.plane";
export { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
export { Mesh } from "@babylonjs/core/Meshes/mesh";
export { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
export { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
export { ParticleSystem } from "@babylonjs/core/Particles/particleSystem";
export { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
export { HavokPlugin } from "@babylonjs/core/Physics/v2/Plugins/havokPlugin";
export { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
export type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
export { TransformNode } from "@babylonjs/core/Meshes/transformNode";
export { Scene } from "@babylonjs/core/scene";

/** Babylon's own, with the glTF loader, which comes only when a scene loads a model. */
export const ImportMeshAsync: typeof importMesh = async (...parameters) => {
    await import("@babylonjs/loaders/glTF/2.0");
    return importMesh(...parameters);
};
