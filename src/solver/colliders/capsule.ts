/**
 * Capsule along y, tapered or not: the hull of two spheres. C = distance to the surface - thickness >= 0.
 *
 *       ╭─╮   top
 *      │ │    ● particle
 *     (   )   bottom
 *
 * Stretched along y it stays a capsule, of the same radii; stretched across, it has the larger of the two radii.
 * Data: CapsuleData in kernels/layout.ts.
 */
import type { Arena } from "../../kernels/arena";
import { CapsuleData } from "../../kernels/layout";
import type { ContactArrays, ParticleArrays } from "../../kernels/layout";
import type { Kernels } from "../../kernels/kernels";
import { Solid } from "./solid";

/** A cone no steeper than this: a sphere within the other is that one alone. */
const STEEPEST = 0.999;

export class CapsuleCollider extends Solid {
    /** @param _radii of the spheres below and above, as shares of the unit shape's half width; one of them is 1 */
    constructor(
        arena: Arena,
        private readonly _radii: ArrayLike<number> = [1, 1],
    ) {
        super(arena, CapsuleData.count);
    }

    protected override _writeDimensions(): void {
        const { data, _stretch: s, _radii: radii } = this;
        const width = Math.max(s[0], s[8]);
        const bottom = width * radii[0];
        const top = width * radii[1];
        const halfLength = Math.max(s[4] - (bottom + top) / 2, 0);
        const sin = halfLength > 0 ? (bottom - top) / (2 * halfLength) : 0;
        const held = Math.max(-STEEPEST, Math.min(STEEPEST, sin));
        data[CapsuleData.halfLength] = halfLength;
        data[CapsuleData.bottom] = bottom;
        data[CapsuleData.top] = top;
        data[CapsuleData.sin] = held;
        data[CapsuleData.cos] = Math.sqrt(1 - held * held);
    }

    protected override _thinnest(): number {
        const { data } = this;
        return Math.min(data[CapsuleData.bottom], data[CapsuleData.top]);
    }

    override find(kernels: Kernels, particles: ParticleArrays, contacts: ContactArrays): void {
        kernels.findCapsuleContacts(particles, this.data, contacts);
    }
}
