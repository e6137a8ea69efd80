import type { Fabric } from "../materials/fabric";
import type { ClothSettings, SolverName, WindField } from "./settings";

/**
 * Settings as they were asked for, with other steps. A class: of objects that are made of the asked ones (Object.create) each has a shape of its own, and what is
 * looked up in many of them is looked up ten times as slowly.
 */
export abstract class SettingsView<Asked extends ClothSettings> implements ClothSettings {
    constructor(protected readonly _asked: Asked) {}

    abstract get substepCount(): number;
    abstract get fixedTimeStep(): number;
    abstract get maxStepsPerFrame(): number;

    get gravity(): Float64Array {
        return this._asked.gravity;
    }

    get fabric(): Fabric {
        return this._asked.fabric;
    }

    get tetherSlack(): number {
        return this._asked.tetherSlack;
    }

    get sleepSpeed(): number {
        return this._asked.sleepSpeed;
    }

    get wind(): WindField | null {
        return this._asked.wind;
    }

    get solver(): SolverName {
        return this._asked.solver;
    }

    get springDamping(): number {
        return this._asked.springDamping;
    }
}
