import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";

/** Numbers that are compared in a frame: all come in turn. */
const SAMPLES_PER_FRAME = 64;

/**
 * Notices that a mesh has got other vertices or triangles. Buffers that were replaced are seen at once, numbers that were written in
 * place when their turn comes. What changes in every frame is never told: only once it rests.
 */
export class GeometryChangeDetector {
    private _positions: unknown;
    private _indices: unknown;
    private _copy = new Float32Array(0);
    private _next = 0;
    private _isChanging = false;

    constructor(private readonly _mesh: AbstractMesh) {
        this._capture();
    }

    /** True if it has changed, and rests again; call once a frame. */
    hasChanged(): boolean {
        if (this._hasDifference()) {
            this._capture();
            this._isChanging = true;
            return false;
        }
        const hasChanged = this._isChanging;
        this._isChanging = false;
        return hasChanged;
    }

    private _hasDifference(): boolean {
        const { _mesh: mesh, _copy: copy } = this;
        const positions = positionsOf(mesh);
        if (positions !== this._positions || mesh.getIndices() !== this._indices) return true;
        if (!(positions instanceof Float32Array) || positions.length !== copy.length) return false;
        for (let k = Math.min(SAMPLES_PER_FRAME, copy.length); k > 0; k--) {
            this._next = this._next + 1 < copy.length ? this._next + 1 : 0;
            if (
                positions[this._next] !== copy[this._next] &&
                !(Number.isNaN(positions[this._next]) && Number.isNaN(copy[this._next]))
            )
                return true;
        }
        return false;
    }

    private _capture(): void {
        this._positions = positionsOf(this._mesh);
        this._indices = this._mesh.getIndices();
        this._copy = this._positions instanceof Float32Array ? this._positions.slice() : new Float32Array(0);
    }
}

/** Data of the vertex buffer, without the copy that getVerticesData may make. */
function positionsOf(mesh: AbstractMesh): unknown {
    return (mesh as Mesh).getVertexBuffer?.("position")?.getData();
}
