import { Uniform } from "../../kernels/layout";
import type { PiledBody } from "./pileRows";
import type { StickBodyArrays } from "../../kernels/stickBodyLayout";
import { agree } from "../colliders/groups";
import type { Groups } from "../colliders/groups";
import { StickBodyPose } from "../../kernels/stickBodyLayout";
import { RANGE } from "./nearPairs";
import type { Clock } from "../time/clock";
import type { Companion } from "../company";
import type { Steps } from "../time/finest";
import type { ClothSettings } from "../settings";
import type { Settling } from "../motion/settling";
import type { BodyState } from "../state";
import type { BodyHull } from "../surface/bodyHull";
import { goesOn, keepTimeWith } from "../time/timekeeping";

const { move: MOVE, spin: SPIN } = StickBodyPose;
/** Those in a ball so many times as large are near. */
const NEAR = 1.05;

/** What a pile asks of a body. */
export interface Piled {
    readonly settings: ClothSettings;
    /** How it was asked to be stepped. */
    readonly asked: Steps;
    readonly clock: Clock;
    readonly state: BodyState;
    readonly origin: Float64Array;
    readonly isAsleep: boolean;
    readonly mass: number;
    readonly sleep: { readonly isStill: boolean };
    readonly settling: Settling;
    readonly sticks: StickBodyArrays;
    readonly hull: BodyHull;
    readonly groups: Groups;
    wake(): void;
    invalidate(): void;
}

/** A rigid body in a pile. */
export class PileMember implements PiledBody, Companion {
    number = 0;
    isFixed = false;
    isStepping = false;
    isMet = false;
    /** Whether it takes part in the present frame, asleep or not. */
    isPresent = false;
    /** What joints pull on it in a substep, times their arms across its principal axes, x y z [kg m²]. */
    readonly strain = new Float64Array(3);
    /** What joints may have it bear, times their arms across its principal axes, x y z [kg m]; see joints/burdens.ts. */
    readonly burden = new Float64Array(3);
    readonly offset = new Float64Array(3);
    /** Those that it does not keep off. */
    readonly spared = new Set<PileMember>();

    constructor(
        readonly body: Piled,
        private readonly _all: { readonly bodies: readonly PileMember[]; ties(member: PileMember): boolean },
    ) {}

    get sticks(): StickBodyArrays {
        return this.body.sticks;
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
    begin(origin: Float64Array): boolean {
        const wasFixed = this.isFixed;
        this.isStepping = this.isMet = false;
        this.isFixed = this.body.isAsleep || !this.isPresent;
        for (let c = 0; c < 3; c++) this.offset[c] = this.body.origin[c] - origin[c];
        return this.isFixed !== wasFixed;
    }

    /** Writes the box that it may reach in a step of so many substeps, and a margin about it, as the `number`-th of {@link NearPairs.ranges}. */
    writeRange(ranges: Float64Array, number: number, margin: number, substepCount: number): void {
        const { pose } = this.sticks;
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
            ranges[RANGE * number + c] = middle - reach;
            ranges[RANGE * number + 3 + c] = middle + reach;
        }
    }

    get isDisturbed(): boolean {
        const { bodies } = this._all;
        for (let i = 0; i < bodies.length; i++) if (bodies[i] !== this && bodies[i]._mayDisturb(this)) return true;
        return false;
    }

    private _mayDisturb(other: PileMember): boolean {
        return this._isMoving && agree(this.groups, other.groups) && this._isNear(other);
    }

    private get _isMoving(): boolean {
        const { state, settings, sleep } = this.body;
        return !sleep.isStill && state.uniforms[Uniform.motion] >= settings.sleepSpeed * settings.fixedTimeStep;
    }

    /** Whether the balls about both come near. */
    private _isNear(other: PileMember): boolean {
        const p = this.sticks.pose;
        const q = other.sticks.pose;
        let squared = 0;
        for (let c = 0; c < 3; c++) {
            const apart = p[c] + this.body.origin[c] - q[c] - other.body.origin[c];
            squared += apart * apart;
        }
        const reach = NEAR * (this.hull.radius + other.hull.radius + this.thickness + other.thickness);
        return squared < reach * reach;
    }

    /** Has its frames hold steps when those of the others do: of bodies that begin at different times, one would be ahead of the other by a part of a step. */
    keepTime(): void {
        const { bodies } = this._all;
        const { clock } = this.body;
        for (let i = 0; i < bodies.length && !goesOn(clock); i++) if (bodies[i] !== this) keepTimeWith(clock, bodies[i].body.clock);
    }

    /** Whether a joint holds it to another. */
    get isTied(): boolean {
        return this._all.ties(this);
    }

    /** One that it hangs on lies on something: then it lies on that, too. */
    lieAs(other: PileMember): void {
        if (other.body.settling.isTouched) this.body.settling.isTouched = true;
    }

    /** Wakes it where another that moves touches it. */
    wakeBy(other: PileMember): void {
        if (this.isAsleep && other._isMoving) this.body.wake();
    }

    /** Wakes it where it may have stood on another that is gone. */
    wakeWithout(other: PileMember): void {
        if (this._isNear(other)) this.body.wake();
    }
}
