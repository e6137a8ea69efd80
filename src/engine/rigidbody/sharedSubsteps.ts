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

/** Settings of a body, stepped as the finest of those that it may touch: who are solved together share their substeps. */
export class SharedSubsteps extends SettingsView<RigidBodySettings> implements RigidBodySettings {
    constructor(
        asked: RigidBodySettings,
        private readonly _solver: { readonly finestSteps: StepRate | null },
    ) {
        super(asked);
    }

    get substepCount(): number {
        return (this._solver.finestSteps ?? this._asked).substepCount;
    }

    get fixedTimeStep(): number {
        return (this._solver.finestSteps ?? this._asked).fixedTimeStep;
    }

    get maxStepsPerFrame(): number {
        return (this._solver.finestSteps ?? this._asked).maxStepsPerFrame;
    }

    get body(): RigidBodyMaterial {
        return this._asked.body;
    }
}
