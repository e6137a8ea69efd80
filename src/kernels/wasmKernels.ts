import { Scratch } from "./layout";
import type { KernelFunctions, KernelModule, Kernels, ModuleExports } from "./kernelTable";
import { WasmArena } from "./wasmArena";
import { WasmRecordedCalls } from "./wasmCalls";
import type { Recordable } from "./wasmCalls";

/** Pages that the memory starts with: 1 MiB. */
const INITIAL_PAGES = 16;

/** A module that needs SIMD: a function that returns i32x4.splat(0). */
const SIMD_PROBE = Uint8Array.of(
    // prettier-ignore
    0,
    97,
    115,
    109,
    1,
    0,
    0,
    0,
    1,
    5,
    1,
    96,
    0,
    1,
    123,
    3,
    2,
    1,
    0,
    10,
    8,
    1,
    6,
    0,
    65,
    0,
    253,
    17,
    11,
);

/**
 * The kernels in WebAssembly SIMD: one memory, in which the state of all its cloths lives, and modules that
 * work on it, which are added later. Call once a page.
 *
 * The arrays given to the kernels must have been cut from these kernels' arena. Only addresses cross over, as integers:
 * there is nothing to copy, and a double would be boxed.
 *
 * @throws Error with the reason when WebAssembly or its SIMD is refused (old browser, content security policy, memory)
 */
export function createBareKernels(): Kernels {
    if (typeof WebAssembly !== "object") throw new Error("WebAssembly is not available");
    try {
        new WebAssembly.Module(SIMD_PROBE);
        return instantiate(createArena());
    } catch (error) {
        if (!WebAssembly.validate(SIMD_PROBE)) {
            throw new Error("WebAssembly lacks SIMD (128-bit) instructions", { cause: error });
        }
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`WebAssembly is refused (a content security policy needs 'wasm-unsafe-eval'): ${reason}`, { cause: error });
    }
}

type Compiled = Map<KernelModule, WebAssembly.Module>;

/** Synchronous, so that a cloth runs as soon as it is attached; modules this small compile in a millisecond. */
function compile(module: KernelModule, compiled: Compiled): WebAssembly.Module {
    let found = compiled.get(module);
    if (!found) compiled.set(module, (found = new WebAssembly.Module(bytesOf(module.text))));
    return found;
}

/**
 * Instances of the modules on an arena's memory; any number may work on one at the same time, each with scratch bytes of its own.
 * @param compiled the modules that others have compiled, and these do
 */
export function instantiate(arena: WasmArena, compiled: Compiled = new Map()): Kernels {
    let scratch = 0;
    arena.allocate(Scratch.count * Float32Array.BYTES_PER_ELEMENT, { relocate: (_, byteOffset) => void (scratch = byteOffset) });
    const imports = { env: { memory: arena.memory, scratch }, Math: Math as unknown as WebAssembly.ModuleImports };
    const added = new Set<KernelModule>();
    const recordable = new Map<string, Recordable>();
    const own = {
        arena,
        record: (make) => new WasmRecordedCalls(arena, recordable, make),
        createSeparate: () => instantiate(createArena(), compiled),
        add(module) {
            if (added.has(module)) return kernels;
            const exports = new WebAssembly.Instance(compile(module, compiled), imports).exports as unknown as ModuleExports;
            const before = Object.keys(kernels).length;
            module.bind(kernels, exports);
            added.add(module);
            for (const [number, name] of Object.keys(kernels).slice(before).entries())
                recordable.set(name, { number, run: exports.run });
            return kernels;
        },
    } satisfies Omit<Kernels, keyof KernelFunctions>;
    const kernels = own as unknown as Kernels;
    return kernels;
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
