import type { Body } from "../body";

/** What ties two bodies, or two places of one: a knot or a spring. */
export interface Tie {
    readonly a: { readonly body: Body };
    readonly b: { readonly body: Body };
    /** The body whose passes come last; null: it does not matter. */
    readonly last: Body | null;
    /** Follows the masses of both bodies, ahead of a step. */
    review(): void;
    /** Once the bodies of a substep have moved, ahead of what they meet. */
    join(): void;
    /** Once the passes of {@link last} have come. */
    hand(): void;
    /** Once all have met what they meet. */
    end(): void;
    /** Unties it. */
    release(): void;
}
