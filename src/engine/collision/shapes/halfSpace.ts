/**
 * Half-space: everything behind a plane is solid; see plane.ts. It turns about the point that is nearest to the body.
 */
import type { Arena } from "../../../kernels/arena";
import { PlaneData } from "../../../kernels/contactLayout";
import type { Affine } from "../../math/affine";
import type { Bounds } from "../broadphase/bounds";
import { across, computeAcross, measureHeights, OneSidedCollider, writePlane } from "./oneSided";

/** Within a call, see {@link measureHeights}. */
const heights = new Float64Array(2);

export class HalfSpaceCollider extends OneSidedCollider {
    /** True if the pose spans a plane. */
    private _isValidPlane = false;

    constructor(arena: Arena) {
        super(arena, PlaneData.sides);
        this.data[PlaneData.recovery] = Infinity;
    }

    protected override _onPoseChanged(): void {
        centreAtOrigin(this._to);
    }

    /** Its centre does not tell where it is: far away, it moves with the slightest turn. */
    protected override get detectsJumps(): boolean {
        return false;
    }

    override rebase(dx: number, dy: number, dz: number): void {
        super.rebase(dx, dy, dz);
        for (const pose of this._trajectory.poses) centreAtOrigin(pose);
    }

    /** It has no end. */
    protected override _maySweep(): boolean {
        return true;
    }

    protected override mayComeWithin(): boolean {
        return true;
    }

    protected override _writeShape(): void {
        this._isValidPlane = writePlane(this._pose, this.data, PlaneData.normal);
    }

    override mayTouch(bounds: Bounds): boolean {
        if (!this._isValidPlane) return false;
        measureHeights(this.data, PlaneData.normal, bounds, heights);
        return heights[0] < this.data[PlaneData.thickness];
    }
}

/** Puts the centre of a half-space to its point nearest to the origin, about which it then turns: the body is there. */
function centreAtOrigin(m: Affine): void {
    computeAcross(m);
    const nx = across[0];
    const ny = across[1];
    const nz = across[2];
    const squared = nx * nx + ny * ny + nz * nz;
    if (!(squared > 0)) return;
    const height = (nx * m[12] + ny * m[13] + nz * m[14]) / squared;
    m[12] = nx * height;
    m[13] = ny * height;
    m[14] = nz * height;
}
