import type { Calls, KernelFunctions, Kernels } from "../../kernels/kernels";
import type { AirArrays } from "../../kernels/layout";
import type { Collider } from "../colliders/collider";
import type { Contacts } from "../colliders/contacts";
import type { Constraint } from "../methods/xpbd/constraint";
import type { PinSet } from "../pins/pins";
import { limitStretch } from "../project";
import { catchUp } from "./reach";
import type { Reach } from "./reach";
import type { ClothSettings } from "../settings";
import type { BodyState } from "../state";
import type { Stopwatch } from "../time/stopwatch";

/**
 * Steps that a body is the same for before its calls are recorded, as many as a frame has at most by default: of one that changes in each frame, such
 * as a rope on a winch, they would be garbage (20 kB).
 */
const STEADY = 4;

/** What calm asks of a body. */
export interface Calmed {
    readonly kernels: Kernels;
    readonly settings: ClothSettings;
    readonly state: BodyState;
    readonly pins: readonly PinSet[];
    readonly colliders: Collider[];
    readonly contacts: Contacts | null;
    readonly reach: Reach;
    readonly passes: readonly Constraint[];
    readonly lengths: readonly Constraint[];
    readonly stopwatch: Stopwatch;
    readonly revision: number;
    readonly isWindy: boolean;
    readonly air: AirArrays | null;
    readonly method: unknown;
    readonly company: unknown;
}

/**
 * The calm of a body: a step in which no pin moves, no collider can be reached and no one measures needs nothing but kernels.
 * Their calls are recorded, and made by one call a substep until something about the body changes.
 * What can be reached is known in advance for a room about the particles (reach.ts). A substep that leads out of it ends the calm, before anything collides.
 */
export class Calm {
    /** Whether the present step is calm, as yet. */
    isOn = false;
    private _calls: Calls | null = null;
    /** What the calls were recorded of. */
    private _recorded = NaN;
    /** What the body has been, and for how many steps. */
    private _seen = NaN;
    private _steps = 0;

    /** Begins a step: pins, colliders and wind know what they do in it. */
    begin(body: Calmed): void {
        const isAlone = !body.reach.isEntered && arePinsSettled(body) && !isAnyDrifting(body);
        this.isOn = isAlone && !body.method && !body.stopwatch.isOn && this._isRecorded(body);
        const { colliders } = body;
        for (let i = 0; this.isOn && i < colliders.length; i++) colliders[i].leave();
    }

    /** Takes the `s`-th substep, without collisions. The calm is over where it leads out of the room. */
    substep(body: Calmed, s: number): void {
        const { colliders, settings } = body;
        this._calls!.run();
        if (colliders.length === 0) return;
        this.isOn = body.reach.holds(body.state);
        if (!this.isOn) body.reach.takeAll(body);
        if (this.isOn || body.company) limitStretch(body);
        for (let i = 0; i < colliders.length; i++) catchUp(colliders[i], s, !this.isOn, settings);
    }

    /** Frees what was recorded. */
    release(): void {
        this._calls?.release();
        this._calls = null;
        this._recorded = NaN;
    }

    /** Whether the calls are those of the body as it is; false where there is no memory to record them. */
    private _isRecorded(body: Calmed): boolean {
        const { revision, isWindy, colliders } = body;
        const present = 4 * revision + (isWindy ? 2 : 0) + (colliders.length > 0 ? 1 : 0);
        if (present === this._recorded) return true;
        if (present !== this._seen) this._steps = 0;
        this._seen = present;
        return ++this._steps > STEADY && this._record(body, present);
    }

    /** Apart, since its closure costs memory at each entry. */
    private _record(body: Calmed, present: number): boolean {
        this.release();
        try {
            this._calls = body.kernels.record((kernels) => callSubstep(kernels, body));
        } catch {
            return false;
        }
        this._recorded = present;
        return true;
    }
}

function arePinsSettled({ pins }: Calmed): boolean {
    for (let i = 0; i < pins.length; i++) if (!pins[i].isSettled) return false;
    return true;
}

/** What drifts goes back substep by substep, and what it has been lent with it, wherever the cloth is by then. */
function isAnyDrifting({ colliders }: Calmed): boolean {
    for (let i = 0; i < colliders.length; i++) if (colliders[i].taker?.isDrifting) return true;
    return false;
}

/** The kernels of a calm substep. */
export function callSubstep(kernels: KernelFunctions, { state, passes, lengths, isWindy, air, colliders }: Calmed): void {
    if (isWindy) kernels.pushByAir(state, air!);
    kernels.integrate(state);
    for (const pass of passes) pass.project(kernels, state);
    if (colliders.length > 0) kernels.measureBounds(state);
    else for (const length of lengths) length.limitStretch?.(kernels, state);
}
