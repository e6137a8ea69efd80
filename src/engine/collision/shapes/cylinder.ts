/**
 * Cylinder along y: radius 1 and from -1 to 1 under the pose. C = distance to the surface - thickness >= 0.
 *
 *      ╭───╮
 *      │   │  ● particle
 *      ╰───╯
 *
 * Stretched across its axis it has the larger of the two radii. Triangles keep off the capsule in it, which is all of
 * a post but its rims; off one that is wider than long, a drum, particles alone do. The links of ropes keep off all of it. Data: CylinderData in kernels/contactLayout.ts.
 */
import type { Arena } from "../../../kernels/arena";
import { CylinderData, SolidData } from "../../../kernels/contactLayout";
import type { ContactArrays } from "../../../kernels/contactLayout";
import type { ParticleArrays } from "../../../kernels/layout";
import type { Kernels } from "../../../kernels/kernelTable";
import type { Affine } from "../../math/affine";
import { lengths, measureRows, expandReach } from "../broadphase/bounds";
import type { SegmentShape } from "./collider";
import { Solid, writeAxis, writeMinEdge } from "./solid";

export class CylinderCollider extends Solid {
    override get segmentShape(): SegmentShape {
        return "cylinder";
    }

    constructor(arena: Arena) {
        super(arena, CylinderData.count);
    }

    protected override _writeDimensions(): void {
        const { data, _stretch: s, _extent: extent } = this;
        data[CylinderData.radius] = extent[0] = extent[2] = Math.max(s[0], s[8]);
        data[CylinderData.halfHeight] = s[4];
        const radius = data[CylinderData.radius];
        data[SolidData.sweep] = Math.min(radius, s[4]);
        if (!(s[4] > radius)) return;
        writeAxis(data, s[4] - radius, radius);
        writeMinEdge(data, radius);
    }

    /** As wide across as along the longer of the two axes. */
    protected override expandReach(reach: Float64Array, m: Affine): void {
        measureRows(m);
        lengths[0] = lengths[1] + 1.5 * Math.max(lengths[0], lengths[2]);
        expandReach(reach);
    }

    override detect(kernels: Kernels, particles: ParticleArrays, contacts: ContactArrays): void {
        kernels.detectCylinderContacts(particles, this.data, contacts);
    }
}
