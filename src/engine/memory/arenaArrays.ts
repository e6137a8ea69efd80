import { BlockLayout } from "../../kernels/arena";
import type { Arena, Block, BlockOwner } from "../../kernels/arena";
import type { StructDeclaration } from "../../kernels/layout";
import { layoutStruct, writeDescriptor } from "../../kernels/structSchema";

/** Typed arrays that live in one block of an arena: cut once at allocation and again whenever the arena moves. */
export abstract class ArenaArrays implements BlockOwner {
    private _block: Block | null = null;

    /** Assigns every view from the layout; always the same views of the same lengths in the same order. */
    protected abstract _cut(layout: BlockLayout): void;

    /** Allocates the block, zeroed. Call it when the lengths are known. */
    protected _allocate(arena: Arena): void {
        const layout = new BlockLayout();
        this._cut(layout);
        this._block = arena.allocate(layout.byteLength, this);
    }

    relocate(buffer: ArrayBuffer, byteOffset: number): void {
        this._cut(new BlockLayout(buffer, byteOffset));
    }

    /** Bytes of the block. */
    get byteLength(): number {
        return this._block?.byteLength ?? 0;
    }

    /** Gives the block back. Idempotent. */
    release(): void {
        this._block?.release();
        this._block = null;
    }
}

/** A struct of kernels/layout.ts in one block. */
export abstract class ArenaStruct extends ArenaArrays {
    descriptor!: Uint32Array;

    /** @param _owned names of the arrays that it owns; left out: all */
    constructor(
        private readonly _declaration: StructDeclaration,
        private readonly _owned?: readonly string[],
    ) {
        super();
    }

    protected override _cut(layout: BlockLayout): void {
        layoutStruct(this._declaration, this, layout, this._owned);
    }

    /** Call it when the struct's numbers are known, after they change, too: with what it does not own in place. */
    protected override _allocate(arena: Arena): void {
        super._allocate(arena);
        writeDescriptor(this._declaration, this);
    }
}
