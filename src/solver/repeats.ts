import { Uniform } from "../kernels/arrays";
import type { Kernels } from "../kernels/kernels";
import type { Sticks } from "./constraints/sticks";
import type { Fabric } from "./fabric";
import type { ClothState } from "./state";

/** A stick longer than its rest length by this share asks for more passes. */
const LARGEST_STRETCH = 0.1;
/** A pass is taken back where the largest stretch would then still be below this. */
const SAFE_STRETCH = 0.08;
/** Most repeated passes of a substep. */
const MOST_REPEATS = 24;
/** Steps in which all sticks are looked at once. */
const WINDOWS = 4;
/** Steps that more passes are given to show in all windows. */
const EFFECT = 2;
/** Steps before passes are taken back: what has been stirred comes to rest first… */
const PATIENCE = 30;
/** …and how many times longer the next time, when they had to be given again. */
const LESSON = 4;

const LARGEST_RATIO = (1 + LARGEST_STRETCH) ** 2;

/**
 * How many passes a substep repeats: none as long as one pass holds the sticks, which it does on cloth that hangs from pins at
 * most resolutions; more where a mesh is large for its substeps: short edges, long ways from a pin, heaps. A quarter of the
 * structural sticks is measured after every step; the count doubles while one is stretched too far, and sinks
 * where the rest will do, more and more slowly where it would not. (Sinking as fast as it rises, it hunts: a light solid then rocks at 1 m/s for ever.) A fabric that
 * may stretch is left to.
 */
export class Repeats {
    /** Passes repeated in each substep. */
    count = 0;
    private _window = 0;
    /** Steps since the count last changed, and the largest squared ratio of lengths in them. */
    private _since = 0;
    private _patience = PATIENCE;
    /** Whether the last change took passes back. */
    private _isTrial = false;
    private _largest = 0;

    /** Forgets what it has seen, as of a cloth that begins anew. */
    reset(): void {
        this._set(0, false);
        this._patience = PATIENCE;
        this._window = 0;
    }

    /** Looks at the next window of sticks after a step. */
    watch(kernels: Kernels, state: ClothState, sticks: Sticks, fabric: Fabric): void {
        if (fabric.stretchStiffness !== Infinity) {
            this.reset();
            return;
        }
        const { stickCount } = sticks;
        const start = (Math.floor((stickCount * this._window) / WINDOWS) >> 2) << 2;
        const end = (Math.floor((stickCount * (this._window + 1)) / WINDOWS) >> 2) << 2;
        kernels.measureStretch(state, sticks, start, end);
        const ratio = state.uniforms[Uniform.stretch];
        this._window = (this._window + 1) % WINDOWS;
        if (ratio > this._largest) this._largest = ratio;
        this._since++;
        if (ratio > LARGEST_RATIO && this._since > EFFECT) {
            if (this._isTrial) this._patience *= LESSON;
            this._set(Math.min(MOST_REPEATS, Math.max(1, 2 * this.count)), false);
        } else if (this.count > 0 && this._since >= this._patience) {
            this._set(this._spare(), true);
        }
    }

    private _set(count: number, isTrial: boolean): void {
        this._isTrial = isTrial && count < this.count;
        this.count = count;
        this._since = this._largest = 0;
    }

    /** Half as many or one less, where that is likely to do; stretch goes with the passes, or falls less. */
    private _spare(): number {
        const stretch = Math.sqrt(this._largest) - 1;
        const half = this.count >> 1;
        if ((stretch * (this.count + 1)) / (half + 1) < SAFE_STRETCH) return half;
        return (stretch * (this.count + 1)) / this.count < SAFE_STRETCH ? this.count - 1 : this.count;
    }
}
