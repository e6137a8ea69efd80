/**
 * What carries pins and is pulled by them, within a frame. Someone else moves it, between frames; meanwhile it *drifts* from where its
 * pose says as the pulls have it, in every substep, and lags by that at the frame's end: it is lent drift / frame of velocity, as in
 * colliders/taker.ts, or, where it is ours, moved by it. Held still for a frame, with all pulls of the frame given at once, a light body
 * at the end of a long lever is thrown farther each time than it was off.
 */
import { turn } from "./affine";
import type { Clock, Substeps } from "./clock";
import type { Holding } from "./excess";
import { dot } from "./vector";

/** Moves a place, x y z from slot `o`, by a drift x y z and a turn about a centre x y z [rad]. */
export function turnAbout(x: Float64Array, o: number, centre: ArrayLike<number>, drift: ArrayLike<number>): void {
    for (let c = 0; c < 3; c++) x[o + c] -= centre[c];
    turn(x, o, drift, 3);
    for (let c = 0; c < 3; c++) x[o + c] += centre[c] + drift[c];
}

export class PinDrift {
    /** Its mass [kg], > 0. */
    mass = 1;
    /** Mean square of its radii of gyration [m²], > 0. */
    gyration = 1;
    /** Its centre at the frame's end as poses have it, x y z, simulation space [m]. */
    readonly centre = new Float64Array(3);
    /** Whether it steps as cloth does: its pose is that of its last step, not one between two, and it can be moved by its {@link drift}. */
    isLed = false;
    /** What pulls have changed of its motion in this frame: velocity x y z [m/s], turning rate x y z [rad/s]. */
    readonly speed = new Float64Array(6);
    /** Of the fall that the frame's end brings, what pulls have held so far, as time [s] and as velocity x y z [m/s], then zeros. */
    heldSeconds = 0;
    private readonly _held = new Float64Array(6);
    private _gravity: Float64Array = new Float64Array(3);
    /** How long it moves on its own until it hears of that [s], and what of that time steps are taken for. */
    frameSeconds = 1;
    pace = 1;
    /** Its centre in poses: at the end of the last frame, at the start and the end of the step, and now. */
    private readonly _from = new Float64Array(3);
    private readonly _stepFrom = new Float64Array(3);
    private readonly _stepTo = new Float64Array(3);
    private readonly _now = new Float64Array(3);
    /** Displacement x y z [m] and turn x y z [rad] from its pose, and what of it is of the frames before and of this one. */
    readonly drift = new Float64Array(6);
    private readonly _old = new Float64Array(6);
    private readonly _fresh = new Float64Array(6);
    /** Of what the substep pulls: mass times displacement x y z, and its moment. */
    private readonly _pull = new Float64Array(6);
    /** What it is lent: impulse x y z [N s], its moment x y z [N m s]. */
    private readonly _lent = new Float64Array(6);
    private _steps = 0;
    private _step = 0;
    private _substep = 1;

    /** Its turn as poses have it since the last frame that had steps, x y z [rad]. */
    private readonly _turn = new Float64Array(3);

    /** Takes in how what it carries has turned since the last frame. */
    measureTurn(before: ArrayLike<number>, now: ArrayLike<number>): void {
        const { _turn: turn } = this;
        for (let r = 0; r < 12; r += 4) {
            const squared = before[r] ** 2 + before[r + 1] ** 2 + before[r + 2] ** 2;
            for (let c = 0; c < 3 && squared > 0; c++) {
                const d = r + ((c + 1) % 3);
                const e = r + ((c + 2) % 3);
                turn[c] += (before[d] * now[e] - before[e] * now[d]) / (2 * squared);
            }
        }
    }

    /** Takes a share out of its turning, which is that of its poses, less what of the drift goes away, and what pulls have changed. */
    slowTurn(share: number): void {
        const { _turn: turn, _old: old, speed, frameSeconds } = this;
        for (let c = 3; c < 6; c++) speed[c] -= share * (speed[c] + (turn[c - 3] - old[c]) / frameSeconds);
    }

    /** Follows its centre into a new frame. */
    carry(x: number, y: number, z: number): void {
        this._from.set(this.centre);
        this.centre[0] = x;
        this.centre[1] = y;
        this.centre[2] = z;
    }

    /** Begins anew where it is: what was lent belongs to the motion before. */
    forget(): void {
        for (const past of [this._from, this._stepFrom, this._stepTo, this._now]) past.set(this.centre);
        for (const sum of [this.speed, this._turn, this.drift, this._old, this._fresh, this._lent]) sum.fill(0);
    }

    /** Follows a move of the origin by (dx, dy, dz). */
    rebase(dx: number, dy: number, dz: number): void {
        for (const place of [this.centre, this._from, this._stepFrom, this._stepTo, this._now]) {
            place[0] -= dx;
            place[1] -= dy;
            place[2] -= dz;
        }
    }

    /** Begins a frame of the clock's steps. */
    beginFrame({ steps, engineSeconds, enginePace, time }: Clock, { fixedTimeStep, substepCount, gravity }: Holding): void {
        this._gravity = gravity;
        this.heldSeconds = 0;
        this._held.fill(0);
        if (time === 0) this.forget();
        this._steps = steps;
        this._step = 0;
        if (steps === 0) return;
        // What steps as the cloth does takes as many steps.
        this.frameSeconds = this.isLed ? steps * fixedTimeStep : engineSeconds;
        this.pace = this.isLed ? 1 : enginePace;
        this._old.set(this.drift);
        this._fresh.fill(0);
        this._substep = fixedTimeStep / substepCount;
    }

    /** Begins a step. @param fraction of the frame's motion at its end, as the clock has it @returns the same for what this carries */
    beginStep(fraction: number, { fixedTimeStep, substepCount }: Substeps): number {
        this._step++;
        this._substep = fixedTimeStep / substepCount;
        const f = this.isLed ? this._step / this._steps : fraction;
        this._stepFrom.set(this._stepTo);
        for (let c = 0; c < 3; c++) this._stepTo[c] = this._from[c] + (this.centre[c] - this._from[c]) * f;
        this._now.set(this._stepFrom);
        return f;
    }

    /** Whether the frame has no further step. */
    get isLast(): boolean {
        return this._step === this._steps;
    }

    /** Goes on to where poses have it at the frame's end. */
    end(): void {
        this._now.set(this.centre);
    }

    /** Begins substep `done` of `count`. */
    advance(done: number, count: number): void {
        for (let c = 0; c < 3; c++) this._now[c] = this._stepFrom[c] + (this._stepTo[c] - this._stepFrom[c]) * (done / count);
        const left = Math.max(0, 1 - (this._step - 1 + done / count) / this._steps);
        this._fall();
        for (let c = 0; c < 6; c++) {
            this._fresh[c] += (this.speed[c] + this._held[c]) * this._substep;
            this.drift[c] = this._old[c] * left + this._fresh[c];
        }
        this._pull.fill(0);
    }

    /**
     * Who moves it pulls it down at the frame's end by all of its weight at once. As far as pulls have held it, it falls by that now: else they would stop
     * what is to fall only then, and what hangs would hang lower by half of that. What nothing holds falls when its poses do.
     */
    private _fall(): void {
        const { _gravity: gravity, speed, pace } = this;
        const squared = dot(gravity, gravity);
        const held = squared > 0 ? Math.max(0, (-pace * dot(speed, gravity)) / squared) : 0;
        this.heldSeconds = Math.min(held, this.frameSeconds, this.heldSeconds + this._substep / pace);
        for (let c = 0; c < 3; c++) this._held[c] = (this.heldSeconds * gravity[c]) / pace;
    }

    /** Moves a place that it carries along, x y z from slot `o`. */
    move(x: Float64Array, o: number): void {
        turnAbout(x, o, this._now, this.drift);
    }

    /** Writes where a place is from its centre. */
    readArm(place: Float64Array, target: Float64Array): void {
        for (let c = 0; c < 3; c++) target[c] = place[c] - this._now[c] - this.drift[c];
    }

    /** Adds a pull to those of the substep. @param pull mass times displacement, x y z */
    add(arm: Float64Array, pull: Float64Array): void {
        const { _pull: sum } = this;
        for (let c = 0; c < 3; c++) {
            const d = (c + 1) % 3;
            const e = (c + 2) % 3;
            sum[c] += pull[c];
            sum[3 + c] += arm[d] * pull[e] - arm[e] * pull[d];
        }
    }

    /** Ends a substep: it gives way to the pulls, at once and from now on. */
    giveWay(): void {
        for (let c = 0; c < 6; c++) {
            const moved = this._pull[c] / (c < 3 ? this.mass : this.mass * this.gyration);
            this.speed[c] += moved / this._substep;
            this._fresh[c] += moved;
            this.drift[c] += moved;
        }
    }

    /** Changes the speed of what is at an arm by so much [m/s] along a unit vector, by an impulse there. */
    push(arm: Float64Array, along: Float64Array, change: number): void {
        const across = dot(arm, arm) - dot(arm, along) ** 2;
        const rate = change / (1 + across / this.gyration);
        for (let c = 0; c < 3; c++) {
            const d = (c + 1) % 3;
            const e = (c + 2) % 3;
            this.speed[c] += rate * along[c];
            this.speed[3 + c] += (rate * (arm[d] * along[e] - arm[e] * along[d])) / this.gyration;
        }
    }

    /** By how much the velocity of what is at an arm differs from that of its poses, x y z [m/s]. */
    readSpeed(arm: Float64Array, target: Float64Array): void {
        const { speed, _held: held } = this;
        for (let c = 0; c < 3; c++) {
            const d = (c + 1) % 3;
            const e = (c + 2) % 3;
            target[c] = speed[c] + held[c] + speed[3 + d] * arm[e] - speed[3 + e] * arm[d];
        }
    }

    /** Least mass that resists at a place, in whatever direction it is pulled [kg]. */
    leastMassAt(x: number, y: number, z: number): number {
        const { centre } = this;
        const squared = (x - centre[0]) ** 2 + (y - centre[1]) ** 2 + (z - centre[2]) ** 2;
        return this.mass / (1 + squared / this.gyration);
    }

    /** Takes out what the frame has changed of its motion, and what it is to be lent more than in the last one; for the target see Taker.take. */
    take(target: Float64Array): void {
        const { speed, drift, _lent: lent, centre } = this;
        for (let c = 0; c < 6; c++) {
            const inertia = c < 3 ? this.mass : this.mass * this.gyration;
            target[c] = 0;
            // What cannot be turned has no moment of inertia that is a number.
            if (inertia === Infinity || this._steps === 0) continue;
            const loan = (inertia * drift[c]) / this.frameSeconds;
            target[c] = inertia * speed[c] * this.pace;
            if (this.isLed) continue;
            target[c] += loan - lent[c];
            lent[c] = loan;
        }
        speed.fill(0);
        if (this._steps > 0) this._turn.fill(0);
        for (let c = 0; c < 3; c++) target[6 + c] = centre[c];
    }
}
