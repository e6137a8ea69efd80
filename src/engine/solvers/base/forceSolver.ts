import type { Arena } from "../../../kernels/arena";
import { Uniform, rowOf } from "../../../kernels/layout";
import type { ClothSettings } from "../../state/settings";
import type { SolverMaterial } from "./solverMaterial";
import type { ConstraintLinks, BodySolver } from "./bodySolver";
import { SolverMotion } from "./solverMotion";
import type { DistanceConstraintSet } from "../../topology/stencilSet";
import type { BodyState } from "../../state/state";

/** The edges of a sheet, by which its stretch is told, whatever holds them. */
export class EdgeLengths {
    constructor(private readonly _edges: DistanceConstraintSet) {}

    get count(): number {
        return this._edges.particlesA.length;
    }

    /** Pairs of particles that they join. */
    get links(): ConstraintLinks {
        const { particlesA, particlesB, restLengths } = this._edges;
        const pairs = Uint32Array.from({ length: 2 * particlesA.length }, (_, k) => (k % 2 ? particlesB : particlesA)[k >> 1]);
        return { pairs, lengths: restLengths };
    }

    /** Adds their elongation into `result`: [sum, maximum]. */
    measure({ positions: x }: BodyState, result: Float64Array): void {
        const { particlesA, particlesB, restLengths } = this._edges;
        for (let s = 0; s < restLengths.length; s++) {
            const a = rowOf(particlesA[s]);
            const b = rowOf(particlesB[s]);
            const stretch = Math.max(0, Math.hypot(x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]) / restLengths[s] - 1);
            result[0] += stretch;
            result[1] = Math.max(result[1], stretch);
        }
    }
}

/**
 * Base of methods that move a sheet by forces. A sheet that is no longer finite stands still in its last finite state until it is prepared or placed anew, and
 * warns.
 */
export abstract class ForceSolver implements BodySolver {
    readonly name = "structural";
    warning: string | null = null;
    protected readonly _motion: SolverMotion;
    /** Acceleration that all particles have in this substep [m/s²], x y z. */
    protected readonly _gravity = new Float64Array(3);
    /** The substep [s]. */
    protected _substep = 0;
    private readonly _edgeLengths: EdgeLengths;
    private _isFrozen = false;

    /** @throws RangeError when there is no memory left */
    constructor(arena: Arena, { topology }: SolverMaterial) {
        this._motion = new SolverMotion(arena, topology.particleCount);
        this._edgeLengths = new EdgeLengths(topology.structural);
    }

    /** Derives what depends on the fabric and on pins. */
    protected abstract _updateParameters(state: BodyState, settings: ClothSettings): void;

    /** Takes a substep of {@link _motion}, whatever becomes of it. */
    protected abstract _advance(state: BodyState): void;

    /** Says why the body has left what is finite. */
    protected abstract _explainFailure(): string;

    get count(): number {
        return this._edgeLengths.count;
    }

    get byteLength(): number {
        return this._motion.byteLength;
    }

    get links(): ConstraintLinks {
        return this._edgeLengths.links;
    }

    prepare(state: BodyState, settings: ClothSettings, substep: number): void {
        this._substep = substep;
        this._updateParameters(state, settings);
        this.reset();
    }

    reset(): void {
        this._isFrozen = false;
    }

    step(state: BodyState): void {
        const { _motion: motion, _gravity: gravity, _substep: dt } = this;
        if (this._isFrozen) return motion.stop(state);
        const { uniforms } = state;
        for (let c = 0; c < 3; c++) gravity[c] = uniforms[Uniform.gravity + c] / (dt * dt);
        motion.readState(state, dt);
        this._advance(state);
        this._isFrozen = !motion.isValid(state);
        if (this._isFrozen) {
            this.warning ??= this._explainFailure();
            return motion.stop(state);
        }
        motion.damp(uniforms[Uniform.displacementFactor]);
        motion.writeState(state, dt);
    }

    /** No pass projects it. */
    project(): void {}

    measureStretch(state: BodyState, result: Float64Array): void {
        this._edgeLengths.measure(state, result);
    }

    release(): void {
        this._motion.release();
    }
}
