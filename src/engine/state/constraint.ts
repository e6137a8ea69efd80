import type { ProxyArrays } from "../../kernels/selfCollisionLayout";
import type { SelfContactArrays } from "../../kernels/selfContactLayout";
import type { ParticleArrays } from "../../kernels/layout";
import type { ContactArrays } from "../../kernels/contactLayout";
import type { ClothSettings } from "./settings";
import type { KernelFunctions } from "../../kernels/kernelTable";
import type { BodyState } from "./state";
import type { Slices } from "../time/slices";

/** A relation that holds between particles. One file per kind; registry.ts lists the kinds in order. */
export interface Constraint {
    /** Name of the kind, as in `stats.counts`. */
    readonly name: string;
    /** Number of constraints, padding excluded. */
    readonly count: number;
    /** Bytes in the arena. */
    readonly byteLength: number;
    /** Derives what depends on masses, pins, settings and the substep [s]; called when one of them has changed. */
    prepare(state: BodyState, settings: ClothSettings, substep: number): void;
    /** {@link prepare} in slices; of kinds for which it takes long. */
    prepareSlices?(state: BodyState, settings: ClothSettings, substep: number): Slices<void>;
    /** One pass over all constraints of the kind: calls of kernels and nothing else, since they may be recorded. */
    project(kernels: KernelFunctions, state: BodyState): void;
    /** Draws what is stretched far together, after all passes; calls of kernels and nothing else. Of what holds the material's lengths. */
    limitStrain?(kernels: Pick<KernelFunctions, "limitStrain">, particles: ParticleArrays): void;
    /** Takes note of contacts that have just been answered. Of what reckons with them in its next pass. */
    recordContacts?(kernels: KernelFunctions, contacts: ContactArrays): void;
    /** Takes note of what its body touches in its self-collision group, where it is `proxy`. */
    recordSelfContacts?(contacts: SelfContactArrays, proxy: ProxyArrays): void;
    /** Adds each constraint's elongation max(0, length / rest - 1) into `result`: [sum, maximum]. What has no length adds nothing. */
    measureStretch(state: BodyState, result: Float64Array): void;
    /** Adds how far a particle is beyond what the kind allows it from what stands still; see Excess in response/tautTetherImpulse.ts. Of some kinds. */
    addViolation?(state: BodyState, particle: number, sum: Float64Array): void;
    /** Frees the memory. */
    release(): void;
}

interface ConstraintHost {
    readonly kernels: KernelFunctions;
    readonly state: BodyState;
    readonly lengthConstraints: readonly Constraint[];
}

/** Projects constraints in turn. */
export function solveConstraints({ kernels, state }: ConstraintHost, passes: readonly Constraint[]): void {
    for (let i = 0; i < passes.length; i++) passes[i].project(kernels, state);
}

/** Limits the material's stretch. @param particles left out: the body's state */
export function limitStrain(
    { kernels, state, lengthConstraints: lengths }: ConstraintHost,
    particles: ParticleArrays = state,
): void {
    for (let i = 0; i < lengths.length; i++) lengths[i].limitStrain?.(kernels, particles);
}

/** Elongation of the material's own lengths now, max(0, length / rest - 1): [mean, maximum], written to `target`. */
export function measureStretch(
    { state, lengthConstraints }: Pick<ConstraintHost, "state" | "lengthConstraints">,
    target: Float64Array,
): Float64Array {
    target[0] = target[1] = 0;
    let count = 0;
    for (const constraint of lengthConstraints) {
        constraint.measureStretch(state, target);
        count += constraint.count;
    }
    target[0] /= Math.max(1, count);
    return target;
}
