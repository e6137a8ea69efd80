import type { KernelFunctions } from "../../../kernels/kernelTable";
import { SelfContactLayout, SelfContactParameter, SelfContactCounter } from "../../../kernels/selfContactLayout";
import type { SelfContactArrays } from "../../../kernels/selfContactLayout";
import { ArenaStruct } from "../../memory/arenaArrays";
import type { SelfCollisionBuffers } from "./selfCollisionBuffers";
import type { CollisionProxy } from "./collisionProxy";
import { UntangleRegions } from "./untangleRegions";

/** What a search looks at, at most: pairs of boxes to a triangle. */
const MAX_BOX_PAIRS = 200;
/** How far crossings are moved in a substep, as a share of the discs' radius. */
const UNTANGLE_SHARE = 0.1;

/** What webs are searched for, see SelfContactLayout. */
export abstract class SelfContactBuffers extends ArenaStruct implements SelfContactArrays {
    abstract readonly capacity: number;
    abstract readonly intersectionCapacity: number;
    abstract readonly particleCount: number;
    abstract readonly shared: SelfCollisionBuffers;
    /** Fewest particles of what is cut off and brought back. */
    protected abstract readonly minRegionSize: number;
    numbers!: Float32Array;
    progress!: Uint32Array;
    records!: Uint32Array;
    recordFloats!: Float32Array;
    intersections!: Uint32Array;
    intersectionFloats!: Float32Array;
    bounds!: Float32Array;
    startPositions!: Float32Array;
    impactZones!: Uint32Array;
    narrow!: Uint32Array;
    firstLinks!: Uint32Array;
    nextLinks!: Uint32Array;
    impactZoneSums!: Float32Array;
    stack!: Uint32Array;
    private _regions: UntangleRegions | null = null;

    constructor() {
        super(SelfContactLayout);
    }

    /** Whether there is more than it has room for. */
    get hasOverflowed(): boolean {
        return this.progress[SelfContactCounter.overflowed] > 0;
    }

    /** Whether anything passes through each other. */
    get isIntersecting(): boolean {
        return this.progress[SelfContactCounter.intersectionCount] > 0;
    }

    /** Lists what two members, or one with itself, have of it. @param room how many times the least is looked at */
    protected detect(kernels: KernelFunctions, a: CollisionProxy, b: CollisionProxy, room: number): void {
        this.numbers[SelfContactParameter.untangleStep] = UNTANGLE_SHARE * Math.min(a.radius, b.radius);
        this.progress[SelfContactCounter.maxBoxPairs] = room * MAX_BOX_PAIRS * (a.bvh.triangleCount + b.bvh.triangleCount);
        kernels.detectSelfContacts(this, a.bvh, b.bvh);
    }

    /** Has what these have cut in two, by the crossings from one on, come back through it. @returns how many particles have to */
    protected pushBackRegions(first: number, a: CollisionProxy, b: CollisionProxy): number {
        if (this.progress[SelfContactCounter.intersectionCount] === first) return 0;
        return (this._regions ??= new UntangleRegions(this)).pushBack(first, a, b, this.minRegionSize);
    }
}
