import type { Kernels } from "../kernels";
import { Scratch } from "../layout";
import { wasmHex } from "./binary.generated";
import { bind } from "./bindings.generated";
import type { WasmExports } from "./bindings.generated";
import { WasmArena } from "./wasmArena";
import { WasmCalls } from "./wasmCalls";

/** Pages that the memory starts with: 1 MiB. */
const INITIAL_PAGES = 16;

/**
 * The WebAssembly SIMD backend: one module and one memory, in which the state of all its cloths lives. Call once a page.
 *
 * The arrays given to the kernels must have been cut from this backend's arena. Only addresses cross over, as integers:
 * there is nothing to copy, and a double would be boxed.
 *
 * @throws Error with the reason when WebAssembly or its SIMD is refused (old browser, content security policy, memory)
 */
export function createWasmKernels(): Kernels {
    if (typeof WebAssembly !== "object") throw new Error("WebAssembly is not available");
    const bytes = bytesOf(wasmHex);
    try {
        // Synchronous, so that a cloth runs as soon as it is attached; a module this small compiles in a millisecond.
        return instantiate(new WebAssembly.Module(bytes), createArena());
    } catch (error) {
        // Only now, since it takes as long as to compile.
        if (!WebAssembly.validate(bytes)) throw new Error("WebAssembly lacks SIMD (128-bit) instructions", { cause: error });
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`WebAssembly is refused (a content security policy needs 'wasm-unsafe-eval'): ${reason}`, { cause: error });
    }
}

/** An instance of the module on an arena's memory; any number may work on one at the same time, each with scratch bytes of its own. */
export function instantiate(module: WebAssembly.Module, arena: WasmArena): Kernels {
    let scratch = 0;
    arena.allocate(Scratch.count * Float32Array.BYTES_PER_ELEMENT, { relocate: (_, byteOffset) => void (scratch = byteOffset) });
    const instance = new WebAssembly.Instance(module, { env: { memory: arena.memory, scratch } });
    const exports = instance.exports as unknown as WasmExports;
    return {
        name: "wasm",
        arena,
        ...bind(exports),
        record: (make) => new WasmCalls(arena, exports, make),
        apart: () => instantiate(module, createArena()),
    };
}

function createArena(): WasmArena {
    return new WasmArena(new WebAssembly.Memory({ initial: INITIAL_PAGES }));
}

/** Digits that are read at a time: six bytes, which a double holds exactly. */
const DIGITS = 12;

/** Bytes of hexadecimal digits. While nothing is compiled yet, few long steps are twice as fast as one a digit. */
export function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(hex.length / 2);
    const view = new DataView(bytes.buffer);
    const whole = hex.length - (hex.length % DIGITS);
    for (let i = 0; i < whole; i += DIGITS) {
        const number = parseInt(hex.slice(i, i + DIGITS), 16);
        view.setUint16(i / 2, number / 2 ** 32);
        view.setUint32(i / 2 + 2, number);
    }
    for (let i = whole; i < hex.length; i += 2) bytes[i / 2] = parseInt(hex.slice(i, i + 2), 16);
    return bytes;
}
