import { StrainRegionLayout } from "../../../kernels/contactLayout";
import type { StrainRegionArrays } from "../../../kernels/contactLayout";
import type { KernelFunctions, Kernels } from "../../../kernels/kernelTable";
import type { ParticleArrays, DistanceArrays } from "../../../kernels/layout";
import { ArenaStruct } from "../../state/arenaArrays";

/** Limits the strain of cloth on colliders: as others', but only where something has moved is looked at twice. */
export class RegionalStrainLimiter extends ArenaStruct implements StrainRegionArrays, Pick<KernelFunctions, "limitStrain"> {
    areRegionsKnown!: Uint32Array;
    regions!: Float64Array;
    /** The sticks whose regions are known. */
    private _constraints: DistanceArrays | null = null;

    /** @throws RangeError when there is no memory left */
    constructor(private readonly _kernels: Kernels) {
        super(StrainRegionLayout);
        this._allocate(_kernels.arena);
    }

    limitStrain(particles: ParticleArrays, sticks: DistanceArrays): void {
        if (sticks !== this._constraints) this.areRegionsKnown[0] = 0;
        this._constraints = sticks;
        this._kernels.limitStrainByRegion(particles, sticks, this);
    }
}
