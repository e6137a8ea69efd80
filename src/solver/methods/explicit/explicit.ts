import { Uniform } from "../../../kernels/layout";
import type { ClothSettings } from "../../settings";
import type { BodyState } from "../../state";
import type { Material } from "../forces";
import type { Links, Method } from "../method";
import { Motion } from "../motion";
import { Springs } from "./springs";
import { fastest, largestStep } from "./stability";
import { ROOM, steppers } from "./steppers";
import type { Stepper } from "./steppers";

/** Moves a sheet of springs by an explicit method. Where its step is too large it explodes, as such methods do: it then stands still where it was last finite, and says why. */
export class Explicit implements Method {
    readonly name = "structural";
    readonly count: number;
    complaint: string | null = null;
    private readonly _springs: Springs;
    private readonly _motion: Motion;
    private readonly _stepper: Stepper;
    private readonly _room: readonly Float64Array[];
    private _seconds = 0;
    private _settings: ClothSettings | null = null;
    /** Whether the largest step is to be found anew. */
    private _isUnknown = true;
    private _isFrozen = false;

    constructor(
        private readonly _solver: keyof typeof steppers,
        material: Material,
    ) {
        const { topology } = material;
        this._stepper = steppers[_solver];
        this._springs = new Springs(material);
        this._motion = new Motion(topology.particleCount);
        this._room = Array.from({ length: ROOM }, () => new Float64Array(3 * topology.particleCount));
        this.count = topology.structural.particlesA.length;
    }

    get byteLength(): number {
        return this._springs.byteLength + this._motion.byteLength + ROOM * this._room[0].byteLength;
    }

    get links(): Links {
        return this._springs.links;
    }

    prepare(_state: BodyState, settings: ClothSettings, substep: number): void {
        this._springs.prepare(settings);
        this._settings = settings;
        this._seconds = substep;
        this._isUnknown = true;
        this._isFrozen = false;
    }

    reset(): void {
        this._isFrozen = false;
    }

    move(state: BodyState): void {
        const { _motion: motion, _springs: springs, _seconds: dt } = this;
        if (this._isFrozen) return motion.stop(state);
        const { uniforms } = state;
        springs.inverseMasses = state.inverseMasses;
        for (let c = 0; c < 3; c++) springs.gravity[c] = uniforms[Uniform.gravity + c] / (dt * dt);
        motion.take(state, dt);
        if (this._isUnknown) this._check();
        this._stepper(springs, motion.positions, motion.velocities, dt, this._room);
        if (!motion.isSane(state)) return this._freeze(state);
        motion.brake(uniforms[Uniform.keptDisplacement]);
        motion.give(state, dt);
    }

    /** Complains where the step is too large. */
    private _check(): void {
        this._isUnknown = false;
        const largest = this._largest();
        if (this._seconds > largest) this._complain(largest);
    }

    private _largest(): number {
        const { fabric, springDamping } = this._settings!;
        return largestStep(this._stepper, fastest(this._springs, this._motion.positions), springDamping, fabric.damping);
    }

    private _complain(largest: number): void {
        const count = Math.ceil(this._settings!.fixedTimeStep / largest);
        this.complaint ??=
            `solver "${this._solver}": a substep is ${milliseconds(this._seconds)}; the largest stable one is ${milliseconds(largest)} here. It needs ` +
            `${Number.isFinite(count) ? `${count} substeps` : "damping"}, a softer fabric or another solver. What explodes stands still where it was last finite`;
    }

    private _freeze(state: BodyState): void {
        this._isFrozen = true;
        // As it was when it was first asked: what has exploded swings as fast as it likes.
        this._complain(Math.min(this._seconds, this._largest()));
        this._motion.stop(state);
    }

    /** Springs are not projected. */
    project(): void {}

    measureStretch(state: BodyState, result: Float64Array): void {
        this._springs.measureStretch(state, result);
    }

    /** It holds nothing of the arena. */
    release(): void {}
}

function milliseconds(seconds: number): string {
    return `${(1000 * seconds).toPrecision(3)} ms`;
}
