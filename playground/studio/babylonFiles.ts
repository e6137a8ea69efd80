/** Babylon's loader of .babylon files, with the kinds of meshes and materials in them that the page names nowhere else. */
import "@babylonjs/core/Loading/Plugins/babylonFileLoader";
import "@babylonjs/core/Materials/PBR/pbrMaterial";
import "@babylonjs/core/Materials/multiMaterial";
import "@babylonjs/core/Materials/standardMaterial";
import "@babylonjs/core/Meshes/groundMesh";
import "@babylonjs/core/Meshes/instancedMesh";
import "@babylonjs/core/Meshes/linesMesh";
