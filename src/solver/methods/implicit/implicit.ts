import { SystemNumber } from "../../../kernels/implicitLayout";
import type { Kernels } from "../../../kernels/kernels";
import type { ClothSettings } from "../../settings";
import type { BodyState } from "../../state";
import { ForceMethod } from "../forceMethod";
import type { Material } from "../forces";
import { BlockSystem } from "./blockSystem";
import type { Conditions } from "./conditions";
import { Hinges } from "./hinges";
import { Membrane } from "./membrane";

/** The error that a solution is left with, as a share of no solution's (energies' root), and most iterations. */
const TOLERANCE = 1e-3;
const MOST_ITERATIONS = 100;

/**
 * Backward Euler on triangles (Baraff & Witkin 1998, eq. 16), one linear system a substep:
 *
 *     (M - h ∂f/∂v - h² ∂f/∂x) Δv = h (f + h ∂f/∂x v),     v += Δv,     x += h v
 *
 * Of the derivatives only what is never indefinite is taken, so that no step is too large; forces are whole, so that what comes to rest is exact. What is
 * pinned keeps the velocity that its pin has, as their constraint of velocities (§5.1) does.
 */
export class Implicit extends ForceMethod {
    private readonly _conditions: readonly Conditions[];
    private readonly _system: BlockSystem;

    /** @throws RangeError when there is no memory left */
    constructor(
        private readonly _kernels: Kernels,
        material: Material,
    ) {
        const { arena } = _kernels;
        super(arena, material);
        this._conditions = [new Membrane(arena, material), new Hinges(arena, material)];
        this._system = new BlockSystem(arena, this._motion, material.topology.particleCount, this._conditions);
        for (const condition of this._conditions) condition.place(this._system);
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

    protected override _derive(state: BodyState, settings: ClothSettings): void {
        this._system.numbers[SystemNumber.damping] = settings.springDamping;
        for (const condition of this._conditions) condition.prepare(state, settings);
    }

    protected override _advance(state: BodyState): void {
        const { _motion: motion, _system: system, _kernels: kernels, _seconds: seconds } = this;
        const { positions: x, velocities: v } = motion;
        system.numbers[SystemNumber.step] = seconds;
        system.numbers.set(this._gravity, SystemNumber.gravity);
        kernels.beginSystem(system, state);
        for (let i = 0; i < this._conditions.length; i++) this._conditions[i].add(kernels, system);
        kernels.factorSystem(system);
        kernels.solveSystem(system);
        const { solution } = system;
        for (let i = 0; i < system.particleCount; i++) {
            for (let c = 0; c < 3; c++) {
                v[3 * i + c] += solution[4 * i + c];
                x[3 * i + c] += seconds * v[3 * i + c];
            }
        }
    }

    protected override _explain(): string {
        return 'solver "implicit": it has left what is finite, and stands still where it was before';
    }
}
