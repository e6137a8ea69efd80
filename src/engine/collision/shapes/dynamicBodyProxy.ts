/**
 * Proxy of a dynamic body that receives a collider's contact impulses. A physics engine moves it between frames; within a frame it yields to the
 * impulses have it: it *drifts* from where its pose says. Without that they would answer to where it was half a frame ago, and whatever
 * rests on cloth would be thrown higher and higher.
 *
 *     cloth   ╲__╱ drift        The engine hears of the impulses at the frame's end: its body then has their velocity, and lacks the
 *     engine  ╲              drift. So it is *lent* drift / frame of velocity, for one frame, in which the drift goes away: body and
 *              ╲╱             collider meet at its end. What would fall back instead, deeper into the cloth, gains energy.
 */
import { Contact } from "../../../kernels/contactLayout";
import { rotate } from "../../math/affine";
import type { Affine } from "../../math/affine";
import type { Clock, Substeps } from "../../time/clock";

export class DynamicBodyProxy {
    /** Drift that impulses add in this substep: displacement x y z [m], turn about the collider's centre x y z [rad]. */
    readonly driftStep = new Float64Array(6);
    private readonly _drift = new Float64Array(6);
    /** Drift of the last frame, drift of this one, and the substeps over which the former goes away. */
    private readonly _oldDrift = new Float64Array(6);
    private readonly _newDrift = new Float64Array(6);
    private _remainingSubsteps = 0;
    private _substepCount = 0;
    /** Lent impulse: impulse x y z [N s], its moment x y z [N m s]. */
    private readonly _lentImpulse = new Float64Array(6);
    /** See Clock.engineSeconds, enginePace. */
    engineSeconds = 1;
    engineShare = 1;

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
        if (factor !== 1) for (let c = 0; c < 6; c++) this._lentImpulse[c] *= factor;
    }

    /** Begins a frame of the clock's steps of so many substeps. */
    beginFrame({ steps, engineSeconds, engineShare: enginePace }: Clock, substepCount: number): void {
        this._remainingSubsteps = this._substepCount = steps * substepCount;
        if (steps === 0) return;
        this.engineSeconds = engineSeconds;
        this.engineShare = enginePace;
        this._oldDrift.set(this._drift);
        this._newDrift.fill(0);
    }

    /** The rest of the frame is in substeps so many times as long: impulses are told as mass times the way of one. */
    rescale(data: Float32Array, factor: number): void {
        this._remainingSubsteps /= factor;
        this._substepCount /= factor;
        for (let c = 0; c < 3; c++) {
            data[Contact.impulse + c] *= factor;
            data[Contact.angularImpulse + c] *= factor;
        }
    }

    /** Begins a substep, after the impulses that the collider's data have. */
    advance(data: Float32Array): void {
        const { mass, gyration, _drift: drift, _oldDrift: old, _newDrift: fresh, driftStep } = this;
        this._remainingSubsteps = Math.max(0, this._remainingSubsteps - 1);
        const share = this._substepCount > 0 ? this._remainingSubsteps / this._substepCount : 0;
        for (let c = 0; c < 3; c++) {
            driftStep[c] = -data[Contact.impulse + c] / mass;
            driftStep[3 + c] = -data[Contact.angularImpulse + c] / (mass * gyration);
        }
        for (let c = 0; c < 6; c++) {
            fresh[c] += driftStep[c];
            drift[c] = old[c] * share + fresh[c];
        }
    }

    /** Begins anew with the cloth: its drift, and what it was lent for it, belong to the motion before. */
    reset(): void {
        for (const sums of [this._drift, this._oldDrift, this._newDrift, this._lentImpulse]) sums.fill(0);
    }

    /** Moves a pose along. */
    applyDrift(pose: Affine): void {
        const { _drift: drift } = this;
        for (let r = 0; r < 12; r += 4) rotate(pose, r, drift, 3);
        for (let c = 0; c < 3; c++) pose[12 + c] += drift[c];
    }

    /**
     * Takes out what contacts have given back in the frame, and what it is to be lent more than in the last one.
     * @param data of the collider
     * @param target impulse x y z [N s], its moment about the collider's centre x y z [N m s], and that centre in its pose x y z, simulation space [m]
     * @param settings of the frame's steps
     */
    takeImpulse(data: Float32Array, target: Float64Array, { fixedTimeStep, substepCount }: Substeps): void {
        // Where time is dropped, the way of the engine's frame is gone in less, and all speeds are so much larger here.
        const perSubstep = (this.engineShare * substepCount) / fixedTimeStep;
        const { _drift: drift, mass } = this;
        for (let c = 0; c < 3; c++) {
            target[c] = -data[Contact.impulse + c] * perSubstep;
            target[3 + c] = -data[Contact.angularImpulse + c] * perSubstep;
            target[6 + c] = data[Contact.centre + c] - drift[c];
            data[Contact.impulse + c] = data[Contact.angularImpulse + c] = 0;
        }
        if (this._substepCount === 0) return;
        this._lendImpulse(target, 0, mass / this.engineSeconds);
        this._lendImpulse(target, 3, (mass * this.gyration) / this.engineSeconds);
    }

    /** Lends a part of the drift, and takes back what was lent of it. */
    private _lendImpulse(target: Float64Array, first: number, share: number): void {
        const { _drift: drift, _lentImpulse: lent } = this;
        for (let c = first; c < first + 3; c++) {
            const now = share * drift[c];
            target[c] += now - lent[c];
            lent[c] = now;
        }
    }

    /** True if the collider is not at its pose. */
    get isDrifting(): boolean {
        const { _drift: drift } = this;
        for (let c = 0; c < 6; c++) if (drift[c] !== 0) return true;
        return false;
    }
}
