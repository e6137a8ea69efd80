/**
 * Sphere or ellipsoid: the image of the unit sphere. C = distance to the surface - thickness >= 0.
 *
 *        ___   ● particle
 *      ╱     ╲ ↑ n = ∇C
 *     (   c   )
 *
 * Data: SphereData in kernels/arrays.ts.
 */
import type { Arena } from "../../kernels/arena";
import { SphereData } from "../../kernels/arrays";
import type { ParticleArrays } from "../../kernels/arrays";
import type { Kernels } from "../../kernels/kernels";
import { identity, invert } from "../affine";
import type { Affine } from "../affine";
import { Collider } from "./collider";
import type { Bounds } from "./collider";

export class SphereCollider extends Collider {
    private readonly _toUnit: Affine = identity();

    constructor(arena: Arena) {
        super(arena, SphereData.count);
    }

    protected override _writeShape(_before: Affine, target: Affine): void {
        const { data, _pose: pose } = this;
        for (let i = 0; i < 3; i++) data[SphereData.centre + i] = pose[12 + i];
        // A flat or singular ellipsoid has no inside to keep out of: its reach is zero.
        if (!invert(target, this._toUnit)) {
            data[SphereData.reach] = 0;
            return;
        }
        for (let row = 0; row < 3; row++) {
            for (let c = 0; c < 3; c++) data[SphereData.toUnit + 4 * row + c] = this._toUnit[4 * row + c];
        }
        data[SphereData.reach] = largestStretch(target) + data[SphereData.thickness];
    }

    override mayTouch(bounds: Bounds): boolean {
        let squared = 0;
        for (let i = 0; i < 3; i++) {
            const c = this.data[SphereData.centre + i];
            const d = c < bounds[i] ? bounds[i] - c : c > bounds[i + 4] ? c - bounds[i + 4] : 0;
            squared += d * d;
        }
        const reach = this.data[SphereData.reach];
        return squared < reach * reach;
    }

    override collide(kernels: Kernels, particles: ParticleArrays): void {
        kernels.collideSphere(particles, this.data);
    }
}

/** Upper bound of the largest half axis: exact for axis-aligned scaling, else the Frobenius norm. */
function largestStretch(m: Affine): number {
    let longest = 0;
    let sum = 0;
    let skew = 0;
    for (let r = 0; r < 3; r++) {
        const x = m[4 * r], y = m[4 * r + 1], z = m[4 * r + 2];
        const squared = x * x + y * y + z * z;
        sum += squared;
        longest = Math.max(longest, squared);
        const n = 4 * ((r + 1) % 3);
        skew = Math.max(skew, Math.abs(x * m[n] + y * m[n + 1] + z * m[n + 2]));
    }
    return Math.sqrt(skew < 1e-6 * longest ? longest * (1 + 1e-6) : sum);
}
