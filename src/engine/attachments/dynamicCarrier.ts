/**
 * Dynamic body that pins follow and pull, within a frame. A physics engine moves it between frames; meanwhile it *drifts* from where its
 * pose says as the pulls have it, in every substep, and lags by that at the frame's end: it is lent drift / frame of velocity, as in
 * shapes/dynamicBodyProxy.ts, or, where it is ours, moved by it. Held still for a frame, with all pulls of the frame given at once, a light body
 * at the end of a long lever is thrown farther each time than it was off.
 */
import { MIN_GYRATION_RATIO } from "../tunables";
import { solveSixBySix } from "../math/eliminate";
import { rotateAbout } from "../math/affine";
import type { Clock, Substeps } from "../time/clock";
import { PinReaction } from "./pinReaction";
import { dot, writeCross } from "../math/vector";

/** Within a call. */
const turning = new Float64Array(3);
const lentImpulse = new Float64Array(6);

/** Multiplies the last three of six numbers by a matrix, shape [3, 3]. */
function times(m: Float64Array, x: Float64Array): void {
    const a = x[3];
    const b = x[4];
    const c = x[5];
    for (let i = 0; i < 3; i++) x[3 + i] = m[3 * i] * a + m[3 * i + 1] * b + m[3 * i + 2] * c;
}

export class DynamicCarrier {
    /** Its mass [kg], > 0; where several sets of pins are on it, this one's share, with as much of its inertia: their mean is how it moves. */
    mass = 1;
    /** Reaction of pinned particles that keep their masses. */
    readonly reaction = new PinReaction();
    /** Its inertia and the inverse of that in this frame, per unit of mass, shape [3, 3] [m², 1/m²]. About an axis that nothing turns it by, both are zero. */
    readonly inertia = new Float64Array(9);
    readonly mobility = new Float64Array(9);
    /** Least moments of inertia per unit of mass about each of its axes, by the levers of its pins [m²]. */
    readonly levers = new Float64Array(3);
    /** Its centre at the frame's end as poses have it, x y z, simulation space [m]. */
    readonly centre = new Float64Array(3);
    /** True if it steps with the cloth: its pose is that of its last step, not interpolated, and its {@link drift} can move it. */
    isSteppedWithCloth = false;
    /** Change of its motion by pulls in this frame: velocity x y z [m/s], turning rate x y z [rad/s]. */
    readonly speed = new Float64Array(6);
    /** Duration of the engine's frame [s], and the share of it that is simulated. */
    frameSeconds = 1;
    stepRatio = 1;
    /** Its centre in poses: at the end of the last frame, at the start and the end of the step, and now. */
    private readonly _from = new Float64Array(3);
    private readonly _stepFrom = new Float64Array(3);
    private readonly _stepTo = new Float64Array(3);
    private readonly _now = new Float64Array(3);
    /** Displacement x y z [m] and turn x y z [rad] from its pose, and what of it is of the frames before and of this one. */
    readonly drift = new Float64Array(6);
    private readonly _priorDrift = new Float64Array(6);
    private readonly _frameDrift = new Float64Array(6);
    /** Its drift at the end of the last substep. */
    private readonly _before = new Float64Array(6);
    /** Of what the substep pulls: mass times displacement x y z, and its moment. */
    private readonly _substepImpulse = new Float64Array(6);
    /** Lent impulse: impulse x y z [N s], its moment x y z [N m s]. */
    private readonly _lentImpulse = new Float64Array(6);
    /** It is lent velocity by which it makes up for its drift in so long at least [s]: what is heavy beside it is driven on by what it overshoots. */
    recoveryTime = 0;
    /** The mass of all that its sets of pins share [kg]. */
    private _whole = 1;
    private _steps = 0;
    private _step = 0;
    private _substep = 1;

    /** Its turn as poses have it since the last frame that had steps, x y z [rad]. */
    private readonly _turn = new Float64Array(3);

    /**
     * Takes in how what carries them lies.
     * @param axes its principal ones, unit rows, shape [3, 4]
     * @param moments of inertia about these, per unit of mass [m²]; 0 or Infinity: nothing turns it
     * @param least what they count as at least, see {@link levers}
     */
    setOrientation(axes: ArrayLike<number>, moments: ArrayLike<number>, least: ArrayLike<number>): void {
        const { inertia, mobility } = this;
        for (let i = 0; i < 9; i++) {
            inertia[i] = mobility[i] = 0;
            for (let k = 0; k < 3; k++) {
                const moment = moments[k];
                if (!(moment > 0 && moment < Infinity)) continue;
                const product = axes[4 * k + (i % 3)] * axes[4 * k + ((i / 3) | 0)];
                inertia[i] += product * moment;
                mobility[i] += product / Math.max(moment, least[k]);
            }
        }
    }

    /** Takes in how far from its axes it is pulled. @param places x y z [m] @param axes as for {@link setOrientation} */
    updateLevers(places: Float64Array, axes: ArrayLike<number>): void {
        const { levers, centre } = this;
        levers.fill(0);
        for (let q = 0; q < places.length; q += 3) {
            for (let c = 0; c < 3; c++) turning[c] = places[q + c] - centre[c];
            const squared = dot(turning, turning);
            for (let k = 0; k < 3; k++) {
                const along = turning[0] * axes[4 * k] + turning[1] * axes[4 * k + 1] + turning[2] * axes[4 * k + 2];
                levers[k] = Math.max(levers[k], MIN_GYRATION_RATIO * (squared - along * along));
            }
        }
    }

    /** Updates the rotation of the points that follow the node since the last frame. */
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
    dampRotation(share: number): void {
        const { _turn: turn, _priorDrift: old, speed, frameSeconds } = this;
        for (let c = 3; c < 6; c++) speed[c] -= share * (speed[c] + (turn[c - 3] - old[c]) / frameSeconds);
    }

    /** Follows its centre into a new frame. */
    beginFrameAt(x: number, y: number, z: number): void {
        this._from.set(this.centre);
        this.centre[0] = x;
        this.centre[1] = y;
        this.centre[2] = z;
    }

    /** Begins anew where it is: what was lent belongs to the motion before. */
    reset(): void {
        for (const past of [this._from, this._stepFrom, this._stepTo, this._now]) past.set(this.centre);
        for (const sum of [this.speed, this._turn, this.drift, this._priorDrift, this._frameDrift, this._lentImpulse]) sum.fill(0);
    }

    /**
     * Takes in what it weighs [kg], and how many sets of pins share that. What was lent is a velocity, which it keeps where its mass changes.
     * @returns whether its mass is that of before
     */
    setMass(whole: number, count: number): boolean {
        const before = this.mass;
        for (let c = 0; c < 6; c++) this._lentImpulse[c] *= whole / this._whole;
        this._whole = whole;
        this.mass = whole / count;
        return this.mass === before;
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
    beginFrame({ steps, engineSeconds, engineShare: enginePace, time }: Clock, { fixedTimeStep, substepCount }: Substeps): void {
        if (time === 0) this.reset();
        this._steps = steps;
        this._step = 0;
        if (steps === 0) return;
        // What steps as the cloth does takes as many steps.
        this.frameSeconds = this.isSteppedWithCloth ? steps * fixedTimeStep : engineSeconds;
        this.stepRatio = this.isSteppedWithCloth ? 1 : enginePace;
        this._priorDrift.set(this.drift);
        this._frameDrift.fill(0);
        this._substep = fixedTimeStep / substepCount;
    }

    /** Begins a step. @param fraction of the frame's motion at its end, as the clock has it @returns the same for what this carries */
    beginStep(fraction: number, { fixedTimeStep, substepCount }: Substeps): number {
        this._step++;
        this._substep = fixedTimeStep / substepCount;
        const f = this.isSteppedWithCloth ? this._step / this._steps : fraction;
        this._stepFrom.set(this._stepTo);
        for (let c = 0; c < 3; c++) this._stepTo[c] = this._from[c] + (this.centre[c] - this._from[c]) * f;
        this._now.set(this._stepFrom);
        return f;
    }

    /** True in the last step of a frame. */
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
        this._before.set(this.drift);
        for (let c = 0; c < 6; c++) {
            this._frameDrift[c] += this.speed[c] * this._substep;
            this.drift[c] = this._priorDrift[c] * left + this._frameDrift[c];
        }
        this._substepImpulse.fill(0);
    }

    /** Moves a point with the node, x y z from slot `o`. */
    movePoint(x: Float64Array, o: number): void {
        rotateAbout(x, o, this._now, this.drift);
    }

    /** Writes where a place is from its centre. */
    readArm(place: Float64Array, target: Float64Array): void {
        for (let c = 0; c < 3; c++) target[c] = place[c] - this._now[c] - this.drift[c];
    }

    /** Adds a pull to those of the substep. @param pull mass times displacement, x y z */
    addPull(arm: Float64Array, pull: Float64Array): void {
        const { _substepImpulse: sum } = this;
        writeCross(arm, pull, turning);
        for (let c = 0; c < 3; c++) {
            sum[c] += pull[c];
            sum[3 + c] += turning[c];
        }
    }

    /** Ends a substep: it gives way to the pulls, at once and from now on. */
    endSubstep(): void {
        const { _substepImpulse: pull } = this;
        times(this.mobility, pull);
        for (let c = 0; c < 6; c++) pull[c] /= this.mass;
        this.displace(pull);
    }

    /** It goes so far, at once and from now on: x y z [m], turn x y z [rad]. */
    displace(way: Float64Array): void {
        for (let c = 0; c < 6; c++) {
            this.speed[c] += way[c] / this._substep;
            this._frameDrift[c] += way[c];
            this.drift[c] += way[c];
        }
    }

    /** Writes how far a place goes in this substep by its drift, x y z [m]. */
    readDrifted(place: Float64Array, target: Float64Array): void {
        const { drift, _before: before } = this;
        this.readArm(place, turning);
        for (let c = 0; c < 3; c++) {
            const d = (c + 1) % 3;
            const e = (c + 2) % 3;
            target[c] =
                drift[c] - before[c] + (drift[3 + d] - before[3 + d]) * turning[e] - (drift[3 + e] - before[3 + e]) * turning[d];
        }
    }

    /**
     * Finds how far it goes with what it draws along.
     * @param rows of each of six ways, by how much mass times displacement and moment what is drawn along opposes it, and what pulls; shape [6, 7]
     * @param way x y z [m], turn x y z [rad]
     */
    solve(rows: Float64Array, way: Float64Array): void {
        const { mobility, mass } = this;
        for (let l = 0; l < 7; l++) {
            for (let k = 0; k < 6; k++) way[k] = rows[7 * k + l];
            times(mobility, way);
            for (let k = 0; k < 6; k++) rows[7 * k + l] = way[k] / mass + (k === l ? 1 : 0);
        }
        solveSixBySix(rows, way);
    }

    /** Changes the speed of what is at an arm by so much [m/s] along a unit vector, by an impulse there. */
    applyImpulse(arm: Float64Array, along: Float64Array, change: number): void {
        const { _substepImpulse: pull } = this;
        pull.set(along);
        writeCross(arm, along, pull, 3);
        writeCross(arm, along, turning);
        times(this.mobility, pull);
        const rate = change / (1 + turning[0] * pull[3] + turning[1] * pull[4] + turning[2] * pull[5]);
        for (let c = 0; c < 6; c++) this.speed[c] += rate * pull[c];
    }

    /** By how much the velocity of what is at an arm differs from that of its poses, x y z [m/s]. */
    readSpeed(arm: Float64Array, target: Float64Array): void {
        const { speed } = this;
        for (let c = 0; c < 3; c++) {
            const d = (c + 1) % 3;
            const e = (c + 2) % 3;
            target[c] = speed[c] + speed[3 + d] * arm[e] - speed[3 + e] * arm[d];
        }
    }

    /** Least mass that resists at a place, in whatever direction it is pulled [kg]. */
    minMassAt(x: number, y: number, z: number): number {
        const { centre, mobility, mass } = this;
        const arm = [x - centre[0], y - centre[1], z - centre[2]];
        // What a unit pull along each axis turns it by moves the place by: rᵀ× I⁻¹ r×, of which one eigenvalue is zero, since a pull along the arm turns nothing.
        const rows = [0, 1, 2].map((k) => {
            const row = new Float64Array(9);
            row[k] = 1;
            writeCross(arm, row, row, 3);
            times(mobility, row);
            writeCross(row.subarray(3), arm, row, 6);
            return row.subarray(6);
        });
        const trace = rows[0][0] + rows[1][1] + rows[2][2];
        const minors = [0, 1, 2].reduce((sum, k) => {
            const l = (k + 1) % 3;
            return sum + rows[k][k] * rows[l][l] - rows[k][l] * rows[l][k];
        }, 0);
        return mass / (1 + (trace + Math.sqrt(Math.max(0, trace * trace - 4 * minors))) / 2);
    }

    /** Takes out what the frame has changed of its motion, and what it is to be lent more than in the last one; for the target see Taker.take. */
    consumeVelocity(target: Float64Array): void {
        const { speed, drift, mass, _lentImpulse: lent, centre, inertia } = this;
        target.set(speed);
        times(inertia, target);
        lentImpulse.set(drift);
        times(inertia, lentImpulse);
        for (let c = 0; c < 6; c++) {
            if (this._steps === 0) {
                target[c] = 0;
                continue;
            }
            target[c] *= mass * this.stepRatio;
            if (this.isSteppedWithCloth) continue;
            lentImpulse[c] *= mass / Math.max(this.frameSeconds, this.recoveryTime);
            target[c] += lentImpulse[c] - lent[c];
            lent[c] = lentImpulse[c];
        }
        speed.fill(0);
        if (this._steps > 0) this._turn.fill(0);
        for (let c = 0; c < 3; c++) target[6 + c] = centre[c];
    }
}
