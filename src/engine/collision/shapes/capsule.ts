/**
 * Capsule along y, tapered or not: the hull of two spheres. C = distance to the surface - thickness >= 0.
 *
 *       ╭─╮   top
 *      │ │    ● particle
 *     (   )   bottom
 *
 * Stretched along y it stays a capsule, of the same radii; stretched across, it has the larger of the two radii.
 * Data: CapsuleData in kernels/contactLayout.ts.
 */
import { STEEPEST_TAPER } from "../../tunables";
import type { Arena } from "../../../kernels/arena";
import { CapsuleData, SolidData } from "../../../kernels/contactLayout";
import type { ContactArrays } from "../../../kernels/contactLayout";
import type { ParticleArrays } from "../../../kernels/layout";
import type { Kernels } from "../../../kernels/kernelTable";
import type { Affine } from "../../math/affine";
import { lengths, measureRows, expandReach } from "../broadphase/bounds";
import { Solid, writeAxis, writeMinEdge } from "./solid";

export class CapsuleCollider extends Solid {
    /** @param _radii of the spheres below and above, as shares of the unit shape's half width; one of them is 1 */
    constructor(
        arena: Arena,
        private readonly _radii: ArrayLike<number>,
    ) {
        super(arena, CapsuleData.count);
    }

    protected override _writeDimensions(): void {
        const { data, _stretch: s, _extent: extent, _radii: radii } = this;
        const width = Math.max(s[0], s[8]);
        const halfLength = Math.max(s[4] - (width * (radii[0] + radii[1])) / 2, 0);
        const least = width - 2 * STEEPEST_TAPER * halfLength;
        const bottom = Math.max(width * radii[0], least);
        const top = Math.max(width * radii[1], least);
        const sin = halfLength > 0 ? (bottom - top) / (2 * halfLength) : 0;
        extent[0] = extent[2] = width;
        // The middle between the spheres, which is the frame's, lies off that of the whole.
        const lift = (width * (radii[0] - radii[1])) / 2;
        for (let c = 0; c < 3; c++) {
            data[CapsuleData.toFrame + 12 + c] += lift * data[CapsuleData.toFrame + 4 * c + 1];
            data[CapsuleData.toFrameBefore + 12 + c] += lift * data[CapsuleData.toFrameBefore + 4 * c + 1];
        }
        extent[1] = halfLength + width + Math.abs(lift);
        data[CapsuleData.halfLength] = halfLength;
        data[CapsuleData.bottom] = bottom;
        data[CapsuleData.top] = top;
        data[CapsuleData.sin] = sin;
        data[CapsuleData.cos] = Math.sqrt(1 - sin * sin);
        data[SolidData.sweep] = Math.min(bottom, top);
        // As seen from a point, the ball that touches lies up the axis by the lean.
        writeAxis(data, halfLength, (bottom + top) / 2);
        data[CapsuleData.slope] = -sin;
        data[CapsuleData.normalSlope] = sin / data[CapsuleData.cos];
        writeMinEdge(data, data[SolidData.sweep]);
    }

    /** Round all about, and the extent may add a width and a half to the axis. */
    protected override expandReach(reach: Float64Array, m: Affine): void {
        measureRows(m);
        lengths[0] = lengths[1] + 3 * Math.max(lengths[0], lengths[2]);
        expandReach(reach);
    }

    override detect(kernels: Kernels, particles: ParticleArrays, contacts: ContactArrays): void {
        kernels.detectCapsuleContacts(particles, this.data, contacts);
    }
}
