import type { Arena } from "../../../kernels/arena";
import { SelfCollisionLayout } from "../../../kernels/selfCollisionLayout";
import type { SelfCollisionArrays } from "../../../kernels/selfCollisionLayout";
import { ArenaStruct } from "../../memory/arenaArrays";

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
