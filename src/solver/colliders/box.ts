/**
 * Oriented box: the cube [-1, 1]³ under the pose. C = distance to the surface - thickness >= 0.
 *
 *      ┌───────┐   ● particle
 *      │   c   │ ↗ n = ∇C
 *      └───────┘
 *
 * Data: BoxData in kernels/contactLayout.ts. A pose that shears has made a hull of it.
 */
import { BoxData, SolidData } from "../../kernels/contactLayout";
import type { ContactArrays } from "../../kernels/contactLayout";
import type { ParticleArrays } from "../../kernels/layout";
import type { Kernels } from "../../kernels/kernels";
import type { LinkShape } from "./collider";
import { HullCollider } from "./hull";
import { writeLeastEdge } from "./solid";

/** The core lies so far within the faces at least [m], or four times the thickness ... */
const LEAST_RIM = 2e-2;
/** ... and at most by this share of half of what the box measures at its thinnest. */
const DEEP = 0.5;

export class BoxCollider extends HullCollider {
    override get linkShape(): LinkShape | null {
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
        const deep = DEEP * thinnest;
        data[SolidData.sweep] = thinnest;
        const rim = Math.min(deep, Math.max(LEAST_RIM, 4 * data[SolidData.thickness]));
        for (let c = 0; c < 3; c++) {
            data[SolidData.core + c] = s[4 * c] - rim;
            data[SolidData.scale + c] = 1;
        }
        data[SolidData.rim] = rim;
        data[SolidData.deepRim] = deep;
        data[SolidData.radius] = data[SolidData.slope] = data[SolidData.lean] = 0;
        writeLeastEdge(data, 0);
    }

    override find(kernels: Kernels, particles: ParticleArrays, contacts: ContactArrays): void {
        if (this._isSheared) super.find(kernels, particles, contacts);
        else kernels.findBoxContacts(particles, this.data, contacts);
    }
}
