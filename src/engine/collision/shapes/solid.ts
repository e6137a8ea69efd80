/**
 * Solids: shapes that are given by their distance function in a rigid frame of their own (kernels/assembly/solids.ts). Their
 * unit shape fills [-1, 1]³. The pose splits into the frame, which turns and shifts, and a stretch along its axes, which goes
 * into the dimensions:
 *
 *     pose = stretch · frame       the frame's y is the pose's, its x lies in the plane of the pose's x and y
 */
import { FACE_THICKNESS_SHARE, MIN_THICKNESS, ROUND_TOLERANCE, SHEAR_TOLERANCE, SWEEP_SHARE } from "../../tunables";
import { Contact, SolidData } from "../../../kernels/contactLayout";
import type { ContactArrays } from "../../../kernels/contactLayout";
import type { Kernels } from "../../../kernels/kernelTable";
import type { ParticleArrays } from "../../../kernels/layout";
import type { Affine } from "../../math/affine";
import { boxesTouch, lengths, measureRows, expandReach, writeBox } from "../broadphase/bounds";
import { Collider } from "./collider";
import type { Bounds } from "../broadphase/bounds";

/** Order in which the pose's axes become the frame's. */
const AXIS_ORDER = [1, 0, 2] as const;

export abstract class Solid extends Collider {
    override readonly box: Bounds = new Float32Array(8);
    /** Rows: where the unit axes lie in the frame [m], shape [3, 3]. */
    protected readonly _stretch = new Float64Array(9);
    /** Half of what it measures along the frame's axes [m]: the unit cube's, of shapes that are larger written with the dimensions. */
    protected readonly _extent = new Float64Array(3);
    /** True if the pose shears. */
    protected _isSheared = false;
    private readonly _frame = new Float64Array(9);
    /** True if the pose has volume. */
    protected _isValid = false;

    protected override _writeShape(before: Affine): void {
        const { data, _pose: pose, box } = this;
        this._isValid = this._decompose(before);
        if (this._isValid) this._writeMap(before, SolidData.toFrameBefore);
        this._isValid = this._isValid && this._decompose(pose);
        if (!this._isValid) return;
        this._writeMap(pose, SolidData.toFrame);
        measureExtent(this._stretch, this._extent);
        data[SolidData.minEdge] = Infinity;
        data[SolidData.keptDistance] = data[Contact.thickness] * FACE_THICKNESS_SHARE;
        this._writeDimensions();
        data[SolidData.sweep] *= SWEEP_SHARE;
        const thickness = Math.max(0, data[Contact.thickness]);
        for (let c = 0; c < 3; c++) {
            const reach = this._reachAlong(SolidData.toFrame, c) + thickness;
            const reachBefore = this._reachAlong(SolidData.toFrameBefore, c) + thickness;
            box[c] = Math.min(pose[12 + c] - reach, before[12 + c] - reachBefore);
            box[4 + c] = Math.max(pose[12 + c] + reach, before[12 + c] + reachBefore);
        }
        writeBox(data, box);
    }

    /**
     * Writes what the shape is made of, of the present stretch, and its core, where it has one; in the sweep's slot, half of what it
     * measures where it is thinnest [m].
     */
    protected abstract _writeDimensions(): void;

    override detectStatic(kernels: Kernels, particles: ParticleArrays, contacts: ContactArrays): void {
        const { data } = this;
        const sweep = data[SolidData.sweep];
        data[SolidData.sweep] = Infinity;
        this.detect(kernels, particles, contacts);
        data[SolidData.sweep] = sweep;
    }

    override get core(): Float32Array {
        return this.data;
    }

    override mayTouch(bounds: Bounds): boolean {
        return this._isValid && boxesTouch(this.box, 0, bounds);
    }

    /** Turned in any way: in a substep it is in two frames, in its size of the second, and a mesh in that of the frame's end. */
    protected override expandReach(reach: Float64Array, m: Affine): void {
        measureRows(m);
        lengths[0] += lengths[1] + lengths[2];
        expandReach(reach);
    }

    /** Half extent from its centre along an axis of space, under the map at a slot [m]. */
    private _reachAlong(slot: number, axis: number): number {
        const { data, _extent: extent } = this;
        const o = slot + 4 * axis;
        return Math.abs(data[o]) * extent[0] + Math.abs(data[o + 1]) * extent[1] + Math.abs(data[o + 2]) * extent[2];
    }

    /** Splits a pose's linear part (Gram and Schmidt); false where it is flat. */
    protected _decompose(pose: Affine): boolean {
        const { _frame: frame, _stretch: stretch } = this;
        stretch.fill(0);
        let lean = 0;
        let size = 0;
        for (let i = 0; i < 3; i++) {
            const row = 4 * AXIS_ORDER[i];
            let x = pose[row];
            let y = pose[row + 1];
            let z = pose[row + 2];
            const whole = Math.sqrt(x * x + y * y + z * z);
            for (let j = 0; j < i; j++) {
                const axis = 3 * AXIS_ORDER[j];
                const along = x * frame[axis] + y * frame[axis + 1] + z * frame[axis + 2];
                stretch[3 * AXIS_ORDER[i] + AXIS_ORDER[j]] = along;
                lean = Math.max(lean, Math.abs(along) / whole);
                x -= along * frame[axis];
                y -= along * frame[axis + 1];
                z -= along * frame[axis + 2];
            }
            const length = Math.sqrt(x * x + y * y + z * z);
            size = Math.max(size, whole);
            if (!(length > 1e-6 * size && length < 1e15)) return false;
            const axis = 3 * AXIS_ORDER[i];
            stretch[axis + AXIS_ORDER[i]] = length;
            frame[axis] = x / length;
            frame[axis + 1] = y / length;
            frame[axis + 2] = z / length;
        }
        this._isSheared = lean > SHEAR_TOLERANCE;
        return true;
    }

    /** Writes the map into the frame that was last split off. */
    private _writeMap(pose: Affine, slot: number): void {
        const { data, _frame: frame } = this;
        for (let j = 0; j < 3; j++) {
            const x = frame[3 * j];
            const y = frame[3 * j + 1];
            const z = frame[3 * j + 2];
            data[slot + j] = x;
            data[slot + 4 + j] = y;
            data[slot + 8 + j] = z;
            data[slot + 12 + j] = pose[12 + j];
        }
    }
}

/** Half of what the image of the unit cube under a stretch measures along the frame's axes [m]. */
export function measureExtent(stretch: Float64Array, extent: Float64Array): void {
    for (let j = 0; j < 3; j++) extent[j] = Math.abs(stretch[j]) + Math.abs(stretch[3 + j]) + Math.abs(stretch[6 + j]);
}

/** Writes the core of what is round about y: its axis from -halfLength to halfLength, and balls of a radius about that [m]. */
export function writeAxis(data: Float32Array, halfLength: number, radius: number): void {
    data.fill(0, SolidData.core, SolidData.coreMargin + 1);
    data[SolidData.core + 1] = halfLength;
    data[SolidData.radius] = radius;
    data[SolidData.slope] = data[SolidData.normalSlope] = 0;
    data.fill(1, SolidData.scale, SolidData.scale + 3);
}

/** The square of how long an edge must be to be asked by itself, at a surface of this radius of curvature [m²]. */
export function minEdgeOf(data: Float32Array, radius = 0): number {
    const least = Math.max(data[Contact.thickness], MIN_THICKNESS);
    return 4 * least * (least + radius);
}

/** Writes what triangles keep from a surface of this radius of curvature, and how long an edge must be, so that the corners alone do not do it [m]. */
export function writeMinEdge(data: Float32Array, radius: number): void {
    data[SolidData.coreTolerance] = ROUND_TOLERANCE;
    data[SolidData.keptDistance] = data[Contact.thickness] * FACE_THICKNESS_SHARE;
    data[SolidData.minEdge] = minEdgeOf(data, radius);
}
