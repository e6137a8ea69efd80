import type { ClothSettings } from "./settings";

/** A body among those that keep off each other. */
export interface GroupMember {
    /** True if another one that moves may come upon it. */
    readonly hasMovingNeighbour: boolean;
    /** True if another one hangs on it. */
    readonly isCoupled?: boolean;
    /** Takes note of where it is as a substep begins. */
    recordStart?(): void;
}

/** A body that may be in a stepping group. */
export interface Groupable {
    readonly groupMember: GroupMember | null;
    readonly settings: ClothSettings;
}

/** Bodies that keep off each other, and so take their substeps together. */
export interface SteppingGroup {
    /** Makes ready for the substeps of a step; once for each body. @throws RangeError when there is no memory left */
    prepareStep(): void;
    /** Keeps them apart after those of one substep have moved. */
    resolveAfterSolve(bodies: readonly Groupable[]): void;
    /** Has the last word, once they have met what they meet. */
    finishSubstep(): void;
}

/** Bodies that are tied to each other. */
export interface CoupledGroup extends SteppingGroup {
    /** True if the one is coupled to the other. */
    areCoupled(a: object, b: object): boolean;
}

/** Observer of every fixed step of a body. It may stop the frame's clock. */
export interface StepObserver {
    beforeStep(): void;
    afterStep(): void;
}
