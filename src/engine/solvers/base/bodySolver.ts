import type { BodyState } from "../../state/state";
import type { Constraint } from "../../state/constraint";

/** Pairs of particles that constraints of one kind join. */
export interface ConstraintLinks {
    /** Shape [count, 2]. */
    readonly pairs: Uint32Array;
    /** Length at rest, or the largest, of each [m], shape [count]; 0: it has none. */
    readonly lengths: Float32Array<ArrayBufferLike>;
}

/**
 * Moves a body's particles by forces, in place of Verlet and passes of constraints; one file a method, solvers/solvers.ts lists them. What the body meets,
 * pins and air speak of displacements to it, as to any other: see solverMotion.ts. It is a constraint, too, that no pass projects: it is
 * prepared as one, and what its springs are stretched by is the body's stretch.
 */
export interface BodySolver extends Constraint {
    /** Pairs of particles that its springs join. */
    readonly links: ConstraintLinks;
    /** Warning to be logged once; null: none. */
    readonly warning: string | null;
    /** Moves the particles through a substep as if they met nothing, what is pinned as {@link KernelFunctions.integrate} does. */
    step(state: BodyState): void;
    /** The body has been put at rest somewhere else. */
    reset(): void;
}
