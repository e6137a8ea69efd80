import type { Behavior } from "@babylonjs/core/Behaviors/behavior";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { Observable } from "@babylonjs/core/Misc/observable";
import type { Observer } from "@babylonjs/core/Misc/observable";
import type { Scene } from "@babylonjs/core/scene";
import {
    findCutLine,
    findOverstretchedEdges,
    findSeams,
    finiteVector,
    knownOptions,
    positive,
    restEdgesOf,
    splitAlongSeams,
    subdivide,
    weld,
    wholeMesh,
} from "../../engine/index";
import type { RestEdges, TornMesh, VectorLike } from "../../engine/index";
import type { BodyInstance } from "../behaviors/bodyInstance";
import { runtimeOf } from "../behaviors/bodyRuntime";
import { fileTearing } from "../files/format/fileFormat";
import type { BodyRuntime } from "../behaviors/bodyRuntime";
import { weldOf } from "../mesh/readMesh";
import { worldMatrixOf } from "../support/carriers";
import { resumeAfterTear } from "./resumeAfterTear";
import type { VertexSources } from "./resumeAfterTear";
import { applyGeometry, applyTorn, saveUntorn } from "./tornGeometry";
import type { UntornGeometry } from "./tornGeometry";

/** Options of {@link ClothTearing}. */
export interface ClothTearingOptions {
    /** See {@link ClothTearing.strain}. */
    strain?: number;
}

const OWNER = "ClothTearing";

/** Most places that part in a frame: tears run from place to place, frame by frame. */
const MAX_SPLITS_PER_FRAME = 8;

/** A running cloth as tears see it. */
interface TearShape {
    readonly attachment: BodyInstance;
    readonly mesh: TornMesh;
    readonly vertexOfPlace: Uint32Array;
    /** Made when first asked for: cuts do without. */
    edges: RestEdges | null;
    /** Positions of the places at rest, world space [m]. */
    readonly restPositions: Float64Array;
    /** Positions of the places when last asked, world space [m]. */
    readonly positions: Float64Array;
}

/**
 * Lets the cloth on a mesh tear. Add it to the mesh beside its ClothBehavior:
 *
 *     const tearing = new ClothTearing({ strain: 0.3 });
 *     mesh.addBehavior(tearing);
 *     tearing.cut(from, to);
 *
 * A tear parts the mesh's triangles: vertices are doubled along it, with their normals and texture coordinates, and where a cut goes through
 * triangles, they are divided. Pins go on to hold what they held. The numbers of vertices that the mesh had stay; new ones come after them.
 * With the behavior, the tears go: the mesh has its own geometry again.
 */
export class ClothTearing implements Behavior<Mesh> {
    /** Name under which `mesh.getBehaviorByName` finds it. */
    readonly name = "ClothTearing";
    /** After each tear. */
    readonly onTearObservable = new Observable<ClothTearing>();
    /** The mesh that it is on, or null. */
    attachedNode: Mesh | null = null;
    private _strain = 0.5;
    private _observer: Observer<Scene> | null = null;
    private _shape: TearShape | null = null;
    /** Of the mesh before its first tear; null: it has none. */
    private _untorn: UntornGeometry | null = null;
    /** Mean length of its edges then [m]. */
    private _meanEdgeLength = 0;

    /** @throws RangeError on an unknown option or a value out of range */
    constructor(options: ClothTearingOptions = {}) {
        knownOptions(OWNER, options, ["strain"]);
        if (options.strain !== undefined) this.strain = options.strain;
    }

    /** Elongation at which an edge of the mesh tears, as a share of its length at rest, > 0. Default 0.5; Infinity: only {@link cut} does. */
    get strain(): number {
        return this._strain;
    }
    set strain(value: number) {
        this._strain = value === Infinity ? value : positive(OWNER, "strain", value);
    }

    /** Called by Babylon before attach. */
    init(): void {}

    /** Called by `mesh.addBehavior`. @throws Error when it is on another mesh */
    attach(mesh: Mesh): void {
        if (this.attachedNode === mesh) return;
        if (this.attachedNode) throw new Error(`${OWNER}: can be on one mesh only; this one is on "${this.attachedNode.name}"`);
        if (hasParts(mesh)) throw new Error(`${OWNER}: "${mesh.name}" must be cloth without parts to tear`);
        this.attachedNode = mesh;
        this._observer = mesh.getScene().onBeforeRenderObservable.add(() => this.update());
    }

    /** Called by `mesh.removeBehavior` and when the mesh is disposed. Idempotent. */
    detach(): void {
        const mesh = this.attachedNode;
        if (!mesh) return;
        mesh.getScene().onBeforeRenderObservable.remove(this._observer);
        if (mesh.isDisposed()) this._releaseUntorn();
        else this.mend();
        this.attachedNode = this._observer = null;
    }

    /**
     * Cuts the cloth along a segment, world space [m]. Triangles that it crosses part along it, seen along the cloth's normal there.
     * A cut that ends within the cloth leaves it whole at that end; one that crosses less than two edges opens nothing.
     * @param reach how far from the cloth the segment may be [m], > 0. Default half its length, and at least an edge of the mesh
     * @returns whether anything has parted; not where the mesh is no cloth, or flat
     */
    cut(from: VectorLike, to: VectorLike, reach?: number): boolean {
        finiteVector(OWNER, "cut(from)", from);
        finiteVector(OWNER, "cut(to)", to);
        if (reach !== undefined) positive(OWNER, "cut(reach)", reach);
        const shape = this._readPositions();
        if (!shape) return false;
        const length = Math.hypot(to.x - from.x, to.y - from.y, to.z - from.z);
        const segment = {
            from: [from.x, from.y, from.z],
            to: [to.x, to.y, to.z],
            reach: reach ?? Math.max(length / 2, this._meanEdgeLength),
        };
        const line = findCutLine(shape.mesh, shape.positions, segment, this._meanEdgeLength);
        const { mesh, seams } = subdivide(shape.mesh, line);
        return this._split(mesh, seams);
    }

    /** Tears what is stretched beyond {@link strain} now; called in every frame of the scene. @returns whether anything has parted */
    update(): boolean {
        if (this._strain === Infinity || this._runtime?.instance?.cloth.isAsleep !== false) return false;
        const shape = this._readPositions();
        if (!shape) return false;
        const { mesh, positions, attachment } = shape;
        const edges = (shape.edges ??= restEdgesOf(mesh, shape.restPositions));
        const over = findOverstretchedEdges(edges, positions, this._strain);
        if (over.length === 0) return false;
        const { inverseMasses } = attachment.cloth.state;
        const { particleOfVertex } = attachment.binding;
        const isHeld = (place: number): boolean => inverseMasses[particleOfVertex[shape.vertexOfPlace[place]]] === 0;
        return this._split(mesh, findSeams(mesh, edges, positions, over, isHeld, MAX_SPLITS_PER_FRAME));
    }

    /** Closes all tears: the mesh has its own geometry again, and the cloth goes on with it. */
    mend(): void {
        const { _untorn: untorn, attachedNode: mesh } = this;
        const runtime = this._runtime;
        runtime?.adoptEdit();
        // The user may have given it another geometry.
        const isTorn = runtime?.instance ? runtime.instance.binding.weld : mesh?.geometry && weldOf(mesh.geometry);
        if (!untorn || !mesh || !isTorn) return this._releaseUntorn();
        this._untorn = null;
        this._shape = null;
        if (!runtime?.instance?.space.update()) return applyGeometry(mesh, untorn);
        const own = Uint32Array.from({ length: untorn.geometry.getTotalVertices() }, (_, v) => v);
        this._resume(runtime, { from: own, to: own, shares: new Float32Array(own.length) }, () => applyGeometry(mesh, untorn));
    }

    /** The cloth on the mesh. */
    private get _runtime(): BodyRuntime | undefined {
        const cloth = this.attachedNode?.getBehaviorByName("Cloth");
        return cloth ? runtimeOf(cloth) : undefined;
    }

    /** Looks where the cloth is drawn now. */
    private _readPositions(): TearShape | null {
        const runtime = this._runtime;
        if (!runtime?.adoptEdit() || runtime.parts.length > 0) return null;
        const { instance } = runtime;
        const x = instance?.mesh.getVerticesData("position");
        // What is flat has no place where it could go on.
        if (!instance || !x || !instance.space.update()) return null;
        if (this._shape?.attachment !== instance) this._shape = this._readShape(instance);
        const { positions, vertexOfPlace } = this._shape;
        transformPlaces(x, vertexOfPlace, worldMatrixOf(instance.mesh), positions);
        return this._shape;
    }

    private _readShape(instance: BodyInstance): TearShape {
        const { mesh, binding } = instance;
        const indices = mesh.getIndices() ?? Uint32Array.from({ length: binding.vertexCount }, (_, v) => v);
        const rest = binding.restVertexPositions;
        const { placeCount, placeOfVertex, vertexOfPlace } = binding.weld ?? weld(rest, Uint32Array.from(indices));
        const untorn = wholeMesh(indices, placeOfVertex, placeCount);
        const restPositions = new Float64Array(3 * placeCount);
        transformPlaces(rest, vertexOfPlace, worldMatrixOf(mesh), restPositions);
        // The user may have given the mesh another shape, which is whole.
        if (!binding.weld) this._releaseUntorn();
        const edges = this._untorn ? null : restEdgesOf(untorn, restPositions);
        if (edges) this._meanEdgeLength = edges.lengths.reduce((sum, length) => sum + length, 0) / edges.lengths.length;
        const positions = restPositions.slice();
        return { attachment: instance, mesh: untorn, vertexOfPlace, edges, restPositions, positions };
    }

    /** Parts a mesh made of the present one, along seams. */
    private _split(divided: TornMesh, seams: ReadonlySet<number>): boolean {
        const torn = splitAlongSeams(divided, seams);
        if (torn.placeCount === divided.placeCount) return false;
        const mesh = this.attachedNode!;
        this._resume(this._runtime!, torn, () => {
            this._untorn ??= saveUntorn(mesh);
            applyTorn(mesh, torn, this._untorn.geometry);
        });
        this.onTearObservable.notifyObservers(this);
        return true;
    }

    private _resume(runtime: BodyRuntime, sources: VertexSources, change: () => void): void {
        this._shape = null;
        resumeAfterTear(runtime, sources, change);
    }

    /** Lets go of the whole geometry. */
    private _releaseUntorn(): void {
        const geometry = this._untorn?.geometry;
        this._untorn = this._shape = null;
        if (geometry && geometry.meshes.length === 0 && !geometry.isDisposed() && !geometry.getEngine().isDisposed)
            geometry.dispose();
    }
}

function hasParts(mesh: Mesh): boolean {
    const cloth = mesh.getBehaviorByName("Cloth");
    return cloth !== null && (runtimeOf(cloth)?.parts.length ?? 0) > 0;
}

/** Places of vertices in the world [m]. @param x mesh-local, shape [vertexCount, 3] @param target shape [placeCount, 3] */
function transformPlaces(x: ArrayLike<number>, vertexOfPlace: Uint32Array, m: ArrayLike<number>, target: Float64Array): void {
    for (let p = 0; p < vertexOfPlace.length; p++) {
        const v = 3 * vertexOfPlace[p];
        for (let c = 0; c < 3; c++) target[3 * p + c] = x[v] * m[c] + x[v + 1] * m[4 + c] + x[v + 2] * m[8 + c] + m[12 + c];
    }
}

fileTearing.make = (options) => new ClothTearing(options);
