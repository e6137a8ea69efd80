import { areKernelsHere, fallbackBackend, loadFallback } from "../solver/backend";

/**
 * Calls when the fallback's kernels are here: at once, or when they are loaded. Then no one hears of errors but the developer.
 * @param warn told where they cannot be loaded, or the call throws
 */
export function whenFallback(call: () => unknown, warn: (message: string) => void): void {
    if (areKernelsHere(fallbackBackend)) call();
    else
        void loadFallback()
            .then(call)
            .catch((error: unknown) => warn(error instanceof Error ? error.message : String(error)));
}
