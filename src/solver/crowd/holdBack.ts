import { CrowdNumber, CrowdProgress, MemberNumber } from "../../kernels/crowdLayout";
import type { CrowdArrays } from "../../kernels/crowdLayout";
import { particleAt, ROW, rowAt, rowOf } from "../../kernels/layout";
import { Touch, TouchProgress } from "../../kernels/touchLayout";
import type { Member } from "./member";
import type { Touches } from "./touches";

/** How often all is looked at for what has to be held back with what has been. */
const ROUNDS = 8;
/** Share of its gap below which a touch has passed for good: what comes no farther than its bound keeps more, see assembly/guard.ts. */
const PASSED = 0.15;
/** Share of the mean of touches and guards to a particle from which on a member has its part in there being too many. */
const CROWDED = 0.5;

/** What is held is where it was when the substep began, or has come as all have since. */
const STAYS = 1;
const GOES_ALONG = 2;

/**
 * Holds back what would pass in a substep and that guards have not parted, so that cloth that is clean stays so: the promise of the robust tier.
 *
 * - What is listed has not passed while both sides stay beyond each other along its normal (assembly/guard.ts).
 * - What is not listed was farther apart than L, and than both came from what all do in the substep that it was listed in. It has not passed
 *   while no particle comes farther from its point than L / 2, and than it had in that substep by then, but for what all do: its *room* (after
 *   the conservative bounds of Chen et al. 2025, "Offset geometric contact"). Contact that moves any beyond that has all
 *   listed anew.
 *
 * Who does not keep to that stays where he was when the substep began, and so do those that he would pass, and so on: there, all kept to it.
 * Pinned particles do not: against those, cloth yields.
 */
export class HoldBack {
    /** Where particles were when the substep began [m], rows, member by member, each in its own space. */
    private readonly _starts: Float32Array[] = [];
    /** Those of the substep. */
    private _members: readonly Member[] = [];
    /** Of each particle: how far it may come [m]. Of each place: whether it is held, {@link STAYS} or {@link GOES_ALONG}, or not, 0. */
    private _rooms = new Float32Array();
    private _held = new Uint8Array();
    /** What all have come since the lists were made, by the end of the last substep and of this one [m], x y z. */
    private readonly _driftBefore = new Float64Array(3);
    private readonly _drift = new Float64Array(3);
    /** Of each member: 1, if any of it was held in the last round, or has passed and could be held no more. */
    private _troubled = new Uint8Array();
    private _counts = new Uint32Array();
    /** How many were held in a round, and how many have passed that could be held no more. */
    private _heldCount = 0;
    private _openCount = 0;

    /** Notes where particles were when the substep began: those that move in it have been moved already. */
    noteStarts(members: readonly Member[]): void {
        this._members = members;
        if (this._troubled.length < members.length) this._troubled = new Uint8Array(members.length);
        for (let i = 0; i < members.length; i++) {
            const { starts } = members[i];
            if (this._starts[i]?.length !== starts.length) this._starts[i] = new Float32Array(starts.length);
            this._starts[i].set(starts);
        }
    }

    /** Has lists be made from where a member was then. */
    placePoints({ first, index, particleCount, numbers }: Member, { points }: CrowdArrays): void {
        const starts = this._starts[index];
        for (let row = 0, at = rowOf(first); row < rowOf(particleCount); row += ROW, at += ROW)
            for (let c = 0; c < 3; c++) points[at + c] = starts[row + c] + numbers[MemberNumber.offset + c];
    }

    /** Notes how far all may come in the substep that lists have been made in, as it stands then. @param listed L [m] */
    noteRooms(members: readonly Member[], crowd: CrowdArrays, listed: number): void {
        this._driftBefore.fill(0);
        this._noteDrift(crowd);
        if (this._rooms.length < crowd.particleCount) {
            this._rooms = new Float32Array(crowd.particleCount);
            this._held = new Uint8Array(crowd.particleCount);
        }
        for (let i = 0; i < members.length; i++) {
            const { first, particleCount } = members[i];
            for (let k = 0; k < particleCount; k++) this._rooms[first + k] = listed / 2 + this._distanceOf(members[i], k);
        }
    }

    /** Whether none has come farther since. */
    areWithinRooms(members: readonly Member[]): boolean {
        for (let i = 0; i < members.length; i++) {
            const { first, particleCount } = members[i];
            for (let k = 0; k < particleCount; k++) if (!(this._distanceOf(members[i], k) <= this._rooms[first + k])) return false;
        }
        return true;
    }

    /** Notes how far all may come in another substep, by the lists as they are. */
    keepRooms(crowd: CrowdArrays, listed: number): void {
        this._driftBefore.set(this._drift);
        this._noteDrift(crowd);
        this._rooms.fill(listed / 2);
    }

    private _noteDrift({ numbers }: CrowdArrays): void {
        for (let c = 0; c < 3; c++)
            this._drift[c] = (numbers[CrowdNumber.leastDisplacement + c] + numbers[CrowdNumber.mostDisplacement + c]) / 2;
    }

    /** Notes where places were when the substep began, once those are laid. */
    layStarts({ crowd, starts }: Touches, members: readonly Member[]): void {
        const { placed } = crowd;
        for (let k = 0; k < crowd.progress[CrowdProgress.placeCount]; k++) {
            const member = members[memberOf(crowd, k)];
            const own = rowOf(placed[k] - member.first);
            for (let c = 0; c < 3; c++)
                starts[rowOf(k) + c] = this._starts[member.index][own + c] + member.numbers[MemberNumber.offset + c];
        }
    }

    /** Holds back what would pass, once guards have parted what they could. @returns whether nothing passes now */
    end(touches: Touches): boolean {
        const { progress, crowd, capacity } = touches;
        if (progress[TouchProgress.heldCount] === 0) return true;
        this._held.fill(0);
        for (let round = 0; round < ROUNDS; round++) {
            this._heldCount = this._openCount = 0;
            this._troubled.fill(0);
            for (let k = 0; k < crowd.progress[CrowdProgress.placeCount]; k++)
                if (!(this._distance(crowd, crowd.places, k) <= this._rooms[crowd.placed[k]]))
                    this._count(crowd, this._hold(touches, k), k);
            const isParted = round === 0 && progress[TouchProgress.openCount] === 0;
            if (!isParted || this._heldCount > 0) {
                this._holdPassed(touches, 0, progress[TouchProgress.touchCount]);
                this._holdPassed(touches, capacity - progress[TouchProgress.guardCount], capacity);
            }
            if (this._heldCount === 0) return this._openCount === 0;
        }
        return false;
    }

    private _count(crowd: CrowdArrays, isNew: boolean, k: number): void {
        if (!isNew && !(crowd.places[rowOf(k) + 3] > 0)) return;
        if (isNew) this._heldCount++;
        else this._openCount++;
        this._troubled[memberOf(crowd, k)] = 1;
    }

    /** Holds both sides of the touches, from one to before another, that have passed. */
    private _holdPassed(touches: Touches, first: number, end: number): void {
        const { crowd, touches: records, touchFloats: f } = touches;
        for (let o = first * Touch.count; o < end * Touch.count; o += Touch.count) {
            if (!(measureApart(crowd.places, records, f, o) < PASSED * f[o + Touch.gap])) continue;
            let held = 0;
            let pinned = 0;
            let marks = 0;
            for (let k = 0; k < 4; k++) {
                const place = particleAt(records[o + k]);
                if (this._hold(touches, place)) held++;
                if (crowd.places[rowOf(place) + 3] > 0) marks |= this._held[place];
                else if (this._hasMoved(touches, place)) pinned++;
                else marks |= STAYS;
            }
            this._heldCount += held;
            // What is held in one way has not moved against each other: it was so before.
            const isOpen = held + pinned === 0 && marks === (STAYS | GOES_ALONG);
            if (isOpen) this._openCount++;
            if (held === 0 && !isOpen) continue;
            for (let k = 0; k < 4; k++) this._troubled[memberOf(crowd, particleAt(records[o + k]))] = 1;
        }
    }

    /** Whether a place that nothing moves but its pin, or its own steps, is not where it was when the substep began. */
    private _hasMoved({ crowd: { places }, starts }: Touches, k: number): boolean {
        for (let o = rowOf(k); o < rowOf(k) + 3; o++) if (places[o] !== starts[o]) return true;
        return false;
    }

    /**
     * Holds a place where it was, or has it go as all do if that is too far from those; whether it was not held yet. What takes no substep now
     * keeps its speed: it is of the substep that comes.
     */
    private _hold({ crowd, starts }: Touches, k: number): boolean {
        const row = rowOf(k);
        if (this._held[k] > 0 || !(crowd.places[row + 3] > 0)) return false;
        const stays = this._distance(crowd, starts, k) <= this._rooms[crowd.placed[k]];
        this._held[k] = stays ? STAYS : GOES_ALONG;
        const { isMoving } = this._members[memberOf(crowd, k)];
        for (let c = 0; c < 3; c++) {
            const displacement = stays ? 0 : this._drift[c] - this._driftBefore[c];
            crowd.places[row + c] = starts[row + c] + displacement;
            if (isMoving) crowd.velocities[row + c] = displacement;
        }
        return true;
    }

    /** How far a place is from where it would be had it come as all have since the lists were made [m]. */
    private _distance({ placed, points }: CrowdArrays, places: Float32Array, k: number): number {
        let squared = 0;
        for (let c = 0; c < 3; c++) squared += (places[rowOf(k) + c] - points[rowOf(placed[k]) + c] - this._drift[c]) ** 2;
        return Math.sqrt(squared);
    }

    /** The same of a particle of a member. */
    private _distanceOf({ body, crowd, first, numbers }: Member, particle: number): number {
        const { positions } = body.state;
        let squared = 0;
        for (let c = 0; c < 3; c++) {
            const displacement =
                positions[rowOf(particle) + c] + numbers[MemberNumber.offset + c] - crowd.points[rowOf(first + particle) + c];
            squared += (displacement - this._drift[c]) ** 2;
        }
        return Math.sqrt(squared);
    }

    /** Has what could not be kept from passing, and all that may meet it, come only a share of what it did in the substep, see {@link shorten}. */
    shortenTroubled(touches: Touches, members: readonly Member[], share: number): void {
        const { progress, capacity } = touches;
        const guards = capacity - progress[TouchProgress.guardCount];
        let isSpreading = true;
        while (isSpreading) {
            isSpreading = this._spread(touches, 0, progress[TouchProgress.touchCount]);
            isSpreading = this._spread(touches, guards, capacity) || isSpreading;
        }
        this._shorten(members, share);
    }

    /** The same of what has most of the touches and guards of lists that are full, in which particles are not places yet. */
    shortenCrowded(touches: Touches, members: readonly Member[], share: number): void {
        const { progress, capacity, particleCount } = touches;
        const touchCount = progress[TouchProgress.touchCount];
        const guardCount = progress[TouchProgress.guardCount];
        if (this._counts.length < members.length) this._counts = new Uint32Array(members.length);
        this._counts.fill(0);
        this._countRecords(touches, 0, touchCount);
        this._countRecords(touches, capacity - guardCount, capacity);
        const mean = (touchCount + guardCount) / particleCount;
        for (let i = 0; i < members.length; i++)
            this._troubled[i] = this._counts[i] >= CROWDED * mean * members[i].particleCount ? 1 : 0;
        this._shorten(members, share);
    }

    /** Counts those of each member, from one to before another. */
    private _countRecords({ touches: records, crowd: { points } }: Touches, first: number, end: number): void {
        for (let o = first * Touch.count; o < end * Touch.count; o += Touch.count) {
            const i = points[rowOf(records[o]) + 3];
            const j = points[rowOf(records[o + 3]) + 3];
            this._counts[i]++;
            if (j !== i) this._counts[j]++;
        }
    }

    /** Has trouble go over from one side to the other of touches, from one to before another; whether it did. */
    private _spread({ touches: records, crowd }: Touches, first: number, end: number): boolean {
        const { _troubled: troubled } = this;
        let isSpreading = false;
        for (let o = first * Touch.count; o < end * Touch.count; o += Touch.count) {
            // The first particle is of the first side, the last of the second.
            const i = memberOf(crowd, particleAt(records[o]));
            const j = memberOf(crowd, particleAt(records[o + 3]));
            if (troubled[i] === troubled[j]) continue;
            troubled[i] = troubled[j] = 1;
            isSpreading = true;
        }
        return isSpreading;
    }

    /** Has all that moves come only a share of what it did in the substep, and what was pushed between its own: that keeps its displacement. */
    shorten(members: readonly Member[], share: number): void {
        this._troubled.fill(1);
        this._shorten(members, share);
    }

    private _shorten(members: readonly Member[], share: number): void {
        for (let i = 0; i < members.length; i++) {
            const { isMoving, isRunning } = members[i];
            if ((!isMoving && !isRunning) || this._troubled[i] === 0) continue;
            const kept = isMoving ? share : 1;
            const { positions: x, previous: p, residuals: r, inverseMasses, particleCount } = members[i].body.state;
            const starts = this._starts[i];
            for (let particle = 0; particle < particleCount; particle++) {
                if (!(inverseMasses[particle] > 0)) continue;
                for (let o = rowOf(particle); o < rowOf(particle) + 3; o++) {
                    const displacement = (x[o] - p[o] + r[o]) * kept;
                    x[o] = starts[o] + (x[o] - starts[o]) * share;
                    r[o] = displacement - (x[o] - p[o]);
                }
            }
        }
    }
}

/** The index of the member whose particle a place is. */
function memberOf({ points, placed }: CrowdArrays, k: number): number {
    return points[rowOf(placed[k]) + 3];
}

/** How far both sides of a touch are apart along its normal [m]. */
function measureApart(places: Float32Array, records: Uint32Array, f: Float32Array, o: number): number {
    const n = o + Touch.normal;
    let least = Infinity;
    let most = -Infinity;
    for (let k = 0; k < 4; k++) {
        const row = rowAt(records[o + k]);
        const height = f[n] * places[row] + f[n + 1] * places[row + 1] + f[n + 2] * places[row + 2];
        if (k < records[o + Touch.firsts]) least = Math.min(least, height);
        else most = Math.max(most, height);
    }
    return least - most;
}
