import type { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import type { Geometry } from "@babylonjs/core/Meshes/geometry";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Observer } from "@babylonjs/core/Misc/observable";
import type { Node } from "@babylonjs/core/node";
import type { Affine, RenderSurface } from "../../engine/index";
import { BufferReferences, moveBuffer } from "./bufferReferences";
import { restoreEditedMesh } from "./userEdits";
import type { Edit } from "./userEdits";
import { keepSubMeshes, createEmptyGeometry, resetSnapshot, swapGeometry } from "./geometrySwap";
import type { LocalBounds } from "./localBounds";
import { movesVertices, PausedPose } from "./pausedPose";

/** Internals of a geometry: forgets the points that picking and collisions read. */
interface PointsCache {
    _resetPointsArrayCache?(): void;
}

/** Hears of copies of the mesh. */
export interface CloneListener {
    /** One is made, at rest. @param isPosed whether bones or morph targets pose it, which may yet be others */
    onCloned(clone: Mesh, isPosed: boolean): void;
    /** One turns out to be a tool's, which draws the cloth itself. */
    onToolCloned(clone: Mesh): void;
}

/** Copies are left as they are. */
export const IGNORE_CLONES: CloneListener = { onCloned() {}, onToolCloned() {} };

/** A kind of vertex data that the cloth writes. */
interface WrittenBuffer {
    readonly kind: string;
    /** Array that the kernels write. */
    readonly from: "vertexPositions" | "vertexNormals" | "vertexTangents";
    /** Babylon's array of it; undefined if the mesh does not have the kind. */
    readonly data: Float32Array | undefined;
    readonly buffer: VertexBuffer | undefined;
}

/**
 * Puts a geometry that the cloth writes in place of the authored one, and the authored one back at the end. The authored
 * geometry is never written: copies may draw it, and its buffers keep their type, stride, sharing and updatable flags.
 * What the cloth does not write (texture coordinates, colours) is shared by both.
 *
 * What Babylon holds of positions, normals and tangents are arrays of its own, copied from the kernels' memory once a frame
 * (128²: 7 µs, 2.6 % of its cheapest frame), so that copies of the mesh and those who have read its vertices outlive the
 * cloth and every move of the memory.
 */
export class GeometryOverride {
    readonly mesh: Mesh;
    private _authored: Geometry;
    /** The geometry that the cloth writes. */
    readonly own: Geometry;
    /** Of a cloth of several meshes those of all; see {@link ClothBehavior.parts}. */
    readonly all: readonly GeometryOverride[] = [this];
    /** Called before the authored geometry is given back. */
    onRestore: (() => void) | null = null;
    private readonly _references: BufferReferences;
    private readonly _written: readonly WrittenBuffer[];
    private readonly _vertexCount: number;
    private readonly _indices: ReturnType<Geometry["getIndices"]>;
    private readonly _bounds: LocalBounds;
    readonly pose: PausedPose | null;
    private readonly _cloneObserver: Observer<Node> | null;
    /** Clones of the present frame. */
    private readonly _newClones: Mesh[] = [];
    /** True if Babylon was told of new content in the cloth's arrays. */
    private _isMarkedChanged = false;

    /** The surface's vertex arrays become the content of the buffers. */
    constructor(
        mesh: Mesh,
        surface: RenderSurface,
        bounds: LocalBounds,
        private readonly _cloneListener: CloneListener,
    ) {
        const authored = mesh.geometry!;
        const own = createEmptyGeometry(
            authored,
            `${authored.id.replace(/#cloth\d+$/, "")}#cloth${mesh.uniqueId}`,
            authored.getIndices(),
        );
        const show = (kind: string, from: WrittenBuffer["from"], size: number, isPresent: boolean): WrittenBuffer => {
            if (!isPresent) return { kind, from, data: undefined, buffer: undefined };
            const data = surface[from].slice();
            own.setVerticesData(kind, data, true, size);
            return { kind, from, data, buffer: own.getVertexBuffer(kind)! };
        };
        this.mesh = mesh;
        this._authored = authored;
        this.own = own;
        this._bounds = bounds;
        this._references = new BufferReferences(authored);
        this._vertexCount = surface.vertexCount;
        this._indices = own.getIndices();
        this._written = [
            show("position", "vertexPositions", 3, true),
            show("normal", "vertexNormals", 3, surface.hasNormals),
            show("tangent", "vertexTangents", 4, surface.hasTangents),
        ];
        const isPosed = PausedPose.of(mesh);
        for (const kind of this._references.kinds) {
            if (this._isShared(kind) && !(isPosed && movesVertices(kind))) own.setVerticesBuffer(this._references.shared(kind)!);
        }
        swapGeometry(mesh, own, bounds);
        this.pose = isPosed ? new PausedPose(mesh) : null;
        if (isPosed) own.serializeVerticeData = () => this._serializeAuthored();
        own.onGeometryUpdated = (_geometry, kind) => {
            this._isMarkedChanged ||= !kind || !this._isShared(kind);
        };
        this._cloneObserver = mesh.onClonedObservable?.add((clone) => this._onCloned(clone as Mesh)) ?? null;
    }

    /** True while Babylon draws the authored geometry, see skin/skinFollower.ts. */
    isHandedBack = false;

    /** Has the mesh draw the authored geometry or the cloth's. */
    show(geometry: Geometry): void {
        swapGeometry(this.mesh, geometry, this._bounds);
    }

    /** True if files hold a kind as it was authored: the cloth writes it, or leaves it out since it would move the vertices. */
    isAuthored(kind: string): boolean {
        return !this._isShared(kind) || (this.pose !== null && movesVertices(kind));
    }

    /** True if the mesh has morph targets. */
    get isMorphed(): boolean {
        return !!this.mesh.morphTargetManager;
    }

    /** True if a kind belongs to another geometry too, and is not the cloth's to write. */
    private _isShared(kind: string): boolean {
        return this._written.every((shown) => shown.kind !== kind);
    }

    /** True if the mesh still draws the cloth's arrays; false once it is disposed or was given another geometry. */
    get isActive(): boolean {
        return this.mesh.geometry === this.own && !this.own.isDisposed();
    }

    /** True if the user has given the mesh other vertices or triangles than the cloth has. */
    isEdited(surface: RenderSurface): boolean {
        const { own, _written: all } = this;
        if (this.isHandedBack) return false;
        if (!this.isActive) return !this.mesh.isDisposed();
        if (own.getTotalVertices() !== this._vertexCount || own.getIndices() !== this._indices) return true;
        for (let i = 0; i < all.length; i++) {
            const { kind, buffer, data } = all[i];
            if (own.getVertexBuffer(kind) !== buffer || (buffer && buffer.getData() !== data)) return true;
        }
        if (!this._isMarkedChanged) return false;
        this._isMarkedChanged = all.some(({ from, data }) => data?.some((x, i) => x !== surface[from][i]));
        return this._isMarkedChanged;
    }

    /** Uploads the vertex arrays and keeps them as what picking and getVerticesData read. */
    upload(surface: RenderSurface): void {
        const { own, _written: all } = this;
        if (this._newClones.length > 0) this._overrideHelpers();
        for (let i = 0; i < all.length; i++) {
            const { from, data, buffer } = all[i];
            if (!data) continue;
            data.set(surface[from]);
            buffer!.updateDirectly(data, 0);
        }
        (own as PointsCache)._resetPointsArrayCache?.();
        this._bounds.write(surface);
    }

    /**
     * Gives the authored geometry back, as far as the mesh is alive. Where the user has edited vertices or triangles, the mesh
     * keeps the edit instead, brought back into the rest shape where that can be told.
     * @param surface what the cloth has written
     * @param expected the map of mesh-local space that leaves the mesh where it was drawn
     */
    restore(surface: RenderSurface, expected: Affine): Edit | null {
        const { mesh, own, _references: holds } = this;
        const isAlive = !mesh.isDisposed();
        const edit = this.isEdited(surface) ? restoreEditedMesh(mesh, surface, holds, expected) : null;
        mesh.onClonedObservable?.remove(this._cloneObserver);
        this.onRestore?.();
        own.onGeometryUpdated = undefined!;
        delete (own as Partial<Geometry>).serializeVerticeData;
        resetSnapshot(mesh);
        if (isAlive) this.pose?.end();
        if (isAlive && !edit) {
            this._restoreAuthored();
            this._bounds.restore();
        }
        if (mesh.geometry === own || own.meshes.length > 0) this._keepShared();
        for (const geometry of [own, this._authored]) {
            if (geometry.meshes.length === 0 && !geometry.isDisposed() && !geometry.getEngine().isDisposed) geometry.dispose();
        }
        holds.release();
        return edit;
    }

    /** The authored geometry; built anew where it was disposed of with the last of its other meshes. */
    authoredGeometry(): Geometry {
        if (this._authored.isDisposed()) {
            this._authored = createEmptyGeometry(this.own, this._authored.id, this._indices);
            for (const kind of this._references.kinds) this._references.transferTo(kind, this._authored, this._vertexCount);
        }
        return this._authored;
    }

    /** Mesh and helpers draw the authored geometry again, with what the user has changed of the kinds that it shares. */
    private _restoreAuthored(): void {
        const { own, _references: holds, pose } = this;
        const rest = this.authoredGeometry();
        for (const kind of holds.kinds) {
            const wasLent = this._isShared(kind) && !(pose && movesVertices(kind));
            if (wasLent && !own.isVerticesDataPresent(kind)) rest.removeVerticesData(kind);
        }
        for (const kind of own.getVerticesDataKinds()) {
            if (this._isShared(kind) && own.getVertexBuffer(kind) !== holds.shared(kind)) moveBuffer(kind, own, rest);
        }
        for (const mesh of own.meshes.slice()) {
            if (mesh === this.mesh) swapGeometry(mesh, rest, this._bounds);
            else keepSubMeshes(mesh, () => rest.applyToMesh(mesh));
        }
    }

    /** The cloth's geometry lives on: the buffers that it was lent become its own. */
    private _keepShared(): void {
        const { own, _references: holds } = this;
        for (const kind of holds.kinds) {
            const buffer = own.getVertexBuffer(kind);
            if (buffer && buffer === holds.shared(kind)) holds.transferTo(kind, own, own.getTotalVertices());
        }
    }

    /**
     * A copy of the mesh gets the authored geometry, and is told of. One that is skinned or morphed has its skeleton and targets in effect.
     */
    private _onCloned(clone: Mesh): void {
        const { own, pose } = this;
        if (clone.geometry !== own) return;
        const rest = this.authoredGeometry();
        keepSubMeshes(clone, () => rest.applyToMesh(clone));
        pose?.restoreOn(clone);
        clone.refreshBoundingInfo(true, true);
        this._newClones.push(clone);
        this._cloneListener.onCloned(clone, pose !== null);
    }

    /** Clones that tools have hidden for themselves, like the Inspector's wireframe over a mesh, go on drawing the cloth. */
    private _overrideHelpers(): void {
        for (const clone of this._newClones.splice(0)) {
            const { hidden } = (clone.reservedDataStore ?? {}) as { hidden?: boolean };
            if (!hidden || !clone.geometry || clone.isDisposed()) continue;
            this._cloneListener.onToolCloned(clone);
            keepSubMeshes(clone, () => this.own.applyToMesh(clone));
        }
    }

    /** A skinned or morphed mesh is written to a file with its skeleton and targets, and so with the authored vertices. */
    private _serializeAuthored(): unknown {
        const { id, uniqueId } = this.own;
        return { ...(this.authoredGeometry().serializeVerticeData() as object), id, uniqueId };
    }
}
