import type { Geometry } from "@babylonjs/core/Meshes/geometry";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { SubMesh } from "@babylonjs/core/Meshes/subMesh";
import type { IndicesArray } from "@babylonjs/core/types";
import type { LocalBounds } from "./localBounds";

/** Not in the types of all engines: takes a new snapshot in the next frame. */
interface SnapshotEngine {
    snapshotRenderingReset(): void;
}

/** Internals of a geometry: makes WebGPU record its draws with the new buffers. */
interface DrawCache {
    _invalidateVertexBuffers?(): void;
}

/** A geometry without vertices yet, for the same scene and with the same bias, of the plain class: builders' own build again. */
export function createEmptyGeometry(source: Geometry, id: string, indices: IndicesArray | null): Geometry {
    let prototype = Object.getPrototypeOf(source) as Geometry;
    while (!Object.hasOwn(prototype, "applyToMesh")) prototype = Object.getPrototypeOf(prototype) as Geometry;
    const plainClass = prototype.constructor as typeof Geometry;
    const geometry = new plainClass(id, source.getScene());
    if (indices) geometry.setIndices(indices);
    if (source.boundingBias) geometry.boundingBias = source.boundingBias;
    return geometry;
}

/** Applies a geometry with the same vertices and triangles; the mesh keeps its submeshes and bounding infos. */
export function swapGeometry(mesh: Mesh, geometry: Geometry, bounds: LocalBounds): void {
    keepSubMeshes(mesh, () => geometry.applyToMesh(mesh));
    bounds.reapply();
    (geometry as unknown as DrawCache)._invalidateVertexBuffers?.();
    resetSnapshot(mesh);
}

/** Babylon rebuilds the submeshes of an unindexed mesh with its geometry, and so loses their materials: hide them. */
export function keepSubMeshes(mesh: Mesh, change: () => void): void {
    const subMeshes: SubMesh[] = mesh.subMeshes;
    mesh.subMeshes = [];
    change();
    mesh.releaseSubMeshes();
    mesh.subMeshes = subMeshes;
    mesh.synchronizeInstances();
}

/** WebGPU's snapshot replays draws of the buffers that were. */
export function resetSnapshot(mesh: Mesh): void {
    const engine = mesh.getScene().getEngine();
    if (engine.snapshotRendering && !engine.isDisposed) (engine as unknown as SnapshotEngine).snapshotRenderingReset();
}
