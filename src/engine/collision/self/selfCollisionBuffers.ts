import type { Arena } from "../../../kernels/arena";
import { SelfCollisionLayout } from "../../../kernels/selfCollisionLayout";
import type { SelfCollisionArrays } from "../../../kernels/selfCollisionLayout";
import type { KernelFunctions } from "../../../kernels/kernelTable";
import { SelfContactLayout, SelfContactParameter, SelfContactCounter } from "../../../kernels/selfContactLayout";
import type { SelfContactArrays } from "../../../kernels/selfContactLayout";
import { ArenaStruct } from "../../memory/arenaArrays";
import type { CollisionProxy } from "./collisionProxy";
import { UntangleRegions } from "./untangleRegions";

/** Pairs that there is room for, to a particle. */
const PAIRS_PER_PARTICLE = 8;

/** Buffers shared by a self-collision group, see SelfCollisionLayout. */
export class SelfCollisionBuffers extends ArenaStruct implements SelfCollisionArrays {
    readonly paddedCount: number;
    readonly cellCount: number;
    readonly cellEndCount: number;
    readonly capacity: number;
    proxies!: Uint32Array;
    proxyFloats!: Float32Array;
    numbers!: Float32Array;
    progress!: Uint32Array;
    snapshot!: Float32Array;
    normals!: Float32Array;
    rest!: Float32Array;
    restPairStarts!: Uint32Array;
    restPairs!: Uint32Array;
    cellStarts!: Uint32Array;
    cells!: Uint32Array;
    sortedX!: Float32Array;
    sortedY!: Float32Array;
    sortedZ!: Float32Array;
    sorted!: Uint32Array;
    slots!: Uint32Array;
    pairs!: Uint32Array;
    pairFloats!: Float32Array;
    activeRanges!: Uint32Array;
    activeParticles!: Uint32Array;
    activePositions!: Float32Array;
    velocities!: Float32Array;

    /** @throws RangeError when there is no memory left */
    constructor(
        arena: Arena,
        readonly particleCount: number,
        readonly proxyCount: number,
        readonly restPairCount: number,
    ) {
        super(SelfCollisionLayout);
        this.paddedCount = particleCount + 4;
        this.cellCount = 2 ** Math.ceil(Math.log2(2 * particleCount));
        this.cellEndCount = this.cellCount + 1;
        this.capacity = PAIRS_PER_PARTICLE * particleCount;
        this._allocate(arena);
    }
}

/** Maximum pairs of boxes per triangle in a search. */
const MAX_BOX_PAIRS = 200;
/** Motion of an intersection in a substep of untangling, as a share of the disc radius. */
const UNTANGLE_SHARE = 0.1;

/** Buffers of the triangle contact search, see SelfContactLayout. */
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
    order!: Uint32Array;
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

    /** True if the lists have overflowed. */
    get hasOverflowed(): boolean {
        return this.progress[SelfContactCounter.overflowed] > 0;
    }

    /** True if any triangles intersect. */
    get isIntersecting(): boolean {
        return this.progress[SelfContactCounter.intersectionCount] > 0;
    }

    /** Lists the contacts of two bodies, or of one with itself. @param room factor of the minimum search size */
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
