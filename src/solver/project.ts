import type { Body } from "./body";
import type { Constraint } from "./methods/xpbd/constraint";

/** Projects constraints in turn, then what limits the material's stretch. */
export function project(body: Body, passes: readonly Constraint[]): void {
    const { kernels, state, lengths } = body;
    const limiter = body.contacts?.limiter ?? kernels;
    for (let i = 0; i < passes.length; i++) passes[i].project(kernels, state);
    for (let i = 0; i < lengths.length; i++) lengths[i].limitStretch?.(limiter, state);
}
