import type { StepSettings, Substeps } from "../time/clock";
import { SettingsView } from "../state/settings";
import type { RigidBodyMaterial, RigidBodySettings } from "./rigidBodyMaterial";

/** Step length and substeps of a body. */
export interface StepRate extends StepSettings, Substeps {}

/** The one of the shortest substeps; of equals the first. Null: there are none. */
export function shortestSubsteps(asked: readonly StepRate[]): StepRate | null {
    let finest: StepRate | null = null;
    for (const steps of asked) if (!finest || substepOf(steps) < substepOf(finest)) finest = steps;
    return finest;
}

function substepOf({ fixedTimeStep, substepCount }: Substeps): number {
    return fixedTimeStep / substepCount;
}

/**
 * Settings of a body, stepped as the finest of those that it may touch: who are solved together share their substeps. Fields, not
 * getters: what a getter returns is boxed.
 */
export class SharedSubsteps extends SettingsView<RigidBodySettings> implements RigidBodySettings {
    substepCount: number;
    fixedTimeStep: number;
    maxStepsPerFrame: number;

    constructor(
        asked: RigidBodySettings,
        private readonly _solver: { readonly finestSteps: StepRate | null },
    ) {
        super(asked);
        ({ substepCount: this.substepCount, fixedTimeStep: this.fixedTimeStep, maxStepsPerFrame: this.maxStepsPerFrame } = asked);
    }

    /** Takes over the finest of the present frame. */
    update(): void {
        const finest = this._solver.finestSteps ?? this._asked;
        this.substepCount = finest.substepCount;
        this.fixedTimeStep = finest.fixedTimeStep;
        this.maxStepsPerFrame = finest.maxStepsPerFrame;
    }

    get body(): RigidBodyMaterial {
        return this._asked.body;
    }
}
