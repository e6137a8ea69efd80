/** The kernels' WebAssembly module. All arguments are addresses and counts: see ../wasmKernels.ts. */
export { integrate, measureBounds, measureMotion } from "./integrate";
export { projectLimits, projectSticks } from "./sticks";
export { projectTethers } from "./tethers";
export { applyWind } from "./wind";
export { collidePlane, collideSphere } from "./contacts";
export { computeNormals, transformPoints, writeTangents, writeVertices } from "./surface";
