import type { BackendName, Kernels } from "./kernels";
import { createWasmKernels } from "./wasm/wasmKernels";

/** Names that the `backend` option takes, the default first. */
export const backendNames: readonly BackendName[] = ["wasm", "scalar"];

/** The backend that can be had everywhere, which takes the place of one that is refused. Its kernels are loaded where they are wanted. */
export const fallbackBackend: BackendName = "scalar";

let wasm: Kernels | null = null;
/** Why there is no WebAssembly; null: not known to be refused. */
let refusal: unknown = null;
let fallback: Kernels | null = null;
let isTold = false;

/** Gives the fallback's kernels, for what has them in the same file, or takes them away. */
export function provideFallback(kernels: Kernels | null): void {
    fallback = kernels;
}

/** Loads the fallback's kernels: a file of their own, so that who has WebAssembly never does. @returns rejected where there is none */
export async function loadFallback(): Promise<void> {
    fallback ??= (await import("./scalar/scalarKernels")).scalarKernels;
}

/** Whether {@link getKernels} has some to give; else {@link loadFallback} first. */
export function areKernelsHere(name: BackendName): boolean {
    return fallback !== null || (name !== fallbackBackend && wasmKernels() !== null);
}

/**
 * The kernels of a backend; one set per page and name.
 * @param warn told once why a backend is refused here; the fallback's kernels then take its place
 * @throws Error where there are none, see {@link areKernelsHere}
 */
export function getKernels(name: BackendName, warn: (message: string) => void): Kernels {
    if (name === fallbackBackend) return demandFallback();
    const kernels = wasmKernels();
    if (kernels) return kernels;
    const why = refusal instanceof Error ? refusal.message : String(refusal);
    if (!isTold) warn(`the ${name} backend is not available here, using ${fallbackBackend}: ${why}`);
    isTold = true;
    return demandFallback();
}

/**
 * Kernels for building, on a memory of their own: those of the first backend that is available here, which all compute the same.
 * Says nothing of one that is refused.
 */
export function getBuildKernels(): Kernels {
    try {
        return (wasmKernels() ?? demandFallback()).apart();
    } catch (error) {
        if (!fallback) throw error;
        return fallback.apart();
    }
}

function wasmKernels(): Kernels | null {
    if (wasm || refusal) return wasm;
    try {
        wasm = createWasmKernels();
    } catch (error) {
        refusal = error;
    }
    return wasm;
}

function demandFallback(): Kernels {
    if (!fallback) throw new Error(`the ${fallbackBackend} kernels are not loaded`);
    return fallback;
}
