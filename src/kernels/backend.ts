import type { BackendName, Kernels } from "./kernels";
import { Part } from "./part";
import { createWasmKernels } from "./wasm/wasmKernels";

/** Names that the `backend` option takes, the default first. */
export const backendNames: readonly BackendName[] = ["wasm", "scalar"];

/** The backend that can be had everywhere, which takes the place of one that is refused. */
export const fallbackBackend: BackendName = "scalar";

let wasm: Kernels | null = null;
/** Why there is no WebAssembly; null: not known to be refused. */
let refusal: unknown = null;
let isTold = false;

/** The fallback's kernels: who has WebAssembly never loads them. */
export const fallbackPart = new Part(() => import("./scalar/scalarKernels"));

/** Whether {@link getKernels} has some to give; else {@link fallbackPart} first. */
export function areKernelsHere(name: BackendName): boolean {
    return fallbackPart.isHere || (name !== fallbackBackend && wasmKernels() !== null);
}

/**
 * The kernels of a backend; one set per page and name.
 * @param warn told once why a backend is refused here; the fallback's kernels then take its place
 * @throws Error where there are none, see {@link areKernelsHere}
 */
export function getKernels(name: BackendName, warn: (message: string) => void): Kernels {
    if (name === fallbackBackend) return fallbackPart.content.scalarKernels;
    const kernels = wasmKernels();
    if (kernels) return kernels;
    const why = refusal instanceof Error ? refusal.message : String(refusal);
    if (!isTold) warn(`the ${name} backend is not available here, using ${fallbackBackend}: ${why}`);
    isTold = true;
    return fallbackPart.content.scalarKernels;
}

/**
 * Kernels for building, on a memory of their own: those of the first backend that is available here, which all compute the same.
 * Says nothing of one that is refused.
 */
export function getBuildKernels(): Kernels {
    try {
        return (wasmKernels() ?? fallbackPart.content.scalarKernels).apart();
    } catch (error) {
        if (!fallbackPart.isHere) throw error;
        return fallbackPart.content.scalarKernels.apart();
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
