import type { Arena } from "../../kernels/arena";
import type { AirArrays } from "../../kernels/layout";
import type { LazyModule } from "../../kernels/lazyModule";
import type { Clock } from "../time/clock";
import type { Constraint } from "./constraint";
import type { ClothSettings } from "./settings";
import type { BodyState } from "./state";
import type { SharedTriangles } from "../memory/sharedTriangles";

/** Body state that decides the number of substeps. */
export interface SubstepControlInput {
    readonly state: BodyState;
    readonly settings: ClothSettings;
    readonly colliders: readonly unknown[];
    readonly pins: readonly unknown[];
    /** Time that it has lived [s], and how many steps a frame lasts. */
    readonly clock: Pick<Clock, "time" | "stepsOf">;
    /** True if a collider was within reach in the last step. */
    readonly broadPhase: { readonly mayCollide: boolean };
}

/** Controller that raises a body's substep count by its recent motion and contacts. */
export interface SubstepController {
    /** Called ahead of each step: its settings' number of substeps may become another. */
    update(body: SubstepControlInput): void;
    /** State as numbers, for {@link restoreState} of another controller before its first step. Restoring is optional. */
    saveState(body: SubstepControlInput): readonly number[];
    restoreState(numbers?: readonly number[]): void;
}

/** Definition of a body: a sheet (sheet.ts), a rope, or a body of distance constraints. */
export interface BodyDefinition {
    readonly particleCount: number;
    /** Share of the body per particle: area [m²] of a sheet, length [m] of a rope, mass [kg]; shape [particleCount]. */
    readonly shares: Float32Array;
    /** Mass per unit of share [kg/m², kg/m, 1]. */
    density(settings: ClothSettings): number;
    /** Particles of the triangles of its surface, shape [triangleCount, 3]; empty: it has none, and no air acts on it. */
    readonly triangles: Uint32Array;
    /** Triangles in the arena, if something else holds them too; left out: the body stores them. */
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
    /** Radius of the faces that the air meets, as a share of √n edges of a piece of n particles. Left out: an edge. */
    readonly faceRadius?: number;
    /** Module that this body needs for colliders in addition to the common one. Left out: none. */
    readonly colliderModule?: LazyModule<unknown>;
    /** Controller that raises the substep count; left out: none. */
    readonly substepController?: SubstepController;
}
