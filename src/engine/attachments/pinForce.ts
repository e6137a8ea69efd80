import { Uniform } from "../../kernels/layout";
import type { BodyState } from "../state/state";

/** Within a call: see pinCorrection.ts. */
export const pinCorrection = new Float64Array(8);

/** Spring and force limit of pins. */
export interface PinForceLaw {
    /** Of each particle [N/m], > 0; Infinity: all of the way back in a substep. */
    readonly stiffness: number;
    /** Largest force on each particle [N], > 0. */
    readonly maxForce: number;
    /** Behaviour beyond the force limit. True: the particle slips, pulled by that force; false: the pin releases it for good. */
    readonly slips: boolean;
}

/**
 * Force of compliant pins: a spring, up to a force limit. It moves a particle by min(1, k w dt²) of its displacement, by a force of move/(w dt²) [N].
 *
 * XPBD (Macklin 2016 eq. 18, λ from 0) has k w dt²/(1 + k w dt²) in its place. At rest, a load moves the particle back in every
 * substep; such a spring then yields by w dt² more than 1/k.
 */
export class PinForce {
    private readonly _isReleased: Uint8Array;
    private _heldCount: number;
    /** Sums of the forces of the present step, over its substeps [N], shape [count, 3]; empty: it lets no one go. */
    private readonly _forces: Float64Array;

    constructor(
        count: number,
        private readonly _law: PinForceLaw,
    ) {
        const { maxForce, slips } = _law;
        this._isReleased = new Uint8Array(count);
        this._heldCount = count;
        this._forces = new Float64Array(slips || maxForce === Infinity ? 0 : 3 * count);
    }

    /** Number of particles held. */
    get heldCount(): number {
        return this._heldCount;
    }

    /** True if the `i`-th particle is held. */
    isHeld(i: number): boolean {
        return this._isReleased[i] === 0;
    }

    /**
     * Makes a way the part by which a particle is to go back.
     * @param particle the `i`-th of those that it holds
     * @param way from where it is held to where it is [m], x y z
     * @returns which part
     */
    scaleCorrection({ inverseMasses, uniforms }: BodyState, particle: number, i: number, way: Float64Array): number {
        const { _forces: forces } = this;
        const { stiffness, maxForce, slips } = this._law;
        const compliance = inverseMasses[particle] * uniforms[Uniform.substep] * uniforms[Uniform.substep];
        let share = Math.min(1, stiffness * compliance);
        if (slips) {
            const distance = Math.sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
            if (share * distance > maxForce * compliance) share = (maxForce * compliance) / distance;
        }
        for (let c = 0; c < 3; c++) way[c] *= share;
        if (forces.length > 0) for (let c = 0; c < 3; c++) forces[3 * i + c] += way[c] / compliance;
        return share;
    }

    /** Ends a step of `count` substeps: what was pulled by more than the largest force, on average, is let go. @returns whether any is */
    endStep(count: number): boolean {
        const { _forces: forces, _isReleased: isGone, _heldCount: before } = this;
        const most = this._law.maxForce * count;
        for (let i = 0, q = 0; q < forces.length; i++, q += 3) {
            const x = forces[q];
            const y = forces[q + 1];
            const z = forces[q + 2];
            if (isGone[i] !== 0 || !(x * x + y * y + z * z > most * most)) continue;
            isGone[i] = 1;
            this._heldCount--;
        }
        forces.fill(0);
        return this._heldCount < before;
    }

    /** Released particles as numbers, for {@link restoreState} of another instance. */
    saveState(): Uint8Array {
        return this._isReleased;
    }

    /** @param numbers whose last are those of another's {@link saveState} */
    restoreState(numbers: ArrayLike<number>): void {
        const { _isReleased: isGone } = this;
        for (let i = 0; i < isGone.length; i++) isGone[i] = numbers[numbers.length - isGone.length + i];
        this._recount();
    }

    /** Continues the state of another instance. @param indices of each particle there; -1: it is new */
    continueFrom(before: PinForce, indices: Int32Array): void {
        for (let i = 0; i < this._isReleased.length; i++) this._isReleased[i] = indices[i] < 0 ? 0 : before._isReleased[indices[i]];
        this._recount();
    }

    private _recount(): void {
        this._heldCount = this._isReleased.reduce((held, isGone) => held - isGone, this._isReleased.length);
    }
}
