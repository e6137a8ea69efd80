import type { Arena } from "../../../kernels/arena";
import type { ClothSettings } from "../../settings";
import type { BodyState } from "../../state";
import { ForceMethod } from "../forceMethod";
import type { Material } from "../forces";
import { BlockSystem } from "./blockSystem";
import { ConjugateGradient } from "./conjugateGradient";
import { Hinges } from "./hinges";
import { Membrane } from "./membrane";

/**
 * Backward Euler on triangles (Baraff & Witkin 1998, eq. 16), one linear system a substep:
 *
 *     (M - h ∂f/∂v - h² ∂f/∂x) Δv = h (f + h ∂f/∂x v),     v += Δv,     x += h v
 *
 * Of the derivatives only what is never indefinite is taken, so that no step is too large; forces are whole, so that what comes to rest is exact. What is
 * pinned keeps the velocity that its pin has, as their constraint of velocities (§5.1) does.
 */
export class Implicit extends ForceMethod {
    private readonly _membrane: Membrane;
    private readonly _hinges: Hinges;
    private readonly _system: BlockSystem;
    private readonly _solver: ConjugateGradient;
    private _damping = 0;

    /** @throws RangeError when there is no memory left */
    constructor(arena: Arena, material: Material) {
        super(arena, material);
        const { particleCount } = material.topology;
        this._membrane = new Membrane(material);
        this._hinges = new Hinges(material);
        this._system = new BlockSystem(particleCount, [this._membrane, this._hinges]);
        this._membrane.place(this._system);
        this._hinges.place(this._system);
        this._solver = new ConjugateGradient(3 * particleCount);
    }

    protected override _derive(state: BodyState, settings: ClothSettings): void {
        this._damping = settings.springDamping;
        this._membrane.prepare(settings);
        this._hinges.prepare(state, settings);
    }

    protected override _advance(inverseMasses: Float32Array): void {
        const { _motion: motion, _system: system, _solver: solver, _gravity: gravity, _seconds: seconds } = this;
        const { positions: x, velocities: v } = motion;
        system.begin(inverseMasses);
        const step = { system, x, v, seconds, damping: this._damping };
        this._membrane.add(step);
        this._hinges.add(step);
        for (let q = 0, i = 0; q < x.length; q += 3, i++) {
            if (inverseMasses[i] === 0) continue;
            for (let c = 0; c < 3; c++) system.right[q + c] += (seconds * gravity[c]) / inverseMasses[i];
        }
        solver.solve(system, inverseMasses);
        for (let q = 0; q < x.length; q++) {
            v[q] += solver.solution[q];
            x[q] += seconds * v[q];
        }
    }

    protected override _explain(): string {
        return 'solver "implicit": it has left what is finite, and stands still where it was before';
    }
}
