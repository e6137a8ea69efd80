/*
 * A few lines more than 400: one class, whose histories (frame, step, drawing) belong together.
 */
import { rowOf } from "../../kernels/layout";
import { transformPoint } from "../math/affine";
import type { Affine } from "../math/affine";
import { areEqual } from "../math/vector";
import type { Clock, Substeps } from "../time/clock";
import type { DynamicCarrier } from "./dynamicCarrier";
import type { BodyState } from "../state/state";

/** Valid within a call: a point [m], its offset from the node's centre, and a pull there. */
const point = new Float64Array(3);
const arm = new Float64Array(3);
const reaction = new Float64Array(3);

/** Motion of the drawn state of a body on a skin, see SkinTarget. */
interface SkinDrawing {
    /** True if what is drawn is not the interpolated state at `alpha`. */
    isAhead(motion: { readonly alpha: number }): boolean;
}

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
    /** Last pose of the frame; flags: the pose still matches the particles, and the frame has moved since the last rendered frame. */
    private readonly _pose = new Float64Array(16);
    protected _isPlaced = false;
    private _isMoving = false;
    private _displacement = 0;
    /** Slot of the place that moves farthest. */
    private _farthest = 0;
    /** True if a whole step has passed with all particles where they are now: nothing is to be done until something moves. */
    private _isSettled = false;
    /** True if the particles are fixed at the pinned positions, with inverse mass 0. */
    readonly isFixed: boolean = true;
    /** Mass of what carries them and takes what they are pulled by [kg]; 0: nothing can pull it. See Body.setTaker. */
    get carrierMass(): number {
        return this.dynamicCarrier?.mass ?? 0;
    }
    /** That within a frame; null: nothing can pull it. */
    dynamicCarrier: DynamicCarrier | null = null;
    /** Rendered positions of the pins, if they differ from {@link to}: simulation-space positions [m], shape [count, 3]. */
    private _renderTargets: Float64Array | null = null;
    /** Particles that the set moves: all but those that a later set holds too. */
    private _owned: Uint32Array;
    private _ownedParticles: Uint32Array | null = null;

    /** @param placeCount number of points that follow the frame: one for each particle */
    constructor(particles: Uint32Array, placeCount = particles.length) {
        this.particles = particles;
        this.offsets = new Float64Array(placeCount * 3);
        this.from = new Float64Array(placeCount * 3);
        this.to = new Float64Array(placeCount * 3);
        this._stepFrom = new Float64Array(placeCount * 3);
        this._stepTo = new Float64Array(placeCount * 3);
        this._owned = particles.map((_, i) => i);
    }

    /** Leaves those particles alone that other sets hold, and adds the rest to what is held. */
    resolveOverlaps(held: Set<number>): void {
        const { particles } = this;
        this._owned = particles.map((_, i) => i).filter((i) => !held.has(particles[i]));
        this._ownedParticles = null;
        for (const particle of particles) held.add(particle);
    }

    /** True if the set couples its body to another, and is no pin of a mesh: copies and files exclude it. */
    declare readonly isCoupling?: boolean;

    /** Particles that the set keeps from falling, if they are others than {@link particles}. */
    declare readonly limitedParticles?: Uint32Array;

    /** True if the set is processed before the others of its body, which then override it. */
    readonly isProcessedFirst: boolean = false;

    /** Factor of the particles' mass over that of the cloth at them. */
    get massScale(): number {
        return 1;
    }

    /** Number of particles still held. */
    get heldCount(): number {
        return this.particles.length;
    }

    /** Those of the particles that it moves. */
    get ownedIndices(): Uint32Array {
        return (this._ownedParticles ??= this._owned.map((i) => this.particles[i]));
    }

    /**
     * Takes hold of the particles where they are now.
     * @param toFrame simulation space → carrying frame
     * @param motion of the particles since the last step, a map of simulation space; null: none
     */
    attach(state: BodyState, toFrame: Affine, motion: Affine | null = null): void {
        const { to, particles } = this;
        const x = state.positions;
        for (let i = 0; i < particles.length; i++) {
            const o = rowOf(particles[i]);
            if (motion) transformPoint(motion, x, o, to, 3 * i);
            else for (let c = 0; c < 3; c++) to[3 * i + c] = x[o + c];
            transformPoint(toFrame, to, 3 * i, this.offsets, 3 * i);
        }
        this._resetHistory();
        if (!motion) return;
        // The step that comes begins where the last one has left them.
        for (const past of [this._stepFrom, this._stepTo])
            for (let q = 0; q < 3 * particles.length; q++) past[q] = x[rowOf(particles[Math.floor(q / 3)]) + (q % 3)];
    }

    /** The places have always been where they are now. */
    protected _resetHistory(): void {
        for (const past of [this.from, this._stepFrom, this._stepTo]) past.set(this.to);
        this._isPlaced = this._isMoving = this._isSettled = false;
    }

    /** A new rendered frame: what was `to` is `from`, and `to` follows the carrying frame. @param toSimulation carrying frame → simulation space */
    setTargets(toSimulation: Affine): void {
        const { from, to, _pose: pose } = this;
        this.keepTargets();
        // What has just been grabbed has not turned.
        this.dynamicCarrier?.measureTurn(pose, this._isPlaced ? toSimulation : pose);
        if (this._isPlaced && areEqual(pose, toSimulation)) return;
        this._isPlaced = true;
        pose.set(toSimulation);
        this._writeTargets(toSimulation);
        this._isMoving = !areEqual(from, to);
        if (!this._isMoving) return;
        this._isSettled = false;
        this._measureDisplacement();
    }

    /** Writes where the particles' places are now. @param toSimulation carrying frame → simulation space */
    protected _writeTargets(toSimulation: Affine): void {
        for (let i = 0; i < this.to.length; i += 3) transformPoint(toSimulation, this.offsets, i, this.to, i);
    }

    /** Sets the rendered pose of the frame. @param toSimulation frame → simulation space; null: the simulated pose */
    setRenderTargets(toSimulation: Affine | null): void {
        if (!toSimulation) {
            this._renderTargets = null;
            return;
        }
        this._renderTargets ??= new Float64Array(this.to.length);
        for (let i = 0; i < this.to.length; i += 3) transformPoint(toSimulation, this.offsets, i, this._renderTargets, i);
    }

    /** A new rendered frame, in which the carrying frame says nothing. */
    keepTargets(): void {
        if (this._isMoving) this.from.set(this.to);
        this._isMoving = false;
    }

    /** Present and previous pinned positions as numbers, for {@link restoreMotion} of another set of the same size. */
    saveMotion(): Float64Array {
        const { to, _stepFrom: stepFrom, _stepTo: stepTo } = this;
        return Float64Array.of(this._isSettled ? 1 : 0, ...to, ...stepFrom, ...stepTo);
    }

    /** Continues the motion of another set. @param offsets its own */
    restoreMotion(offsets: Float64Array, numbers: Float64Array): void {
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
    continueMotionOf(before: PinSet, indices: Int32Array): void {
        for (const name of ["offsets", "to", "_stepFrom", "_stepTo"] as const) {
            indices.forEach((index, i) => {
                if (index >= 0) this[name].set(before[name].subarray(3 * index, 3 * index + 3), 3 * i);
            });
        }
        this.from.set(this.to);
        this._isPlaced = this._isMoving = this._isSettled = false;
    }

    /** The particles may have been put elsewhere: they are put back in the next step. */
    markUnsettled(): void {
        this._isSettled = false;
    }

    /** True if the frame is at its last known pose and no update is needed. */
    get isPlaced(): boolean {
        return this._isPlaced;
    }

    /** Largest displacement of a particle's place since the last rendered frame [m]. */
    get displacement(): number {
        return this._isMoving ? this._displacement : 0;
    }

    /** Writes the mean of the places at the last rendered frame and now, x y z [m]. */
    readCentres(from: Float64Array, to: Float64Array): void {
        from.fill(0);
        to.fill(0);
        const count = this.to.length / 3;
        for (let i = 0; i < this.to.length; i++) {
            from[i % 3] += this.from[i] / count;
            to[i % 3] += this.to[i] / count;
        }
    }

    /**
     * Writes the way of the place that has moved farthest since the last rendered frame, x y z [m].
     * @param frame motion of an anchor, a map of simulation space: relative to that
     */
    readMotion(target: Float64Array, frame: Affine | null = null): void {
        const { from, to, _farthest: q } = this;
        for (let c = 0; c < 3; c++) point[c] = from[q + c];
        if (frame) transformPoint(frame, from, q, point, 0);
        for (let c = 0; c < 3; c++) target[c] = this._isMoving || frame ? to[q + c] - point[c] : 0;
    }

    /** Lets a step pass in which the body is carried along at rest. */
    skipStep({ fraction }: Pick<Clock, "fraction">): void {
        const { from, to, _stepFrom: stepFrom, _stepTo: stepTo } = this;
        stepFrom.set(stepTo);
        for (let q = 0; q < to.length; q++) stepTo[q] = from[q] + (to[q] - from[q]) * fraction;
        this._isSettled = false;
    }

    /** True if the frame has moved since the last rendered frame. */
    get isMoving(): boolean {
        return this._isMoving;
    }

    /** True if the particles neither move in this step nor have to be placed. */
    get isSettled(): boolean {
        return this._isSettled && this.carrierMass === 0;
    }

    private _measureDisplacement(): void {
        const { from, to } = this;
        let squared = 0;
        for (let q = 0; q < to.length; q += 3) {
            const x = to[q] - from[q],
                y = to[q + 1] - from[q + 1],
                z = to[q + 2] - from[q + 2];
            if (x * x + y * y + z * z <= squared) continue;
            squared = x * x + y * y + z * z;
            this._farthest = q;
        }
        this._displacement = Math.sqrt(squared);
    }

    /** Adds the places' ways between the last step and the last frame, and in that step. @param sums x y z each [m], and count */
    addWays(sums: Float64Array): void {
        const { from, _stepFrom: stepFrom, _stepTo: stepTo } = this;
        for (let q = 0; q < from.length; q++) {
            sums[q % 3] += from[q] - stepTo[q];
            sums[3 + (q % 3)] += stepTo[q] - stepFrom[q];
        }
        sums[6] += from.length / 3;
    }

    /** Forgets where the particles have been: they are at their places of this frame, without motion. */
    teleport(): void {
        for (const past of [this.from, this._stepFrom, this._stepTo]) past.set(this.to);
        this.dynamicCarrier?.reset();
        this._isMoving = this._isSettled = false;
    }

    /** Carries along where the particles have been, as their body is carried. @param motion affine map of simulation space */
    carry(motion: Affine): void {
        for (const past of [this.from, this._stepFrom, this._stepTo])
            for (let i = 0; i < past.length; i += 3) transformPoint(motion, past, i, past, i);
        this._isMoving = !areEqual(this.from, this.to);
        this._isSettled = false;
        this._measureDisplacement();
    }

    /** Resets the pins after a teleport of the body, at rest; pins that follow a frame are attached anew. */
    restart(): void {}

    /** Begins a step that ends where the clock says within this frame's motion: particles go back to where the last step left them. */
    beginStep(state: BodyState, clock: Pick<Clock, "fraction">, settings: Substeps): void {
        if (this._isSettled) return;
        const { from, to, _stepFrom: stepFrom, _stepTo: stepTo, dynamicCarrier: drift } = this;
        stepFrom.set(stepTo);
        const fraction = drift ? drift.beginStep(clock.fraction, settings) : clock.fraction;
        for (let q = 0; q < to.length; q++) stepTo[q] = from[q] + (to[q] - from[q]) * fraction;
        this._place(state, stepFrom, drift);
    }

    /** Puts the particles where they are after `done` of `count` substeps. */
    moveToSubstep(state: BodyState, done: number, count: number): void {
        if (this._isSettled) return;
        const fraction = done / count;
        const x = state.positions;
        const { particles, _owned: own, _stepFrom: from, _stepTo: to, dynamicCarrier: drift } = this;
        drift?.advance(done, count);
        for (let i = 0; i < own.length; i++) {
            this._readPlace(own[i], from, to, fraction);
            const o = rowOf(particles[own[i]]);
            for (let c = 0; c < 3; c++) x[o + c] = point[c];
        }
        if (done === count && !drift) this._isSettled = !this._isMoving && areEqual(from, to) && areEqual(to, this.to);
    }

    /** Writes where one of the places is at a fraction of the step. */
    private _readPlace(index: number, from: Float64Array, to: Float64Array, fraction: number): void {
        const q = 3 * index;
        for (let c = 0; c < 3; c++) point[c] = from[q + c] + (to[q + c] - from[q + c]) * fraction;
        this.dynamicCarrier?.movePoint(point, 0);
    }

    /**
     * Ends substep `done` of `count`: what carries the particles is pulled by what constraints and contacts have done to them since
     * {@link moveTo}, gives way, and they are at their places. Only where something can be pulled, and particles have masses.
     */
    accumulateReaction({ positions: x, inverseMasses }: BodyState, done: number, count: number): void {
        const { particles, _owned: own, _stepFrom: from, _stepTo: to, dynamicCarrier: drift } = this;
        for (let i = 0; i < own.length; i++) {
            const o = rowOf(particles[own[i]]);
            const w = inverseMasses[particles[own[i]]];
            this._readPlace(own[i], from, to, done / count);
            // As the positions are: in 32 bits, being at the place is no pull.
            for (let c = 0; c < 3; c++) reaction[c] = w > 0 ? (x[o + c] - Math.fround(point[c])) / w : 0;
            drift!.readArm(point, arm);
            drift!.addPull(arm, reaction);
        }
        drift!.endSubstep();
        for (let i = 0; i < own.length; i++) {
            const o = rowOf(particles[own[i]]);
            this._readPlace(own[i], from, to, done / count);
            for (let c = 0; c < 3; c++) x[o + c] = point[c];
        }
    }

    /** Points at which the set may pull its node, shape [n, 3]. */
    reactionPoints(_state: BodyState): Float64Array {
        return this.to;
    }

    /** Removes a share of the node's rotation, see DynamicCarrier. */
    dampCarrierRotation(share: number): void {
        this.dynamicCarrier!.dampRotation(share);
    }

    /** Puts the particles where they are at the frame's end. */
    moveToFrameEnd(state: BodyState): void {
        this.dynamicCarrier!.end();
        this._place(state, this.to, this.dynamicCarrier);
    }

    /** Mean velocity of the place of one of {@link ownedIndices} in this step, along an axis [m/s]. */
    velocity(k: number, c: number, step: number): number {
        const q = 3 * this._owned[k] + c;
        return (this._stepTo[q] - this._stepFrom[q]) / step;
    }

    /**
     * Reads the place of one of {@link ownedIndices} as it is drawn and as it is now.
     * @param target slot 6 says where the drawn state is between the start (0) and the end (1) of the last step; written are x y z of both [m]
     */
    readRenderPlaces(k: number, target: Float64Array): void {
        const { _stepFrom: stepFrom, _stepTo: stepTo } = this;
        const to = this._renderTargets ?? this.to;
        const q = 3 * this._owned[k];
        for (let c = 0; c < 3; c++) {
            target[c] = stepFrom[q + c] + (stepTo[q + c] - stepFrom[q + c]) * target[6];
            target[3 + c] = to[q + c];
        }
    }

    /** Motion of the drawn state of all particles, if the set tells it; null: pins carry the body as a whole. */
    readonly drawing: SkinDrawing | null = null;

    /** Puts the particles of a drawn state where their frame is now. @param positions shape [n, 4] */
    placeForRender(positions: Float32Array): void {
        const { particles, _owned: own } = this;
        const to = this._renderTargets ?? this.to;
        for (let i = 0; i < own.length; i++) {
            const o = rowOf(particles[own[i]]);
            for (let c = 0; c < 3; c++) positions[o + c] = to[3 * own[i] + c];
        }
    }

    /** Puts the particles where their frame is now, for what reads the state between two steps. Their speed stays. */
    placeNow(state: BodyState): void {
        if (!this._isSettled) this._place(state, this.to);
    }

    /** Ends substep `done` of `count`, after constraints and contacts. */
    endSubstep(_state: BodyState, _done: number, _count: number): void {}

    /** Puts the particles at `places`. Their speed stays: what is past moves along. */
    protected _place(state: BodyState, places: Float64Array, drift: DynamicCarrier | null = null): void {
        const { positions: x, previous, stepStart } = state;
        const { particles, _owned: own } = this;
        for (let i = 0; i < own.length; i++) {
            const q = 3 * own[i];
            const o = rowOf(particles[own[i]]);
            point[0] = places[q];
            point[1] = places[q + 1];
            point[2] = places[q + 2];
            drift?.movePoint(point, 0);
            for (let c = 0; c < 3; c++) {
                previous[o + c] += point[c] - x[o + c];
                stepStart[o + c] = x[o + c] = point[c];
            }
        }
    }

    /** Frees its memory, if it has any. Idempotent. */
    release(): void {}

    /** Follows a move of the origin by (dx, dy, dz). */
    rebase(dx: number, dy: number, dz: number): void {
        this._isPlaced = this._isSettled = false;
        this.dynamicCarrier?.rebase(dx, dy, dz);
        const by = [dx, dy, dz];
        for (const array of [this.from, this.to, this._stepFrom, this._stepTo])
            for (let q = 0; q < array.length; q++) array[q] -= by[q % 3];
    }
}
