import type { StepSettings, Substeps } from "./clock";
import { SettingsView } from "./settingsView";
import type { StickBodyMaterial, StickBodySettings } from "../materials/stickBodyMaterial";

/** How a body is stepped. */
export interface Steps extends StepSettings, Substeps {}

/** The one of the shortest substeps; of equals the first. Null: there are none. */
export function finestOf(asked: readonly Steps[]): Steps | null {
    let finest: Steps | null = null;
    for (const steps of asked) if (!finest || substepOf(steps) < substepOf(finest)) finest = steps;
    return finest;
}

function substepOf({ fixedTimeStep, substepCount }: Substeps): number {
    return fixedTimeStep / substepCount;
}

/** Settings of a body, stepped as the finest of those that it may touch: who are solved together share their substeps. */
export class SharedSteps extends SettingsView<StickBodySettings> implements StickBodySettings {
    constructor(
        asked: StickBodySettings,
        private readonly _pile: { readonly finest: Steps | null },
    ) {
        super(asked);
    }

    get substepCount(): number {
        return (this._pile.finest ?? this._asked).substepCount;
    }

    get fixedTimeStep(): number {
        return (this._pile.finest ?? this._asked).fixedTimeStep;
    }

    get maxStepsPerFrame(): number {
        return (this._pile.finest ?? this._asked).maxStepsPerFrame;
    }

    get body(): StickBodyMaterial {
        return this._asked.body;
    }
}
