import { rowOf } from "../kernels/layout";
import { transformPoint } from "./affine";
import type { Affine } from "./affine";
import { areSame } from "./geometry";
import type { Clock, Substeps } from "./clock";
import type { BodyState } from "./state";

/**
 * Particles that are carried by a frame: of inverse mass 0, they move in a straight line between where the frame was at
 * the last rendered frame and where it is now.
 */
export class PinSet {
    /** Pinned particles, shape [count]. */
    readonly particles: Uint32Array;
    /** Positions in the carrying frame, shape [count, 3]. */
    readonly offsets: Float64Array;
    /** Simulation-space positions at the last frame and now [m], shape [count, 3]. */
    readonly from: Float64Array;
    readonly to: Float64Array;
    /** Simulation-space positions at the start and at the end of the present step [m], shape [count, 3]. */
    protected readonly _stepFrom: Float64Array;
    protected readonly _stepTo: Float64Array;
    /** Where the frame was told to be, whether that still says where the particles are, and whether it has moved since the last rendered frame. */
    private readonly _pose = new Float64Array(16);
    private _isPlaced = false;
    private _isMoving = false;
    private _displacement = 0;
    /** Whether a whole step has passed with all particles where they are now: there is nothing to do until something moves. */
    private _isSettled = false;
    /** Whether the particles are drawn elsewhere. */
    private _isOff = false;
    /** Whether what carries it can be pulled: where particles are held fast at its places. */
    readonly pulls: boolean = true;
    /** Mass of what carries them and takes what they are pulled by [kg]; 0: nothing can pull it. See Body.setTaker. */
    takerMass = 0;
    /** Mean square of its radii of gyration [m²], and its centre x y z, simulation space [m]. */
    takerGyration = 1;
    readonly centre = new Float64Array(3);
    /** Impulse in the present step x y z, and its moment about the first particle's place x y z, as mass times displacement. */
    private readonly _pull = new Float64Array(6);
    /** Which of the particles it moves: all but those that a later set holds too. */
    private _own: Uint32Array;
    private _ownParticles: Uint32Array | null = null;

    /** @param placeCount how many places the frame carries: one for each particle */
    constructor(particles: Uint32Array, placeCount = particles.length) {
        this.particles = particles;
        this.offsets = new Float64Array(placeCount * 3);
        this.from = new Float64Array(placeCount * 3);
        this.to = new Float64Array(placeCount * 3);
        this._stepFrom = new Float64Array(placeCount * 3);
        this._stepTo = new Float64Array(placeCount * 3);
        this._own = particles.map((_, i) => i);
    }

    /** Leaves those particles alone that other sets hold, and adds the rest to what is held. */
    yieldTo(held: Set<number>): void {
        const { particles } = this;
        this._own = particles.map((_, i) => i).filter((i) => !held.has(particles[i]));
        this._ownParticles = null;
        for (const particle of particles) held.add(particle);
    }

    /** Whether it comes before the others of its body: what others hold, they hold after it. */
    readonly isFirst: boolean = false;

    /** How many times the cloth at them its particles weigh. */
    get heaviness(): number {
        return 1;
    }

    /** How many particles it still holds. */
    get heldCount(): number {
        return this.particles.length;
    }

    /** Those of the particles that it moves. */
    get own(): Uint32Array {
        return (this._ownParticles ??= this._own.map((i) => this.particles[i]));
    }

    /** Turn of the carrying frame since the last rendered frame [rad], x y z. */
    private readonly _turn = new Float64Array(3);

    /** Takes hold of the particles where they are now. @param toFrame simulation space → carrying frame */
    grab(state: BodyState, toFrame: Affine): void {
        const x = state.positions;
        for (let i = 0; i < this.particles.length; i++) {
            const o = rowOf(this.particles[i]);
            transformPoint(toFrame, x, o, this.offsets, 3 * i);
            for (let c = 0; c < 3; c++) this.to[3 * i + c] = x[o + c];
        }
        this._forget();
    }

    /** The places have always been where they are now. */
    protected _forget(): void {
        for (const past of [this.from, this._stepFrom, this._stepTo]) past.set(this.to);
        this._isPlaced = this._isMoving = this._isSettled = false;
    }

    /** A new rendered frame: what was `to` is `from`, and `to` follows the carrying frame. @param toSimulation carrying frame → simulation space */
    carry(toSimulation: Affine): void {
        const { from, to, _pose: pose } = this;
        this.stay();
        if (this._isPlaced && areSame(pose, toSimulation)) return;
        // What has just been grabbed has not turned.
        if (this._isPlaced && this.takerMass > 0) this._measureTurn(toSimulation);
        else this._turn.fill(0);
        this._isPlaced = true;
        pose.set(toSimulation);
        for (let i = 0; i < to.length; i += 3) transformPoint(toSimulation, this.offsets, i, to, i);
        this._isMoving = !areSame(from, to);
        if (!this._isMoving) return;
        this._isSettled = false;
        this._measureDisplacement();
    }

    /** A new rendered frame, in which the carrying frame says nothing. */
    stay(): void {
        if (this._isMoving) this.from.set(this.to);
        this._isMoving = false;
    }

    /** Where the particles are held and have been, as numbers, for another set of as many to {@link takeMotion}. */
    copyMotion(): Float64Array {
        const { to, _stepFrom: stepFrom, _stepTo: stepTo } = this;
        return Float64Array.of(this._isSettled ? 1 : 0, ...to, ...stepFrom, ...stepTo);
    }

    /** Goes on from where another set has held its particles. @param offsets its own */
    takeMotion(offsets: Float64Array, numbers: Float64Array): void {
        const { from, to, _stepFrom: stepFrom, _stepTo: stepTo } = this;
        this.offsets.set(offsets);
        [to, stepFrom, stepTo].forEach((array, i) => {
            array.set(numbers.subarray(1 + i * array.length, 1 + (i + 1) * array.length));
        });
        from.set(to);
        this._isPlaced = this._isMoving = false;
        this._isSettled = numbers[0] === 1;
    }

    /**
     * Goes on from where another set has held the same cloth's particles, numbered otherwise.
     * @param indices of each place, that of the other's that it continues; -1: none, it stays where it was grabbed
     */
    continueFrom(before: PinSet, indices: Int32Array): void {
        for (const name of ["offsets", "to", "_stepFrom", "_stepTo"] as const) {
            indices.forEach((index, i) => {
                if (index >= 0) this[name].set(before[name].subarray(3 * index, 3 * index + 3), 3 * i);
            });
        }
        this.from.set(this.to);
        this._isPlaced = this._isMoving = this._isSettled = false;
    }

    /** The particles may have been put elsewhere: they are put back in the next step. */
    unsettle(): void {
        this._isSettled = false;
    }

    /** Whether a frame that stands where it was last told to be has nothing to tell. */
    get isPlaced(): boolean {
        return this._isPlaced;
    }

    /** Largest displacement of a particle's place since the last rendered frame [m]. */
    get displacement(): number {
        return this._isMoving ? this._displacement : 0;
    }

    /** Whether the frame has moved since the last rendered frame. */
    get isMoving(): boolean {
        return this._isMoving;
    }

    /** Whether the particles neither move in this step nor have to be put anywhere. */
    get isSettled(): boolean {
        return this._isSettled && this.takerMass === 0;
    }

    private _measureTurn(now: Affine): void {
        const { _pose: before, _turn: turn } = this;
        turn.fill(0);
        for (let r = 0; r < 12; r += 4) {
            const squared = before[r] ** 2 + before[r + 1] ** 2 + before[r + 2] ** 2;
            for (let c = 0; c < 3 && squared > 0; c++) {
                const d = r + ((c + 1) % 3);
                const e = r + ((c + 2) % 3);
                turn[c] += (before[d] * now[e] - before[e] * now[d]) / (2 * squared);
            }
        }
    }

    private _measureDisplacement(): void {
        const { from, to } = this;
        let squared = 0;
        for (let q = 0; q < to.length; q += 3) {
            const x = to[q] - from[q],
                y = to[q + 1] - from[q + 1],
                z = to[q + 2] - from[q + 2];
            squared = Math.max(squared, x * x + y * y + z * z);
        }
        this._displacement = Math.sqrt(squared);
    }

    /** Forgets where the particles have been: they are at their places of this frame, without motion. */
    teleport(): void {
        for (const past of [this.from, this._stepFrom, this._stepTo]) past.set(this.to);
        this._isMoving = this._isSettled = false;
    }

    /** The body has been put elsewhere, at rest; pins that a frame carries are grabbed anew. */
    restart(): void {}

    /** Begins a step that ends where the clock says within this frame's motion: particles go back to where the last step left them. */
    beginStep(state: BodyState, { fraction }: Pick<Clock, "fraction">): void {
        if (this._isSettled) return;
        const { from, to, _stepFrom: stepFrom, _stepTo: stepTo } = this;
        stepFrom.set(stepTo);
        // In a long frame the carrier does not move until its end: only where it is then, pulls answer to. Those of all steps would be a
        // spring too stiff for the frame, half a frame late.
        this._pull.fill(0);
        for (let q = 0; q < to.length; q++) stepTo[q] = from[q] + (to[q] - from[q]) * fraction;
        this._place(state, stepFrom, 0, 0, 0);
    }

    /** Puts the particles where they are after `done` of `count` substeps. */
    moveTo(state: BodyState, done: number, count: number): void {
        if (this._isSettled) return;
        const fraction = done / count;
        const x = state.positions;
        const { particles, _own: own, _stepFrom: from, _stepTo: to } = this;
        for (let i = 0; i < own.length; i++) {
            const q = 3 * own[i];
            const o = rowOf(particles[own[i]]);
            x[o] = from[q] + (to[q] - from[q]) * fraction;
            x[o + 1] = from[q + 1] + (to[q + 1] - from[q + 1]) * fraction;
            x[o + 2] = from[q + 2] + (to[q + 2] - from[q + 2]) * fraction;
        }
        if (done === count && this.takerMass === 0) this._isSettled = !this._isMoving && areSame(from, to) && areSame(to, this.to);
    }

    /**
     * Ends substep `done` of `count`: what carries the particles is pulled by what constraints and contacts have done to them since
     * {@link moveTo}, and they are back at their places. Only where something can be pulled, and particles have masses.
     */
    feelPull({ positions: x, inverseMasses }: BodyState, done: number, count: number): void {
        const fraction = done / count;
        const { particles, _own: own, _stepFrom: from, _stepTo: to, _pull: pull } = this;
        for (let i = 0; i < own.length; i++) {
            const q = 3 * own[i];
            const o = rowOf(particles[own[i]]);
            const w = inverseMasses[particles[own[i]]];
            const mass = w > 0 ? 1 / w : 0;
            const placeX = from[q] + (to[q] - from[q]) * fraction;
            const placeY = from[q + 1] + (to[q + 1] - from[q + 1]) * fraction;
            const placeZ = from[q + 2] + (to[q + 2] - from[q + 2]) * fraction;
            // As the positions are: in 32 bits, being at the place is no pull.
            const jx = mass * (x[o] - Math.fround(placeX)),
                jy = mass * (x[o + 1] - Math.fround(placeY)),
                jz = mass * (x[o + 2] - Math.fround(placeZ));
            const ax = placeX - (from[0] + (to[0] - from[0]) * fraction),
                ay = placeY - (from[1] + (to[1] - from[1]) * fraction),
                az = placeZ - (from[2] + (to[2] - from[2]) * fraction);
            x[o] = placeX;
            x[o + 1] = placeY;
            x[o + 2] = placeZ;
            pull[0] += jx;
            pull[1] += jy;
            pull[2] += jz;
            pull[3] += ay * jz - az * jy;
            pull[4] += az * jx - ax * jz;
            pull[5] += ax * jy - ay * jx;
        }
    }

    /** What {@link feelPull} has added up so far. */
    get pull(): Float64Array {
        return this._pull;
    }

    /** Mean velocity of the first particle's place in this step, along an axis [m/s]. */
    velocity(c: number, step: number): number {
        return (this._stepTo[c] - this._stepFrom[c]) / step;
    }

    /** Takes a share of the body's turn since the last frame out of it, over a substep. */
    slowTurn(share: number): void {
        const { _pull: sum, _turn: turn } = this;
        for (let c = 0; c < 3; c++) sum[3 + c] -= share * this.takerMass * this.takerGyration * turn[c];
    }

    /** Adds to that a pull at a place, simulation space [m], as mass times displacement. */
    addPull(pull: Float64Array, place: Float64Array): void {
        const { _pull: sum, _stepTo: to } = this;
        for (let c = 0; c < 3; c++) {
            const d = (c + 1) % 3;
            const e = (c + 2) % 3;
            sum[c] += pull[c];
            sum[3 + c] += (place[d] - to[d]) * pull[e] - (place[e] - to[e]) * pull[d];
        }
    }

    /** Takes out what {@link feelPull} has added up in the frame's last step; for the arguments see Taker.take, whose centre is the first particle's place here. */
    takeImpulse(target: Float64Array, { fixedTimeStep, substepCount }: Substeps): void {
        const { _pull: pull, to } = this;
        const perSubstep = substepCount / fixedTimeStep;
        for (let c = 0; c < 6; c++) target[c] = pull[c] * perSubstep;
        for (let c = 0; c < 3; c++) target[6 + c] = to[c];
        pull.fill(0);
    }

    /**
     * Adds up how far the pins are now from where the picture has them, between the start (0) and the end (1) of the last step.
     * @param sum x y z of the sum [m], then the number of particles
     */
    addLag(alpha: number, sum: Float64Array): void {
        const { to, _stepFrom: stepFrom, _stepTo: stepTo } = this;
        sum[3] += this.particles.length;
        if (this._isSettled) return;
        for (let q = 0; q < to.length; q += 3) {
            for (let c = q; c < q + 3; c++) sum[c - q] += to[c] - (stepFrom[c] + (stepTo[c] - stepFrom[c]) * alpha);
        }
    }

    /** Puts the particles where their frame is now, less an offset [m], for drawing: nothing is interpolated. */
    settle(state: BodyState, dx: number, dy: number, dz: number): void {
        const isOff = dx !== 0 || dy !== 0 || dz !== 0;
        if (this._isSettled && !isOff && !this._isOff) return;
        this._isOff = isOff;
        this._place(state, this.to, dx, dy, dz);
    }

    /** Ends substep `done` of `count`, after constraints and contacts. */
    endSubstep(_state: BodyState, _done: number, _count: number): void {}

    /** Puts the particles at `places` less an offset. Their speed stays: what is past moves along. */
    protected _place(state: BodyState, places: Float64Array, dx: number, dy: number, dz: number): void {
        const { positions: x, previous, stepStart } = state;
        const { particles, _own: own } = this;
        for (let i = 0; i < own.length; i++) {
            const q = 3 * own[i];
            const o = rowOf(particles[own[i]]);
            previous[o] += places[q] - dx - x[o];
            previous[o + 1] += places[q + 1] - dy - x[o + 1];
            previous[o + 2] += places[q + 2] - dz - x[o + 2];
            stepStart[o] = x[o] = places[q] - dx;
            stepStart[o + 1] = x[o + 1] = places[q + 1] - dy;
            stepStart[o + 2] = x[o + 2] = places[q + 2] - dz;
        }
    }

    /** Follows a move of the origin by (dx, dy, dz). */
    rebase(dx: number, dy: number, dz: number): void {
        this._isPlaced = this._isSettled = false;
        for (const array of [this.from, this.to, this._stepFrom, this._stepTo]) {
            for (let q = 0; q < array.length; q += 3) {
                array[q] -= dx;
                array[q + 1] -= dy;
                array[q + 2] -= dz;
            }
        }
    }
}
