import type { Kernels } from "../kernels";
import { Scratch } from "../layout";
import { wasmText } from "./binary.generated";
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
    const bytes = bytesOf(wasmText);
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
    const env = { memory: arena.memory, scratch };
    const instance = new WebAssembly.Instance(module, { env, Math: Math as unknown as WebAssembly.ModuleImports });
    const exports = instance.exports as unknown as WasmExports;
    const functions = bind(exports);
    return {
        name: "wasm",
        arena,
        ...functions,
        record: (make) => new WasmCalls(arena, exports, functions, make),
        apart: () => instantiate(module, createArena()),
    };
}

function createArena(): WasmArena {
    return new WasmArena(new WebAssembly.Memory({ initial: INITIAL_PAGES }));
}

/** Bytes of printable characters, see printable.ts. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(text.length);
    let count = 0;
    for (let i = 0; i < text.length; count++) {
        const code = codeAt(text, i++);
        bytes[count] = code < 91 ? code - 3 : 93 * (code - 91) + codeAt(text, i++) + 88;
    }
    return bytes.slice(0, count);
}

/** Place of a character among the printable ones without " and \\. */
function codeAt(text: string, i: number): number {
    const c = text.charCodeAt(i);
    return c > 92 ? c - 34 : c > 34 ? c - 33 : c - 32;
}
