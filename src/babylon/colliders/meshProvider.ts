import type { Skeleton } from "@babylonjs/core/Bones/skeleton";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { identity, isFiniteAffine, multiply, reject } from "../../engine/index";
import type { Affine } from "../../engine/index";
import type { ColliderOptions, MeshShape } from "./colliderOptions";
import { worldMatrixOf, babylonWorldMatrixOf } from "../support/carriers";
import { GeometryChangeDetector } from "./geometryChanges";
import { containmentOf } from "./containmentBox";
import { isPosed, PosedMesh } from "./posedMesh";
import { fitCorners, fitShape, inferShape } from "./shapeInference";
import { geometryOf } from "./shapes/shapeGeometry";
import type { ShapeFit } from "./shapes/shapeGeometry";
import { frontOf, withSides } from "./solidSides";
import type { ShapeProvider, ShapeProviders } from "./shapeProvider";

/** Babylon's record of thin instances: their matrices, one after the other. */
interface ThinInstances {
    readonly _thinInstanceDataStorage: { readonly instancesCount: number; readonly matrixData: Float32Array | null };
}

/**
 * A mesh, as the shape that its geometry shows or that it is told to have; with thin instances, one such shape each.
 * @throws RangeError on a node that cannot be a collider, or a geometry whose shape is not known
 */
export function meshProviders(node: TransformNode, options: ColliderOptions, owner: string): ShapeProviders {
    if (node.isDisposed()) reject(owner, "source", "a node that is not disposed", node.name);
    return new MeshProviders(node as AbstractMesh, options, owner);
}

/** Shapes whose inside is that of the mesh's own triangles. */
const APPROXIMATED_SHAPES: readonly MeshShape[] = ["capsule", "cylinder", "hull"];

class MeshProviders implements ShapeProviders {
    shape!: MeshShape;
    list: readonly ShapeProvider[] = [];
    private _fit!: ShapeFit;
    /** Skeleton of the mesh; its revision, and that of morph targets, tells if triangles moved. */
    private _skeleton: Skeleton | null = null;
    private _isPosed = false;
    private readonly _changeDetector: GeometryChangeDetector;
    /** Of how many instances the parts are. */
    private _builtCount = 0;

    constructor(
        private readonly _mesh: AbstractMesh,
        private readonly _options: ColliderOptions,
        private readonly _owner: string,
    ) {
        this._readGeometry();
        this._updateProviders();
        this._changeDetector = new GeometryChangeDetector(_mesh);
    }

    isDisposed(): boolean {
        const { _mesh: mesh, _skeleton: skeleton } = this;
        if (mesh.isDisposed()) return true;
        return this._isPosed && skeleton === mesh.skeleton && skeleton !== null && !mesh.getScene().skeletons.includes(skeleton);
    }

    review(): boolean {
        const hasChanged = this._changeDetector.hasChanged() || this._mesh.skeleton !== this._skeleton;
        if (hasChanged) this._readGeometry();
        if (!hasChanged && this._builtCount === this._instanceCount) return false;
        this._updateProviders();
        return true;
    }

    /** Takes the mesh's geometry as it is. */
    private _readGeometry(): void {
        const { _mesh: mesh, _options: options, _owner: owner } = this;
        this._skeleton = mesh.skeleton;
        const shape = options.shape ?? (isPosed(mesh) ? "mesh" : inferShape(mesh, owner));
        // Of a room with a form of its own, the walls are its triangles.
        this.shape = options.inside && !options.shape && APPROXIMATED_SHAPES.includes(shape) ? "mesh" : shape;
        this._isPosed = this.shape === "mesh" && isPosed(mesh);
        this._fit = fitShape(mesh, this.shape, owner);
        if (options.twoSided === false) {
            if (this.shape !== "mesh" || options.inside)
                reject(owner, "twoSided", "true, but for a mesh's own triangles that are no room", false);
            this._fit = { ...this._fit, form: withSides(this._fit.form, frontOf(geometryOf(mesh, owner))) };
        }
        this.list = [];
        this._builtCount = 0;
    }

    /** Makes the parts of each instance; those that there are stay. */
    private _updateProviders(): void {
        const { _mesh: mesh, _options: options, _owner: owner, _instanceCount: count } = this;
        const each = this._builtCount > 0 ? this.list.length / this._builtCount : 0;
        const parts = this.list.slice(0, each * count);
        for (let i = this._builtCount; i < count; i++) {
            const part = this._isPosed
                ? posedInstanceProvider(mesh, i, owner, this._fit.form)
                : instanceProvider(this.shape, this._fit, mesh, i);
            parts.push(...(options.inside ? containmentOf(part, owner) : [part]));
        }
        this.list = parts;
        this._builtCount = count;
    }

    /** Number of instances. */
    private get _instanceCount(): number {
        return this._mesh.hasThinInstances ? instancesOf(this._mesh).instancesCount : 1;
    }
}

function instancesOf(mesh: AbstractMesh): ThinInstances["_thinInstanceDataStorage"] {
    return (mesh as unknown as ThinInstances)._thinInstanceDataStorage;
}

/** The solid of one instance. */
function instanceProvider(shape: MeshShape, { toLocal, form }: ShapeFit, mesh: AbstractMesh, instance: number): ShapeProvider {
    const track = createPoseReader(toLocal, mesh, instance);
    // Matrices of thin instances may be written in place.
    const stamp = (): number => (mesh.hasThinInstances ? NaN : babylonWorldMatrixOf(mesh).updateFlag);
    return { shape, form, fit: Float64Array.of(...toLocal, instance), node: mesh, instance, readPose: track, poseRevision: stamp };
}

/** The triangles of one instance as bones and targets pose them. */
function posedInstanceProvider(mesh: AbstractMesh, instance: number, owner: string, form: ShapeFit["form"]): ShapeProvider {
    const fit = fitCorners(mesh, owner);
    const posed = new PosedMesh(mesh, fit, owner);
    const place = createPoseReader(identity(), mesh, instance);
    const track = (pose: Affine): boolean => posed.updatePose() && place(pose);
    return { shape: "skin", form, skin: posed.skin, fit: [instance], node: mesh, instance, readPose: track };
}

/** Follows an instance. @param toLocal unit frame → the mesh's local space */
function createPoseReader(toLocal: Affine, mesh: AbstractMesh, instance: number): (pose: Affine) => boolean {
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
