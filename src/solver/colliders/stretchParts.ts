import { StretchPartLayout } from "../../kernels/contactLayout";
import type { StretchPartArrays } from "../../kernels/contactLayout";
import type { KernelFunctions, Kernels } from "../../kernels/kernels";
import type { ParticleArrays, StickArrays } from "../../kernels/layout";
import { ArenaStruct } from "../arenaArrays";

/** Limits the strain of cloth on colliders: as others', but only where something has moved is looked at twice. */
export class StretchParts extends ArenaStruct implements StretchPartArrays, Pick<KernelFunctions, "limitStretch"> {
    areKnown!: Uint32Array;
    regions!: Float64Array;
    /** The sticks whose regions are known. */
    private _sticks: StickArrays | null = null;

    /** @throws RangeError when there is no memory left */
    constructor(private readonly _kernels: Kernels) {
        super(StretchPartLayout);
        this._allocate(_kernels.arena);
    }

    limitStretch(particles: ParticleArrays, sticks: StickArrays): void {
        if (sticks !== this._sticks) this.areKnown[0] = 0;
        this._sticks = sticks;
        this._kernels.limitStretchInParts(particles, sticks, this);
    }
}
