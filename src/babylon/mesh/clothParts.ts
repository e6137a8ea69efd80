/**
 * Several meshes as one cloth: read as if they were one, in which vertices at one place are one particle, and drawn each by its own geometry.
 * Functions of the app's own file come as {@link MeshTools}: imported, they would be torn out of it.
 */
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Affine, MeshData, RenderSurface } from "../../engine/index";
import type { CloneListener, GeometryOverride } from "./geometryOverride";
import type { MeshTools, Override, PartsSource } from "./meshBinding";
import type { CopiedHierarchy } from "./copiedHierarchy";
import { allIndices, readAll } from "./joinedMeshes";
import type { Edit } from "./userEdits";

/** Largest difference of world matrices that are one, as a share of the largest of their numbers. */
const MATRIX_TOLERANCE = 1e-5;

/** Copies of parts are cloth by that of the first mesh. */
const COPIED_WITH_FIRST: CloneListener = { onCloned() {}, onToolCloned() {} };

/** Meshes that are parts of a running cloth. */
const taken = new WeakSet<Mesh>();

/** See {@link PartsSource}. */
export class ClothParts implements PartsSource {
    /** @param meshes that of the behavior first */
    constructor(
        readonly meshes: readonly Mesh[],
        private readonly _tools: MeshTools,
    ) {}

    read(owner: string): MeshData {
        const { meshes } = this;
        const { fail, readMesh } = this._tools;
        meshes.forEach((mesh, i) => {
            if (typeof mesh?.getTotalVertices !== "function")
                throw new RangeError(`${owner}: parts[${i - 1}] must be a Mesh, got ${String(mesh)}`);
        });
        const all = meshes.map((mesh) => readMesh(mesh, owner));
        meshes
            .slice(1)
            .forEach((part, i) => checkPart(part, meshes.slice(0, i + 1), (mesh, rule, value) => fail(mesh, rule, value, owner)));
        const torn = all.findIndex(({ weld }) => weld);
        if (torn >= 0) throw fail(meshes[torn], "must be whole to be one of several parts", "a torn mesh", owner);
        const counts = all.map(({ vertexCount }) => vertexCount);
        const join = (rows: readonly (Float32Array | null)[], size: number): Float32Array | null =>
            rows.some(Boolean) ? concat(rows.map((floats, i) => floats ?? new Float32Array(size * counts[i]))) : null;
        const joinedUnless = (isSame: (data: MeshData) => boolean, same: Float32Array | null, rows: (Float32Array | null)[]) =>
            all.every(isSame) ? same : join(rows, 3);
        const bindPositions = join(column(all, "bindPositions"), 3)!;
        const bindNormals = join(column(all, "bindNormals"), 3);
        const positions = joinedUnless((d) => d.positions === d.bindPositions, bindPositions, column(all, "positions"))!;
        const normals = joinedUnless((d) => d.normals === d.bindNormals, bindNormals, column(all, "normals"));
        const authored = column(all, "authoredPositions");
        const authoredPositions = joinedUnless((d) => d.authoredPositions === d.bindPositions, bindPositions, authored)!;
        const indices = new Uint32Array(all.reduce((sum, data) => sum + data.indices.length, 0));
        let [at, first] = [0, 0];
        for (const data of all) {
            for (const vertex of data.indices) indices[at++] = first + vertex;
            first += data.vertexCount;
        }
        const bindTangents = join(column(all, "bindTangents"), 4);
        return {
            vertexCount: first,
            positions,
            normals,
            bindPositions,
            bindNormals,
            bindTangents,
            weld: null,
            indices,
            authoredPositions,
        };
    }

    readVertices(kind: string, componentCount: number): Float32Array | null {
        return readAll(this.meshes, kind, componentCount, this._tools.readFloats);
    }

    getIndices(): ArrayLike<number> {
        return allIndices(this.meshes);
    }

    copiesIn(hierarchy: CopiedHierarchy): Mesh[] {
        return this.meshes.slice(1).map((part) => {
            const copy = hierarchy.copyOf(part);
            if (!copy || copy === part) throw new Error(`its part "${part.name}" was not copied`);
            return copy as Mesh;
        });
    }

    override(surface: RenderSurface, clones: CloneListener): Override {
        return new PartsOverride(this.meshes, surface, clones, this._tools);
    }
}

function column<Name extends "positions" | "normals" | "bindPositions" | "bindNormals" | "bindTangents" | "authoredPositions">(
    all: readonly MeshData[],
    name: Name,
): MeshData[Name][] {
    return all.map((data) => data[name]);
}

function concat(rows: readonly Float32Array[]): Float32Array {
    const joined = new Float32Array(rows.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const row of rows) {
        joined.set(row, at);
        at += row.length;
    }
    return joined;
}

/** @param before the first mesh, and the parts before this one */
function checkPart(part: Mesh, before: readonly Mesh[], fail: MeshTools["fail"]): void {
    const [first] = before;
    if (before.includes(part)) throw fail(part, "must be given once as a part", "it twice");
    const isBody = part.behaviors.some(
        (each) => "onCollisionObservable" in each && (each as { attachedNode?: unknown }).attachedNode === part,
    );
    if (taken.has(part) || isBody) throw fail(part, `must be no cloth of its own to be a part of "${first.name}"`, "one that is");
    if (part.skeleton !== first.skeleton)
        throw fail(part, `must wear the skeleton of "${first.name}"`, part.skeleton?.name ?? "none");
    const [own, world] = [part, first].map((mesh) => Array.from(mesh.computeWorldMatrix(true).m));
    const tolerance = MATRIX_TOLERANCE * Math.max(...world.map(Math.abs));
    if (!world.every((x, i) => Math.abs(x - own[i]) <= tolerance))
        throw fail(part, `must have the world matrix of "${first.name}" (bake its transform)`, own.join(", "));
}

/** A part's rows of the surface that is drawn. */
class SurfaceSlice implements RenderSurface {
    readonly bounds = new Float32Array(8);
    /** Arrays of the whole, which move with the kernels' memory, and this part's views of them. */
    private readonly _wholes: Float32Array[] = [];
    private readonly _views: Float32Array[] = [];

    constructor(
        private readonly _surface: RenderSurface,
        private readonly _first: number,
        readonly vertexCount: number,
        readonly hasNormals: boolean,
        readonly hasTangents: boolean,
    ) {}

    get vertexPositions(): Float32Array {
        return this._view(0, this._surface.vertexPositions, 3);
    }

    get vertexNormals(): Float32Array {
        return this._view(1, this._surface.vertexNormals, 3);
    }

    get vertexTangents(): Float32Array {
        return this._view(2, this._surface.vertexTangents, 4);
    }

    private _view(slot: number, whole: Float32Array, size: number): Float32Array {
        if (this._wholes[slot] !== whole) {
            this._wholes[slot] = whole;
            this._views[slot] = whole.subarray(size * this._first, size * (this._first + this.vertexCount));
        }
        return this._views[slot];
    }

    measure(): void {
        const { bounds, vertexPositions: x } = this;
        bounds.fill(Infinity, 0, 3).fill(-Infinity, 4, 7);
        for (let i = 0, c = 0; i < x.length; i++, c = c === 2 ? 0 : c + 1) {
            if (x[i] < bounds[c]) bounds[c] = x[i];
            if (x[i] > bounds[4 + c]) bounds[4 + c] = x[i];
        }
    }
}

/** Geometries of all parts; the cloth lives as long as the first. */
class PartsOverride implements Override {
    readonly all: readonly GeometryOverride[];
    private readonly _slices: readonly SurfaceSlice[];

    constructor(
        private readonly _meshes: readonly Mesh[],
        surface: RenderSurface,
        clones: CloneListener,
        { GeometryOverride, LocalBounds }: MeshTools,
    ) {
        let first = 0;
        this._slices = _meshes.map((mesh) => {
            const count = mesh.getTotalVertices();
            const [hasNormals, hasTangents] = ["normal", "tangent"].map((kind) => mesh.isVerticesDataPresent(kind));
            first += count;
            return new SurfaceSlice(surface, first - count, count, hasNormals, hasTangents);
        });
        this.all = _meshes.map(
            (mesh, i) => new GeometryOverride(mesh, this._slices[i], new LocalBounds(mesh), i === 0 ? clones : COPIED_WITH_FIRST),
        );
        for (const mesh of _meshes) taken.add(mesh);
    }

    get isActive(): boolean {
        return this.all[0].isActive;
    }

    isEdited(): boolean {
        const { all } = this;
        for (let i = 0; i < all.length; i++) if (all[i].isEdited(this._slices[i])) return true;
        return false;
    }

    upload(): void {
        const { all } = this;
        for (let i = 0; i < all.length; i++) {
            if (!all[i].isActive) continue;
            this._slices[i].measure();
            all[i].upload(this._slices[i]);
        }
    }

    restore(_surface: RenderSurface, expected: Affine): Edit | null {
        for (const mesh of this._meshes) taken.delete(mesh);
        const edits = this.all.map((override, i) => override.restore(this._slices[i], expected)).filter((edit) => edit !== null);
        return edits.length > 0 ? { origins: null, isRefined: edits.some(({ isRefined }) => isRefined) } : null;
    }
}
