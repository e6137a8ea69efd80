import type { Skeleton } from "@babylonjs/core/Bones/skeleton";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { identity, isFiniteAffine, multiply } from "../../engine/math/affine";
import type { Affine } from "../../engine/math/affine";
import { reject } from "../../engine/state/validate";
import type { ColliderOptions, MeshShape } from "../bodyOptions";
import { worldMatrixOf, worldOf } from "../nodes";
import { GeometryWatch } from "./geometryWatch";
import { insideOf } from "./inside";
import { isPosed, PosedMesh } from "./posedMesh";
import { fitCorners, fitShape, inferShape } from "./shapeInference";
import { geometryOf } from "./shapes/geometry";
import type { Fit } from "./shapes/geometry";
import { frontOf, withSides } from "./sides";
import type { Source, Sources } from "./source";

/** What Babylon keeps of thin instances: their matrices, one after the other. */
interface ThinInstances {
    readonly _thinInstanceDataStorage: { readonly instancesCount: number; readonly matrixData: Float32Array | null };
}

/**
 * A mesh, as the shape that its geometry shows or that it is told to have; with thin instances, one such shape each.
 * @throws RangeError on a node that cannot be a collider, or a geometry whose shape is not known
 */
export function meshSource(node: TransformNode, options: ColliderOptions, owner: string): Sources {
    if (node.isDisposed()) reject(owner, "source", "a node that is not disposed", node.name);
    return new MeshSources(node as AbstractMesh, options, owner);
}

/** Shapes whose inside is that of the mesh's own triangles. */
const ROUGH: readonly MeshShape[] = ["capsule", "cylinder", "hull"];

class MeshSources implements Sources {
    shape!: MeshShape;
    parts: readonly Source[] = [];
    private _fit!: Fit;
    /** What it wears, and whether that or targets move its triangles. */
    private _skeleton: Skeleton | null = null;
    private _isPosed = false;
    private readonly _watch: GeometryWatch;
    /** Of how many instances the parts are. */
    private _made = 0;

    constructor(
        private readonly _mesh: AbstractMesh,
        private readonly _options: ColliderOptions,
        private readonly _owner: string,
    ) {
        this._take();
        this._part();
        this._watch = new GeometryWatch(_mesh);
    }

    isDisposed(): boolean {
        const { _mesh: mesh, _skeleton: skeleton } = this;
        if (mesh.isDisposed()) return true;
        return this._isPosed && skeleton === mesh.skeleton && skeleton !== null && !mesh.getScene().skeletons.includes(skeleton);
    }

    review(): boolean {
        const hasChanged = this._watch.hasChanged() || this._mesh.skeleton !== this._skeleton;
        if (hasChanged) this._take();
        if (!hasChanged && this._made === this._count) return false;
        this._part();
        return true;
    }

    /** Takes the mesh's geometry as it is. */
    private _take(): void {
        const { _mesh: mesh, _options: options, _owner: owner } = this;
        this._skeleton = mesh.skeleton;
        const shape = options.shape ?? (isPosed(mesh) ? "mesh" : inferShape(mesh, owner));
        // Of a room with a form of its own, the walls are its triangles.
        this.shape = options.inside && !options.shape && ROUGH.includes(shape) ? "mesh" : shape;
        this._isPosed = this.shape === "mesh" && isPosed(mesh);
        this._fit = fitShape(mesh, this.shape, owner);
        if (options.twoSided === false) {
            if (this.shape !== "mesh" || options.inside)
                reject(owner, "twoSided", "true, but for a mesh's own triangles that are no room", false);
            this._fit = { ...this._fit, form: withSides(this._fit.form, frontOf(geometryOf(mesh, owner))) };
        }
        this.parts = [];
        this._made = 0;
    }

    /** Makes the parts of each instance; those that there are stay. */
    private _part(): void {
        const { _mesh: mesh, _options: options, _owner: owner, _count: count } = this;
        const each = this._made > 0 ? this.parts.length / this._made : 0;
        const parts = this.parts.slice(0, each * count);
        for (let i = this._made; i < count; i++) {
            const part = this._isPosed ? posedPartOf(mesh, i, owner, this._fit.form) : partOf(this.shape, this._fit, mesh, i);
            parts.push(...(options.inside ? insideOf(part, owner) : [part]));
        }
        this.parts = parts;
        this._made = count;
    }

    /** Number of instances. */
    private get _count(): number {
        return this._mesh.hasThinInstances ? instancesOf(this._mesh).instancesCount : 1;
    }
}

function instancesOf(mesh: AbstractMesh): ThinInstances["_thinInstanceDataStorage"] {
    return (mesh as unknown as ThinInstances)._thinInstanceDataStorage;
}

/** The solid of one instance. */
function partOf(shape: MeshShape, { toLocal, form }: Fit, mesh: AbstractMesh, instance: number): Source {
    const track = tracker(toLocal, mesh, instance);
    // Matrices of thin instances may be written in place.
    const stamp = (): number => (mesh.hasThinInstances ? NaN : worldOf(mesh).updateFlag);
    return { shape, form, fit: Float64Array.of(...toLocal, instance), node: mesh, instance, track, stamp };
}

/** The triangles of one instance as bones and targets pose them. */
function posedPartOf(mesh: AbstractMesh, instance: number, owner: string, form: Fit["form"]): Source {
    const fit = fitCorners(mesh, owner);
    const posed = new PosedMesh(mesh, fit, owner);
    const place = tracker(identity(), mesh, instance);
    const track = (pose: Affine): boolean => posed.follow() && place(pose);
    return { shape: "skin", form, skin: posed.skin, fit: [instance], node: mesh, instance, track };
}

/** Follows an instance. @param toLocal unit frame → the mesh's local space */
function tracker(toLocal: Affine, mesh: AbstractMesh, instance: number): Source["track"] {
    const world = identity();
    const local = identity();
    const placed = identity();
    return (pose) => {
        world.set(worldMatrixOf(mesh));
        if (!mesh.hasThinInstances) multiply(toLocal, world, pose);
        else {
            const { matrixData } = instancesOf(mesh);
            for (let i = 0; i < 16; i++) local[i] = matrixData![16 * instance + i];
            multiply(toLocal, local, placed);
            multiply(placed, world, pose);
        }
        return isFiniteAffine(pose);
    };
}
