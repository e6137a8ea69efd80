/**
 * Oriented box: the cube [-1, 1]³ under the pose. C = distance to the surface - thickness >= 0.
 *
 *      ┌───────┐   ● particle
 *      │   c   │ ↗ n = ∇C
 *      └───────┘
 *
 * Data: BoxData in kernels/contactLayout.ts. A pose that shears has made a hull of it.
 */
import { MAX_CORE_MARGIN_SHARE, MIN_CORE_MARGIN } from "../../tunables";
import { BoxData, SolidData } from "../../../kernels/contactLayout";
import type { ContactArrays } from "../../../kernels/contactLayout";
import type { ParticleArrays } from "../../../kernels/layout";
import type { Kernels } from "../../../kernels/kernelTable";
import type { SegmentShape } from "./collider";
import { HullCollider } from "./hull";
import { writeMinEdge } from "./solid";

export class BoxCollider extends HullCollider {
    override get segmentShape(): SegmentShape | null {
        return this._isSheared ? "hull" : null;
    }

    protected override _writeDimensions(): void {
        if (this._isSheared) {
            super._writeDimensions();
            return;
        }
        const { data, _stretch: s } = this;
        data[BoxData.halfX] = s[0];
        data[BoxData.halfY] = s[4];
        data[BoxData.halfZ] = s[8];
        const thinnest = Math.min(s[0], s[4], s[8]);
        const deep = MAX_CORE_MARGIN_SHARE * thinnest;
        data[SolidData.sweep] = thinnest;
        const rim = Math.min(deep, Math.max(MIN_CORE_MARGIN, 4 * data[SolidData.thickness]));
        for (let c = 0; c < 3; c++) {
            data[SolidData.core + c] = s[4 * c] - rim;
            data[SolidData.scale + c] = 1;
        }
        data[SolidData.coreMargin] = rim;
        data[SolidData.deepCoreMargin] = deep;
        data[SolidData.radius] = data[SolidData.slope] = data[SolidData.normalSlope] = 0;
        writeMinEdge(data, 0);
    }

    override detect(kernels: Kernels, particles: ParticleArrays, contacts: ContactArrays): void {
        if (this._isSheared) super.detect(kernels, particles, contacts);
        else kernels.detectBoxContacts(particles, this.data, contacts);
    }
}
