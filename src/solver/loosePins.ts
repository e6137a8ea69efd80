/**
 * Loose pins: particles that a carrying frame pulls towards their places in it.
 *
 *         place             C = |x - place| - d <= 0,   ∇C = (x - place)/|x - place|
 *        ╭──●──╮
 *        │  d  │  ○ x       moved by min(1, k w dt²) · C along the gradient, by a force of move/(w dt²) [N]
 *        ╰─────╯
 *
 * XPBD (Macklin 2016 eq. 18, λ from 0) has k w dt²/(1 + k w dt²) in its place: at rest, where what hangs on it moves it back in every
 * substep, such a spring gives by w dt² more than 1/k.
 */
import { rowOf, Uniform } from "../kernels/layout";
import { FreePins } from "./freePins";
import type { PinSet } from "./pins";
import type { BodyState } from "./state";

/** How loose pins hold. */
export interface Looseness {
    /** Of each particle [N/m], > 0; Infinity: all of the way back in a substep. */
    readonly stiffness: number;
    /** Largest force on each particle [N], > 0. */
    readonly maxForce: number;
    /** What happens beyond: the particle slips, pulled by that force; else it is let go for good. */
    readonly slips: boolean;
    /** How far each particle may go freely [m], shape [count]; null: nowhere. */
    readonly reaches: Float64Array | null;
}

/** See the top of the file. */
export class LoosePins extends FreePins {
    override readonly isFirst: boolean;
    private _held: number;
    private readonly _isGone: Uint8Array;
    /** Sums of the forces of the present step, over its substeps [N], shape [count, 3]. */
    private readonly _forces: Float64Array;

    constructor(
        particles: Uint32Array,
        private readonly _looseness: Looseness,
        places: Float64Array | null = null,
    ) {
        super(particles, places);
        this.isFirst = places !== null;
        this._held = particles.length;
        this._isGone = new Uint8Array(particles.length);
        this._forces = new Float64Array(3 * particles.length);
    }

    override get heldCount(): number {
        return this._held;
    }

    override moveTo(state: BodyState, done: number, count: number): void {
        const { slips, maxForce } = this._looseness;
        const mayLetGo = !slips && maxForce < Infinity;
        this._tug(state, done, count, mayLetGo);
        if (mayLetGo && done === count) this._letGo(count);
    }

    /** Constraints and contacts have moved the particles: what they may not do by any force is undone. */
    override endSubstep(state: BodyState, done: number, count: number): void {
        const { stiffness, maxForce } = this._looseness;
        if (stiffness === Infinity && maxForce === Infinity) this._tug(state, done, count, false);
    }

    private _tug({ positions: x, inverseMasses, uniforms }: BodyState, done: number, count: number, isWeighed: boolean): void {
        const fraction = done / count;
        const { particles, _stepFrom: from, _stepTo: to, _isGone: isGone, _forces: forces } = this;
        const { stiffness, maxForce, slips, reaches } = this._looseness;
        const squared = uniforms[Uniform.substep] * uniforms[Uniform.substep];
        for (let i = 0, q = 0; i < particles.length; i++, q += 3) {
            const w = inverseMasses[particles[i]];
            if (isGone[i] !== 0 || w === 0) continue;
            const o = rowOf(particles[i]);
            const dx = x[o] - (from[q] + (to[q] - from[q]) * fraction);
            const dy = x[o + 1] - (from[q + 1] + (to[q + 1] - from[q + 1]) * fraction);
            const dz = x[o + 2] - (from[q + 2] + (to[q + 2] - from[q + 2]) * fraction);
            const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
            const beyond = distance - (reaches ? reaches[i] : 0);
            if (!(beyond > 0)) continue;
            let move = beyond * Math.min(1, stiffness * w * squared);
            if (slips) move = Math.min(move, maxForce * w * squared);
            const share = move / distance;
            if (isWeighed) {
                const force = share / (w * squared);
                forces[q] += dx * force;
                forces[q + 1] += dy * force;
                forces[q + 2] += dz * force;
            }
            x[o] -= dx * share;
            x[o + 1] -= dy * share;
            x[o + 2] -= dz * share;
        }
    }

    /** Ends a step of `count` substeps: what was pulled by more than the largest force, on average, is let go. */
    private _letGo(count: number): void {
        const { _forces: forces, _isGone: isGone } = this;
        const most = this._looseness.maxForce * count;
        for (let i = 0, q = 0; i < isGone.length; i++, q += 3) {
            const x = forces[q];
            const y = forces[q + 1];
            const z = forces[q + 2];
            if (isGone[i] !== 0 || !(x * x + y * y + z * z > most * most)) continue;
            isGone[i] = 1;
            this._held--;
        }
        forces.fill(0);
    }

    /** And what it has let go. */
    override copyMotion(): Float64Array {
        return Float64Array.of(...super.copyMotion(), ...this._isGone);
    }

    override takeMotion(offsets: Float64Array, numbers: Float64Array): void {
        super.takeMotion(offsets, numbers);
        this._isGone.set(numbers.subarray(numbers.length - this._isGone.length));
        this._count();
    }

    override continueFrom(before: PinSet, indices: Int32Array): void {
        super.continueFrom(before, indices);
        const { _isGone: wasGone } = before as PinSet as LoosePins;
        indices.forEach((index, i) => (this._isGone[i] = index < 0 ? 0 : wasGone[index]));
        this._count();
    }

    private _count(): void {
        this._held = this._isGone.reduce((held, isGone) => held - isGone, this._isGone.length);
    }
}
