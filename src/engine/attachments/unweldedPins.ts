import { identity, invert, transformPoint } from "../math/affine";
import type { Affine } from "../math/affine";
import { rowOf } from "../../kernels/layout";
import { PinSet } from "./pinSet";
import { pinCorrection } from "./pinForce";
import type { PinForce } from "./pinForce";
import type { BodyState } from "../state/state";

/** Within a call. */
const toSimulation = identity();
const before = new Float64Array(3);
const now = new Float64Array(3);

/** Rigid motion that contains the particles as its points and takes their displacement: see PinConstraints. */
export interface Embedding {
    /** Puts them where they would go. */
    predict(): void;
    record(particle: number, grasp: Float64Array): void;
}

/** Pins whose particles keep their masses: they are moved in every substep, and what moves them elsewhere is felt. */
export abstract class UnweldedPins extends PinSet {
    override readonly isFixed: boolean = false;
    /** See {@link Embedding}; null: they are particles of their own. */
    embedding: Embedding | null = null;

    /**
     * @param places that the frame carries, whatever the particles do, shape [n, 3]; null: where the particles are when they are grabbed
     * @param _force null: it neither gives nor lets go
     */
    constructor(
        particles: Uint32Array,
        private readonly _carriedPoints: Float64Array | null = null,
        protected readonly _force: PinForce | null = null,
    ) {
        super(particles, _carriedPoints ? _carriedPoints.length / 3 : particles.length);
        if (_carriedPoints) this.offsets.set(_carriedPoints);
    }

    override attach(state: BodyState, toFrame: Affine, motion: Affine | null = null): void {
        if (!this._carriedPoints) return super.attach(state, toFrame, motion);
        if (!invert(toFrame, toSimulation)) return;
        const { offsets, to } = this;
        for (let q = 0; q < to.length; q += 3) transformPoint(toSimulation, offsets, q, to, q);
        this._resetHistory();
    }

    override get heldCount(): number {
        return this._force?.heldCount ?? this.particles.length;
    }

    override moveToSubstep(state: BodyState, done: number, count: number): void {
        this.dynamicCarrier?.advance(done, count);
        this._solve(state, done, count);
        if (done === count && this._force?.endStep(count)) this._onRelease();
    }

    /** Constraints and contacts have moved the particles: what they may not do by any force is undone. */
    override endSubstep(state: BodyState, done: number, count: number): void {
        if (!this._force && !this.embedding) this._solve(state, done, count);
    }

    /** Pulls the particles to their pinned positions after `done` of `count` substeps, and the node towards them. */
    private _solve(state: BodyState, done: number, count: number): void {
        const { dynamicCarrier: drift } = this;
        drift?.reaction.reset(this.particles.length);
        this.embedding?.predict();
        this._correctAll(state, done, count);
        drift?.reaction.solve(state.positions, drift);
    }

    /** {@link _applyCorrection}s each particle that is not where it is held after `done` of `count` substeps. */
    protected _correctAll(_state: BodyState, _done: number, _count: number): void {}

    /** Draws back the `i`-th particle by {@link pinCorrection}. */
    protected _applyCorrection({ positions: x, inverseMasses }: BodyState, i: number): void {
        const { dynamicCarrier: drift } = this;
        const o = rowOf(this.particles[i]);
        if (this.embedding) this.embedding.record(this.particles[i], pinCorrection);
        else if (drift) drift.reaction.record(i, pinCorrection, o, inverseMasses[this.particles[i]], x, drift);
        else for (let c = 0; c < 3; c++) x[o + c] -= pinCorrection[c];
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

    /** They have masses: {@link PinReaction} has told what they pull. */
    override accumulateReaction(): void {}
    override moveToFrameEnd(): void {}

    /** Called when it has let particles go. */
    protected _onRelease(): void {}

    /** And what it has let go. */
    override saveMotion(): Float64Array {
        return Float64Array.of(...super.saveMotion(), ...(this._force?.saveState() ?? []));
    }

    override restoreMotion(offsets: Float64Array, numbers: Float64Array): void {
        super.restoreMotion(offsets, numbers);
        this._force?.restoreState(numbers);
        this._onRelease();
    }

    override continueMotionOf(before: PinSet, indices: Int32Array): void {
        if (this._carriedPoints && !this.isProcessedFirst) this._continueCarriedPoints(before);
        else super.continueMotionOf(before, indices);
        this._force?.continueFrom((before as UnweldedPins)._force!, indices);
    }

    /** Continues the motion of the points that follow the frame, whatever the particles do. @param before see {@link continueMotionOf} */
    private _continueCarriedPoints(before: PinSet): void {
        const { length } = this.to;
        super.continueMotionOf(
            before,
            Int32Array.from({ length: length / 3 }, (_, k) => k),
        );
    }

    /** They hold nothing still, and leave alone what others do: that has no inverse mass. */
    override resolveOverlaps(): void {}

    /** There is always something to do. */
    override get isSettled(): boolean {
        return false;
    }

    /** Does nothing: the particles are rendered at their simulated positions. */
    override placeForRender(): void {}
    override placeNow(): void {}

    protected override _place(): void {}
}
