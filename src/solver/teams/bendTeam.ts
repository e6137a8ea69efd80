import type { Arena } from "../../kernels/arena";
import { ChainBendTeamLayout } from "../../kernels/chainLayout";
import type { ChainBendArrays, ChainBendTeamArrays, ChainColumnsArrays } from "../../kernels/chainLayout";
import type { ParticleArrays } from "../../kernels/layout";
import { ArenaStruct } from "../arenaArrays";

/** What a chain needs to be bent straight. */
export interface BendMember {
    readonly particles: ParticleArrays;
    readonly bend: ChainBendArrays;
}

/** Two to four chains of as many particles, bent straight at once while nothing is prepared anew: kernels/wasm/assembly/chainBendTeam.ts. */
export class BendTeam extends ArenaStruct implements ChainBendTeamArrays {
    readonly memberCount: number;
    readonly rowCount: number;
    readonly first: ParticleArrays;
    readonly second: ParticleArrays;
    readonly third: ParticleArrays;
    readonly fourth: ParticleArrays;
    readonly firstBend: ChainBendArrays;
    readonly secondBend: ChainBendArrays;
    readonly thirdBend: ChainBendArrays;
    readonly fourthBend: ChainBendArrays;
    fresh!: Uint32Array;
    before!: Float32Array;
    after!: Float32Array;
    sums!: Float32Array;
    moments!: Float32Array;
    below!: Float32Array;
    farBelow!: Float32Array;
    inverses!: Float32Array;
    areFree!: Float32Array;

    /**
     * @param members as many particles each
     * @param columns of as many rows, which are the caller's
     * @throws RangeError when there is no memory left
     */
    constructor(
        arena: Arena,
        members: readonly BendMember[],
        readonly columns: ChainColumnsArrays,
    ) {
        super(ChainBendTeamLayout);
        const [first, second, third = second, fourth = third] = members;
        this.memberCount = members.length;
        this.rowCount = columns.rowCount;
        this.first = first.particles;
        this.second = second.particles;
        this.third = third.particles;
        this.fourth = fourth.particles;
        this.firstBend = first.bend;
        this.secondBend = second.bend;
        this.thirdBend = third.bend;
        this.fourthBend = fourth.bend;
        this._allocate(arena);
        this.fresh[0] = 1;
    }
}
