/**
 * Rectangle: the unit square [-1, 1]² of a plane (plane.ts), solid on both faces.
 *
 *       ● ↑ n
 *     ━━━━━━━━━
 *           ● ↓
 *
 * It knows which face each particle belongs to, from substep to substep: neither a turn of the plane, nor what presses a
 * particle in, nor a thickness of zero or less lets it pass.
 */
import { BACK_FACE_SHARE, MIN_BACK_DEPTH } from "../../tunables";
import type { Arena } from "../../../kernels/arena";
import { PlaneData } from "../../../kernels/contactLayout";
import { paddedCountOf } from "../../../kernels/layout";
import type { ParticleArrays } from "../../../kernels/layout";
import type { Kernels } from "../../../kernels/kernelTable";
import type { Affine } from "../../math/affine";
import type { Bounds } from "../broadphase/bounds";
import { across, measureHeights, OneSidedCollider, writePlane } from "./oneSided";

/** Within a call: over the plane now and a substep ago, see {@link measureHeights}. */
const [heights, heightsBefore] = [new Float64Array(2), new Float64Array(2)];

export class QuadCollider extends OneSidedCollider {
    /** True if the present and the previous pose span a plane. */
    private _isValidPlane = false;

    constructor(
        arena: Arena,
        private readonly _particleCount: number,
    ) {
        super(arena, PlaneData.sides + paddedCountOf(_particleCount), PlaneData.sides);
    }

    /** The sides of particles are told beyond its edges, too. */
    protected override _maySweep(): boolean {
        return true;
    }

    protected override _writeShape(before: Affine): void {
        const { data, _pose: pose } = this;
        this._isValidPlane =
            writePlane(pose, data, PlaneData.normal) &&
            writeEdges(pose, data, PlaneData.toUnit) &&
            writePlane(before, data, PlaneData.normalBefore) &&
            writeEdges(before, data, PlaneData.toUnitBefore);
        data[PlaneData.recovery] = Math.max(BACK_FACE_SHARE * data[PlaneData.thickness], MIN_BACK_DEPTH);
    }

    /** Not where the box is on one side of the plane, as it is and as it was, and no particle belongs to the other. */
    override mayTouch(bounds: Bounds): boolean {
        if (!this._isValidPlane) return false;
        const { data } = this;
        const { normal, normalBefore } = PlaneData;
        const thickness = data[PlaneData.thickness];
        measureHeights(data, normal, bounds, heights);
        measureHeights(data, normalBefore, bounds, heightsBefore);
        // Seen first while it is in front for certain, or farther behind than what may be the front's.
        if (heights[0] >= Math.max(thickness, 0) && heightsBefore[0] >= 0) return this._hasSide(-1);
        const isBehind = heights[1] >= Math.max(thickness, 2 * MIN_BACK_DEPTH);
        return !(isBehind && heightsBefore[1] > data[PlaneData.recovery]) || this._hasSide(1);
    }

    /** True if some particle is known to belong to a side. */
    private _hasSide(side: number): boolean {
        if (!this._hasMemory) return false;
        // Padding has sides, too.
        const index = this.data.indexOf(side, PlaneData.sides);
        return index >= 0 && index < PlaneData.sides + this._particleCount;
    }

    override prepareContacts(kernels: Kernels, particles: ParticleArrays): void {
        this._hasMemory = true;
        kernels.detectSides(particles, this.data);
    }
}

/** Writes the map to the unit square of the pose whose {@link across} was found last. @returns true */
function writeEdges(m: Affine, data: Float32Array, slot: number): true {
    const front = across[3];
    const nx = across[0] / front;
    const ny = across[1] / front;
    const nz = across[2] / front;
    // Across one edge and the normal: u* = v × n / (u × v · n), v* = n × u / (u × v · n).
    for (let c = 0; c < 2; c++) {
        const o = c === 0 ? 4 : 0;
        const s = (c === 0 ? 1 : -1) / front;
        const x = (m[o + 1] * nz - m[o + 2] * ny) * s;
        const y = (m[o + 2] * nx - m[o] * nz) * s;
        const z = (m[o] * ny - m[o + 1] * nx) * s;
        data[slot + c] = x;
        data[slot + 4 + c] = y;
        data[slot + 8 + c] = z;
        data[slot + 12 + c] = -(x * m[12] + y * m[13] + z * m[14]);
    }
    return true;
}
