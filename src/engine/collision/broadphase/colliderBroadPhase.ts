import { BOUNDS_MARGIN, BOUNDS_MOTION_FACTOR } from "../../tunables";
import type { Kernels } from "../../../kernels/kernelTable";
import { Uniform } from "../../../kernels/layout";
import type { Bounds } from "./bounds";
import type { ClothSettings } from "../../state/settings";
import type { BodyState } from "../../state/state";

/** The part of a collider that the broad phase asks. */
export interface BroadPhaseCollider {
    /** True while nothing of its pose changes in this step. */
    readonly isAtRest: boolean;
    readonly isOneSided: boolean;
    readonly dynamicBody: object | null;
    isNear: boolean;
    /** True if it can come into a box within the step. */
    mayEnter(bounds: Bounds, substepCount: number, fabric: ClothSettings["fabric"]): boolean;
    moveTo(done: number, count: number, fabric: ClothSettings["fabric"]): void;
    forgetParticles(): void;
}

/** Body members that the broad phase reads. */
interface BroadPhaseBody<C> {
    readonly kernels: Kernels;
    readonly state: BodyState;
    readonly settings: ClothSettings;
    readonly colliders: C[];
}

/**
 * The colliders in a body's reach. What can be met in a step is found once, for a *room* about the particles: whatever cannot enter that is not
 * asked in the substeps. Where one leads out of the room, all are.
 *
 *     ┌─────────────┐
 *     │   ┌─────┐   │  ◯
 *     │   │cloth│  ◯│
 *     │   └─────┘   │
 *     └─room────────┘
 */
export class ColliderBroadPhase<C extends BroadPhaseCollider> {
    /** Those in reach, in the body's order: the first {@link count}. What comes last is always among them, since others may push what is in the room to it. */
    readonly colliders: C[] = [];
    count = 0;
    /** True if any can enter the step's bounds. */
    mayCollide = false;
    /** Smallest x y z 0, largest x y z 0, simulation space [m]. */
    private readonly _bounds: Bounds = new Float32Array(8);

    /** Begins a step. */
    begin(body: BroadPhaseBody<C>): void {
        const { colliders, settings } = body;
        this.count = 0;
        this.mayCollide = false;
        if (colliders.length === 0) return;
        this._measureBounds(body);
        for (let i = 0; i < colliders.length; i++) {
            const collider = colliders[i];
            const mayEnter = collider.mayEnter(this._bounds, settings.substepCount, settings.fabric);
            this.mayCollide ||= mayEnter;
            if (mayEnter || collider.isOneSided || collider.dynamicBody) this.colliders[this.count++] = collider;
            else {
                collider.forgetParticles();
                collider.isNear = false;
            }
        }
    }

    private _measureBounds({ kernels, state, settings }: BroadPhaseBody<C>): void {
        const { _bounds: room } = this;
        const { uniforms } = state;
        const { gravity, fixedTimeStep } = settings;
        kernels.measureBounds(state);
        for (let c = 0; c < 3; c++) {
            const fall = Math.abs(gravity[c]) * fixedTimeStep * fixedTimeStep;
            const more = BOUNDS_MARGIN + BOUNDS_MOTION_FACTOR * (uniforms[Uniform.motion] + fall);
            room[c] = uniforms[Uniform.minimum + c] - more;
            room[4 + c] = uniforms[Uniform.maximum + c] + more;
        }
    }

    /** True if the step's bounds contain the particles' paths of the last substep. Call after measureBounds. */
    contains({ uniforms }: BodyState): boolean {
        const { _bounds: room } = this;
        for (let c = 0; c < 3; c++) {
            // So that what is not a number is not held.
            if (!(uniforms[Uniform.minimum + c] >= room[c] && uniforms[Uniform.maximum + c] <= room[4 + c])) return false;
        }
        return true;
    }

    /** Substep `s` begins, whose bounds have been measured: takes in what is out of reach, if need be, and moves it along in the step's last. */
    update(body: BroadPhaseBody<C>, s: number): void {
        const { state, colliders, settings } = body;
        if (this.count === colliders.length) return;
        const isOut = !this.contains(state);
        if (!isOut && s < settings.substepCount) return;
        for (let i = 0, k = 0; i < colliders.length; i++) {
            const collider = colliders[i];
            if (k < this.count && collider === this.colliders[k]) k++;
            else advanceCollider(collider, s, isOut, settings);
        }
        if (isOut) this.includeAll(body);
    }

    /** All are in reach from now on. */
    includeAll({ colliders }: BroadPhaseBody<C>): void {
        for (let i = 0; i < colliders.length; i++) this.colliders[i] = colliders[i];
        this.count = colliders.length;
    }

    /** Forgets them, since some are no longer the body's. */
    clear(): void {
        this.colliders.length = this.count = 0;
    }
}

/**
 * Moves a collider that has not been asked yet in a step: through the substeps before `s`, if it is to be asked now; else to the end of the
 * step, if `s` is its last.
 */
export function advanceCollider(
    collider: BroadPhaseCollider,
    s: number,
    isAsked: boolean,
    { substepCount, fabric }: Pick<ClothSettings, "substepCount" | "fabric">,
): void {
    if (collider.isAtRest) return;
    if (!isAsked && s === substepCount) collider.moveTo(s, substepCount, fabric);
    for (let done = 1; isAsked && done < s; done++) collider.moveTo(done, substepCount, fabric);
}

/** Inserts a collider among the first `count` of a list sorted by priority, highest first; equals keep their order. */
export function insertByPriority<C extends { hasPriorityOver(other: C): boolean }>(
    collider: C,
    colliders: C[],
    count: number,
): void {
    let k = count;
    for (; k > 0 && collider.hasPriorityOver(colliders[k - 1]); k--) colliders[k] = colliders[k - 1];
    colliders[k] = collider;
}
