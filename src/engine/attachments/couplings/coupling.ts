import type { Body } from "../../bodies/body";

/** Coupling of two bodies, or of two particles of one: a tie or a spring. */
export interface Coupling {
    readonly a: { readonly body: Body };
    readonly b: { readonly body: Body };
    /** The body whose passes come last; null: it does not matter. */
    readonly lastBody: Body | null;
    /** Follows the masses of both bodies, ahead of a step. */
    updateMasses(): void;
    /** Runs after the bodies of a substep have moved, before their collisions. */
    beforeContact(): void;
    /** Once the passes of {@link lastBody} have come. */
    afterLatePasses(): void;
    /** Runs after all collisions. */
    afterContact(): void;
    /** Unties it. */
    release(): void;
}
