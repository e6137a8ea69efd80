import { rowOf } from "../kernels/layout";
import type { Refined } from "./bodyPlan";
import type { Chain } from "./methods/xpbd/chain";
import type { RopeSettings } from "./ropeMaterial";

/** Links hold their lengths within 0.1 % up to a pull of so much, see Chain.pull... */
const FREE = 64;
/** ...and friction holds them on what they are wound round as it should up to so much. */
const WOUND = 1;
/** What of the demand of the last step lasts. */
const LASTS = 0.97;
/** Substeps are made twice as long again where the pull would have room to grow so many times then. */
const AMPLE = 2;
/** Most substeps that it makes: with more, rounding to 32 bits shows. */
const MOST = 64;

/**
 * How finely a rope is stepped: what pulls hard on light links swings them faster than substeps can follow, T dt² / m l of some hundreds, so it takes
 * 2, 4, 8 … times as many substeps as were asked for while that lasts. Ropes that bear little cost what they did.
 */
export class Finer {
    /** What was asked for, with the number of substeps that are taken. */
    readonly settings: RopeSettings;
    private _factor = 1;
    /** The pull over what is allowed, of substeps as asked for. */
    private _demand = 0;
    /** Substeps when it was last asked. */
    private _substepCount: number;

    constructor(private readonly _asked: RopeSettings) {
        this.settings = Object.create(_asked, {
            substepCount: { enumerable: true, get: () => this.settings.lead?.substepCount ?? _asked.substepCount * this._factor },
            fixedTimeStep: { enumerable: true, get: () => (this.settings.lead ?? _asked).fixedTimeStep },
            maxStepsPerFrame: { enumerable: true, get: () => (this.settings.lead ?? _asked).maxStepsPerFrame },
        }) as RopeSettings;
        this._substepCount = _asked.substepCount;
    }

    /** Whether the number of substeps is another now. */
    follow(body: Refined, chain: Chain): boolean {
        const before = this._substepCount;
        if (this.settings.lead) this._factor = 1;
        else this._review(body, chain);
        this._substepCount = this.settings.substepCount;
        return this._substepCount !== before;
    }

    private _review(body: Refined, chain: Chain): void {
        const factor = this._factor;
        const isWound = body.colliders.length > 0 && (body.clock.time === 0 || body.reach.isEntered);
        const pull = Math.max(chain.pull * factor * factor, this._swing(body, chain));
        const demand = pull / (isWound ? WOUND : FREE);
        this._demand = demand > LASTS * this._demand ? demand : LASTS * this._demand;
        const most = MOST / this._asked.substepCount;
        while (2 * this._factor <= most && this._demand > this._factor ** 2) this._factor *= 2;
        while (this._factor > 1 && (this._factor > most || this._demand * AMPLE < (this._factor / 2) ** 2)) this._factor /= 2;
    }

    /** The pull by what hangs on the ends and swings about the other, in substeps as asked for: what begins to pull is not known from the last step. */
    private _swing({ state: { positions: x, previous: p, residuals: r }, settings }: Refined, chain: Chain): number {
        const { rope, gravity, fixedTimeStep, substepCount } = settings as RopeSettings;
        if (!(rope.startMass + rope.endMass > 0)) return 0;
        const end = rowOf(chain.linkCount);
        let squared = 0;
        for (let c = 0; c < 3; c++) squared += (x[end + c] - p[end + c] + r[end + c] - x[c] + p[c] - r[c]) ** 2;
        const perSecond = substepCount / fixedTimeStep;
        const acceleration = Math.hypot(gravity[0], gravity[1], gravity[2]) + (squared * perSecond * perSecond) / rope.length;
        return chain.pullOf(Math.max(rope.startMass, rope.endMass) * acceleration, fixedTimeStep / this._asked.substepCount);
    }
}
