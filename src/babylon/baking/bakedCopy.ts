import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { reject } from "../../engine/index";
import type { ClothBehavior } from "../behaviors/clothBehavior";
import { runtimeOf } from "../behaviors/bodyRuntime";

/** Vertices of a cloth over a time. */
export interface ClothRecording {
    readonly framesPerSecond: number;
    /** One for each frame, from the present one on: mesh-local, shape [vertexCount, 3]. */
    readonly positions: readonly Float32Array[];
    /** Vertex normals in the same layout; empty for a mesh without normals. */
    readonly normals: readonly Float32Array[];
    /** True where the first frame follows the last, one frame later: see {@link ClothBaker.loop}. */
    readonly isLoop?: boolean;
}

/**
 * A copy of a cloth's mesh with vertices of its own, in a recording's first frame, which is no cloth.
 * @throws RangeError when it is no cloth, on no mesh, or the recording is of another mesh
 */
export function createBakedCopy(owner: string, cloth: ClothBehavior, recording: ClothRecording, name: string): Mesh {
    const { positions, normals } = recording ?? {};
    if (!Array.isArray(positions) || !Array.isArray(normals)) {
        return reject(owner, "recording", "what ClothBaker.record has returned", recording);
    }
    const original = runtimeOf(cloth)?.instance?.mesh;
    if (!original) return reject(owner, "cloth", "a ClothBehavior that is on a mesh", cloth);
    const length = 3 * original.getTotalVertices();
    if (positions[0]?.length !== length) {
        reject(owner, "recording", `of "${original.name}": ${length} numbers a frame`, positions[0]?.length);
    }
    const mesh = original.clone(name);
    for (const behavior of mesh.behaviors.slice()) if (runtimeOf(behavior)) mesh.removeBehavior(behavior);
    // What builders make has its behavior at hand.
    delete (mesh as { cloth?: unknown }).cloth;
    mesh.makeGeometryUnique();
    mesh.setVerticesData("position", positions[0], false);
    if (normals.length > 0) mesh.setVerticesData("normal", normals[0], false);
    mesh.refreshBoundingInfo();
    return mesh;
}
