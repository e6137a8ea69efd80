import type { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { IndicesArray } from "@babylonjs/core/types";
import type { MeshData, Weld } from "../../engine/index";
import type { Geometry } from "@babylonjs/core/Meshes/geometry";

const welds = new WeakMap<Geometry, Weld>();

/** Says which vertices of a geometry hang together, where that is not all that lie at one place: it was torn. Null: it is whole. */
export function setWeld(geometry: Geometry, weld: Weld | null): void {
    if (weld) welds.set(geometry, weld);
    else welds.delete(geometry);
}

/** Weld set by {@link setWeld}; null: vertices at one place are joined. */
export function weldOf(geometry: Geometry): Weld | null {
    return welds.get(geometry) ?? null;
}

/** Class names of meshes whose indices are not triangles. */
export const LINE_CLASSES = ["LinesMesh", "InstancedLinesMesh", "GreasedLineMesh", "GreasedLineRibbonMesh"];
/** Material.WireFrameFillMode and Material.PointFillMode still draw a list of triangles; higher ones do not. */
const LAST_TRIANGLE_LIST_FILL_MODE = 2;

/**
 * Reads a mesh and checks that it can be simulated.
 * @param owner names the behavior's class in errors
 * @param isLine whether its indices are those of lines
 * @throws Error with the rule and the value where it cannot
 */
export function readMesh(mesh: Mesh, owner = "ClothBehavior", isLine = false): MeshData {
    const geometry = checkMesh(mesh, owner, isLine);
    const vertexCount = geometry.getTotalVertices();
    const bindPositions = readFloats(geometry, "position", 3);
    if (!bindPositions || vertexCount === 0) {
        throw fail(
            mesh,
            "must have vertex positions in CPU memory",
            geometry.getVertexBuffer("position") ? "cleared data" : "none",
            owner,
        );
    }
    checkFinite(mesh, bindPositions, owner);
    const indices = readIndices(mesh, geometry, vertexCount, owner, isLine ? 2 : 3);
    const bindNormals = finiteRows(readFloats(geometry, "normal", 3), 3);
    const bindTangents = finiteRows(readFloats(geometry, "tangent", 4), 4);

    const weld = weldOf(geometry);
    const posed = mesh.skeleton !== null || !!mesh.morphTargetManager;
    if (!posed) {
        return {
            vertexCount,
            positions: bindPositions,
            normals: bindNormals,
            bindPositions,
            bindNormals,
            bindTangents,
            weld,
            indices,
            authoredPositions: bindPositions,
        };
    }
    mesh.skeleton?.prepare(true);
    // Skinned on the CPU, the buffers hold the pose already.
    const isSkinnedOnGpu = mesh.computeBonesUsingShaders;
    const positions = new Float32Array(mesh.getPositionData(isSkinnedOnGpu, true)!);
    checkFinite(mesh, positions, owner);
    const normals = bindNormals && finiteRows(new Float32Array(mesh.getNormalsData(isSkinnedOnGpu, true)!), 3);
    const source = mesh.skeleton && !isSkinnedOnGpu ? mesh.setPositionsForCPUSkinning() : null;
    const authoredPositions = source?.length === bindPositions.length ? source.slice() : bindPositions;
    return { vertexCount, positions, normals, bindPositions, bindNormals, bindTangents, weld, indices, authoredPositions };
}

/** A kind of vertex data as {@link readBuffer} gives it, or null where the geometry does not have it. */
export function readFloats(geometry: Geometry, kind: string, componentCount: number): Float32Array | null {
    const buffer = geometry.getVertexBuffer(kind);
    return buffer?.getData() ? readBuffer(buffer, geometry.getTotalVertices(), componentCount) : null;
}

/**
 * Vertex data as floats of its own, whatever the buffer's type, stride and size; missing components are 1.
 * @returns shape [vertexCount, componentCount]
 */
export function readBuffer(buffer: VertexBuffer, vertexCount: number, componentCount: number): Float32Array {
    const data = buffer.getFloatData(vertexCount, true)!;
    const size = buffer.getSize();
    if (size === componentCount) {
        return data instanceof Float32Array ? data : new Float32Array(data);
    }
    const floats = new Float32Array(vertexCount * componentCount).fill(1);
    for (let v = 0; v < vertexCount; v++) {
        for (let c = 0; c < componentCount && c < size; c++) {
            floats[v * componentCount + c] = data[v * size + c];
        }
    }
    return floats;
}

/** The checks that need no vertex. */
function checkMesh(mesh: Mesh, owner: string, isLine: boolean): Geometry {
    const className = mesh.getClassName();
    if (mesh.isDisposed()) {
        throw fail(mesh, "must not be disposed", "a disposed mesh", owner);
    }
    if (className === "InstancedMesh") {
        throw fail(mesh, "must own its geometry: clone the source mesh instead of making an instance", className, owner);
    }
    if (!isLine && LINE_CLASSES.includes(className)) {
        throw fail(mesh, "must be made of triangles", className, owner);
    }
    const geometry = mesh.geometry;
    if (!geometry) {
        throw fail(mesh, "must have a geometry", `none (${className})${childMeshesOf(mesh)}`, owner);
    }
    if (!geometry.isReady() || mesh.delayLoadState === 2 || mesh.delayLoadState === 4) {
        throw fail(mesh, "must have finished loading", `delayLoadState ${geometry.delayLoadState || mesh.delayLoadState}`, owner);
    }
    if (mesh.instances.length > 0) {
        throw fail(mesh, "must have no instances, they draw its own geometry: use clones instead", mesh.instances.length, owner);
    }
    if (mesh.hasThinInstances) {
        throw fail(
            mesh,
            "must have no thin instances, they draw its own geometry: use clones instead",
            mesh.thinInstanceCount,
            owner,
        );
    }
    const fillMode = mesh.material?.fillMode ?? 0;
    if (!isLine && fillMode > LAST_TRIANGLE_LIST_FILL_MODE) {
        throw fail(mesh, "must be drawn as a list of triangles (material.fillMode 0)", fillMode, owner);
    }
    return geometry;
}

/** Advice for a node without a geometry: a glTF node of several primitives is a TransformNode with child meshes. */
function childMeshesOf(node: TransformNode): string {
    const names = (node.getChildMeshes?.() ?? []).filter((child) => child.getTotalVertices() > 0).map(({ name }) => `"${name}"`);
    return names.length === 0 ? "" : `; add it to one of these, the others as parts: ${names.join(", ")}`;
}

function readIndices(mesh: Mesh, geometry: Geometry, vertexCount: number, owner: string, size: number): Uint32Array {
    let source: IndicesArray | null = mesh.isUnIndexed ? null : geometry.getIndices();
    if (source && source.length === 0) {
        if (geometry.getTotalIndices() > 0) {
            throw fail(mesh, "must have its indices in CPU memory", "cleared data", owner);
        }
        source = null;
    }
    const count = Math.floor((source ? source.length : vertexCount) / size) * size;
    if (count === 0) {
        throw fail(
            mesh,
            size === 2 ? "must have lines" : "must have triangles",
            `${source ? source.length : 0} indices, ${vertexCount} vertices`,
            owner,
        );
    }
    const indices = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
        const index = source ? source[i] : i;
        if (!(index >= 0 && index < vertexCount)) {
            throw fail(mesh, `must have indices in 0..${vertexCount - 1}`, `${index} at ${i}`, owner);
        }
        indices[i] = index;
    }
    return indices;
}

function checkFinite(mesh: Mesh, positions: Float32Array, owner: string): void {
    for (let i = 0; i < positions.length; i++) {
        if (!Number.isFinite(positions[i])) {
            const v = Math.floor(i / 3);
            throw fail(
                mesh,
                "must have finite vertices",
                `(${positions.subarray(v * 3, v * 3 + 3).join(", ")}) at vertex ${v}`,
                owner,
            );
        }
    }
}

/** Zeroes the rows that hold NaN or Infinity, in place. */
function finiteRows(rows: Float32Array | null, size: number): Float32Array | null {
    for (let i = 0; rows && i < rows.length; i++) {
        if (!Number.isFinite(rows[i])) {
            const start = i - (i % size);
            rows.fill(0, start, start + size);
        }
    }
    return rows;
}

/** The error for a mesh that breaks a rule. */
export function fail(mesh: Mesh, rule: string, value: unknown, owner = "ClothBehavior"): Error {
    return new Error(`${owner}: mesh "${mesh.name}" ${rule}, got ${value}`);
}
