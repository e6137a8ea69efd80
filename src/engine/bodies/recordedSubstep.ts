import { STEADY_STEPS } from "../tunables";
import type { RecordedCalls, KernelFunctions, Kernels } from "../../kernels/kernelTable";
import type { AirArrays } from "../../kernels/layout";
import type { Collider } from "../collision/shapes/collider";
import type { Contacts } from "../collision/response/contactResolver";
import type { Constraint } from "../state/constraint";
import type { PinSet } from "../attachments/pinSet";
import { limitStrain } from "../state/constraint";
import { advanceCollider } from "../collision/broadphase/colliderBroadPhase";
import type { ColliderBroadPhase } from "../collision/broadphase/colliderBroadPhase";
import type { ClothSettings } from "../state/settings";
import type { BodyState } from "../state/state";
import type { Stopwatch } from "../time/stopwatch";

/** A body, as its recorded substep uses it. */
export interface RecordableBody {
    readonly kernels: Kernels;
    readonly settings: ClothSettings;
    readonly state: BodyState;
    readonly pins: readonly PinSet[];
    readonly colliders: Collider[];
    readonly contacts: Contacts | null;
    readonly broadPhase: ColliderBroadPhase<Collider>;
    readonly passes: readonly Constraint[];
    readonly lengthConstraints: readonly Constraint[];
    readonly stopwatch: Stopwatch;
    readonly revision: number;
    readonly hasAir: boolean;
    readonly air: AirArrays | null;
    readonly solver: unknown;
    readonly steppingGroup: unknown;
}

/**
 * A substep as a list of recorded kernel calls. A step in which no pin moves, no collider can be reached and no one measures needs nothing but kernels: their
 * calls are recorded, and replayed as one call a substep until something about the body changes. The broad phase knows the bounds within which nothing can be
 * reached (collision/broadphase/colliderBroadPhase.ts). A substep that leaves them ends the replay, before anything collides.
 */
export class RecordedSubstep {
    /** True while the present step is as recorded. */
    isActive = false;
    private _calls: RecordedCalls | null = null;
    /** Key of the state that the calls were recorded in. */
    private _recordedKey = NaN;
    /** Key of the last step; the count beside it tells for how many steps it has been the same. */
    private _lastKey = NaN;
    private _sameSteps = 0;

    /** Begins a step: pins, colliders and wind know what they do in it. */
    begin(body: RecordableBody): void {
        const isAlone = !body.broadPhase.mayCollide && arePinsSettled(body) && !isAnyDrifting(body);
        this.isActive = isAlone && !body.solver && !body.stopwatch.isMeasuring && this._isRecorded(body);
        const { colliders } = body;
        for (let i = 0; this.isActive && i < colliders.length; i++) colliders[i].forgetParticles();
    }

    /** Replays substep `s`, without collisions. The replay ends if a particle leaves the bounds. */
    replay(body: RecordableBody, s: number): void {
        const { colliders, settings } = body;
        this._calls!.run();
        if (colliders.length === 0) return;
        this.isActive = body.broadPhase.contains(body.state);
        if (!this.isActive) body.broadPhase.includeAll(body);
        if (this.isActive) limitStrain(body);
        for (let i = 0; i < colliders.length; i++) advanceCollider(colliders[i], s, !this.isActive, settings);
    }

    /** Frees what was recorded. */
    release(): void {
        this._calls?.release();
        this._calls = null;
        this._recordedKey = NaN;
    }

    /** True if the calls are those of the present state; false if there is no memory to record them. */
    private _isRecorded(body: RecordableBody): boolean {
        const { revision, hasAir: isWindy, colliders } = body;
        const present = 4 * revision + (isWindy ? 2 : 0) + (colliders.length > 0 ? 1 : 0);
        if (present === this._recordedKey) return true;
        if (present !== this._lastKey) this._sameSteps = 0;
        this._lastKey = present;
        return ++this._sameSteps > STEADY_STEPS && this._record(body, present);
    }

    /** Apart, since its closure costs memory at each entry. */
    private _record(body: RecordableBody, present: number): boolean {
        this.release();
        try {
            this._calls = body.kernels.record((kernels) => callKernels(kernels, body));
        } catch {
            return false;
        }
        this._recordedKey = present;
        return true;
    }
}

function arePinsSettled({ pins }: RecordableBody): boolean {
    for (let i = 0; i < pins.length; i++) if (!pins[i].isSettled) return false;
    return true;
}

/** True if a dynamic collider drifts: it returns substep by substep, with the velocity lent to it, wherever the cloth is by then. */
function isAnyDrifting({ colliders }: RecordableBody): boolean {
    for (let i = 0; i < colliders.length; i++) if (colliders[i].dynamicBody?.isDrifting) return true;
    return false;
}

/** Calls the kernels of a recorded substep. */
export function callKernels(
    kernels: KernelFunctions,
    { state, passes, lengthConstraints: lengths, hasAir: isWindy, air, colliders }: RecordableBody,
): void {
    if (isWindy) kernels.addAirDisplacements(state, air!);
    kernels.integrate(state);
    for (const pass of passes) pass.project(kernels, state);
    if (colliders.length > 0) kernels.measureBounds(state);
    else for (const length of lengths) length.limitStrain?.(kernels, state);
}
