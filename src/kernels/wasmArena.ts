import { align16, OutOfMemoryError } from "./arena";
import type { Arena, Block, BlockOwner } from "./arena";

/** Bytes of a WebAssembly page. */
const PAGE = 65536;
/** The first bytes of the memory are never handed out: address 0 stays no address. */
const RESERVED = 16;
/** The memory grows by at least this share of its size, so that many small cloths cause few moves. */
const GROWTH = 0.25;
/** ... and by at least this many pages. */
const MINIMUM_GROWTH = 16;

/** Largest block [bytes]; beyond it the integers of alignment would turn negative. */
const MAXIMUM_BLOCK = 2 ** 31 - 16;

/** A free range of the memory. */
interface Range {
    start: number;
    end: number;
}

class WasmBlock implements Block {
    constructor(
        private _arena: WasmArena | null,
        readonly byteOffset: number,
        readonly byteLength: number,
        readonly owner: BlockOwner,
    ) {}

    release(): void {
        const arena = this._arena;
        this._arena = null;
        arena?._release(this);
    }
}

/**
 * Blocks in one WebAssembly memory: best fit, neighbours merged on release, so that space is used again. The memory grows
 * when no free range is large enough (the platform lets it never shrink); growing replaces its buffer, after which every
 * owner of a living block is told to cut its views afresh.
 */
export class WasmArena implements Arena {
    private readonly _blocks = new Set<WasmBlock>();
    /** Free ranges, ascending, never adjacent. */
    private readonly _free: Range[] = [];
    /** From here on nothing was ever handed out: it is still zero, and takes no real memory where it is never written. */
    private _unusedStart = RESERVED;

    /** @param memory new, all zeros */
    constructor(readonly memory: WebAssembly.Memory) {
        this._free.push({ start: RESERVED, end: memory.buffer.byteLength });
    }

    /** Number of living blocks. */
    get blockCount(): number {
        return this._blocks.size;
    }

    /** Bytes in use by living blocks. */
    get usedBytes(): number {
        return this._free.reduce((sum, range) => sum - (range.end - range.start), this.memory.buffer.byteLength - RESERVED);
    }

    allocate(byteLength: number, owner: BlockOwner): Block {
        if (!(byteLength >= 0 && byteLength <= MAXIMUM_BLOCK)) {
            throw new RangeError(`WasmArena: a block must have 0 to ${MAXIMUM_BLOCK} bytes, got ${byteLength}`);
        }
        const size = align16(byteLength);
        const start = size === 0 ? RESERVED : this._allocateFree(size);
        const block = new WasmBlock(this, start, byteLength, owner);
        this._blocks.add(block);
        const { buffer } = this.memory;
        if (start < this._unusedStart) new Uint8Array(buffer, start, Math.min(size, this._unusedStart - start)).fill(0);
        this._unusedStart = Math.max(this._unusedStart, start + size);
        owner.relocate(buffer, start);
        return block;
    }

    /** @internal */
    _release(block: WasmBlock): void {
        this._blocks.delete(block);
        this._insertFree(block.byteOffset, block.byteOffset + align16(block.byteLength));
    }

    /** Takes bytes from the smallest free range that has room. */
    private _allocateFree(size: number): number {
        const free = this._free;
        let best = -1;
        for (let i = 0; i < free.length; i++) {
            const room = free[i].end - free[i].start;
            if (room >= size && (best < 0 || room < free[best].end - free[best].start)) best = i;
        }
        if (best < 0) {
            this._grow(size);
            best = free.length - 1;
        }
        const range = free[best];
        const start = range.start;
        range.start += size;
        if (range.start === range.end) free.splice(best, 1);
        return start;
    }

    /** Makes room for `size` bytes at the end of the memory. */
    private _grow(size: number): void {
        const { memory, _free: free } = this;
        const end = memory.buffer.byteLength;
        const last = free[free.length - 1];
        const needed = Math.ceil((size - (last?.end === end ? end - last.start : 0)) / PAGE);
        const wanted = Math.max(needed, MINIMUM_GROWTH, Math.ceil((end / PAGE) * GROWTH));
        if (!tryGrow(memory, wanted) && !tryGrow(memory, needed)) {
            throw new OutOfMemoryError(
                `WasmArena: no memory for ${size} more bytes; ${this._blocks.size} blocks hold ${this.usedBytes} of ${end} bytes`,
            );
        }
        const { buffer } = memory;
        this._insertFree(end, buffer.byteLength);
        for (const block of this._blocks) block.owner.relocate(buffer, block.byteOffset);
    }

    /** Adds a range to the free ones and merges it with its neighbours. */
    private _insertFree(start: number, end: number): void {
        if (start === end) return;
        const free = this._free;
        let i = 0;
        while (i < free.length && free[i].start < start) i++;
        const before = i > 0 && free[i - 1].end === start ? free[i - 1] : null;
        const after = i < free.length && free[i].start === end ? free[i] : null;
        if (before && after) {
            before.end = after.end;
            free.splice(i, 1);
        } else if (before) {
            before.end = end;
        } else if (after) {
            after.start = start;
        } else {
            free.splice(i, 0, { start, end });
        }
    }
}

function tryGrow(memory: WebAssembly.Memory, pages: number): boolean {
    try {
        memory.grow(pages);
        return true;
    } catch {
        return false;
    }
}
