import type { KernelFunctions } from "../kernels/kernels";
import type { Constraint } from "./methods/xpbd/constraint";
import type { BodyState } from "./state";

interface Projected {
    readonly kernels: KernelFunctions;
    readonly state: BodyState;
    readonly lengths: readonly Constraint[];
    readonly contacts: { readonly limiter: Pick<KernelFunctions, "limitStretch"> } | null;
}

/** Projects constraints in turn. */
export function project({ kernels, state }: Projected, passes: readonly Constraint[]): void {
    for (let i = 0; i < passes.length; i++) passes[i].project(kernels, state);
}

/** Limits the material's stretch. */
export function limitStretch({ kernels, state, lengths, contacts }: Projected): void {
    const limiter = contacts?.limiter ?? kernels;
    for (let i = 0; i < lengths.length; i++) lengths[i].limitStretch?.(limiter, state);
}
