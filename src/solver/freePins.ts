import { identity, invert, transformPoint } from "./affine";
import type { Affine } from "./affine";
import { PinSet } from "./pins";
import type { BodyState } from "./state";

/** Within a call. */
const toSimulation = identity();

/** Pins whose particles keep their masses: they are moved in every substep, and what moves them elsewhere is felt. */
export abstract class FreePins extends PinSet {
    override readonly pulls: boolean = false;

    /** @param places that the frame carries, whatever the particles do, shape [n, 3]; null: where the particles are when they are grabbed */
    constructor(
        particles: Uint32Array,
        private readonly _carried: Float64Array | null = null,
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

    /** What the frame carries, whatever the particles do, is where it was. @param before see {@link continueFrom} */
    protected _continueCarried(before: PinSet): void {
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
