import type { Kernels } from "./kernelTable";
import { createWasmKernels } from "./wasmKernels";

let kernels: Kernels | null = null;
/** Reason why WebAssembly is refused; null: not refused so far. */
let refusal: Error | null = null;

/** True where the kernels can run: WebAssembly with SIMD is present and allowed. Tries once. */
export function isSupported(): boolean {
    if (!kernels && !refusal) {
        try {
            kernels = createWasmKernels();
        } catch (error) {
            refusal = error instanceof Error ? error : new Error(String(error));
        }
    }
    return kernels !== null;
}

/** Reason why WebAssembly is refused, with the cure; empty where it is not. */
export function refusalReason(): string {
    return refusal?.message ?? "";
}

/** The kernels of the page, one set for all bodies. @throws Error with the reason where WebAssembly SIMD is refused */
export function getKernels(): Kernels {
    if (!isSupported()) throw refusal!;
    return kernels!;
}

/** Kernels on a memory of their own, for builds at attach time. @throws Error as {@link getKernels} */
export function getBuildKernels(): Kernels {
    return getKernels().createSeparate();
}
