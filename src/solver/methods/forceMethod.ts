import type { Arena } from "../../kernels/arena";
import { Uniform } from "../../kernels/layout";
import type { ClothSettings } from "../settings";
import type { BodyState } from "../state";
import type { Material } from "./forces";
import { Lengths } from "./lengths";
import type { Links, Method } from "./method";
import { Motion } from "./motion";

/**
 * What methods that move a sheet by forces have in common. What leaves the finite stands still where it was before, until it is prepared
 * or put elsewhere, and says why.
 */
export abstract class ForceMethod implements Method {
    readonly name = "structural";
    complaint: string | null = null;
    protected readonly _motion: Motion;
    /** Acceleration that all particles have in this substep [m/s²], x y z. */
    protected readonly _gravity = new Float64Array(3);
    /** The substep [s]. */
    protected _seconds = 0;
    private readonly _lengths: Lengths;
    private _isFrozen = false;

    /** @throws RangeError when there is no memory left */
    constructor(arena: Arena, { topology }: Material) {
        this._motion = new Motion(arena, topology.particleCount);
        this._lengths = new Lengths(topology.structural);
    }

    /** Derives what depends on the fabric and on pins. */
    protected abstract _derive(state: BodyState, settings: ClothSettings): void;

    /** Takes a substep of {@link _motion}, whatever becomes of it. */
    protected abstract _advance(state: BodyState): void;

    /** Says why the body has left what is finite. */
    protected abstract _explain(): string;

    get count(): number {
        return this._lengths.count;
    }

    get byteLength(): number {
        return this._motion.byteLength;
    }

    get links(): Links {
        return this._lengths.links;
    }

    prepare(state: BodyState, settings: ClothSettings, substep: number): void {
        this._seconds = substep;
        this._derive(state, settings);
        this.reset();
    }

    reset(): void {
        this._isFrozen = false;
    }

    move(state: BodyState): void {
        const { _motion: motion, _gravity: gravity, _seconds: dt } = this;
        if (this._isFrozen) return motion.stop(state);
        const { uniforms } = state;
        for (let c = 0; c < 3; c++) gravity[c] = uniforms[Uniform.gravity + c] / (dt * dt);
        motion.take(state, dt);
        this._advance(state);
        this._isFrozen = !motion.isSane(state);
        if (this._isFrozen) {
            this.complaint ??= this._explain();
            return motion.stop(state);
        }
        motion.brake(uniforms[Uniform.keptDisplacement]);
        motion.give(state, dt);
    }

    /** No pass projects it. */
    project(): void {}

    measureStretch(state: BodyState, result: Float64Array): void {
        this._lengths.measure(state, result);
    }

    release(): void {
        this._motion.release();
    }
}
