/** (a) The kernels' micro benchmark as a section. */
import { timeKernels } from "./kernels";
import { number } from "./report";
import type { Section } from "./report";

/** Measures all kernels; a quick run on 128² only. */
export function kernelsSection(isFull: boolean): Section {
    const timings = timeKernels(isFull ? [] : ["128²"]);
    return {
        tables: [
            {
                title: "Kernels: ns per item (medians; minima in parentheses)",
                columns: ["kernel", "mesh ", "items", "ns"],
                rows: timings.map((t) => [t.kernel, t.mesh, String(t.items), `${number(t.wasm)} (${number(t.wasmMinimum)})`]),
            },
        ],
        bars: [],
        data: timings,
    };
}
