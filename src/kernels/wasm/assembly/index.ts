/** The kernels' WebAssembly module. All arguments are addresses and counts: see ../wasmKernels.ts. */
export { integrate, measureBounds, measureMotion } from "./integrate";
export { projectLimits, projectSticks } from "./sticks";
export { projectTethers } from "./tethers";
export { applyWind } from "./wind";
export { collidePlane, findSides, findSupports } from "./plane";
export { collideSphere } from "./sphere";
export { computeNormals, transformPoints, writeTangents, writeVertices } from "./surface";
