import { SHAKING_FACTOR, SHAKING_TIME, TIME_TO_SLEEP } from "../tunables";
import type { Kernels } from "../../kernels/kernelTable";
import { ROW, rowOf, Uniform } from "../../kernels/layout";
import type { Collider } from "../collision/shapes/collider";
import type { PinSet } from "../attachments/pinSet";
import { identity, relativeToOrigin, transformPoint } from "../math/affine";
import type { Affine } from "../math/affine";
import type { Inertia, RidingBody } from "./inertia";
import type { ClothSettings, WindField } from "../state/settings";
import type { BodyState } from "../state/state";

/** A body, as sleep uses it. */
interface SleepingBody {
    readonly kernels: Kernels;
    readonly settings: ClothSettings;
    readonly state: BodyState;
    readonly pins: readonly PinSet[];
    readonly colliders: readonly Collider[];
    readonly winds: readonly WindField[];
    readonly contactDamping: { readonly isTouched: boolean };
    readonly groupMember: { readonly hasMovingNeighbour: boolean } | null;
    /** World position of simulation space's origin [m]. */
    readonly origin: Float64Array;
    readonly inertia: Inertia | null;
}

/** Within a call: motion of a body's anchor in this frame, and the box that the body sweeps with it. */
const anchorMotion = identity();
const sweptBounds = new Float32Array(8);
const place = new Float64Array(3);

/**
 * The sleep of a body: one in which nothing has been faster than `sleepSpeed` for half a second, or, where it lies on something, has got anywhere in a second, and that neither wind nor a
 * moving pin, collider or other cloth acts upon, comes to rest and is not computed until something disturbs it.
 */
export class Sleep {
    private _isAsleep = false;
    /** For how long the body has been still [s]. */
    private _stillTime = 0;
    /** Positions when a particle last got too far [m]; in the body's layout. */
    private _stayPositions = new Float32Array();
    /** Time since then [s]. */
    private _stayTime = 0;
    /** The gravity that it came to rest in. */
    private readonly _gravity = new Float64Array(3);
    /** The box of the body at rest, as in shapes/collider.ts. */
    private readonly _bounds = new Float32Array(8);

    get isAsleep(): boolean {
        return this._isAsleep;
    }

    /** True if it sleeps, or would but for the forces on it. */
    get isStill(): boolean {
        return this._isAsleep || this._stillTime >= TIME_TO_SLEEP || this._stayTime > SHAKING_TIME;
    }

    /** Ends sleep, or falling asleep. */
    wake(): void {
        this._isAsleep = false;
        this._stillTime = this._stayTime = 0;
    }

    /** Saves its state as numbers, for {@link restoreState}. Both then measure anew from their present positions. */
    saveState(): Float64Array {
        this._stayTime = 0;
        return Float64Array.of(this._isAsleep ? 1 : 0, this._stillTime, ...this._gravity, ...this._bounds);
    }

    /** Goes on from what another knew. */
    restoreState(numbers: Float64Array): void {
        this._stayTime = 0;
        this._isAsleep = numbers[0] === 1;
        this._stillTime = numbers[1];
        this._gravity.set(numbers.subarray(2, 5));
        this._bounds.set(numbers.subarray(5, 13));
    }

    /** Watches the body after a step. */
    update(body: SleepingBody): void {
        const { settings, state } = body;
        const { fixedTimeStep, sleepSpeed, gravity } = settings;
        // A getter's result would be boxed.
        const motion = body.inertia ? body.inertia.relativeMotion : state.uniforms[Uniform.motion];
        const isStill = motion < sleepSpeed * fixedTimeStep;
        this._stillTime = isStill ? this._stillTime + fixedTimeStep : 0;
        this._updateStayTime(body);
        if (!this.isStill) return;
        this._measureBounds(body);
        if (this._isActedUpon(body)) return;
        this._isAsleep = true;
        this._gravity.set(gravity);
        state.stop();
        if (body.inertia?.isMoving) body.inertia.setVelocity(body);
    }

    /** True if the body sleeps on in a frame whose pins and colliders are known; else it wakes. */
    staysAsleep(body: SleepingBody): boolean {
        if (!this._isAsleep) return false;
        const { gravity } = body.settings;
        let isDisturbed = this._isActedUpon(body);
        for (let c = 0; c < 3; c++) isDisturbed ||= gravity[c] !== this._gravity[c];
        if (isDisturbed) this.wake();
        return !isDisturbed;
    }

    /** Measures for how long a body that touches something has been where it is, however fast it shakes there. */
    private _updateStayTime({ contactDamping: { isTouched }, settings, state }: SleepingBody): void {
        if (!isTouched || settings.sleepSpeed === 0) {
            this._stayTime = 0;
            return;
        }
        const x = state.positions;
        if (this._stayTime === 0 || haveMoved(x, this._stayPositions, settings)) {
            if (this._stayPositions.length !== x.length) this._stayPositions = new Float32Array(x.length);
            this._stayPositions.set(x);
            this._stayTime = 0;
        }
        this._stayTime += settings.fixedTimeStep;
    }

    /** Goes along with the anchor through this frame. */
    ride(body: SleepingBody & RidingBody): void {
        body.inertia!.carry(body);
        this._measureBounds(body);
    }

    /** Follows what carries the body along. @param motion map of simulation space */
    carry(motion: Affine, particleCount: number): void {
        if (this._stayTime === 0) return;
        const { _stayPositions: x } = this;
        for (let o = 0, end = rowOf(particleCount); o < end; o += ROW) transformPoint(motion, x, o, x, o);
    }

    /** Follows a move of the origin by (dx, dy, dz). */
    rebase(dx: number, dy: number, dz: number): void {
        const shift = [dx, dy, dz];
        for (let c = 0; c < 3; c++) this._bounds[c] -= shift[c];
        for (let c = 0; c < 3; c++) this._bounds[4 + c] -= shift[c];
        this._stayTime = 0;
    }

    /** Measures the box of the body at rest. */
    private _measureBounds({ kernels, state }: SleepingBody): void {
        kernels.measureBounds(state);
        for (let i = 0; i < 8; i++) this._bounds[i] = state.uniforms[Uniform.minimum + i];
    }

    private _isActedUpon(body: SleepingBody): boolean {
        const { settings, pins, colliders, winds, origin, inertia, groupMember: companion } = body;
        if (companion?.hasMovingNeighbour) return true;
        if (settings.wind && this._isInWind(settings.wind, origin)) return true;
        for (let i = 0; i < winds.length; i++) if (this._isInWind(winds[i], origin)) return true;
        const anchor = inertia?.isMoving ? inertia : null;
        if (anchor && !anchor.isSteady) return true;
        if (anchor) {
            relativeToOrigin(anchor.frame, origin, anchorMotion);
            sweepBox(this._bounds, anchorMotion, sweptBounds);
        }
        const bounds = anchor ? sweptBounds : this._bounds;
        for (let i = 0; i < pins.length; i++) {
            const isMoving = anchor ? deviates(pins[i], anchorMotion, anchor.tolerance) : pins[i].isMoving;
            if (isMoving || pins[i].carrierMass > 0) return true;
        }
        for (let i = 0; i < colliders.length; i++) {
            if (anchor && colliders[i].goesWith(anchorMotion, anchor.tolerance)) continue;
            if (colliders[i].mayDisturb(bounds, settings.fabric, anchor !== null)) return true;
        }
        return false;
    }

    private _isInWind(wind: WindField, origin: Float64Array): boolean {
        const { zone } = wind;
        return wind.isActive && (!zone || (zone.isPlaced && zone.mayOverlap(this._bounds, origin)));
    }
}

/** True if a coordinate is farther from its old value than shaking takes it. A distance as an argument would be boxed. */
function haveMoved(x: Float32Array, from: Float32Array, { sleepSpeed }: ClothSettings): boolean {
    const distance = SHAKING_FACTOR * SHAKING_TIME * sleepSpeed;
    // Of what is no number, too.
    for (let o = 0; o < x.length; o++) if (!(Math.abs(x[o] - from[o]) <= distance)) return true;
    return false;
}

/** True if a pinned place moves by more than a tolerance [m] relative to an anchor. @param motion of that, a map of simulation space */
function deviates({ from, to }: PinSet, motion: Affine, tolerance: number): boolean {
    for (let q = 0; q < to.length; q += 3) {
        transformPoint(motion, from, q, place, 0);
        const x = to[q] - place[0];
        const y = to[q + 1] - place[1];
        const z = to[q + 2] - place[2];
        if (!(x * x + y * y + z * z <= tolerance * tolerance)) return true;
    }
    return false;
}

/** Writes the box about a box and its image under a motion. */
function sweepBox(box: Float32Array, motion: Affine, target: Float32Array): void {
    for (let c = 0; c < 3; c++) {
        let middle = motion[12 + c];
        let half = 0;
        for (let k = 0; k < 3; k++) {
            middle += ((box[k] + box[4 + k]) / 2) * motion[4 * k + c];
            half += ((box[4 + k] - box[k]) / 2) * Math.abs(motion[4 * k + c]);
        }
        target[c] = Math.min(box[c], middle - half);
        target[4 + c] = Math.max(box[4 + c], middle + half);
    }
}
