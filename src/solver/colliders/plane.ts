/**
 * Plane: the unit square [-1, 1]² at z = 0 under the pose, solid on both faces; its front is the pose's +z side. As a
 * half-space it has no edges and everything behind it is solid. C = side · (n · x - offset) - thickness >= 0.
 *
 *       ● ↑ n
 *     ━━━━━━━━━
 *
 * Data: PlaneData in kernels/arrays.ts.
 */
import type { Arena } from "../../kernels/arena";
import { PlaneData } from "../../kernels/arrays";
import type { ParticleArrays } from "../../kernels/arrays";
import type { Kernels } from "../../kernels/kernels";
import { identity, invert } from "../affine";
import type { Affine } from "../affine";
import { Collider } from "./collider";
import type { Bounds } from "./collider";

/** Cloth on the back face lies a thickness below the plane; what was above this share of it, or this depth [m], is in front. */
const BACK_FACE = 0.9;
const SMALLEST_DEPTH = 1e-4;

export class PlaneCollider extends Collider {
    private readonly _toUnit: Affine = identity();
    override readonly isLast = true;
    private _isPlaneKnown = false;

    constructor(arena: Arena, private readonly _isHalfSpace: boolean) {
        super(arena, PlaneData.count);
    }

    protected override _writeShape(before: Affine): void {
        const { data, _pose: m } = this;
        // The normal is that of the surface, on the side that the third row points to.
        let nx = m[1] * m[6] - m[2] * m[5];
        let ny = m[2] * m[4] - m[0] * m[6];
        let nz = m[0] * m[5] - m[1] * m[4];
        const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
        const front = nx * m[8] + ny * m[9] + nz * m[10] < 0 ? -length : length;
        if (!(length > 0)) return;
        nx /= front;
        ny /= front;
        nz /= front;
        const offset = nx * m[12] + ny * m[13] + nz * m[14];
        const { normal } = PlaneData;
        // Height of the plane's point above the old plane, which went through the old point: how far the surface came along
        // its normal in this substep.
        const rise = this._isPlaneKnown
            ? data[normal] * (m[12] - before[12]) + data[normal + 1] * (m[13] - before[13]) + data[normal + 2] * (m[14] - before[14]) : 0;
        this._isPlaneKnown = true;
        data[normal] = nx;
        data[normal + 1] = ny;
        data[normal + 2] = nz;
        data[PlaneData.offset] = offset;
        data[PlaneData.rise] = rise;
        if (this._isHalfSpace) {
            data[PlaneData.recovery] = Infinity;
            return;
        }
        data[PlaneData.recovery] = Math.max(BACK_FACE * data[PlaneData.thickness], SMALLEST_DEPTH);
        if (invert(m, this._toUnit)) {
            for (let i = 0; i < 16; i++) data[PlaneData.toUnit + i] = i % 4 < 2 ? this._toUnit[i] : 0;
        }
    }

    override mayTouch(bounds: Bounds): boolean {
        if (!this._isPlaneKnown) return false;
        // Smallest and largest height of the box's corners.
        const { data } = this;
        let lowest = -data[PlaneData.offset];
        let highest = lowest;
        for (let i = 0; i < 3; i++) {
            const n = data[PlaneData.normal + i];
            const atMinimum = n * bounds[i];
            const atMaximum = n * bounds[i + 4];
            lowest += Math.min(atMinimum, atMaximum);
            highest += Math.max(atMinimum, atMaximum);
        }
        const thickness = data[PlaneData.thickness];
        const rise = Math.abs(data[PlaneData.rise]);
        return lowest < thickness + rise
            && (this._isHalfSpace || highest > -thickness - rise - data[PlaneData.recovery]);
    }

    override collide(kernels: Kernels, particles: ParticleArrays): void {
        kernels.collidePlane(particles, this.data);
    }
}
