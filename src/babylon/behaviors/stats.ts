import type { BodyInstance } from "./bodyInstance";
import { constraintKinds, stageNames } from "../../engine/index";
import type { ClothStats, StageMilliseconds } from "./types";

const CONSTRAINT_NAMES = Object.keys(constraintKinds);

/** Reads the numbers of a running cloth. */
export class StatsReader implements ClothStats {
    private readonly _stretch = new Float64Array(2);
    private readonly _milliseconds = Object.fromEntries(
        [...stageNames, "write", "total"].map((name) => [name, 0]),
    ) as unknown as StageMilliseconds;

    constructor(private readonly _attachment: () => BodyInstance | null) {}

    get particleCount(): number {
        return this._attachment()?.cloth.state.particleCount ?? 0;
    }

    get counts(): Readonly<Record<string, number>> {
        const constraints = this._attachment()?.cloth.constraints;
        return Object.fromEntries(
            CONSTRAINT_NAMES.map((name) => [name, constraints?.find((kind) => kind.name === name)?.count ?? 0]),
        );
    }

    get milliseconds(): StageMilliseconds {
        const instance = this._attachment();
        const result = this._milliseconds;
        if (instance) instance.stopwatch.isOn = instance.cloth.stopwatch.isOn = true;
        result.total = result.write = instance?.stopwatch.means[0] ?? 0;
        stageNames.forEach((stage, i) => {
            result[stage] = instance?.cloth.stopwatch.means[i] ?? 0;
            result.total += result[stage];
        });
        return result;
    }

    get isAsleep(): boolean {
        return this._attachment()?.cloth.isAsleep ?? false;
    }

    get meanStretch(): number {
        return this._attachment()?.cloth.measureStretch(this._stretch)[0] ?? 0;
    }

    get maxStretch(): number {
        return this._attachment()?.cloth.measureStretch(this._stretch)[1] ?? 0;
    }

    get kineticEnergy(): number {
        return this._attachment()?.cloth.kineticEnergy ?? 0;
    }
}
