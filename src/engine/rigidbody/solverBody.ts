import { Uniform } from "../../kernels/layout";
import type { SolverBodyData } from "./solverRows";
import type { RigidBodyArrays } from "../../kernels/rigidBodyLayout";
import { canCollide } from "../state/colliderSettings";
import type { Groups } from "../state/colliderSettings";
import { RigidBodyPose } from "../../kernels/rigidBodyLayout";
import { BOX_SIZE } from "./sweepAndPrune";
import type { Clock } from "../time/clock";
import type { GroupMember } from "../state/steppingGroup";
import type { StepRate } from "./sharedSubsteps";
import type { ClothSettings } from "../state/settings";
import type { ContactDamping } from "../state/contactDamping";
import type { BodyState } from "../state/state";
import type { BodyHull } from "./bodyHull";
import { isConsecutive, syncClock } from "../time/clock";

const { move: MOVE, spin: SPIN } = RigidBodyPose;
/** Those in a ball so many times as large are near. */
const NEAR_RADII = 1.05;

/** Body interface that the contact solver reads. */
export interface SolverBodyHost {
    readonly settings: ClothSettings;
    /** Requested steps of the body. */
    readonly requestedSteps: StepRate;
    readonly clock: Clock;
    readonly state: BodyState;
    readonly origin: Float64Array;
    readonly isAsleep: boolean;
    readonly mass: number;
    readonly sleep: { readonly isStill: boolean };
    readonly contactDamping: ContactDamping;
    readonly rigidConstraint: RigidBodyArrays;
    readonly hull: BodyHull;
    readonly groups: Groups;
    wake(): void;
    invalidate(): void;
}

/** Rigid body in the contact solver. */
export class SolverBody implements SolverBodyData, GroupMember {
    index = 0;
    isFixed = false;
    isStepping = false;
    hasContact = false;
    /** True if it takes part in the present frame, asleep or not. */
    isPresent = false;
    /** Pull of joints on the body in a substep, times their arms across its principal axes, x y z [kg m²]. */
    readonly jointPull = new Float64Array(3);
    /** Load that joints may put on the body, times their arms across its principal axes, x y z [kg m]; see rigidbody/supportedLoads.ts. */
    readonly supportedLoad = new Float64Array(3);
    readonly offset = new Float64Array(3);
    /** Those that it does not keep off. */
    readonly ignoredBodies = new Set<SolverBody>();

    constructor(
        readonly body: SolverBodyHost,
        private readonly _bodies: { readonly bodies: readonly SolverBody[]; hasJoint(member: SolverBody): boolean },
    ) {}

    get rigidConstraint(): RigidBodyArrays {
        return this.body.rigidConstraint;
    }

    get mass(): number {
        return this.body.mass;
    }

    get hull(): BodyHull {
        return this.body.hull;
    }

    get groups(): Groups {
        return this.body.groups;
    }

    get isAsleep(): boolean {
        return this.body.isAsleep;
    }

    get thickness(): number {
        return this.body.settings.fabric.thickness;
    }

    get friction(): number {
        return this.body.settings.fabric.friction;
    }

    /** Begins a substep, which it does not take, as yet. @returns whether it stands, or no longer does, from now on */
    beginSubstep(origin: Float64Array): boolean {
        const wasFixed = this.isFixed;
        this.isStepping = this.hasContact = false;
        this.isFixed = this.body.isAsleep || !this.isPresent;
        for (let c = 0; c < 3; c++) this.offset[c] = this.body.origin[c] - origin[c];
        return this.isFixed !== wasFixed;
    }

    /** Writes the box that it may reach in a step of so many substeps, and a margin about it, as the `number`-th of {@link SweepAndPrune.ranges}. */
    writeBounds(ranges: Float64Array, number: number, margin: number, substepCount: number): void {
        const { pose } = this.rigidConstraint;
        const { radius } = this.hull;
        let squared = 0;
        let turning = 0;
        for (let c = 0; c < 3; c++) {
            squared += pose[MOVE + c] * pose[MOVE + c];
            turning += Math.abs(pose[SPIN + c]);
        }
        const reach = radius + this.thickness + margin + substepCount * (Math.sqrt(squared) + turning * radius);
        for (let c = 0; c < 3; c++) {
            const middle = pose[c] + this.offset[c];
            ranges[BOX_SIZE * number + c] = middle - reach;
            ranges[BOX_SIZE * number + 3 + c] = middle + reach;
        }
    }

    get hasMovingNeighbour(): boolean {
        const { bodies } = this._bodies;
        for (let i = 0; i < bodies.length; i++) if (bodies[i] !== this && bodies[i]._mayReach(this)) return true;
        return false;
    }

    private _mayReach(other: SolverBody): boolean {
        return this._isMoving && canCollide(this.groups, other.groups) && this._isNear(other);
    }

    private get _isMoving(): boolean {
        const { state, settings, sleep } = this.body;
        return !sleep.isStill && state.uniforms[Uniform.motion] >= settings.sleepSpeed * settings.fixedTimeStep;
    }

    /** True if the bounding spheres of both bodies are near each other. */
    private _isNear(other: SolverBody): boolean {
        const p = this.rigidConstraint.pose;
        const q = other.rigidConstraint.pose;
        let squared = 0;
        for (let c = 0; c < 3; c++) {
            const apart = p[c] + this.body.origin[c] - q[c] - other.body.origin[c];
            squared += apart * apart;
        }
        const reach = NEAR_RADII * (this.hull.radius + other.hull.radius + this.thickness + other.thickness);
        return squared < reach * reach;
    }

    /** Has its frames hold steps when those of the others do: of bodies that begin at different times, one would be ahead of the other by a part of a step. */
    alignClock(): void {
        const { bodies } = this._bodies;
        const { clock } = this.body;
        for (let i = 0; i < bodies.length && !isConsecutive(clock); i++)
            if (bodies[i] !== this) syncClock(clock, bodies[i].body.clock);
    }

    /** True if a joint holds it to another body. */
    get isCoupled(): boolean {
        return this._bodies.hasJoint(this);
    }

    /** One that it hangs on lies on something: then it lies on that, too. */
    inheritSupport(other: SolverBody): void {
        if (other.body.contactDamping.isTouched) this.body.contactDamping.isTouched = true;
    }

    /** Wakes the body if a moving body touches it. */
    wakeIfTouchedBy(other: SolverBody): void {
        if (this.isAsleep && other._isMoving) this.body.wake();
    }

    /** Wakes it where it may have stood on another that is gone. */
    wakeIfSupportedBy(other: SolverBody): void {
        if (this._isNear(other)) this.body.wake();
    }
}
