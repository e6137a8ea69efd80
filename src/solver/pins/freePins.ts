import { identity, invert, transformPoint } from "../math/affine";
import type { Affine } from "../math/affine";
import { rowOf } from "../../kernels/layout";
import { grasp } from "./grasp";
import type { Grip } from "./grip";
import { PinSet } from "./pins";
import type { BodyState } from "../state";

/** Within a call. */
const toSimulation = identity();
const before = new Float64Array(3);
const now = new Float64Array(3);

/** What the particles are points of, and what draws them moves: see BodyHolds. */
export interface Embedding {
    /** Puts them where they would go. */
    begin(): void;
    note(particle: number, grasp: Float64Array): void;
}

/** Pins whose particles keep their masses: they are moved in every substep, and what moves them elsewhere is felt. */
export abstract class FreePins extends PinSet {
    override readonly isFast: boolean = false;
    /** See {@link Embedding}; null: they are particles of their own. */
    embedding: Embedding | null = null;

    /**
     * @param places that the frame carries, whatever the particles do, shape [n, 3]; null: where the particles are when they are grabbed
     * @param _grip null: it neither gives nor lets go
     */
    constructor(
        particles: Uint32Array,
        private readonly _carried: Float64Array | null = null,
        protected readonly _grip: Grip | null = null,
    ) {
        super(particles, _carried ? _carried.length / 3 : particles.length);
        if (_carried) this.offsets.set(_carried);
    }

    override grab(state: BodyState, toFrame: Affine): void {
        if (!this._carried) return super.grab(state, toFrame);
        if (!invert(toFrame, toSimulation)) return;
        const { offsets, to } = this;
        for (let q = 0; q < to.length; q += 3) transformPoint(toSimulation, offsets, q, to, q);
        this._forget();
    }

    override get heldCount(): number {
        return this._grip?.heldCount ?? this.particles.length;
    }

    override moveTo(state: BodyState, done: number, count: number): void {
        this.drift?.advance(done, count);
        this._draw(state, done, count);
        if (done === count && this._grip?.endStep(count)) this._lose();
    }

    /** Constraints and contacts have moved the particles: what they may not do by any force is undone. */
    override endSubstep(state: BodyState, done: number, count: number): void {
        if (!this._grip && !this.embedding) this._draw(state, done, count);
    }

    /** Draws the particles back to where they are held after `done` of `count` substeps, and what carries them towards them. */
    private _draw(state: BodyState, done: number, count: number): void {
        const { drift } = this;
        drift?.free.begin(this.particles.length);
        this.embedding?.begin();
        this._hold(state, done, count);
        drift?.free.giveWay(state.positions, drift);
    }

    /** {@link _take}s each particle that is not where it is held after `done` of `count` substeps. */
    protected _hold(_state: BodyState, _done: number, _count: number): void {}

    /** Draws back the `i`-th particle by {@link grasp}. */
    protected _take({ positions: x, inverseMasses }: BodyState, i: number): void {
        const { drift } = this;
        const o = rowOf(this.particles[i]);
        if (this.embedding) this.embedding.note(this.particles[i], grasp);
        else if (drift) drift.free.note(i, grasp, o, inverseMasses[this.particles[i]], x, drift);
        else for (let c = 0; c < 3; c++) x[o + c] -= grasp[c];
    }

    /** Writes where the places have what holds the `i`-th particle, x y z [m]. */
    protected _readAt(places: Float64Array, i: number, target: Float64Array): void {
        for (let c = 0; c < 3; c++) target[c] = places[3 * i + c];
    }

    override velocity(k: number, c: number, step: number): number {
        this._readAt(this._stepFrom, k, before);
        this._readAt(this._stepTo, k, now);
        return (now[c] - before[c]) / step;
    }

    /** They have masses: {@link FreePull} has told what they pull. */
    override feelPull(): void {}
    override end(): void {}

    /** Called when it has let particles go. */
    protected _lose(): void {}

    /** And what it has let go. */
    override copyMotion(): Float64Array {
        return Float64Array.of(...super.copyMotion(), ...(this._grip?.copy() ?? []));
    }

    override takeMotion(offsets: Float64Array, numbers: Float64Array): void {
        super.takeMotion(offsets, numbers);
        this._grip?.take(numbers);
        this._lose();
    }

    override continueFrom(before: PinSet, indices: Int32Array): void {
        if (this._carried && !this.isFirst) this._continueCarried(before);
        else super.continueFrom(before, indices);
        this._grip?.continueFrom((before as FreePins)._grip!, indices);
    }

    /** What the frame carries, whatever the particles do, is where it was. @param before see {@link continueFrom} */
    private _continueCarried(before: PinSet): void {
        const { length } = this.to;
        super.continueFrom(
            before,
            Int32Array.from({ length: length / 3 }, (_, k) => k),
        );
    }

    /** They hold nothing still, and leave alone what others do: that has no inverse mass. */
    override yieldTo(): void {}

    /** There is always something to do. */
    override get isSettled(): boolean {
        return false;
    }

    /** What they hold is drawn where it is. */
    override settle(): void {}
    override addLag(): void {}

    protected override _place(): void {}
}
