import { MAX_ADAPTED_SUBSTEPS } from "../../tunables";
import type { CollisionProxy } from "./collisionProxy";

/** Most times as many substeps as were asked for. */
const MAX_FACTOR = 8;
/** After so many steps in a row in which contact has settled, substeps are twice as long again. */
const SETTLED_STEPS = 3;
/** Steps at the maximum substep count without settling after which the count returns to the requested one, and the number of steps for which it stays there. */
const FUTILE_STEPS = 120;
const PAUSE_STEPS = 240;

/**
 * Adaptive substep count of a self-collision group, if one of its bodies asks for it: twice as many substeps, and twice that, while contact does not
 * settle, and in half as many again after three steps in which it has (Bridson, Fedkiw and Anderson 2002, "Robust treatment of collisions", §7).
 * The factor holds for the whole group, so that bodies stepped together stay in step.
 *
 * Triangle contacts do not settle if CCD stops many of them in a substep, or cannot stop one; particle contacts, if their pair lists do not
 * hold for two substeps: particles then move so far in one that they may be on the wrong side by its end.
 */
export class AdaptiveSubsteps {
    private _factor = 1;
    /** Steps in a row in which contact has settled. */
    private _settledSteps = 0;
    /** Consecutive steps at the maximum substep count in which contact has not settled; below 0: steps left without more substeps. */
    private _futileSteps = 0;
    /** Of the present step: its substeps so far, in how many of them pairs were listed, and whether contact has settled. */
    private _substepCount = 0;
    private _relistCount = 0;
    private _isSettled = true;

    /** Ends a substep. @param isSettled of triangles; `isListed`, whether there are pairs of particles, listed anew */
    endSubstep(isSettled: boolean, isListed: boolean): void {
        this._substepCount++;
        if (isListed) this._relistCount++;
        this._isSettled &&= isSettled;
    }

    /** Begins a step; called at least once for each body. */
    beginStep(proxies: readonly CollisionProxy[]): void {
        if (this._substepCount > 0) this._updateFactor(proxies);
        this._substepCount = this._relistCount = 0;
        this._isSettled = true;
        // What was asked for may have become more since.
        while (this._factor > 1 && !proxies.every(mayUseFactor, this._factor)) this._factor /= 2;
        for (let i = 0; i < proxies.length; i++) proxies[i].setSubstepFactor(this._factor);
    }

    private _updateFactor(proxies: readonly CollisionProxy[]): void {
        const isClean = this._isSettled && this._relistCount < this._substepCount;
        if (isClean || this._futileSteps < 0 || !proxies.some(isAdaptive)) this._coarsen();
        else if (this._factor < MAX_FACTOR && proxies.every(mayUseFactor, 2 * this._factor)) this._refine();
        else if (++this._futileSteps > FUTILE_STEPS) this._pause();
    }

    private _coarsen(): void {
        this._futileSteps = Math.min(0, this._futileSteps + 1);
        if (this._factor === 1 || ++this._settledSteps < SETTLED_STEPS) return;
        this._factor /= 2;
        this._settledSteps = 0;
    }

    private _refine(): void {
        this._factor *= 2;
        this._settledSteps = 0;
    }

    private _pause(): void {
        this._factor = 1;
        this._futileSteps = -PAUSE_STEPS;
    }
}

function isAdaptive({ options }: CollisionProxy): boolean {
    return options.settings.isAdaptive;
}

/** True if the body may take `this` times the requested substeps. */
function mayUseFactor(this: number, { body, substepFactor: fineness }: CollisionProxy): boolean {
    return (this * body.settings.substepCount) / fineness <= MAX_ADAPTED_SUBSTEPS;
}
