import type { Skeleton } from "@babylonjs/core/Bones/skeleton";
import type { Geometry } from "@babylonjs/core/Meshes/geometry";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { SubMesh } from "@babylonjs/core/Meshes/subMesh";
import type { MorphTargetManager } from "@babylonjs/core/Morph/morphTargetManager";
import type { Nullable } from "@babylonjs/core/types";
import type { SurfaceArrays } from "../../kernels/arrays";
import type { LocalBounds } from "./localBounds";

/** Internals of a geometry that no public method reaches without rebuilding the mesh. */
interface GeometryInternals {
    /** Forgets the points that picking and collisions read. */
    _resetPointsArrayCache?(): void;
    /** Makes WebGPU record its draws with the new buffers. */
    _invalidateVertexBuffers?(): void;
}

/** Authored vertex data, kept for the case that the authored geometry is disposed while it is set aside. */
export interface AuthoredData {
    readonly positions: Float32Array;
    readonly normals: Float32Array | null;
    readonly tangents: Float32Array | null;
}

/**
 * Puts a copy of a mesh's geometry, with updatable buffers, in place of the authored one, and the authored one back at the
 * end. The authored geometry is never written: clones go on drawing it, and its buffers keep their type, stride, sharing and
 * updatable flags.
 *
 * The positions that a cloth writes are final, so the skeleton and the morph targets are set aside as well; else the GPU
 * would apply them on top.
 */
export class GeometryLoan {
    private readonly _mesh: Mesh;
    private readonly _authored: Geometry;
    private readonly _authoredData: AuthoredData;
    private readonly _own: Geometry;
    private readonly _bounds: LocalBounds;
    private readonly _skeleton: Nullable<Skeleton>;
    private readonly _morphTargetManager: Nullable<MorphTargetManager>;

    /** The surface's vertex arrays become the content of the buffers. */
    constructor(mesh: Mesh, surface: SurfaceArrays, authoredData: AuthoredData, bounds: LocalBounds) {
        const authored = mesh.geometry!;
        const own = authored.copy(`${authored.id}#cloth${mesh.uniqueId}`);
        own.setVerticesData("position", surface.vertexPositions, true, 3);
        if (surface.hasNormals) {
            own.setVerticesData("normal", surface.vertexNormals, true, 3);
        }
        if (surface.hasTangents) {
            own.setVerticesData("tangent", surface.vertexTangents, true, 4);
        }
        if (authored.boundingBias) {
            own.boundingBias = authored.boundingBias;
        }
        this._mesh = mesh;
        this._authored = authored;
        this._authoredData = authoredData;
        this._own = own;
        this._bounds = bounds;
        this._skeleton = mesh.skeleton;
        this._morphTargetManager = mesh.morphTargetManager;
        swapGeometry(mesh, own, bounds);
        // Only now: the setter removes the targets' buffers from the geometry that the mesh has.
        if (this._morphTargetManager) {
            mesh.morphTargetManager = null;
        }
        if (this._skeleton) {
            mesh.skeleton = null;
        }
    }

    /** Whether the mesh still draws the copy; false once it is disposed or was given another geometry. */
    get isActive(): boolean {
        return this._mesh.geometry === this._own && !this._own.isDisposed();
    }

    /** Uploads the vertex arrays and keeps them as what picking and getVerticesData read. */
    upload(surface: SurfaceArrays): void {
        const own = this._own;
        if (own.meshes.length > 1) {
            this._sendClonesHome();
        }
        own.getVertexBuffer("position")?.updateDirectly(surface.vertexPositions, 0);
        if (surface.hasNormals) {
            own.getVertexBuffer("normal")?.updateDirectly(surface.vertexNormals, 0);
        }
        if (surface.hasTangents) {
            own.getVertexBuffer("tangent")?.updateDirectly(surface.vertexTangents, 0);
        }
        internals(own)._resetPointsArrayCache?.();
    }

    /** Gives the authored geometry back, as far as mesh and geometry are still alive. */
    restore(): void {
        const mesh = this._mesh;
        const authored = this._authored;
        if (this.isActive) {
            this._sendClonesHome();
            if (authored.isDisposed()) {
                this._restoreData();
            } else {
                swapGeometry(mesh, authored, this._bounds);
                this._own.dispose();
            }
            this._bounds.restore();
        } else if (!this._own.isDisposed() && this._own.meshes.length === 0) {
            this._own.dispose();
        }
        if (mesh.isDisposed()) {
            if (!authored.isDisposed() && authored.meshes.length === 0 && !authored.getEngine().isDisposed) {
                authored.dispose();
            }
            return;
        }
        mesh.skeleton ??= this._skeleton;
        mesh.morphTargetManager ??= this._morphTargetManager;
    }

    /** A clone made of the mesh while it is cloth shares the copy: it gets the authored geometry. */
    private _sendClonesHome(): void {
        const { meshes } = this._own;
        for (let i = meshes.length - 1; i >= 0 && !this._authored.isDisposed(); i--) {
            const clone = meshes[i];
            if (clone !== this._mesh) {
                this._authored.applyToMesh(clone);
            }
        }
    }

    /** The authored geometry is gone (its last clone was disposed): its data returns in the copy. */
    private _restoreData(): void {
        const { positions, normals, tangents } = this._authoredData;
        keepSubMeshes(this._mesh, () => {
            this._own.setVerticesData("position", positions, false, 3);
            if (normals) this._own.setVerticesData("normal", normals, false, 3);
            if (tangents) this._own.setVerticesData("tangent", tangents, false, 4);
        });
    }
}

/** Applies a geometry with the same vertices and triangles; the mesh keeps its submeshes and bounding infos. */
function swapGeometry(mesh: Mesh, geometry: Geometry, bounds: LocalBounds): void {
    keepSubMeshes(mesh, () => geometry.applyToMesh(mesh));
    bounds.adopt();
    internals(geometry)._invalidateVertexBuffers?.();
}

/** Babylon rebuilds the submeshes of an unindexed mesh with its geometry, and so loses their materials: hide them. */
function keepSubMeshes(mesh: Mesh, change: () => void): void {
    const subMeshes: SubMesh[] = mesh.subMeshes;
    mesh.subMeshes = [];
    change();
    mesh.releaseSubMeshes();
    mesh.subMeshes = subMeshes;
    mesh.synchronizeInstances();
}


function internals(geometry: Geometry): GeometryInternals {
    return geometry as unknown as GeometryInternals;
}
