import type { BoundingInfo } from "@babylonjs/core/Culling/boundingInfo";
import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { RenderSurface } from "../../engine/index";

/** A bounding info and the corners that it had. */
interface SavedBounds {
    readonly info: BoundingInfo;
    readonly minimum: Vector3;
    readonly maximum: Vector3;
}

/** Internals of a submesh: what moveWithCollisions caches of its vertices. */
interface CollisionCache {
    _lastColliderWorldVertices: unknown;
}

/** Internals of a mesh: the corners of its own box, which Babylon carries through the matrices of its thin instances. */
interface ThinInstanceCache {
    readonly _thinInstanceDataStorage: { readonly boundingVectors: Vector3[] };
}

/** Internals of a mesh: whether its bounds are carried through the world matrix before they are read. */
interface BoundsCache {
    _boundingInfoIsDirty: boolean;
}

/**
 * The bounding boxes and spheres of a mesh and its submeshes: saved when the cloth begins, moved every frame, put back at
 * the end. A locked bounding info is left alone.
 */
export class LocalBounds {
    private readonly _mesh: Mesh;
    private readonly _saved: SavedBounds;
    private readonly _savedSubMeshes: SavedBounds[] = [];
    private readonly _minimum: Vector3;
    private readonly _maximum: Vector3;

    constructor(mesh: Mesh) {
        this._mesh = mesh;
        this._saved = save(mesh.getBoundingInfo());
        for (const subMesh of mesh.subMeshes) {
            const info = subMesh.getBoundingInfo();
            if (info && info !== this._saved.info) {
                this._savedSubMeshes.push(save(info));
            }
        }
        this._minimum = mesh.position.clone();
        this._maximum = mesh.position.clone();
    }

    /** Gives the mesh its own bounding info again, after a geometry was applied that made another. */
    reapply(): void {
        this._mesh.setBoundingInfo(this._saved.info);
    }

    /** Takes the bounds of the frame just written [mesh-local]. */
    write({ bounds, vertexPositions }: RenderSurface): void {
        const mesh = this._mesh;
        this._minimum.copyFromFloats(bounds[0], bounds[1], bounds[2]);
        this._maximum.copyFromFloats(bounds[4], bounds[5], bounds[6]);
        // They are told here: what they were need not be carried along first.
        if (mesh.hasBoundingInfo) (mesh as unknown as BoundsCache)._boundingInfoIsDirty = false;
        const meshInfo = mesh.getBoundingInfo();
        this._reconstruct(meshInfo, mesh);
        this._updateInstances(meshInfo);
        coverThinInstances(mesh, meshInfo);
        const subMeshes = mesh.subMeshes;
        for (let i = 0; i < subMeshes.length; i++) {
            const subMesh = subMeshes[i];
            (subMesh as unknown as CollisionCache)._lastColliderWorldVertices = null;
            const info = subMesh.getBoundingInfo();
            if (info && info !== meshInfo && subMesh.verticesCount > 0) {
                this._measure(vertexPositions, subMesh.verticesStart, subMesh.verticesStart + subMesh.verticesCount);
                this._reconstruct(info, mesh);
            }
        }
    }

    /** Puts the saved bounds back. */
    restore(): void {
        this.reapply();
        this._restoreInfo(this._saved);
        for (const saved of this._savedSubMeshes) {
            this._restoreInfo(saved);
        }
        for (const instance of this._mesh.instances) copyBounds(instance, this._saved.info);
        coverThinInstances(this._mesh, this._saved.info);
    }

    /** Instances made while the mesh is cloth draw the same geometry, and so do the helpers of tools. */
    private _updateInstances(info: BoundingInfo): void {
        const { instances } = this._mesh;
        const { meshes } = this._mesh.geometry!;
        for (let i = 0; i < instances.length; i++) copyBounds(instances[i], info);
        for (let i = 0; i < meshes.length; i++) if (meshes[i] !== this._mesh) copyBounds(meshes[i], info);
    }

    private _restoreInfo({ info, minimum, maximum }: SavedBounds): void {
        if (!info.isLocked) {
            info.reConstruct(minimum, maximum, this._mesh.getWorldMatrix());
        }
    }

    private _reconstruct(info: BoundingInfo, mesh: Mesh): void {
        if (info.isLocked) {
            return;
        }
        const bias = mesh.geometry!.boundingBias;
        if (bias) {
            const { _minimum: low, _maximum: high } = this;
            low.copyFromFloats(
                low.x - (low.x * bias.x + bias.y),
                low.y - (low.y * bias.x + bias.y),
                low.z - (low.z * bias.x + bias.y),
            );
            high.copyFromFloats(
                high.x + high.x * bias.x + bias.y,
                high.y + high.y * bias.x + bias.y,
                high.z + high.z * bias.x + bias.y,
            );
        }
        info.reConstruct(this._minimum, this._maximum, mesh.getWorldMatrix());
    }

    /** Bounds of the vertices [start, end). */
    private _measure(x: Float32Array, start: number, end: number): void {
        let minX = Infinity,
            minY = Infinity,
            minZ = Infinity;
        let maxX = -Infinity,
            maxY = -Infinity,
            maxZ = -Infinity;
        for (let o = start * 3; o < end * 3; o += 3) {
            if (x[o] < minX) minX = x[o];
            if (x[o] > maxX) maxX = x[o];
            if (x[o + 1] < minY) minY = x[o + 1];
            if (x[o + 1] > maxY) maxY = x[o + 1];
            if (x[o + 2] < minZ) minZ = x[o + 2];
            if (x[o + 2] > maxZ) maxZ = x[o + 2];
        }
        this._minimum.copyFromFloats(minX, minY, minZ);
        this._maximum.copyFromFloats(maxX, maxY, maxZ);
    }
}

/** Widens a mesh's new bounds over the thin instances that were added while it is cloth: through the corners that Babylon caches. */
function coverThinInstances(mesh: Mesh, info: BoundingInfo): void {
    if (!mesh.hasThinInstances || info.isLocked) {
        return;
    }
    const raw = mesh.rawBoundingInfo;
    if (raw) {
        raw.reConstruct(info.minimum, info.maximum);
        const { boundingVectors } = (mesh as unknown as ThinInstanceCache)._thinInstanceDataStorage;
        for (let i = 0; i < boundingVectors.length; i++) {
            boundingVectors[i].copyFrom(info.boundingBox.vectors[i]);
        }
    }
    mesh.thinInstanceRefreshBoundingInfo?.(false);
}

function copyBounds(mesh: AbstractMesh, { minimum, maximum }: BoundingInfo): void {
    const info = mesh.getBoundingInfo();
    if (!info.isLocked) {
        info.reConstruct(minimum, maximum, mesh.getWorldMatrix());
    }
}

function save(info: BoundingInfo): SavedBounds {
    return { info, minimum: info.minimum.clone(), maximum: info.maximum.clone() };
}
