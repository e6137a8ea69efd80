import { ROW } from "../../kernels/layout";
import type { Body } from "./body";

/** Writes the velocities of a body's particles in the last substep [m/s], shape [particleCount, 3]; zeros where it has taken none. */
export function readVelocities({ state, substep }: Body, target: Float32Array): void {
    const { positions: x, previous: p, residuals: r, particleCount } = state;
    const rate = substep > 0 ? 1 / substep : 0;
    for (let i = 0, q = 0, o = 0; i < particleCount; i++, q += 3, o += ROW)
        for (let c = 0; c < 3; c++) target[q + c] = (x[o + c] - p[o + c] + r[o + c]) * rate;
}
