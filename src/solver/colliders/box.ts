/**
 * Oriented box: the cube [-1, 1]³ under the pose. C = distance to the surface - thickness >= 0.
 *
 *      ┌───────┐   ● particle
 *      │   c   │ ↗ n = ∇C
 *      └───────┘
 *
 * Data: BoxData in kernels/contactLayout.ts. A pose that shears has made a hull of it.
 */
import { BoxData } from "../../kernels/contactLayout";
import type { ContactArrays } from "../../kernels/contactLayout";
import type { ParticleArrays } from "../../kernels/layout";
import type { Kernels } from "../../kernels/kernels";
import { HullCollider } from "./hull";

export class BoxCollider extends HullCollider {
    protected override _writeDimensions(): void {
        if (this._isSheared) {
            super._writeDimensions();
            return;
        }
        const { data, _stretch: s } = this;
        data[BoxData.halfX] = s[0];
        data[BoxData.halfY] = s[4];
        data[BoxData.halfZ] = s[8];
    }

    protected override _thinnest(): number {
        const { _stretch: s } = this;
        return this._isSheared ? super._thinnest() : Math.min(s[0], s[4], s[8]);
    }

    override find(kernels: Kernels, particles: ParticleArrays, contacts: ContactArrays): void {
        if (this._isSheared) super.find(kernels, particles, contacts);
        else kernels.findBoxContacts(particles, this.data, contacts);
    }
}
