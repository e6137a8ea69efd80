import { SystemNumber } from "../../../kernels/implicitLayout";
import { ROW } from "../../../kernels/layout";
import type { Kernels } from "../../../kernels/kernels";
import type { ClothSettings } from "../../settings";
import type { BodyState } from "../../state";
import { ForceMethod } from "../forceMethod";
import type { Material } from "../forces";
import { BlockSystem } from "./blockSystem";
import type { Conditions } from "./conditions";
import type { Flexion } from "./flexion";
import type { Hinges } from "./hinges";
import { Membrane } from "./membrane";

/** A step in which the largest strain of a triangle grows by more than this, or that is not solved, is taken again by halves… */
const DRASTIC = 0.05;
/** …so many times at most; so many steps that go well in a row are followed by one of twice the length. */
const MOST_HALVINGS = 3;
const CLEAN = 2;
/** The error that a solution is left with, as a share of no solution's (energies' root), and most iterations. */
const TOLERANCE = 1e-3;
const MOST_ITERATIONS = 100;

/**
 * Backward Euler on triangles (Baraff & Witkin 1998, eq. 16), one linear system a substep:
 *
 *     (M - h ∂f/∂v - h² ∂f/∂x) Δv = h (f + h ∂f/∂x v),     v += Δv,     x += h v
 *
 * Of the derivatives only what is never indefinite is taken, so that no step is too large; forces are whole, so that what comes to rest is exact. What is
 * pinned keeps the velocity that its pin has, as their constraint of velocities (§5.1) does. A substep in which the sheet is stretched drastically is taken in
 * pieces, by halves (§6), down to an eighth: it never costs more than twelve systems.
 */
export class Implicit extends ForceMethod {
    private readonly _conditions: readonly Conditions[];
    private readonly _membrane: Membrane;
    private readonly _system: BlockSystem;
    /** Places and velocities before the step at hand. */
    private readonly _kept: Float64Array;
    /** By how many halves of a substep it steps, and how many such steps have gone well. */
    private _halvings = 0;
    private _clean = 0;

    /**
     * @param Bending what resists bending
     * @throws RangeError when there is no memory left
     */
    constructor(
        private readonly _kernels: Kernels,
        material: Material,
        Bending: typeof Hinges | typeof Flexion,
    ) {
        const { arena } = _kernels;
        super(arena, material);
        this._membrane = new Membrane(arena, material);
        this._conditions = [this._membrane, new Bending(arena, material)];
        this._system = new BlockSystem(arena, this._motion, material.topology.particleCount, this._conditions);
        for (const condition of this._conditions) condition.place(this._system);
        this._kept = new Float64Array(2 * this._motion.positions.length);
        this._system.numbers[SystemNumber.tolerance] = TOLERANCE;
        this._system.numbers[SystemNumber.mostIterations] = MOST_ITERATIONS;
    }

    override get byteLength(): number {
        return this._conditions.reduce((sum, { byteLength }) => sum + byteLength, super.byteLength + this._system.byteLength);
    }

    override release(): void {
        super.release();
        this._system.release();
        for (const condition of this._conditions) condition.release();
    }

    /** Forgets what it knows of the steps before. */
    override reset(): void {
        super.reset();
        this._halvings = this._clean = 0;
        this._system.solution.fill(0);
        this._system.numbers[SystemNumber.step] = this._system.numbers[SystemNumber.firmness] = 0;
    }

    protected override _derive(state: BodyState, settings: ClothSettings): void {
        this._system.numbers[SystemNumber.damping] = settings.springDamping;
        for (const condition of this._conditions) condition.prepare(state, settings);
    }

    protected override _advance(state: BodyState): void {
        const whole = 1 << MOST_HALVINGS;
        for (let done = 0; done < whole;) {
            const size = whole >> this._halvings;
            if (!this._step(state, (this._seconds * size) / whole) && this._halvings < MOST_HALVINGS) {
                this._restore();
                this._halvings++;
                this._clean = 0;
                continue;
            }
            done += size;
            if (++this._clean < CLEAN || this._halvings === 0 || done % (2 * size) > 0) continue;
            this._halvings--;
            this._clean = 0;
        }
    }

    /** Takes a step. @returns whether it is solved, and not drastic */
    private _step(state: BodyState, seconds: number): boolean {
        const { _motion: motion, _system: system, _kernels: kernels, _conditions: conditions } = this;
        const { positions: x, velocities: v } = motion;
        const { numbers } = system;
        const before = numbers[SystemNumber.step];
        numbers[SystemNumber.step] = seconds;
        // As 32 bits have both: the same step is exactly the same.
        this._keep(before > 0 ? numbers[SystemNumber.step] / before : 1);
        numbers.set(this._gravity, SystemNumber.gravity);
        kernels.beginSystem(system, state);
        for (let i = 0; i < conditions.length; i++) conditions[i].add(kernels, system);
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
        return numbers[SystemNumber.isSolved] > 0 && numbers[SystemNumber.strain] <= DRASTIC;
    }

    /** Keeps where and how fast all is, for {@link _restore}. @param share of the last step's length, of which Δv is the first guess */
    private _keep(share: number): void {
        const { positions, velocities } = this._motion;
        const { solution } = this._system;
        this._kept.set(positions);
        this._kept.set(velocities, positions.length);
        if (share !== 1) for (let q = 0; q < solution.length; q++) solution[q] *= share;
    }

    private _restore(): void {
        const { positions, velocities } = this._motion;
        for (let q = 0; q < positions.length; q++) {
            positions[q] = this._kept[q];
            velocities[q] = this._kept[positions.length + q];
        }
    }

    protected override _explain(): string {
        return "the implicit solver: it has left what is finite, and stands still where it was before";
    }
}
