import type { KernelFunctions } from "../../kernels/kernelTable";
import type { Constraint } from "./constraint";
import type { BodyState } from "./state";

interface ConstraintHost {
    readonly kernels: KernelFunctions;
    readonly state: BodyState;
    readonly lengthConstraints: readonly Constraint[];
}

/** Projects constraints in turn. */
export function solveConstraints({ kernels, state }: ConstraintHost, passes: readonly Constraint[]): void {
    for (let i = 0; i < passes.length; i++) passes[i].project(kernels, state);
}

/** Limits the material's stretch. */
export function limitStrain({ kernels, state, lengthConstraints: lengths }: ConstraintHost): void {
    for (let i = 0; i < lengths.length; i++) lengths[i].limitStrain?.(kernels, state);
}
