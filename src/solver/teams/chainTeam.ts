import type { Arena } from "../../kernels/arena";
import { ChainTeamLayout } from "../../kernels/chainLayout";
import type { ChainArrays, ChainColumnsArrays, ChainTeamArrays } from "../../kernels/chainLayout";
import type { ParticleArrays } from "../../kernels/layout";
import { ArenaStruct } from "../arenaArrays";

/** Chains at most. */
export const MOST_MEMBERS = 4;

/** What a chain needs to be projected. */
export interface ChainMember {
    readonly particles: ParticleArrays;
    readonly chain: ChainArrays;
}

/** Two to four chains of as many links, projected at once while nothing is prepared anew: kernels/wasm/assembly/chainTeam.ts. */
export class ChainTeam extends ArenaStruct implements ChainTeamArrays {
    readonly memberCount: number;
    readonly rowCount: number;
    readonly first: ParticleArrays;
    readonly second: ParticleArrays;
    readonly third: ParticleArrays;
    readonly fourth: ParticleArrays;
    readonly firstChain: ChainArrays;
    readonly secondChain: ChainArrays;
    readonly thirdChain: ChainArrays;
    readonly fourthChain: ChainArrays;
    growing!: Uint32Array;
    restLengths!: Float32Array;
    restBefore!: Float32Array;
    compliances!: Float32Array;
    masses!: Float32Array;

    /**
     * @param members as many links each
     * @param columns of as many rows, which are the caller's
     * @throws RangeError when there is no memory left
     */
    constructor(
        arena: Arena,
        members: readonly ChainMember[],
        readonly columns: ChainColumnsArrays,
    ) {
        super(ChainTeamLayout);
        const [first, second, third = second, fourth = third] = members;
        this.memberCount = members.length;
        this.rowCount = columns.rowCount;
        this.first = first.particles;
        this.second = second.particles;
        this.third = third.particles;
        this.fourth = fourth.particles;
        this.firstChain = first.chain;
        this.secondChain = second.chain;
        this.thirdChain = third.chain;
        this.fourthChain = fourth.chain;
        this._allocate(arena);
        this.growing[0] = 1;
    }

    /** Rows of the columns that chains of so many particles, rounded up, need. */
    static rowsOf({ paddedCount }: ParticleArrays): number {
        return paddedCount + 4;
    }
}
