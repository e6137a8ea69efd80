/**
 * The part of Babylon that the scenes need, under its names in the global `BABYLON`: no materials, no lights, nothing
 * that draws. Scene definitions import only this, so that tests and benchmarks load them quickly under NullEngine.
 */
export { Axis } from "@babylonjs/core/Maths/math.axis";
export { Plane } from "@babylonjs/core/Maths/math.plane";
export { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
export { Mesh } from "@babylonjs/core/Meshes/mesh";
export { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
export { TransformNode } from "@babylonjs/core/Meshes/transformNode";
export { Scene } from "@babylonjs/core/scene";
