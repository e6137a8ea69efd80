/** Meshes read as if they were one: their vertices are numbered one after the other. */
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { readFloats } from "./readMesh";

/** Vertex data of meshes one after the other, zeros where one lacks the kind; null where all do. @param read readFloats: imported here, it would be torn out of the app's one file */
export function readAll(
    meshes: readonly Mesh[],
    kind: string,
    componentCount: number,
    read: typeof readFloats,
): Float32Array | null {
    const all = meshes.map(({ geometry }) => geometry && read(geometry, kind, componentCount));
    if (all.length === 1 || !all.some(Boolean)) return all[0];
    const sizes = meshes.map((mesh) => componentCount * mesh.getTotalVertices());
    const joined = new Float32Array(sizes.reduce((sum, size) => sum + size));
    let at = 0;
    all.forEach((floats, i) => {
        if (floats) joined.set(floats, at);
        at += sizes[i];
    });
    return joined;
}

/** Corners of the triangles of meshes, whose vertices are numbered one after the other. */
export function allIndices(meshes: readonly Mesh[]): number[] {
    const indices: number[] = [];
    let first = 0;
    for (const mesh of meshes) {
        const count = mesh.getTotalVertices();
        const own = mesh.getIndices();
        const length = own?.length ?? count - (count % 3);
        for (let i = 0; i < length; i++) indices.push(first + (own ? own[i] : i));
        first += count;
    }
    return indices;
}
