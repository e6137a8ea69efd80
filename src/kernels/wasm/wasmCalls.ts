import type { Arena, Block, BlockOwner } from "../arena";
import type { Calls, KernelFunctions } from "../kernels";
import type { WasmExports } from "./bindings.generated";

/** Words of a recorded call: the kernel's number, three addresses. */
const CALL = 4;

/** Recorded calls in the arena. */
export class WasmCalls implements Calls, BlockOwner {
    private readonly _block: Block;
    private readonly _count: number;
    private readonly _words: readonly number[];
    private _address = 0;

    /** @throws RangeError when there is no memory left */
    constructor(
        arena: Arena,
        private readonly _exports: WasmExports,
        functions: KernelFunctions,
        make: (kernels: KernelFunctions) => void,
    ) {
        const words: number[] = [];
        make(recorder(functions, words));
        this._count = words.length / CALL;
        this._words = words;
        this._block = arena.allocate(words.length * Uint32Array.BYTES_PER_ELEMENT, this);
        this._words = [];
    }

    relocate(buffer: ArrayBuffer, byteOffset: number): void {
        this._address = byteOffset;
        // At the allocation; later the content moves along.
        if (this._words.length > 0) new Uint32Array(buffer, byteOffset, this._words.length).set(this._words);
    }

    run(): void {
        this._exports.run(this._address, this._count);
    }

    release(): void {
        this._block.release();
    }
}

/** What a kernel takes: a struct, or a collider's data. */
type Argument = { readonly descriptor: Uint32Array } | Float32Array;

/** Functions that write their calls down: the kernel's number and addresses, {@link CALL} words a call. */
function recorder(functions: KernelFunctions, words: number[]): KernelFunctions {
    const recorders = Object.keys(functions).map((name, number) => [
        name,
        (...taken: Argument[]): void => {
            const end = words.length + CALL;
            words.push(number, ...taken.map((argument) => ("descriptor" in argument ? argument.descriptor : argument).byteOffset));
            while (words.length < end) words.push(0);
        },
    ]);
    return Object.fromEntries(recorders) as KernelFunctions;
}
