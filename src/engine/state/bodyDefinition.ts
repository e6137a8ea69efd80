import type { Arena } from "../../kernels/arena";
import type { AirArrays } from "../../kernels/layout";
import type { LazyModule } from "../../kernels/lazyModule";
import type { Clock } from "../time/clock";
import type { Constraint } from "./constraint";
import type { ClothSettings } from "./settings";
import type { BodyState } from "./state";
import type { SharedTriangles } from "../memory/sharedTriangles";

/** What of a body tells how finely it must be stepped. */
export interface SubstepControlInput {
    readonly state: BodyState;
    readonly settings: ClothSettings;
    readonly colliders: readonly unknown[];
    /** Time that it has lived [s], and how many steps a frame lasts. */
    readonly clock: Pick<Clock, "time" | "stepsOf">;
    /** Whether a collider could be met in its last step. */
    readonly broadPhase: { readonly mayCollide: boolean };
}

/** What has a body take more substeps by what it went through. */
export interface SubstepController {
    /** Called ahead of each step: its settings' number of substeps may become another. */
    update(body: SubstepControlInput): void;
    /** What it knows, as numbers, for another one to {@link restoreState} ahead of its first step; that does without, too. */
    saveState(body: SubstepControlInput): readonly number[];
    restoreState(numbers?: readonly number[]): void;
}

/** What a body is made of: a sheet (sheet.ts), a rope, a body of sticks. */
export interface BodyDefinition {
    readonly particleCount: number;
    /** How much of the body each particle stands for: area [m²] of a sheet, length [m] of a rope, mass [kg]; shape [particleCount]. */
    readonly shares: Float32Array;
    /** What one unit of that weighs [kg/m², kg/m, 1]. */
    density(settings: ClothSettings): number;
    /** Particles of the triangles of its surface, shape [triangleCount, 3]; empty: it has none, and no air acts on it. */
    readonly triangles: Uint32Array;
    /** The same in the arena, where something else holds them, too; left out: the body puts them there. */
    readonly sharedTriangles?: SharedTriangles;
    /** Makers of its constraints, by the name that the passes call them. */
    readonly constraints: Readonly<Record<string, (arena: Arena, state: BodyState, triangles: SharedTriangles) => Constraint>>;
    /** The constraints in the order of projection; some more than once. */
    readonly passes: readonly string[];
    /** Those projected again between two passes of contact. */
    readonly passesAfterContact: readonly string[];
    /** Those that hold the material's own lengths: their elongation is its stretch. */
    readonly lengthConstraints: readonly string[];
    /** Name of the constraint that is a Method and moves its particles, see base/bodySolver.ts. Left out: Verlet, then the passes. */
    readonly solver?: string;
    /** Turns the air about its particles into what that adds to their displacements, once a step. Left out: it pushes faces. */
    readonly applyAir?: (state: BodyState, air: AirArrays, settings: ClothSettings) => void;
    /** What it takes to meet colliders beside what all take. Left out: nothing. */
    readonly colliderModule?: LazyModule<unknown>;
    /** What has it take more substeps; left out: nothing. */
    readonly substepController?: SubstepController;
}
