import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { areEqual, determinant, identity, invert, mapPointCloud, metricOf, transformPoint } from "../../engine/index";
import type { Affine } from "../../engine/index";
import { relativePose, worldMatrixOf, babylonWorldMatrixOf } from "../support/carriers";
import type { MeshCarrier } from "../support/carriers";

/** Moves the tie of rounding off the half metres at which meshes like to lie, so that rounding errors do not decide. */
const ROUNDING_OFFSET = 0.01;

/** A mesh has another size when a product of its axes has changed by this share. */
const RESIZE_TOLERANCE = 1e-4;

/** Within a call. */
const metric = new Float64Array(6);

/** Size of a mesh in the world against that at attach: the same; another, the same for a frame; changing; or changed along one axis more than along others. */
export const SizeChange = { none: 0, settled: 1, running: 2, uneven: 3 } as const;
export type SizeChange = (typeof SizeChange)[keyof typeof SizeChange];

/** Change of scale, as a share, below which the size stays, and while it runs. */
const MIN_SCALE_CHANGE = 1e-3;
const MIN_RUNNING_CHANGE = 0.02;

/** Map between a cloth's mesh and its simulation space. */
export class SimulationSpace implements MeshCarrier {
    /** World position of simulation space's origin [m]; what moves it calls {@link update}. */
    readonly origin = new Float64Array(3);
    /** The mesh's world matrix when last asked. */
    readonly worldMatrix: Affine = identity();
    /** The maps from mesh-local to simulation space and back that follow from it and the origin. */
    readonly pose: Affine = identity();
    readonly toLocal: Affine = identity();
    /** Number of changes of the maps so far. */
    revision = 0;
    readonly skeleton: Mesh["skeleton"];
    /** Carrier of pins without a target, if the body moves the mesh; null: the mesh is the carrier. */
    pinMatrix: Affine | null = null;
    private readonly _locatedOrigin = new Float64Array(3).fill(NaN);
    private _isInvertible = false;
    /** Babylon's, of the matrix when last asked. */
    private _updateFlag = NaN;
    /** The mesh's size at attach, in which rest lengths were measured; see {@link metricOf}. */
    private readonly _metric: Float64Array;
    private readonly _size: number;
    private readonly _volume: number;
    /** Scale against that at attach in the last frame; the revision whose size is settled, and what came of it. */
    private _scale = 1;
    private _sizeRevision = -1;
    private _sizeChange: SizeChange = SizeChange.none;

    /** @throws RangeError where the mesh is nowhere */
    constructor(
        readonly mesh: Mesh,
        owner: string,
    ) {
        this.skeleton = mesh.skeleton;
        if (!this.update()) {
            throw new RangeError(`${owner}: the world matrix of "${mesh.name}" must be finite and invertible (is a scale 0?)`);
        }
        this._metric = metricOf(this.pose);
        this._size = this._metric[0] + this._metric[1] + this._metric[2];
        this._volume = Math.abs(determinant(this.pose));
    }

    /** The mesh carries nothing of itself once it is gone: its cloth is gone, too. */
    isDisposed(): boolean {
        return false;
    }

    world(): ArrayLike<number> {
        return this.pinMatrix ?? worldMatrixOf(this.mesh);
    }

    /**
     * Asks where the mesh is. Where that or the origin has changed, the maps follow.
     * @returns whether there are any: its world matrix is finite and invertible
     */
    update(): boolean {
        const { origin, worldMatrix, _locatedOrigin: then } = this;
        const { m: world, updateFlag } = babylonWorldMatrixOf(this.mesh);
        const isNew = then[0] !== origin[0] || then[1] !== origin[1] || then[2] !== origin[2];
        if (!isNew && updateFlag === this._updateFlag) return this._isInvertible;
        this._updateFlag = updateFlag;
        if (!isNew && areEqual(world, worldMatrix)) return this._isInvertible;
        worldMatrix.set(world);
        then.set(origin);
        this.revision++;
        this._isInvertible = relativePose(world, origin, this.pose) && invert(this.pose, this.toLocal);
        return this._isInvertible;
    }

    /** Last result of {@link update}. */
    get isInvertible(): boolean {
        return this._isInvertible;
    }

    /** Puts the origin amid points of the mesh. Whole metres keep it exact in 32-bit matrices. @param local shape [n, 3] */
    centre(local: Float32Array): void {
        const { box } = mapPointCloud(local, this.pose);
        const middle = Float64Array.from({ length: 3 }, (_, c) => (box[c] + box[3 + c]) / 2);
        const { origin } = this;
        const before = origin.slice();
        transformPoint(this.pose, middle, 0, origin, 0);
        for (let c = 0; c < 3; c++) origin[c] = Math.round(origin[c] + before[c] + ROUNDING_OFFSET);
        if (!origin.every(Number.isFinite)) origin.fill(0);
        this.update();
    }

    /** Compares the mesh's size with that at attach and in the last frame; call once a frame, after {@link update}. */
    checkSize(): SizeChange {
        if (!this._isInvertible || this.revision === this._sizeRevision) return this._sizeChange;
        const lastScale = this._scale;
        metricOf(this.pose, metric);
        // Of a turn in a stretched parent the sum changes, but not the volume.
        const scale = (this._scale = Math.cbrt(Math.abs(determinant(this.pose)) / this._volume));
        const change = Math.abs(scale - 1);
        let isEven = true;
        for (let i = 0; i < 6; i++)
            isEven &&= Math.abs(metric[i] - scale * scale * this._metric[i]) <= MIN_SCALE_CHANGE * scale * scale * this._size;
        const isSettled = Math.abs(scale - lastScale) <= RESIZE_TOLERANCE * scale;
        if (isSettled) this._sizeRevision = this.revision;
        if (change < MIN_SCALE_CHANGE) this._sizeChange = SizeChange.none;
        else if (!isEven) this._sizeChange = SizeChange.uneven;
        else if (isSettled) this._sizeChange = SizeChange.settled;
        else this._sizeChange = change < MIN_RUNNING_CHANGE ? SizeChange.none : SizeChange.running;
        return this._sizeChange;
    }

    /** True if the mesh has another size or shape in the world than at attach; false while it has none. */
    get isResized(): boolean {
        if (!this.update()) return false;
        const now = metricOf(this.pose);
        const size = now[0] + now[1] + now[2];
        return this._metric.some((entry, i) => Math.abs(entry - now[i]) > RESIZE_TOLERANCE * size);
    }
}
