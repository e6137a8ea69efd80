/**
 * What takes the impulses of a collider's contacts: a body that someone else moves, between frames. Within a frame it gives way as the
 * impulses have it: it *drifts* from where its pose says. Without that they would answer to where it was half a frame ago, and whatever
 * rests on cloth would be thrown higher and higher.
 *
 *     cloth   ╲__╱ drift        The engine hears of the impulses at the frame's end: its body then has their velocity, and lacks the
 *     engine  ╲              drift. So it is *lent* drift / frame of velocity, for one frame, in which the drift goes away: body and
 *              ╲╱             collider meet at its end. What would fall back instead, deeper into the cloth, gains energy.
 */
import { Contact } from "../../kernels/contactLayout";
import { turn } from "../math/affine";
import type { Affine } from "../math/affine";
import type { Clock, Substeps } from "../time/clock";

export class Taker {
    /** What impulses add to the drift in this substep: displacement x y z [m], turn about the collider's centre x y z [rad]. */
    readonly driftStep = new Float64Array(6);
    private readonly _drift = new Float64Array(6);
    /** What of it is of the last frame, and over how many substeps, of how many, it goes away. */
    private readonly _old = new Float64Array(6);
    private readonly _fresh = new Float64Array(6);
    private _left = 0;
    private _count = 0;
    /** What it is lent: impulse x y z [N s], its moment x y z [N m s]. */
    private readonly _lent = new Float64Array(6);
    /** See Clock.engineSeconds, enginePace. */
    engineSeconds = 1;
    enginePace = 1;

    /** @param _mass see {@link mass} */
    constructor(
        private _mass: number,
        /** Mean square of its radii of gyration [m²], > 0. */
        public gyration: number,
    ) {}

    /** Its mass [kg], > 0. Where that changes, what was lent is a velocity, which it keeps. */
    get mass(): number {
        return this._mass;
    }
    set mass(value: number) {
        const factor = value / this._mass;
        this._mass = value;
        if (factor !== 1) for (let c = 0; c < 6; c++) this._lent[c] *= factor;
    }

    /** Begins a frame of the clock's steps of so many substeps. */
    beginFrame({ steps, engineSeconds, enginePace }: Clock, substepCount: number): void {
        this._left = this._count = steps * substepCount;
        if (steps === 0) return;
        this.engineSeconds = engineSeconds;
        this.enginePace = enginePace;
        this._old.set(this._drift);
        this._fresh.fill(0);
    }

    /** The rest of the frame is in substeps so many times as long: impulses are told as mass times the way of one. */
    changeSubstep(data: Float32Array, factor: number): void {
        this._left /= factor;
        this._count /= factor;
        for (let c = 0; c < 3; c++) {
            data[Contact.push + c] *= factor;
            data[Contact.twist + c] *= factor;
        }
    }

    /** Begins a substep, after the impulses that the collider's data have. */
    advance(data: Float32Array): void {
        const { mass, gyration, _drift: drift, _old: old, _fresh: fresh, driftStep } = this;
        this._left = Math.max(0, this._left - 1);
        const share = this._count > 0 ? this._left / this._count : 0;
        for (let c = 0; c < 3; c++) {
            driftStep[c] = -data[Contact.push + c] / mass;
            driftStep[3 + c] = -data[Contact.twist + c] / (mass * gyration);
        }
        for (let c = 0; c < 6; c++) {
            fresh[c] += driftStep[c];
            drift[c] = old[c] * share + fresh[c];
        }
    }

    /** Begins anew with the cloth: its drift, and what it was lent for it, belong to the motion before. */
    forget(): void {
        for (const sums of [this._drift, this._old, this._fresh, this._lent]) sums.fill(0);
    }

    /** Moves a pose along. */
    move(pose: Affine): void {
        const { _drift: drift } = this;
        for (let r = 0; r < 12; r += 4) turn(pose, r, drift, 3);
        for (let c = 0; c < 3; c++) pose[12 + c] += drift[c];
    }

    /**
     * Takes out what contacts have given back in the frame, and what it is to be lent more than in the last one.
     * @param data of the collider
     * @param target impulse x y z [N s], its moment about the collider's centre x y z [N m s], and that centre in its pose x y z, simulation space [m]
     * @param settings of the frame's steps
     */
    take(data: Float32Array, target: Float64Array, { fixedTimeStep, substepCount }: Substeps): void {
        // Where time is dropped, the way of the engine's frame is gone in less, and all speeds are so much larger here.
        const perSubstep = (this.enginePace * substepCount) / fixedTimeStep;
        const { _drift: drift, mass } = this;
        for (let c = 0; c < 3; c++) {
            target[c] = -data[Contact.push + c] * perSubstep;
            target[3 + c] = -data[Contact.twist + c] * perSubstep;
            target[6 + c] = data[Contact.centre + c] - drift[c];
            data[Contact.push + c] = data[Contact.twist + c] = 0;
        }
        if (this._count === 0) return;
        this._lend(target, 0, mass / this.engineSeconds);
        this._lend(target, 3, (mass * this.gyration) / this.engineSeconds);
    }

    /** Lends a part of the drift, and takes back what was lent of it. */
    private _lend(target: Float64Array, first: number, share: number): void {
        const { _drift: drift, _lent: lent } = this;
        for (let c = first; c < first + 3; c++) {
            const now = share * drift[c];
            target[c] += now - lent[c];
            lent[c] = now;
        }
    }

    /** Whether it is elsewhere than its pose says. */
    get isDrifting(): boolean {
        const { _drift: drift } = this;
        for (let c = 0; c < 6; c++) if (drift[c] !== 0) return true;
        return false;
    }
}
