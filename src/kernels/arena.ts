/** Memory in which the state of all bodies lives. */

/** Owner of a block. The arena reports the block's position to it: once at allocation and again after each move. */
export interface BlockOwner {
    /** Cut the views afresh. The block is 16-byte aligned; its content has moved along. */
    relocate(buffer: ArrayBuffer, byteOffset: number): void;
}

/** A piece of an arena. */
export interface Block {
    readonly byteLength: number;
    /** Gives the memory back; the views cut from it must not be used any more. Idempotent. */
    release(): void;
}

/** There is no memory left in an arena. */
export class OutOfMemoryError extends RangeError {
    override readonly name = "OutOfMemoryError";
}

/** Hands out blocks. */
export interface Arena {
    /**
     * Allocates a zeroed block and calls `owner.relocate` before it returns.
     * @throws OutOfMemoryError
     */
    allocate(byteLength: number, owner: BlockOwner): Block;
}

/** Rounds up to the 16 bytes that a SIMD load is aligned to. */
export function align16(byteLength: number): number {
    return (byteLength + 15) & ~15;
}

/** Cuts consecutive 16-byte aligned views from a block; count first with a {@link BlockLayout}. */
export class BlockLayout {
    private _buffer: ArrayBuffer | null = null;
    private _offset = 0;
    private _start = 0;

    /** Without a buffer, the layout only counts bytes and hands out empty views. */
    constructor(buffer: ArrayBuffer | null = null, byteOffset = 0) {
        this._buffer = buffer;
        this._offset = this._start = byteOffset;
    }

    /** Bytes cut so far. */
    get byteLength(): number {
        return this._offset - this._start;
    }

    /** Next view of `length` floats. */
    float32(length: number): Float32Array {
        const offset = this._reserve(length);
        return this._buffer ? new Float32Array(this._buffer, offset, length) : EMPTY_FLOATS;
    }

    /** Next view of `length` unsigned integers. */
    uint32(length: number): Uint32Array {
        const offset = this._reserve(length);
        return this._buffer ? new Uint32Array(this._buffer, offset, length) : EMPTY_INTEGERS;
    }

    /** Next view of `length` doubles. */
    float64(length: number): Float64Array {
        const offset = this._reserve(length * 2);
        return this._buffer ? new Float64Array(this._buffer, offset, length) : EMPTY_DOUBLES;
    }

    private _reserve(words: number): number {
        const offset = this._offset;
        this._offset = offset + align16(words * 4);
        return offset;
    }
}

const EMPTY_FLOATS = new Float32Array(0);
const EMPTY_DOUBLES = new Float64Array(0);
const EMPTY_INTEGERS = new Uint32Array(0);
