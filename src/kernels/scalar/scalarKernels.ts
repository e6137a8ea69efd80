import { HeapArena } from "../arena";
import type { Calls, KernelFunctions, Kernels } from "../kernels";
import { scalarFunctions } from "./table.generated";

/** The reference backend: plain TypeScript on JavaScript's own heap, always available. */
export const scalarKernels: Kernels = createScalarKernels();

function createScalarKernels(): Kernels {
    const kernels: Kernels = {
        name: "scalar",
        arena: new HeapArena(),
        ...scalarFunctions,
        record,
        apart: createScalarKernels,
        // It has them all.
        add: () => kernels,
    };
    return kernels;
}

function record(make: (kernels: KernelFunctions) => void): Calls {
    const calls: (() => void)[] = [];
    const recorder = Object.entries(scalarFunctions).map(([name, kernel]) => [
        name,
        (...args: unknown[]): void => void calls.push(() => (kernel as (...args: unknown[]) => void)(...args)),
    ]);
    make(Object.fromEntries(recorder) as KernelFunctions);
    return {
        run() {
            for (let i = 0; i < calls.length; i++) calls[i]();
        },
        release() {
            calls.length = 0;
        },
    };
}
