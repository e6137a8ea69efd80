/**
 * Convex hull: what lies behind all of its planes. C = max over the planes (n · x - offset) - thickness >= 0.
 *
 *      ╲   n ↗
 *       ╲___╱ ● particle
 *       ╱   ╲
 *
 * Data: HullData in kernels/contactLayout.ts.
 */
import type { Arena } from "../../../kernels/arena";
import { HullData, SolidData } from "../../../kernels/contactLayout";
import type { ContactArrays } from "../../../kernels/contactLayout";
import type { ParticleArrays } from "../../../kernels/layout";
import type { Kernels } from "../../../kernels/kernelTable";
import type { SegmentShape } from "./collider";
import { Solid } from "./solid";

/** Planes of the unit cube: n · x <= offset, four numbers each. */
export const CUBE_PLANES: readonly number[] = [1, 0, 0, 1, -1, 0, 0, 1, 0, 1, 0, 1, 0, -1, 0, 1, 0, 0, 1, 1, 0, 0, -1, 1];

export class HullCollider extends Solid {
    override get segmentShape(): SegmentShape | null {
        return "hull";
    }

    /** @param _planes in the unit frame: outward normals x y z of any length and normal · x on the plane, four numbers each */
    constructor(
        arena: Arena,
        private readonly _planes: ArrayLike<number> = CUBE_PLANES,
    ) {
        super(arena, HullData.planes + _planes.length);
    }

    /** A normal goes by the inverse of the stretch, which is triangular in the frame's order of axes y x z. */
    protected override _writeDimensions(): void {
        const { data, _planes: planes, _stretch: s } = this;
        data[HullData.planeCount] = planes.length / 4;
        let inside = Infinity;
        for (let i = 0, o = HullData.planes; i < planes.length; i += 4, o += 4) {
            const y = planes[i + 1] / s[4];
            const x = (planes[i] - s[1] * y) / s[0];
            const z = (planes[i + 2] - s[7] * y - s[6] * x) / s[8];
            const length = Math.sqrt(x * x + y * y + z * z);
            data[o] = x / length;
            data[o + 1] = y / length;
            data[o + 2] = z / length;
            data[o + 3] = planes[i + 3] / length;
            inside = Math.min(inside, planes[i + 3] / length);
        }
        data[SolidData.sweep] = Math.max(0, inside);
    }

    override detect(kernels: Kernels, particles: ParticleArrays, contacts: ContactArrays): void {
        kernels.detectHullContacts(particles, this.data, contacts);
    }
}
