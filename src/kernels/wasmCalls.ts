import type { Arena, Block, BlockOwner } from "./arena";
import type { RecordedCalls, KernelFunctions } from "./kernelTable";

/** Recorder of a kernel's calls: the number of its function, and the runner of such calls in its module. */
export interface Recordable {
    readonly number: number;
    run(address: number, count: number): void;
}

/** Recorded calls of one module, one after the other. */
interface CallRun {
    readonly run: Recordable["run"];
    count: number;
}

/** Words of a recorded call: the kernel's number, three addresses. */
const CALL = 4;

/** Recorded calls in the arena: for WebAssembly one crossing for those of one module in a row. */
export class WasmRecordedCalls implements RecordedCalls, BlockOwner {
    private readonly _block: Block;
    private readonly _spans: CallRun[] = [];
    private readonly _words: readonly number[];
    private _address = 0;

    /** @throws RangeError when there is no memory left */
    constructor(arena: Arena, kernels: ReadonlyMap<string, Recordable>, make: (kernels: KernelFunctions) => void) {
        const words: number[] = [];
        make(recorder(kernels, words, this._spans));
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
        const { _spans: spans } = this;
        let address = this._address;
        for (let i = 0; i < spans.length; i++) {
            spans[i].run(address, spans[i].count);
            address += spans[i].count * CALL * Uint32Array.BYTES_PER_ELEMENT;
        }
    }

    release(): void {
        this._block.release();
    }
}

/** Argument of a kernel: a struct, or a collider's data. */
type Argument = { readonly descriptor: Uint32Array } | Float32Array;

/** Functions that write their calls down: the kernel's number and addresses, {@link CALL} words a call. */
function recorder(kernels: ReadonlyMap<string, Recordable>, words: number[], spans: CallRun[]): KernelFunctions {
    const recorders = Array.from(kernels, ([name, { number, run }]) => [
        name,
        (...taken: Argument[]): void => {
            const end = words.length + CALL;
            words.push(number, ...taken.map((argument) => ("descriptor" in argument ? argument.descriptor : argument).byteOffset));
            while (words.length < end) words.push(0);
            if (spans.at(-1)?.run !== run) spans.push({ run, count: 0 });
            spans.at(-1)!.count++;
        },
    ]);
    return Object.fromEntries(recorders) as KernelFunctions;
}
