import { Uniform } from "../../../kernels/layout";
import type { Kernels } from "../../../kernels/kernelTable";
import type { ClothSettings } from "../../state/settings";
import type { BodyState } from "../../state/state";
import type { Bounds } from "./bounds";
import type { Collider } from "../shapes/collider";
import { insertByPriority } from "../response/contactPriority";

/** Of fewer colliders all are asked in each step. */
const MIN_COLLIDERS = 16;
/** A neighbourhood reaches so far beyond the particles ... */
const KEEP_DISTANCE = 2;
/** ... and is measured anew where a frame begins with less [m]. */
const REMEASURE_DISTANCE = 1;

/** What is asked of a body. */
export interface CulledBody {
    readonly kernels: Kernels;
    readonly state: BodyState;
    readonly settings: ClothSettings;
    readonly colliders: Collider[];
}

/**
 * The colliders of a body that are far and rest: beyond a *neighbourhood* of metres about its particles. They are not among its own, so no step asks
 * them, until they move or the body has come nearer. What moves in the neighbourhood is found step by step, see reach.ts.
 */
export class ColliderCulling {
    private readonly _colliders: Collider[] = [];
    /** What is kept from them beside the thickness [m], and in which step they were set aside. */
    private readonly _margins: number[] = [];
    private readonly _culledSince: number[] = [];
    /** Smallest x y z 0, largest x y z 0, simulation space [m]. */
    private readonly _keepBounds: Bounds = new Float32Array(8);
    /** The body's when the frame began [m]. */
    private _thickness = NaN;
    /** Steps so far. */
    private _stepCount = 0;

    /** How many there are. */
    get count(): number {
        return this._colliders.length;
    }

    /** Adds a collider to a body's own, in their order. */
    add(collider: Collider, colliders: Collider[]): void {
        insertByPriority(collider, colliders, colliders.length);
    }

    /** Begins a frame, whose places have been told: sets aside what is far, and takes back what is to be asked. */
    beginFrame(body: CulledBody): void {
        const { colliders, kernels, state, settings } = body;
        if (this.count + colliders.length < MIN_COLLIDERS && this.count === 0) return;
        kernels.measureBounds(state);
        const isThicker = settings.fabric.thickness > this._thickness;
        this._thickness = settings.fabric.thickness;
        if (isThicker || !this._contains(state.uniforms, Uniform.minimum, REMEASURE_DISTANCE)) {
            this.restoreAll(colliders);
            this._measureKeepBounds(state);
        }
        for (let i = this.count - 1; i >= 0; i--) {
            const { isIdle, settings: now } = this._colliders[i];
            if (!isIdle || now.margin !== this._margins[i]) this._restore(i, colliders);
        }
        // Of what is no number nothing is known.
        if (this._contains(state.uniforms, Uniform.minimum, REMEASURE_DISTANCE)) this._cull(body);
    }

    beginStep(): void {
        this._stepCount++;
    }

    /** The particles may come anywhere in a box in a step: takes all back where that leads out of the neighbourhood. @param box from slot `o` on, as {@link Bounds} */
    restoreIfOutside(box: Float32Array, o: number, colliders: Collider[]): void {
        if (this.count > 0 && !this._contains(box, o, 0)) this.restoreAll(colliders);
    }

    /** Takes all back: they are the body's as others are. */
    restoreAll(colliders: Collider[]): void {
        while (this.count > 0) this._restore(this.count - 1, colliders);
    }

    /** Frees the memory of all. */
    release(): void {
        for (const collider of this._colliders) collider.release();
        this._colliders.length = 0;
    }

    private _cull({ colliders, settings: { fabric } }: CulledBody): void {
        let kept = 0;
        for (let i = 0; i < colliders.length; i++) {
            const collider = colliders[i];
            // One stays, so that who asks whether there are any sees it.
            const isLeft = kept === 0 && i === colliders.length - 1;
            if (isLeft || !collider.canBeCulled(this._keepBounds, fabric)) {
                colliders[kept++] = collider;
            } else {
                collider.isNear = false;
                this._colliders.push(collider);
                this._margins.push(collider.settings.margin);
                this._culledSince.push(this._stepCount);
            }
        }
        colliders.length = kept;
    }

    private _restore(index: number, colliders: Collider[]): void {
        const collider = this._colliders[index];
        collider.endCulling(this._stepCount - this._culledSince[index]);
        for (const list of [this._colliders, this._margins, this._culledSince] as unknown[][]) {
            list[index] = list[list.length - 1];
            list.pop();
        }
        insertByPriority(collider, colliders, colliders.length);
    }

    /** Whether a box is so far within the neighbourhood [m]. */
    private _contains(box: Float32Array, o: number, distance: number): boolean {
        const { _keepBounds: wide } = this;
        for (let c = 0; c < 3; c++)
            if (!(box[o + c] >= wide[c] + distance && box[o + 4 + c] <= wide[4 + c] - distance)) return false;
        return true;
    }

    private _measureKeepBounds({ uniforms }: BodyState): void {
        for (let c = 0; c < 3; c++) {
            this._keepBounds[c] = uniforms[Uniform.minimum + c] - KEEP_DISTANCE;
            this._keepBounds[4 + c] = uniforms[Uniform.maximum + c] + KEEP_DISTANCE;
        }
    }
}
