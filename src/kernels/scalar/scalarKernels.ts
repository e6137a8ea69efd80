import { HeapArena } from "../arena";
import type { Kernels } from "../kernels";
import { integrate, measureBounds, measureMotion } from "./integrate";
import { collidePlane, findSides, findSupports } from "./plane";
import { collideSphere } from "./sphere";
import { projectLimits, projectSticks } from "./sticks";
import { computeNormals, transformPoints, writeTangents, writeVertices } from "./surface";
import { projectTethers } from "./tethers";
import { applyWind } from "./wind";

/** The reference backend: plain TypeScript on JavaScript's own heap, always available. */
export const scalarKernels: Kernels = {
    name: "scalar",
    arena: new HeapArena(),
    integrate,
    projectSticks,
    projectLimits,
    projectTethers,
    applyWind,
    collideSphere,
    findSides,
    findSupports,
    collidePlane,
    measureBounds,
    measureMotion,
    transformPoints,
    computeNormals,
    writeVertices,
    writeTangents,
};
