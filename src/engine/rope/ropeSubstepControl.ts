import { DEMAND_DECAY, FREE_TENSION_RATIO, MAX_ROPE_SUBSTEPS, SUBSTEP_HYSTERESIS, WOUND_TENSION_RATIO } from "../tunables";
import { rowOf } from "../../kernels/layout";
import type { SubstepControlInput } from "../state/bodyDefinition";
import type { RopeSolver } from "./ropeSolver";
import type { RopeMaterial, RopeSettings, StepSettings } from "./ropeMaterial";
import { SettingsView } from "../state/settings";

/** Settings of a rope with substeps so many times as fine as was asked for, or those of the cloth that it is tied to. */
class AdaptiveRopeSteps extends SettingsView<RopeSettings> implements RopeSettings {
    factor = 1;
    /** Of what was asked for, where it always is: it is looked up some thirty times a step. */
    private _lead: StepSettings | null;

    constructor(asked: RopeSettings) {
        super(asked);
        this._lead = asked.leader ?? null;
    }

    get substepCount(): number {
        const { _lead: lead, _asked: asked } = this;
        return lead ? lead.substepCount : asked.substepCount * this.factor;
    }

    get fixedTimeStep(): number {
        return (this._lead ?? this._asked).fixedTimeStep;
    }

    get maxStepsPerFrame(): number {
        return (this._lead ?? this._asked).maxStepsPerFrame;
    }

    get rope(): RopeMaterial {
        return this._asked.rope;
    }

    get leader(): StepSettings | null {
        return this._lead;
    }

    set leader(lead: StepSettings | null) {
        this._lead = this._asked.leader = lead;
    }
}

/**
 * Adaptive substeps of a rope: high tension on light segments swings them faster than substeps can follow, T dt² / m l of some hundreds, so it takes 2, 4, 8 …
 * times as many substeps as were asked for while that lasts. Ropes under little load cost as before.
 */
export class RopeSubstepControl {
    /** Settings as asked for, with the number of substeps taken. */
    readonly settings: AdaptiveRopeSteps;
    /** The pull over what is allowed, of substeps as asked for. */
    private _demand = 0;
    /** State restored from another: its tension ratio, and whether the rope was near colliders; NaN: the rope tells it. */
    private _pull = NaN;
    private _wasWound = false;

    constructor(private readonly _asked: RopeSettings) {
        this.settings = new AdaptiveRopeSteps(_asked);
    }

    /** Saves its state as numbers, for {@link restoreState}. */
    saveState(body: SubstepControlInput, chain: RopeSolver): readonly number[] {
        const isTold = this._pull >= 0;
        const isWound = isTold ? this._wasWound : mayBeWound(body);
        return [this.settings.factor, this._demand, isTold ? this._pull : chain.tensionRatio, isWound ? 1 : 0];
    }

    restoreState([factor, demand, pull, isWound]: readonly number[]): void {
        this.settings.factor = factor;
        this._demand = demand;
        this._pull = pull;
        this._wasWound = isWound === 1;
    }

    /** Reviews the number of substeps. */
    update(body: SubstepControlInput, chain: RopeSolver): void {
        if (this.settings.leader) this.settings.factor = 1;
        else this._updateFactor(body, chain);
    }

    private _updateFactor(body: SubstepControlInput, chain: RopeSolver): void {
        let { factor } = this.settings;
        const isTold = this._pull >= 0;
        const isWound = isTold ? this._wasWound : mayBeWound(body);
        const pull = Math.max((isTold ? this._pull : chain.tensionRatio) * factor * factor, this._swingPull(body, chain));
        if (isTold) this._pull = NaN;
        const demand = pull / (isWound ? WOUND_TENSION_RATIO : FREE_TENSION_RATIO);
        this._demand = demand > DEMAND_DECAY * this._demand ? demand : DEMAND_DECAY * this._demand;
        const most = MAX_ROPE_SUBSTEPS / this._asked.substepCount;
        while (2 * factor <= most && this._demand > factor ** 2) factor *= 2;
        while (factor > 1 && (factor > most || this._demand * SUBSTEP_HYSTERESIS < (factor / 2) ** 2)) factor /= 2;
        this.settings.factor = factor;
    }

    /** The pull by what hangs on the ends and swings about the other, in substeps as asked for: what begins to pull is not known from the last step. */
    private _swingPull(
        { state: { positions: x, previous: p, residuals: r }, settings }: SubstepControlInput,
        chain: RopeSolver,
    ): number {
        const { rope } = this._asked;
        if (!(rope.startMass + rope.endMass > 0)) return 0;
        const { gravity, fixedTimeStep, substepCount } = settings;
        const end = rowOf(chain.linkCount);
        let squared = 0;
        for (let c = 0; c < 3; c++) squared += (x[end + c] - p[end + c] + r[end + c] - x[c] + p[c] - r[c]) ** 2;
        const perSecond = substepCount / fixedTimeStep;
        const acceleration = Math.hypot(gravity[0], gravity[1], gravity[2]) + (squared * perSecond * perSecond) / rope.length;
        return chain.tensionRatioOf(
            Math.max(rope.startMass, rope.endMass) * acceleration,
            fixedTimeStep / this._asked.substepCount,
        );
    }
}

/** True if it may be wound round a collider. */
function mayBeWound({ colliders, clock, broadPhase: reach }: SubstepControlInput): boolean {
    return colliders.length > 0 && (clock.time === 0 || reach.mayCollide);
}
