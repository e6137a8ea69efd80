import type { Kernels } from "./kernelTable";
import { buildKernels } from "./modules/build.generated";
import { coreKernels } from "./modules/core.generated";
import { createBareKernels } from "./wasmKernels";

let kernels: Kernels | null = null;
/** Reason why WebAssembly is refused; null: not refused so far. */
let refusal: Error | null = null;

/** True where the kernels can run: WebAssembly with SIMD is present and allowed. Tries once. */
export function isSupported(): boolean {
    if (!kernels && !refusal) {
        try {
            kernels = createBareKernels();
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

/** The kernels of the page, one set for all, without a module: each adds those that it needs. @throws Error with the reason where WebAssembly SIMD is refused */
export function getBareKernels(): Kernels {
    if (!isSupported()) throw refusal!;
    return kernels!;
}

/** Adds the modules that cloth, ropes, plants, rigid bodies and particles need; bone chains do not. @returns the kernels */
export function addBodyKernels(kernels: Kernels): Kernels {
    return kernels.add(coreKernels).add(buildKernels);
}

/** The kernels of the page, with what all bodies need. @throws Error as {@link getBareKernels} */
export function getKernels(): Kernels {
    return addBodyKernels(getBareKernels());
}

/** Kernels on a memory of their own, for builds at attach time. @throws Error as {@link getBareKernels} */
export function getBuildKernels(): Kernels {
    return addBodyKernels(getBareKernels().createSeparate());
}
