import type { ClothSettings } from "./settings";

/** A body among those that keep off each other. */
export interface Companion {
    /** Whether another that moves may come upon it. */
    readonly isDisturbed: boolean;
    /** Whether another hangs on it. */
    readonly isTied?: boolean;
    /** Takes note of where it is as a substep begins. */
    noteStart?(): void;
}

/** A body that may have company. */
export interface Accompanied {
    readonly companion: Companion | null;
    readonly settings: ClothSettings;
}

/** Bodies that keep off each other, and so take their substeps together. */
export interface Company {
    /** Makes ready for the substeps of a step; once for each body. @throws RangeError when there is no memory left */
    prepare(): void;
    /** Keeps them apart after those of one substep have moved. */
    separate(bodies: readonly Accompanied[]): void;
    /** Has the last word, once they have met what they meet. */
    guard(): void;
}

/** Bodies that are tied to each other. */
export interface Ties extends Company {
    /** Whether two are, the one to the other. */
    areTied(a: object, b: object): boolean;
}
