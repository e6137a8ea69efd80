import type { StepSettings, Substeps } from "./clock";
import type { StickBodySettings } from "./stickBodyMaterial";

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
export function sharingSteps(asked: StickBodySettings, pile: { readonly finest: Steps | null }): StickBodySettings {
    return Object.create(asked, {
        substepCount: { enumerable: true, get: () => (pile.finest ?? asked).substepCount },
        fixedTimeStep: { enumerable: true, get: () => (pile.finest ?? asked).fixedTimeStep },
        maxStepsPerFrame: { enumerable: true, get: () => (pile.finest ?? asked).maxStepsPerFrame },
    }) as StickBodySettings;
}
