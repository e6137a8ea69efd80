/** (a) The kernels' micro benchmark as a section, with its bars. */
import { timeKernels } from "./kernels";
import type { KernelTiming } from "./kernels";
import { atLeast, atMost, notMeasured, number } from "./report";
import type { Bar, Section } from "./report";

/** Measures all kernels; a quick run on 128² only. */
export function kernelsSection(isFull: boolean): Section {
    const timings = timeKernels(isFull ? [] : ["128²"]);
    const sticks = (mesh: string): KernelTiming | undefined =>
        timings.find((t) => t.mesh.startsWith(mesh) && t.kernel === "structural");
    const grid = sticks("grid 128");
    const irregular = sticks("irregular");
    const faster = (name: string, timing: KernelTiming | undefined, limit: number): Bar =>
        timing
            ? atLeast(
                  name,
                  timing.scalar / timing.wasm,
                  limit,
                  "x",
                  `${number(timing.wasm)} ns against ${number(timing.scalar)} ns`,
              )
            : notMeasured(name, `>= ${limit}x`, "no such mesh");
    return {
        tables: [
            {
                title: "Kernels: ns per item, scalar against WASM SIMD (medians; minima in parentheses)",
                columns: ["kernel", "mesh ", "items", "scalar ns", "wasm ns", "ratio"],
                rows: timings.map((t) => [
                    t.kernel,
                    t.mesh,
                    String(t.items),
                    `${number(t.scalar)} (${number(t.scalarMinimum)})`,
                    `${number(t.wasm)} (${number(t.wasmMinimum)})`,
                    number(t.scalar / t.wasm),
                ]),
            },
        ],
        bars: [
            faster("stick projection, irregular mesh: scalar over WASM", irregular, 4),
            faster("stick projection, regular grid 128²: scalar over WASM", grid, 6),
            grid
                ? atMost("scalar stick projection, grid 128²", grid.scalar, 9, " ns")
                : notMeasured("scalar stick projection, grid 128²", "<= 9 ns", "no such mesh"),
        ],
        data: timings,
    };
}
