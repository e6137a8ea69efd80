/*
 * Motion of a body relative to an anchor: a vehicle, a lift, a wearer. The state stays in the world. Before each step, with the coming
 * step's motion of the anchor x → M x, the last one's B, and displacements per substep d of n,
 *
 *     u = d - (x - B⁻¹ x) / n                          relative to the anchor
 *     d += (1 - linear) (w' - w) / n                   w, w': displacement of the anchor's place in the last and in the coming step
 *     d += (1 - angular) ((R - 1) u + (T' - T) / n)    T, T': what its rotation adds to that at x; R: rotation of M
 *     d = M x - x + kept (d - (M x - x))               in place of kept d: damping relative to the anchor
 *
 * With both shares 0 the body moves as if the anchor stood still (Unity's and Magica Cloth's "world inertia"); with 1 it feels it all.
 */
import { ROW, rowOf, Uniform } from "../../kernels/layout";
import { identity, invert, isIdentity, multiply, relativeToOrigin, setIdentity, transformPoint } from "../math/affine";
import type { Affine } from "../math/affine";
import type { Air } from "../forces/air";
import type { BodyState } from "../state/state";
import type { PinSet } from "../attachments/pinSet";
import type { ClothSettings } from "../state/settings";
import type { Clock } from "../time/clock";
import { angleOfMotion, shareBeyond } from "../math/rigidMotion";
import { AnchorMotion } from "./anchorMotion";
import type { FrameSettings, SuddennessLimit } from "./anchorMotion";

/** A body that rides on an anchor. */
export interface RidingBody {
    readonly state: BodyState;
    readonly settings: ClothSettings;
    readonly clock: Clock;
    readonly pins: readonly PinSet[];
    readonly hasAir: boolean;
    /** World position of simulation space's origin [m]. */
    readonly origin: ArrayLike<number>;
    readonly sleep: Resting;
    accumulatedMotion: number;
}

/** Sleep that goes along. */
interface Resting {
    /** Follows the anchor's motion, a map of simulation space. */
    carry(motion: Affine, particleCount: number): void;
}

/** Within a call: maps of simulation space, a product, and two points [m]. */
const [coming, back, product] = [identity(), identity(), identity()];
const [place, moved] = [new Float64Array(3), new Float64Array(3)];

/** Effect of an anchor's motion on one body. */
export class Inertia extends AnchorMotion {
    /** Largest displacement of a particle relative to the anchor in the last step [m]. */
    relativeMotion = 0;
    /** Length of the last step [s]; 0: none. */
    private _stepSeconds = 0;
    /** True until the body has the anchor's velocity. */
    private _isNew = true;
    private _hasBegun = false;
    /** True in the first frame of a new body whose anchor has moved since: see {@link beginFrameOf}. */
    isArriving = false;
    /** False in a step of a sudden pose of the anchor. */
    private _isFelt = true;
    /** World places of the particles when the body came to rest [m], shape [n, 3], null: awake; and its motion since. */
    private _restPlaces: Float64Array | null = null;
    private readonly _sinceRest = identity();

    /**
     * Begins a frame, see {@link AnchorMotion.beginFrame}. What the anchor does between the body's attachment and its first frame may be its placement, or a part of a ride:
     * the body is to be brought there as in a jump while no time passes, and with the next frame gets the velocity that the anchor then has.
     * @param time for which the body has run [s]
     */
    beginFrameOf(time: number, world: ArrayLike<number>, limit: SuddennessLimit, settings: FrameSettings): boolean {
        if (time > 0 && !this._hasBegun) this._isNew = false;
        const isFirst = !this._hasBegun;
        this._hasBegun = true;
        const isJump = this.beginFrame(world, limit, settings);
        this.isArriving = isFirst && this._isNew && this.isMoving;
        return isJump;
    }

    /** The body was carried along, by a motion that is about a first share of this frame's. */
    dropMotion(motion: Affine, share: number): void {
        multiply(this._sinceRest, motion, product);
        this._sinceRest.set(product);
        this._dropShare(share);
    }

    override teleport(): void {
        this._restPlaces = null;
        super.teleport();
    }

    /** Begins a step: what the anchor does in it, and what the body feels of that. To be called once the uniforms are written. */
    beginStep(body: RidingBody): void {
        const { clock, settings, state, origin } = body;
        const { fixedTimeStep, substepCount } = settings;
        const isFirst = this._stepSeconds === 0;
        this._restPlaces = null;
        this._isFelt = this._unfeltSteps === 0;
        if (!this._isFelt) this._unfeltSteps--;
        writeInverse(this.lastStep, origin);
        const backScale = isFirst ? 0 : fixedTimeStep / this._stepSeconds;
        this._advance(clock.fraction);
        this._stepSeconds = fixedTimeStep;
        relativeToOrigin(this.lastStep, origin, coming);
        for (let c = 0; c < 3; c++) place[c] = this._stepPath.from[c] - origin[c];
        // Attached to what moves already, it has moved with it.
        if (isFirst && this._isNew) this._takeVelocity(state, 1 / substepCount);
        this._isNew = false;
        if (!isFirst) this._changeVelocities(state, backScale / substepCount, 1 / substepCount);
        // In air, damping of the fabric leaves a free body's mean motion alone; see excludeMeanFromDamping.
        if (body.pins.length > 0 || !body.hasAir) this._damp(state, substepCount);
    }

    /** Adds the anchor's velocity in the coming step. */
    private _takeVelocity(state: BodyState, share: number): void {
        const { positions: x, previous: p, residuals: r, inverseMasses, particleCount } = state;
        for (let i = 0, o = 0; i < particleCount; i++, o += ROW) {
            if (inverseMasses[i] === 0) continue;
            transformPoint(coming, x, o, moved, 0);
            for (let c = 0; c < 3; c++)
                state.setDisplacement(o + c, x[o + c] - p[o + c] + r[o + c] + (moved[c] - x[o + c]) * share);
        }
    }

    /** Adds what the body does not feel of the change of the anchor's motion. */
    private _changeVelocities(state: BodyState, backShare: number, share: number): void {
        const linear = this._isFelt ? 1 - this.settings.linear : 1;
        const angular = this._isFelt ? 1 - this.settings.angular : 1;
        if ((linear === 0 && angular === 0) || (isIdentity(coming) && isIdentity(back))) return;
        const { positions: x, previous: p, residuals: r, inverseMasses, particleCount } = state;
        // What the place does, and did.
        transformPoint(coming, place, 0, moved, 0);
        const ax = (moved[0] - place[0]) * share;
        const ay = (moved[1] - place[1]) * share;
        const az = (moved[2] - place[2]) * share;
        transformPoint(back, place, 0, moved, 0);
        const bx = (place[0] - moved[0]) * backShare;
        const by = (place[1] - moved[1]) * backShare;
        const bz = (place[2] - moved[2]) * backShare;
        const m = coming;
        for (let i = 0, o = 0; i < particleCount; i++, o += ROW) {
            if (inverseMasses[i] === 0) continue;
            transformPoint(back, x, o, moved, 0);
            const wx = (x[o] - moved[0]) * backShare;
            const wy = (x[o + 1] - moved[1]) * backShare;
            const wz = (x[o + 2] - moved[2]) * backShare;
            const dx = x[o] - p[o] + r[o];
            const dy = x[o + 1] - p[o + 1] + r[o + 1];
            const dz = x[o + 2] - p[o + 2] + r[o + 2];
            const ux = dx - wx;
            const uy = dy - wy;
            const uz = dz - wz;
            transformPoint(m, x, o, moved, 0);
            const tx = (moved[0] - x[o]) * share - ax - wx + bx + ux * m[0] + uy * m[4] + uz * m[8] - ux;
            const ty = (moved[1] - x[o + 1]) * share - ay - wy + by + ux * m[1] + uy * m[5] + uz * m[9] - uy;
            const tz = (moved[2] - x[o + 2]) * share - az - wz + bz + ux * m[2] + uy * m[6] + uz * m[10] - uz;
            state.setDisplacement(o, dx + linear * (ax - bx) + angular * tx);
            state.setDisplacement(o + 1, dy + linear * (ay - by) + angular * ty);
            state.setDisplacement(o + 2, dz + linear * (az - bz) + angular * tz);
        }
    }

    /** Damps all of the step at once, relative to the anchor. */
    private _damp(state: BodyState, substepCount: number): void {
        const { uniforms } = state;
        let kept = 1;
        for (let s = 0; s < substepCount; s++) kept *= uniforms[Uniform.displacementFactor];
        uniforms[Uniform.displacementFactor] = 1;
        if (kept === 1) return;
        const { positions: x, previous: p, residuals: r, inverseMasses, particleCount } = state;
        for (let i = 0, o = 0; i < particleCount; i++, o += ROW) {
            if (inverseMasses[i] === 0) continue;
            transformPoint(coming, x, o, moved, 0);
            for (let c = 0; c < 3; c++) {
                const carried = (moved[c] - x[o + c]) / substepCount;
                state.setDisplacement(o + c, carried + kept * (x[o + c] - p[o + c] + r[o + c] - carried));
            }
        }
    }

    /** Adds the velocity of the air that goes along with the anchor, where there is any. */
    addAirVelocity({ airMotion }: Air, state: BodyState, seconds: number): void {
        // A sudden pose of the anchor blows no air through what comes along with it.
        const air = this._isFelt ? this.settings.air : 1;
        if (air === 0 || isIdentity(coming)) return;
        const { positions: x, particleCount } = state;
        for (let i = 0, o = 0; i < particleCount; i++, o += ROW) {
            transformPoint(coming, x, o, moved, 0);
            for (let c = 0; c < 3; c++) airMotion[o + c] += (air * (moved[c] - x[o + c])) / seconds;
        }
    }

    /** Measures motion relative to the anchor in the step that ends. */
    endStep({ state, origin, sleep }: RidingBody): void {
        if (!this.isMoving) {
            this.relativeMotion = state.motion;
            return;
        }
        relativeToOrigin(this.lastStep, origin, coming);
        const { positions: x, stepStart, particleCount } = state;
        let squared = 0;
        for (let o = 0, end = rowOf(particleCount); o < end; o += ROW) {
            transformPoint(coming, stepStart, o, moved, 0);
            const dx = x[o] - moved[0];
            const dy = x[o + 1] - moved[1];
            const dz = x[o + 2] - moved[2];
            squared = Math.max(squared, dx * dx + dy * dy + dz * dz);
        }
        // Below the rounding of the anchor's matrix nothing can be told.
        this.relativeMotion = Math.max(0, Math.sqrt(squared) - this.tolerance);
        sleep.carry(coming, particleCount);
    }

    /** Carries a body at rest along through the steps of this frame. */
    carry(body: RidingBody): void {
        const { settings, clock, pins } = body;
        if (clock.steps === 0) return;
        if (!this._restPlaces) this._beginRest(body);
        for (let s = 1; s <= clock.steps; s++) {
            clock.beginStep(s, settings);
            for (let i = 0; i < pins.length; i++) pins[i].skipStep(clock);
            this._advance(clock.fraction);
            multiply(this._sinceRest, this.lastStep, product);
            this._sinceRest.set(product);
        }
        this._placeAtRest(body);
        this._stepSeconds = settings.fixedTimeStep;
        this.setVelocity(body);
        body.accumulatedMotion = Infinity;
    }

    /** Remembers where the particles come to rest: carried from there and not from step to step, they do not drift by rounding. */
    private _beginRest({ state: { positions: x, particleCount }, origin }: RidingBody): void {
        const places = (this._restPlaces = new Float64Array(3 * particleCount));
        for (let q = 0; q < places.length; q++) places[q] = x[rowOf(Math.floor(q / 3)) + (q % 3)] + origin[q % 3];
        setIdentity(this._sinceRest);
    }

    private _placeAtRest({ state: { positions: x, particleCount }, origin }: RidingBody): void {
        for (let i = 0, o = 0; i < particleCount; i++, o += ROW) {
            transformPoint(this._sinceRest, this._restPlaces!, 3 * i, moved, 0);
            for (let c = 0; c < 3; c++) x[o + c] = moved[c] - origin[c];
        }
    }

    /** Gives a body at rest the anchor's velocity in the last step, for when it wakes. */
    setVelocity({ state, origin, settings }: Pick<RidingBody, "state" | "origin" | "settings">): void {
        writeInverse(this.lastStep, origin);
        const { positions: x, stepStart, particleCount } = state;
        for (let o = 0, end = rowOf(particleCount); o < end; o += ROW) {
            transformPoint(back, x, o, moved, 0);
            for (let c = 0; c < 3; c++) {
                stepStart[o + c] = moved[c];
                state.setDisplacement(o + c, (x[o + c] - moved[c]) / settings.substepCount);
            }
        }
    }

    override shiftOrigin(by: readonly number[]): void {
        this._restPlaces = null;
        super.shiftOrigin(by);
    }

    override reset(): void {
        this._restPlaces = null;
        this._stepSeconds = this.relativeMotion = 0;
        this._isNew = true;
        super.reset();
    }
}

/** Writes the inverse of a map of the world, in simulation space, to {@link back}. */
function writeInverse(map: Affine, origin: ArrayLike<number>): void {
    relativeToOrigin(map, origin, product);
    if (!invert(product, back)) setIdentity(back);
}

/** The motion of what carries a body's pins in a frame. */
interface CarrierMotion {
    /** Distance that it goes [m]. */
    readonly distance: number;
    /** Writes all of it, a map of the world. @returns false if it has none */
    readMotion(target: Affine): boolean;
    /** The first part of it, null where it has none; valid until the next call. */
    readShare(share: number): Affine | null;
}

/**
 * Share of what is left of a frame in which a carrier goes beyond the maxima, and its motion in that share.
 * @param seconds time that is left of the frame
 * @param dropped share of the frame that was dropped before, with its motion
 * @param motion a map of the world, out; only where the result is above 0
 */
export function excessOfCarrier(
    carrier: CarrierMotion,
    { maxSpeed, maxAngularSpeed }: { readonly maxSpeed: number; readonly maxAngularSpeed: number },
    seconds: number,
    dropped: number,
    motion: Affine,
): number {
    if ((maxSpeed === Infinity && maxAngularSpeed === Infinity) || !carrier.readMotion(motion)) return 0;
    const left = 1 - dropped;
    const excess = Math.max(
        shareBeyond(carrier.distance * left, maxSpeed * seconds),
        shareBeyond(angleOfMotion(motion) * left, maxAngularSpeed * seconds),
    );
    const start = excess > 0 && carrier.readShare(dropped);
    if (!start || !invert(start, product)) return 0;
    const end = carrier.readShare(dropped + left * excess);
    if (!end) return 0;
    multiply(product, end, motion);
    return excess;
}
