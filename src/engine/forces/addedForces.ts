import { MIN_RESIDUAL_SHARE } from "../tunables";
import { ROW, Uniform } from "../../kernels/layout";
import { UnweldedPins } from "../attachments/unweldedPins";
import type { PinSet } from "../attachments/pinSet";
import type { Masses } from "../state/masses";
import type { ClothSettings } from "../state/settings";
import type { BodyState } from "../state/state";

/** The part of a body that added forces act on. */
export interface ForcedBody {
    readonly state: BodyState;
    readonly settings: ClothSettings;
    readonly masses: Masses;
    readonly pins: readonly PinSet[];
    readonly isAsleep: boolean;
    addPins(pins: PinSet): void;
    removePins(pins: PinSet): void;
    wake(): void;
}

/**
 * Forces that a user adds to a body's particles: summed up until a step, constant for its time, and gone with it.
 *
 *     r += F w h² in each substep, ahead of Verlet's x + (x - p + r) kept + g h², as more than what kept takes of it
 *
 * So a force that stays is to the particle as gravity: F t / m of speed, whatever the substep. Its presence among the body's pins keeps that from being recorded.
 */
export class AddedForces extends UnweldedPins {
    override readonly isCoupling = true;
    /** Forces by particle [N], shape [particleCount, 3]. */
    readonly forces: Float32Array;
    /** True if any may differ from zero. */
    hasForces = false;
    /** Number of sources, and of those that act in every step: with one of these the body does not rest. */
    private _sourceCount = 0;
    private _callbackCount = 0;
    /** Substeps of the present step that they are yet to act in. */
    private _remainingSubsteps = 0;

    constructor(private readonly _body: ForcedBody) {
        super(new Uint32Array(0));
        this.forces = new Float32Array(3 * _body.state.particleCount);
    }

    /** The forces of a body: those of all who add to it. */
    static forBody(body: ForcedBody): AddedForces {
        return (body.pins.find((set) => set instanceof AddedForces) as AddedForces | undefined) ?? new AddedForces(body);
    }

    override get isMoving(): boolean {
        return this.hasForces || this._callbackCount > 0;
    }

    /** One more adds to it. */
    addSource(isAsked: boolean): void {
        if (isAsked) this._callbackCount++;
        if (this._sourceCount++ === 0) this._body.addPins(this);
    }

    /** One less does. */
    removeSource(isAsked: boolean): void {
        if (isAsked) this._callbackCount--;
        if (--this._sourceCount === 0) this._body.removePins(this);
    }

    /** Has what was added be heard, by a body that sleeps, too. */
    wakeBody(): void {
        this.hasForces = true;
        if (this._body.isAsleep) this._body.wake();
    }

    override beginStep(state: BodyState): void {
        if (!this.hasForces) return;
        this._remainingSubsteps = this._body.settings.substepCount;
        this._apply(state);
    }

    override moveToSubstep(): void {}
    override rebase(): void {}

    override endSubstep(state: BodyState): void {
        if (this._remainingSubsteps === 0) return;
        if (--this._remainingSubsteps > 0) this._apply(state);
        else this.clear();
    }

    clear(): void {
        this.forces.fill(0);
        this.hasForces = false;
    }

    /** Spreads a force over what is free to move, by mass. @param given x y z [N] */
    distribute(given: ArrayLike<number>): void {
        const { forces: sum, _body: body } = this;
        const { inverseMasses, particleCount } = body.state;
        let total = 0;
        for (let i = 0; i < particleCount; i++) if (inverseMasses[i] > 0) total += body.masses.massOf(i);
        for (let i = 0; i < particleCount && total > 0; i++) {
            if (inverseMasses[i] === 0) continue;
            const share = body.masses.massOf(i) / total;
            for (let c = 0; c < 3; c++) sum[3 * i + c] += share * given[c];
        }
    }

    /** Spreads a force about a place, simulation space, as impulses are. @param place x y z [m] @param given x y z [N] @param radius [m] */
    distributeAround(place: ArrayLike<number>, given: ArrayLike<number>, radius: number): void {
        const { forces: sum, _body: body } = this;
        const { positions: x, inverseMasses, particleCount } = body.state;
        let total = 0;
        for (let turn = 0; turn < 2; turn++) {
            for (let i = 0, o = 0; i < particleCount; i++, o += ROW) {
                if (inverseMasses[i] === 0) continue;
                const dx = x[o] - place[0];
                const dy = x[o + 1] - place[1];
                const dz = x[o + 2] - place[2];
                const q = 1 - (dx * dx + dy * dy + dz * dz) / (radius * radius);
                if (!(q > 0)) continue;
                const share = q * q * body.masses.massOf(i);
                if (turn === 0) total += share;
                else for (let c = 0; c < 3; c++) sum[3 * i + c] += (share / total) * given[c];
            }
        }
    }

    /** For one substep. */
    private _apply({ residuals: r, inverseMasses: w, uniforms, particleCount }: BodyState): void {
        const { forces: sum } = this;
        const substep = uniforms[Uniform.substep];
        const kept = uniforms[Uniform.displacementFactor];
        const share = (substep * substep) / (kept > MIN_RESIDUAL_SHARE ? kept : 1);
        for (let i = 0, q = 0, o = 0; i < particleCount; i++, q += 3, o += ROW) {
            for (let c = 0; c < 3; c++) {
                const way = sum[q + c] * w[i] * share;
                // What is no number is passed over.
                if (way !== 0 && way - way === 0) r[o + c] += way;
            }
        }
    }
}
