import type { BackendName, Kernels } from "./kernels";
import { scalarKernels } from "./scalar/scalarKernels";
import { createWasmKernels } from "./wasm/wasmKernels";

/** The backends by name, the default first. A new backend is its folder and one line here. */
const backends: Record<BackendName, () => Kernels> = {
    wasm: createWasmKernels,
    scalar: () => scalarKernels,
};

/** Names that the `backend` option takes. */
export const backendNames = Object.keys(backends) as BackendName[];

/** The backend that is there everywhere: which takes the place of one that is refused. */
export const fallbackBackend: BackendName = "scalar";

/**
 * The kernels of a backend; one set per page and name.
 * @param warn told once why a backend is refused here; the scalar kernels then take its place
 */
export function getKernels(name: BackendName, warn: (message: string) => void): Kernels {
    let kernels = cache.get(name);
    if (!kernels) {
        try {
            kernels = backends[name]();
        } catch (error) {
            warn(
                `the ${name} backend is not available here, using ${fallbackBackend}: ${error instanceof Error ? error.message : error}`,
            );
            kernels = scalarKernels;
        }
        cache.set(name, kernels);
    }
    return kernels;
}

/**
 * Kernels for building, on a memory of their own: those of the first backend that is available here, which all compute the same.
 * Says nothing of one that is refused.
 */
export function getBuildKernels(): Kernels {
    for (const name of backendNames) {
        try {
            const kernels = cache.get(name) ?? backends[name]();
            cache.set(name, kernels);
            return kernels.apart();
        } catch {
            continue;
        }
    }
    return scalarKernels.apart();
}

const cache = new Map<BackendName, Kernels>();
