import type { Arena, Block, BlockOwner } from "../../src/kernels/arena";

/** An arena of plain JavaScript buffers, one per block; it never moves. */
export class HeapArena implements Arena {
    allocate(byteLength: number, owner: BlockOwner): Block {
        owner.relocate(new ArrayBuffer(byteLength), 0);
        return { byteLength, release: () => {} };
    }
}
