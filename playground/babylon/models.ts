/** What shapes.ts has, and loading of models. A module that loads .glb imports the glTF loader itself. */
export * from "./shapes";
export { ImportMeshAsync } from "@babylonjs/core/Loading/sceneLoader";
