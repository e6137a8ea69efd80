import type { Arena } from "../../kernels/arena";
import { ChainColumnsLayout } from "../../kernels/chainLayout";
import type { ChainColumnsArrays } from "../../kernels/chainLayout";
import { ArenaStruct } from "../arenaArrays";

/** Those in use, by their rows. */
const shared = new WeakMap<Arena, Map<number, ChainColumns>>();

/** What teams write within a pass. Those of as many links share it: passes follow each other, and what all write anew stays near. */
export class ChainColumns extends ArenaStruct implements ChainColumnsArrays {
    squaresBefore!: Float32Array;
    vectors!: Float32Array;
    pulls!: Float32Array;
    own!: Float32Array;
    after!: Float32Array;
    excess!: Float32Array;
    tensions!: Float32Array;
    pushed!: Float32Array;
    solved!: Float32Array;
    private _holders = 0;

    private constructor(
        private readonly _arena: Arena,
        readonly rowCount: number,
    ) {
        super(ChainColumnsLayout);
        this._allocate(_arena);
    }

    /** Those of as many rows; to be released as often. @throws RangeError when there is no memory left */
    static hold(arena: Arena, rowCount: number): ChainColumns {
        let all = shared.get(arena);
        if (!all) shared.set(arena, (all = new Map()));
        const columns = all.get(rowCount) ?? new ChainColumns(arena, rowCount);
        all.set(rowCount, columns);
        columns._holders++;
        return columns;
    }

    /** Lets go of them; the last to do so frees their memory. */
    override release(): void {
        if (--this._holders > 0) return;
        shared.get(this._arena)!.delete(this.rowCount);
        super.release();
    }
}
