import { SelfCollisionParameter, SelfCollisionCounter, ProxyParameter } from "../../../kernels/selfCollisionLayout";
import type { SelfCollisionArrays } from "../../../kernels/selfCollisionLayout";
import { particleAt, ROW, rowAt, rowOf } from "../../../kernels/layout";
import { SelfContactRecord, SelfContactCounter } from "../../../kernels/selfContactLayout";
import type { CollisionProxy } from "./collisionProxy";
import type { SelfContacts } from "./selfContacts";

/** Maximum rounds of the search for further particles to roll back along with those rolled back already. */
const MAX_ROUNDS = 8;
/** Share of its gap below which a contact has passed: a particle within its bound keeps more, see assembly/ccd.ts. */
const VIOLATION_SHARE = 0.15;
/** Share of the mean number of contacts and CCD pairs per particle above which a body contributes to the overflow. */
const OVERFLOW_SHARE = 0.5;

/** State of a rolled-back particle: at its start position of the substep, or moved by the mean motion. */
const KEPT_AT_START = 1;
const MOVED_WITH_MEAN = 2;

/**
 * Holds back what would pass in a substep and that guards have not parted, so that cloth that is clean stays so: the promise of the robust tier.
 *
 * - What is listed has not passed while both sides stay beyond each other along its normal (assembly/ccd.ts).
 * - What is not listed was farther apart than L, and than both came from what all do in the substep that it was listed in. It has not passed
 *   while no particle comes farther from its point than L / 2, and than it had in that substep by then, but for what all do: its *room* (after
 *   the conservative bounds of Chen et al. 2025, "Offset geometric contact"). Contact that moves any beyond that has all
 *   listed anew.
 *
 * Who does not keep to that stays where he was when the substep began, and so do those that he would pass, and so on: there, all kept to it.
 * Pinned particles do not: against those, cloth yields.
 */
export class CcdRollback {
    /** Particle positions at the start of the substep [m], rows, one array per body, each in the body's own space. */
    private readonly _startPositions: Float32Array[] = [];
    /** Those of the substep. */
    private _proxies: readonly CollisionProxy[] = [];
    /** Of each particle: how far it may come [m]. Of each place: whether it is held, {@link KEPT_AT_START} or {@link MOVED_WITH_MEAN}, or not, 0. */
    private _bounds = new Float32Array();
    private _rolledBack = new Uint8Array();
    /** Mean motion since the lists were made, by the end of the last substep and of this one [m], x y z. */
    private readonly _meanMotionBefore = new Float64Array(3);
    private readonly _meanMotion = new Float64Array(3);
    /** For each body: 1 if a particle was rolled back in the last round, or has passed and could not be rolled back. */
    private _hasTrouble = new Uint8Array();
    private _contactCounts = new Uint32Array();
    /** Number of particles rolled back in a round, and number of pairs that still pass and cannot be rolled back. */
    private _rolledBackCount = 0;
    private _unresolvedCount = 0;

    /** Notes where particles were when the substep began: those that move in it have been moved already. */
    recordStarts(proxies: readonly CollisionProxy[]): void {
        this._proxies = proxies;
        if (this._hasTrouble.length < proxies.length) this._hasTrouble = new Uint8Array(proxies.length);
        for (let i = 0; i < proxies.length; i++) {
            const { startPositions: starts } = proxies[i];
            if (this._startPositions[i]?.length !== starts.length) this._startPositions[i] = new Float32Array(starts.length);
            this._startPositions[i].set(starts);
        }
    }

    /** Makes the lists from the body's start positions of the substep. */
    snapshotStart({ first, index, particleCount, numbers }: CollisionProxy, { snapshot: points }: SelfCollisionArrays): void {
        const starts = this._startPositions[index];
        for (let row = 0, at = rowOf(first); row < rowOf(particleCount); row += ROW, at += ROW)
            for (let c = 0; c < 3; c++) points[at + c] = starts[row + c] + numbers[ProxyParameter.offset + c];
    }

    /** Notes how far all may come in the substep that lists have been made in, as it stands then. @param listed L [m] */
    recordBounds(proxies: readonly CollisionProxy[], shared: SelfCollisionArrays, listed: number): void {
        this._meanMotionBefore.fill(0);
        this._measureMeanMotion(shared);
        if (this._bounds.length < shared.particleCount) {
            this._bounds = new Float32Array(shared.particleCount);
            this._rolledBack = new Uint8Array(shared.particleCount);
        }
        for (let i = 0; i < proxies.length; i++) {
            const { first, particleCount } = proxies[i];
            for (let k = 0; k < particleCount; k++) this._bounds[first + k] = listed / 2 + this._deviationOf(proxies[i], k);
        }
    }

    /** True if no particle has moved farther since. */
    areWithinBounds(proxies: readonly CollisionProxy[]): boolean {
        for (let i = 0; i < proxies.length; i++) {
            const { first, particleCount } = proxies[i];
            for (let k = 0; k < particleCount; k++)
                if (!(this._deviationOf(proxies[i], k) <= this._bounds[first + k])) return false;
        }
        return true;
    }

    /** Notes how far all may come in another substep, by the lists as they are. */
    extendBounds(shared: SelfCollisionArrays, listed: number): void {
        this._meanMotionBefore.set(this._meanMotion);
        this._measureMeanMotion(shared);
        this._bounds.fill(listed / 2);
    }

    private _measureMeanMotion({ numbers }: SelfCollisionArrays): void {
        for (let c = 0; c < 3; c++)
            this._meanMotion[c] =
                (numbers[SelfCollisionParameter.minDisplacement + c] + numbers[SelfCollisionParameter.maxDisplacement + c]) / 2;
    }

    /** Notes where places were when the substep began, once those are laid. */
    writeStarts({ shared, startPositions: starts }: SelfContacts, proxies: readonly CollisionProxy[]): void {
        const { activeParticles: placed } = shared;
        for (let k = 0; k < shared.progress[SelfCollisionCounter.activeCount]; k++) {
            const proxy = proxies[proxyOf(shared, k)];
            const own = rowOf(placed[k] - proxy.first);
            for (let c = 0; c < 3; c++)
                starts[rowOf(k) + c] = this._startPositions[proxy.index][own + c] + proxy.numbers[ProxyParameter.offset + c];
        }
    }

    /** Holds back what would pass, once guards have parted what they could. @returns whether nothing passes now */
    resolve(contacts: SelfContacts): boolean {
        const { progress, shared, capacity } = contacts;
        if (progress[SelfContactCounter.violationCount] === 0) return true;
        this._rolledBack.fill(0);
        for (let round = 0; round < MAX_ROUNDS; round++) {
            this._rolledBackCount = this._unresolvedCount = 0;
            this._hasTrouble.fill(0);
            for (let k = 0; k < shared.progress[SelfCollisionCounter.activeCount]; k++)
                if (!(this._deviation(shared, shared.activePositions, k) <= this._bounds[shared.activeParticles[k]]))
                    this._count(shared, this._rollBack(contacts, k), k);
            const isParted = round === 0 && progress[SelfContactCounter.unresolvedCount] === 0;
            if (!isParted || this._rolledBackCount > 0) {
                this._rollBackViolations(contacts, 0, progress[SelfContactCounter.contactCount]);
                this._rollBackViolations(contacts, capacity - progress[SelfContactCounter.ccdCount], capacity);
            }
            if (this._rolledBackCount === 0) return this._unresolvedCount === 0;
        }
        return false;
    }

    private _count(shared: SelfCollisionArrays, isNew: boolean, k: number): void {
        if (!isNew && !(shared.activePositions[rowOf(k) + 3] > 0)) return;
        if (isNew) this._rolledBackCount++;
        else this._unresolvedCount++;
        this._hasTrouble[proxyOf(shared, k)] = 1;
    }

    /** Rolls back both sides of the contacts of a range that have passed. */
    private _rollBackViolations(contacts: SelfContacts, first: number, end: number): void {
        const { shared, records: records, recordFloats: f } = contacts;
        for (let o = first * SelfContactRecord.count; o < end * SelfContactRecord.count; o += SelfContactRecord.count) {
            if (!(measureGap(shared.activePositions, records, f, o) < VIOLATION_SHARE * f[o + SelfContactRecord.minGap])) continue;
            let held = 0;
            let pinned = 0;
            let marks = 0;
            for (let k = 0; k < 4; k++) {
                const place = particleAt(records[o + k]);
                if (this._rollBack(contacts, place)) held++;
                if (shared.activePositions[rowOf(place) + 3] > 0) marks |= this._rolledBack[place];
                else if (this._hasMoved(contacts, place)) pinned++;
                else marks |= KEPT_AT_START;
            }
            this._rolledBackCount += held;
            // What is held in one way has not moved against each other: it was so before.
            const isOpen = held + pinned === 0 && marks === (KEPT_AT_START | MOVED_WITH_MEAN);
            if (isOpen) this._unresolvedCount++;
            if (held === 0 && !isOpen) continue;
            for (let k = 0; k < 4; k++) this._hasTrouble[proxyOf(shared, particleAt(records[o + k]))] = 1;
        }
    }

    /** True if a particle that only its pin or its own steps move has left its start position of the substep. */
    private _hasMoved({ shared: { activePositions: places }, startPositions: starts }: SelfContacts, k: number): boolean {
        for (let o = rowOf(k); o < rowOf(k) + 3; o++) if (places[o] !== starts[o]) return true;
        return false;
    }

    /**
     * Holds a place where it was, or has it go as all do if that is too far from those; whether it was not held yet. What takes no substep now
     * keeps its speed: it is of the substep that comes.
     */
    private _rollBack({ shared, startPositions: starts }: SelfContacts, k: number): boolean {
        const row = rowOf(k);
        if (this._rolledBack[k] > 0 || !(shared.activePositions[row + 3] > 0)) return false;
        const stays = this._deviation(shared, starts, k) <= this._bounds[shared.activeParticles[k]];
        this._rolledBack[k] = stays ? KEPT_AT_START : MOVED_WITH_MEAN;
        const { isMoving } = this._proxies[proxyOf(shared, k)];
        for (let c = 0; c < 3; c++) {
            const displacement = stays ? 0 : this._meanMotion[c] - this._meanMotionBefore[c];
            shared.activePositions[row + c] = starts[row + c] + displacement;
            if (isMoving) shared.velocities[row + c] = displacement;
        }
        return true;
    }

    /** Distance of a particle from its position under the mean motion since the lists were made [m]. */
    private _deviation(
        { activeParticles: placed, snapshot: points }: SelfCollisionArrays,
        places: Float32Array,
        k: number,
    ): number {
        let squared = 0;
        for (let c = 0; c < 3; c++) squared += (places[rowOf(k) + c] - points[rowOf(placed[k]) + c] - this._meanMotion[c]) ** 2;
        return Math.sqrt(squared);
    }

    /** Distance of a body's particle from its position under the mean motion [m]. */
    private _deviationOf({ body, shared, first, numbers }: CollisionProxy, particle: number): number {
        const { positions } = body.state;
        let squared = 0;
        for (let c = 0; c < 3; c++) {
            const displacement =
                positions[rowOf(particle) + c] + numbers[ProxyParameter.offset + c] - shared.snapshot[rowOf(first + particle) + c];
            squared += (displacement - this._meanMotion[c]) ** 2;
        }
        return Math.sqrt(squared);
    }

    /** Scales the substep's motion of pairs that still pass, and of all that may collide with them, see {@link scaleMotion}. */
    scaleTroubled(contacts: SelfContacts, proxies: readonly CollisionProxy[], share: number): void {
        const { progress, capacity } = contacts;
        const guards = capacity - progress[SelfContactCounter.ccdCount];
        let isSpreading = true;
        while (isSpreading) {
            isSpreading = this._spreadTrouble(contacts, 0, progress[SelfContactCounter.contactCount]);
            isSpreading = this._spreadTrouble(contacts, guards, capacity) || isSpreading;
        }
        this._scaleMotion(proxies, share);
    }

    /** Scales back the particles with the most contacts and CCD pairs of full lists; these lists still hold particle numbers of the bodies. */
    scaleOverflowing(contacts: SelfContacts, proxies: readonly CollisionProxy[], share: number): void {
        const { progress, capacity, particleCount } = contacts;
        const touchCount = progress[SelfContactCounter.contactCount];
        const guardCount = progress[SelfContactCounter.ccdCount];
        if (this._contactCounts.length < proxies.length) this._contactCounts = new Uint32Array(proxies.length);
        this._contactCounts.fill(0);
        this._countRecords(contacts, 0, touchCount);
        this._countRecords(contacts, capacity - guardCount, capacity);
        const mean = (touchCount + guardCount) / particleCount;
        for (let i = 0; i < proxies.length; i++)
            this._hasTrouble[i] = this._contactCounts[i] >= OVERFLOW_SHARE * mean * proxies[i].particleCount ? 1 : 0;
        this._scaleMotion(proxies, share);
    }

    /** Counts the contacts of each body in a range. */
    private _countRecords({ records: records, shared: { snapshot: points } }: SelfContacts, first: number, end: number): void {
        for (let o = first * SelfContactRecord.count; o < end * SelfContactRecord.count; o += SelfContactRecord.count) {
            const i = points[rowOf(records[o]) + 3];
            const j = points[rowOf(records[o + 3]) + 3];
            this._contactCounts[i]++;
            if (j !== i) this._contactCounts[j]++;
        }
    }

    /** Spreads the trouble flag between both sides of the contacts of a range. @returns true if a flag changed */
    private _spreadTrouble({ records: records, shared }: SelfContacts, first: number, end: number): boolean {
        const { _hasTrouble: troubled } = this;
        let isSpreading = false;
        for (let o = first * SelfContactRecord.count; o < end * SelfContactRecord.count; o += SelfContactRecord.count) {
            // The first particle is of the first side, the last of the second.
            const i = proxyOf(shared, particleAt(records[o]));
            const j = proxyOf(shared, particleAt(records[o + 3]));
            if (troubled[i] === troubled[j]) continue;
            troubled[i] = troubled[j] = 1;
            isSpreading = true;
        }
        return isSpreading;
    }

    /** Has all that moves come only a share of what it did in the substep, and what was pushed between its own: that keeps its displacement. */
    scaleMotion(proxies: readonly CollisionProxy[], share: number): void {
        this._hasTrouble.fill(1);
        this._scaleMotion(proxies, share);
    }

    private _scaleMotion(proxies: readonly CollisionProxy[], share: number): void {
        for (let i = 0; i < proxies.length; i++) {
            const { isMoving, stepsInFrame: isRunning } = proxies[i];
            if ((!isMoving && !isRunning) || this._hasTrouble[i] === 0) continue;
            const kept = isMoving ? share : 1;
            const { positions: x, previous: p, residuals: r, inverseMasses, particleCount } = proxies[i].body.state;
            const starts = this._startPositions[i];
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

/** Index of the body that owns a particle of the group. */
function proxyOf({ snapshot: points, activeParticles: placed }: SelfCollisionArrays, k: number): number {
    return points[rowOf(placed[k]) + 3];
}

/** Distance between both sides of a contact along its normal [m]. */
function measureGap(places: Float32Array, records: Uint32Array, f: Float32Array, o: number): number {
    const n = o + SelfContactRecord.normal;
    let least = Infinity;
    let most = -Infinity;
    for (let k = 0; k < 4; k++) {
        const row = rowAt(records[o + k]);
        const height = f[n] * places[row] + f[n + 1] * places[row + 1] + f[n + 2] * places[row + 2];
        if (k < records[o + SelfContactRecord.firstSideCount]) least = Math.min(least, height);
        else most = Math.max(most, height);
    }
    return least - most;
}
