import type { Arena } from "../../../kernels/arena";
import { MAX_SUBSTEPS } from "../../tunables";
import type { ClothSettings } from "../../state/settings";
import type { BodyState } from "../../state/state";
import { ForceSolver } from "../base/forceSolver";
import type { SolverMaterial } from "../base/solverMaterial";
import { Springs } from "./springs";
import { highestFrequency, largestStep } from "./stability";
import { SCRATCH_STATES, steppers } from "./steppers";
import type { Stepper } from "./steppers";

/** Moves a sheet of springs by an explicit method. Where its step is too large it explodes, as such methods do, and says what step would not be. */
export class Explicit extends ForceSolver {
    private readonly _springs: Springs;
    private readonly _stepper: Stepper;
    private readonly _scratch: readonly Float64Array[];
    private _settings: ClothSettings | null = null;
    /** True if the largest stable step is to be found anew. */
    private _needsStabilityCheck = true;

    constructor(
        private readonly _solver: keyof typeof steppers,
        arena: Arena,
        material: SolverMaterial,
    ) {
        super(arena, material);
        this._stepper = steppers[_solver];
        this._springs = new Springs(material, this._gravity);
        this._scratch = Array.from({ length: SCRATCH_STATES }, () => new Float64Array(3 * material.topology.particleCount));
    }

    protected override _updateParameters(_state: BodyState, settings: ClothSettings): void {
        this._springs.prepare(settings);
        this._settings = settings;
        this._needsStabilityCheck = true;
    }

    protected override _advance({ inverseMasses }: BodyState): void {
        const { _motion: motion, _springs: springs, _substep: dt } = this;
        springs.inverseMasses = inverseMasses;
        if (this._needsStabilityCheck && dt > this._findLargestStep()) this.warning ??= this._explainFailure();
        this._needsStabilityCheck = false;
        this._stepper(springs, motion.positions, motion.velocities, dt, this._scratch);
    }

    private _findLargestStep(): number {
        const { fabric, springDamping } = this._settings!;
        return largestStep(this._stepper, highestFrequency(this._springs, this._motion.positions), springDamping, fabric.damping);
    }

    protected override _explainFailure(): string {
        const largest = this._findLargestStep();
        const count = Math.ceil(this._settings!.fixedTimeStep / largest);
        const remedies = count <= MAX_SUBSTEPS ? [`${count} substeps`] : count < Infinity ? [] : ["damping"];
        return (
            `solver "${this._solver}": a substep is ${milliseconds(this._substep)}; the largest stable one is ${milliseconds(largest)} here. It needs ` +
            `${[...remedies, "a softer fabric"].join(", ")} or solver: "implicit". What explodes stands still where it was last finite`
        );
    }
}

function milliseconds(seconds: number): string {
    return `${(1000 * seconds).toPrecision(3)} ms`;
}
