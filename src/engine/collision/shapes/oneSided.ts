/**
 * Planes: z = 0 of the unit frame under the pose, whose front is the pose's +z side. C = side · (n · x - offset) - thickness >= 0.
 *
 *       ● ↑ n
 *     ━━━━━━━━━
 *
 * Data: PlaneData in kernels/contactLayout.ts.
 */
import { MIN_PLANE_NORMAL } from "../../tunables";
import type { ContactArrays } from "../../../kernels/contactLayout";
import type { ParticleArrays } from "../../../kernels/layout";
import type { Kernels } from "../../../kernels/kernelTable";
import type { Affine } from "../../math/affine";
import { Collider } from "./collider";
import type { Bounds } from "../broadphase/bounds";

/** The cross product of a pose's first two rows, x y z, and its length with the sign of the third row's side; within a call. */
export const across = new Float64Array(4);

export abstract class OneSidedCollider extends Collider {
    override readonly isOneSided = true;

    override setPose(pose: ArrayLike<number>): void {
        super.setPose(pose);
        completeNormal(this._to);
    }

    override detect(kernels: Kernels, particles: ParticleArrays, contacts: ContactArrays): void {
        kernels.detectPlaneContacts(particles, this.data, contacts);
    }

    override recordSupport(kernels: Kernels, particles: ParticleArrays, contacts: ContactArrays): void {
        kernels.detectSupports(particles, this.data, contacts);
    }
}

/** Finds {@link across} of a pose. */
export function computeAcross(m: Affine): void {
    const x = m[1] * m[6] - m[2] * m[5];
    const y = m[2] * m[4] - m[0] * m[6];
    const z = m[0] * m[5] - m[1] * m[4];
    const length = Math.sqrt(x * x + y * y + z * z);
    across[0] = x;
    across[1] = y;
    across[2] = z;
    across[3] = x * m[8] + y * m[9] + z * m[10] < 0 ? -length : length;
}

/** The pose's third row becomes the unit normal on its side: a plane is as solid under a scale of 0 across it. */
function completeNormal(m: Affine): void {
    computeAcross(m);
    if (!(Math.abs(across[3]) > 0)) return;
    for (let c = 0; c < 3; c++) m[8 + c] = across[c] / across[3];
}

/** Writes unit normal and offset of a pose, and leaves {@link across} of it; false where it is no plane. */
export function writePlane(m: Affine, data: Float32Array, slot: number): boolean {
    computeAcross(m);
    if (!(Math.abs(across[3]) > MIN_PLANE_NORMAL)) return false;
    const nx = across[0] / across[3];
    const ny = across[1] / across[3];
    const nz = across[2] / across[3];
    data[slot] = nx;
    data[slot + 1] = ny;
    data[slot + 2] = nz;
    data[slot + 3] = nx * m[12] + ny * m[13] + nz * m[14];
    return true;
}

/** Writes the smallest height above a plane, and the smallest depth below it, of a box's corners [m]: a function's result would be boxed. */
export function measureHeights(data: Float32Array, normal: number, bounds: Bounds, target: Float64Array): void {
    target[0] = -data[normal + 3];
    target[1] = data[normal + 3];
    for (let i = 0; i < 3; i++) {
        const n = data[normal + i];
        target[0] += Math.min(n * bounds[i], n * bounds[i + 4]);
        target[1] += Math.min(-n * bounds[i], -n * bounds[i + 4]);
    }
}
