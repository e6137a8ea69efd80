import type { Arena } from "../../kernels/arena";
import { CrowdLayout } from "../../kernels/crowdLayout";
import type { CrowdArrays } from "../../kernels/crowdLayout";
import { ArenaStruct } from "../arenaArrays";

/** Pairs that there is room for, to a particle. */
const PAIRS = 8;

/** What a crowd shares, see CrowdLayout. */
export class CrowdStruct extends ArenaStruct implements CrowdArrays {
    readonly roomCount: number;
    readonly cellCount: number;
    readonly cellEndCount: number;
    readonly capacity: number;
    members!: Uint32Array;
    memberFloats!: Float32Array;
    numbers!: Float32Array;
    progress!: Uint32Array;
    points!: Float32Array;
    normals!: Float32Array;
    rest!: Float32Array;
    strangerStarts!: Uint32Array;
    strangers!: Uint32Array;
    cellStarts!: Uint32Array;
    cells!: Uint32Array;
    sortedX!: Float32Array;
    sortedY!: Float32Array;
    sortedZ!: Float32Array;
    sorted!: Uint32Array;
    slots!: Uint32Array;
    pairs!: Uint32Array;
    pairFloats!: Float32Array;
    placeRanges!: Uint32Array;
    placed!: Uint32Array;
    places!: Float32Array;
    velocities!: Float32Array;

    /** @throws RangeError when there is no memory left */
    constructor(
        arena: Arena,
        readonly particleCount: number,
        readonly memberCount: number,
        readonly strangerCount: number,
    ) {
        super(CrowdLayout);
        this.roomCount = particleCount + 4;
        this.cellCount = 2 ** Math.ceil(Math.log2(2 * particleCount));
        this.cellEndCount = this.cellCount + 1;
        this.capacity = PAIRS * particleCount;
        this._allocate(arena);
    }
}
