import { MAX_SUBSTEPS } from "../settings";
import type { Member } from "./member";

/** Most times as many substeps as were asked for. */
const MOST = 8;
/** After so many steps in a row in which contact has settled, substeps are twice as long again. */
const CLEAN = 3;
/** After so many steps in a row with the most substeps in which it has not, these do not help: it goes on without for so many. */
const PATIENCE = 30;
const PAUSE = 240;

/**
 * How finely a crowd is stepped, where one of its members asks for that: in twice as many substeps, and twice that, while contact does not
 * settle, and in half as many again after three steps in which it has (Bridson, Fedkiw and Anderson 2002, "Robust treatment of collisions", §7).
 * That holds for all of them, so that who are stepped together stay so.
 *
 * Triangles do not settle where many would pass in a substep, or where something cannot be kept from it; particles, where their lists do not
 * hold for two substeps: they come so far in one that they may be on the wrong side by its end.
 */
export class Fineness {
    private _factor = 1;
    /** Steps in a row in which contact has settled. */
    private _clean = 0;
    /** The same with the most substeps in which it has not; below 0: how many steps it goes on without them, still. */
    private _futile = 0;
    /** Of the present step: its substeps so far, in how many of them pairs were listed, and whether contact has settled. */
    private _substeps = 0;
    private _lists = 0;
    private _isSettled = true;

    /** Ends a substep. @param isSettled of triangles; `isListed`, whether there are pairs of particles, listed anew */
    endSubstep(isSettled: boolean, isListed: boolean): void {
        this._substeps++;
        if (isListed) this._lists++;
        this._isSettled &&= isSettled;
    }

    /** Begins a step; once for each member, or more often. */
    beginStep(members: readonly Member[]): void {
        if (this._substeps > 0) this._review(members);
        this._substeps = this._lists = 0;
        this._isSettled = true;
        // What was asked for may have become more since.
        while (this._factor > 1 && !members.every(hasRoom, this._factor)) this._factor /= 2;
        for (let i = 0; i < members.length; i++) members[i].refine(this._factor);
    }

    private _review(members: readonly Member[]): void {
        const isClean = this._isSettled && this._lists < this._substeps;
        if (isClean || this._futile < 0 || !members.some(isAdaptive)) this._coarsen();
        else if (this._factor < MOST && members.every(hasRoom, 2 * this._factor)) this._refine();
        else if (++this._futile > PATIENCE) this._giveUp();
    }

    private _coarsen(): void {
        this._futile = Math.min(0, this._futile + 1);
        if (this._factor === 1 || ++this._clean < CLEAN) return;
        this._factor /= 2;
        this._clean = 0;
    }

    private _refine(): void {
        this._factor *= 2;
        this._clean = 0;
    }

    private _giveUp(): void {
        this._factor = 1;
        this._futile = -PAUSE;
    }
}

function isAdaptive({ options }: Member): boolean {
    return options.layers.isAdaptive;
}

/** Whether it may take so many times, `this`, as many substeps as it was asked to. */
function hasRoom(this: number, { body, fineness }: Member): boolean {
    return (this * body.settings.substepCount) / fineness <= MAX_SUBSTEPS;
}
