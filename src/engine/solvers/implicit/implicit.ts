import {
    IMPLICIT_TOLERANCE,
    MAX_IMPLICIT_HALVINGS,
    MAX_IMPLICIT_ITERATIONS,
    MAX_STRAIN_GROWTH,
    STEPS_BEFORE_DOUBLING,
} from "../../tunables";
import { SystemNumber } from "../../../kernels/implicitLayout";
import { ROW } from "../../../kernels/layout";
import type { Kernels } from "../../../kernels/kernelTable";
import type { ClothSettings } from "../../state/settings";
import type { BodyState } from "../../state/state";
import { ForceSolver } from "../base/forceSolver";
import type { SolverMaterial } from "../base/solverMaterial";
import { BlockSystem } from "./blockSystem";
import type { EnergyTerm } from "./blockSystem";
import type { Flexion } from "./flexion";
import type { Hinges } from "./bendingHinges";
import { Membrane } from "./membrane";

/**
 * Backward Euler on triangles (Baraff & Witkin 1998, eq. 16), one linear system a substep:
 *
 *     (M - h ∂f/∂v - h² ∂f/∂x) Δv = h (f + h ∂f/∂x v),     v += Δv,     x += h v
 *
 * Of the derivatives only what is never indefinite is taken, so that no step is too large; forces are whole, so that what comes to rest is exact. What is
 * pinned keeps the velocity that its pin has, as their constraint of velocities (§5.1) does. A substep in which the sheet is stretched drastically is taken in
 * pieces, by halves (§6), down to an eighth: it never costs more than twelve systems.
 */
export class Implicit extends ForceSolver {
    private readonly _energyTerms: readonly EnergyTerm[];
    private readonly _membrane: Membrane;
    private readonly _system: BlockSystem;
    /** Places and velocities before the step at hand. */
    private readonly _saved: Float64Array;
    /** By how many halves of a substep it steps, and how many such steps have gone well. */
    private _halvings = 0;
    private _goodSteps = 0;

    /**
     * @param Bending what resists bending
     * @throws RangeError when there is no memory left
     */
    constructor(
        private readonly _kernels: Kernels,
        material: SolverMaterial,
        Bending: typeof Hinges | typeof Flexion,
    ) {
        const { arena } = _kernels;
        super(arena, material);
        this._membrane = new Membrane(arena, material);
        this._energyTerms = [this._membrane, new Bending(arena, material)];
        this._system = new BlockSystem(arena, this._motion, material.topology.particleCount, this._energyTerms);
        for (const condition of this._energyTerms) condition.bindToSystem(this._system);
        this._saved = new Float64Array(2 * this._motion.positions.length);
        this._system.numbers[SystemNumber.tolerance] = IMPLICIT_TOLERANCE;
        this._system.numbers[SystemNumber.maxIterations] = MAX_IMPLICIT_ITERATIONS;
    }

    override get byteLength(): number {
        return this._energyTerms.reduce((sum, { byteLength }) => sum + byteLength, super.byteLength + this._system.byteLength);
    }

    override release(): void {
        super.release();
        this._system.release();
        for (const condition of this._energyTerms) condition.release();
    }

    /** Forgets what it knows of the steps before. */
    override reset(): void {
        super.reset();
        this._halvings = this._goodSteps = 0;
        this._system.solution.fill(0);
        this._system.numbers[SystemNumber.step] = this._system.numbers[SystemNumber.diagonalBoost] = 0;
    }

    protected override _updateParameters(state: BodyState, settings: ClothSettings): void {
        this._system.numbers[SystemNumber.damping] = settings.springDamping;
        for (const condition of this._energyTerms) condition.prepare(state, settings);
    }

    protected override _advance(state: BodyState): void {
        const whole = 1 << MAX_IMPLICIT_HALVINGS;
        for (let done = 0; done < whole;) {
            const size = whole >> this._halvings;
            if (!this._step(state, (this._substep * size) / whole) && this._halvings < MAX_IMPLICIT_HALVINGS) {
                this._restore();
                this._halvings++;
                this._goodSteps = 0;
                continue;
            }
            done += size;
            if (++this._goodSteps < STEPS_BEFORE_DOUBLING || this._halvings === 0 || done % (2 * size) > 0) continue;
            this._halvings--;
            this._goodSteps = 0;
        }
    }

    /** Takes a step. @returns whether it is solved, and not drastic */
    private _step(state: BodyState, seconds: number): boolean {
        const { _motion: motion, _system: system, _kernels: kernels, _energyTerms: conditions } = this;
        const { positions: x, velocities: v } = motion;
        const { numbers } = system;
        const before = numbers[SystemNumber.step];
        numbers[SystemNumber.step] = seconds;
        // As 32 bits have both: the same step is exactly the same.
        this._save(before > 0 ? numbers[SystemNumber.step] / before : 1);
        numbers.set(this._gravity, SystemNumber.gravity);
        kernels.assembleSystem(system, state);
        for (let i = 0; i < conditions.length; i++) conditions[i].addForces(kernels, system);
        kernels.factorSystem(system);
        kernels.solveSystem(system);
        const { solution } = system;
        for (let i = 0; i < system.particleCount; i++) {
            for (let c = 0; c < 3; c++) {
                v[3 * i + c] += solution[ROW * i + c];
                x[3 * i + c] += seconds * v[3 * i + c];
            }
        }
        kernels.measureStrain(system, this._membrane);
        return numbers[SystemNumber.isSolved] > 0 && numbers[SystemNumber.strain] <= MAX_STRAIN_GROWTH;
    }

    /** Keeps where and how fast all is, for {@link _restore}. @param share of the last step's length, of which Δv is the first guess */
    private _save(share: number): void {
        const { positions, velocities } = this._motion;
        const { solution } = this._system;
        this._saved.set(positions);
        this._saved.set(velocities, positions.length);
        if (share !== 1) for (let q = 0; q < solution.length; q++) solution[q] *= share;
    }

    private _restore(): void {
        const { positions, velocities } = this._motion;
        for (let q = 0; q < positions.length; q++) {
            positions[q] = this._saved[q];
            velocities[q] = this._saved[positions.length + q];
        }
    }

    protected override _explainFailure(): string {
        return "the implicit solver: it has left what is finite, and stands still where it was before";
    }
}
