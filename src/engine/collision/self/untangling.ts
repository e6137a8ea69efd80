import type { Arena } from "../../../kernels/arena";
import { SelfCollisionCounter, ProxyRecord, PairRecord } from "../../../kernels/selfCollisionLayout";
import type { KernelFunctions } from "../../../kernels/kernelTable";
import { ROW } from "../../../kernels/layout";
import { NONE } from "../../../kernels/structSchema";
import { areRestProximityPair } from "../../../kernels/restLayout";
import type { SelfCollisionBuffers } from "./selfCollisionBuffers";
import { hasMovingPins, UntangleTimeout } from "./untangleTimeout";
import { SelfContactBuffers } from "./selfCollisionBuffers";
import { IntersectionRecord, SelfContactCounter, BvhBox, BvhTriangle } from "../../../kernels/selfContactLayout";
import type { SelfContactArrays, BvhArrays } from "../../../kernels/selfContactLayout";
import type { CollisionProxy } from "./collisionProxy";

/** Rings of triangles around an intersection: as far as intersection lines move between two searches. */
const RINGS = 6;

/** Mesh neighbourhood of the intersections. Later searches are limited to it, so that their cost follows the intersections and not the mesh. */
export class IntersectionNeighbourhood {
    /** Of each particle: 1, it was at a crossing; 1 + n, n triangles from there; 0, it is not in it. */
    private readonly _rings: Uint8Array;

    constructor(particleCount: number) {
        this._rings = new Uint8Array(particleCount);
    }

    /** Puts it about crossings, of particles. */
    centreOn({ intersections: crossings, progress }: SelfContactArrays): void {
        this._rings.fill(0);
        const end = progress[SelfContactCounter.intersectionCount] * IntersectionRecord.count;
        for (let o = 0; o < end; o += IntersectionRecord.count) for (let k = 0; k < 5; k++) this._rings[crossings[o + k]] = 1;
    }

    /** Limits searches of a body's triangles to the neighbourhood, until the hierarchy is refitted. */
    restrictSearch({ first, bvh: web }: CollisionProxy): void {
        for (let ring = 1; ring <= RINGS; ring++)
            for (let t = 0; t < web.triangleCount; t++)
                if (this._isWithinRing(web, first, t, ring)) this._markTriangle(web, first, t, ring + 1);
        const { boxes, boxCount, leafCount, triangleCount } = web;
        const leaves = boxCount - leafCount;
        for (let t = 0; t < triangleCount; t++) if (!this._isWithinRing(web, first, t, RINGS + 1)) emptyBox(boxes, leaves + t);
        for (let i = leaves - 1; i >= 0; i--) if (isEmptyBox(boxes, 2 * i + 1) && isEmptyBox(boxes, 2 * i + 2)) emptyBox(boxes, i);
    }

    /** True if a corner of the triangle is in the neighbourhood, up to a ring. */
    private _isWithinRing({ triangles }: BvhArrays, first: number, t: number, ring: number): boolean {
        const { _rings: rings } = this;
        const o = t * BvhTriangle.count + BvhTriangle.corners;
        for (let k = 0; k < 3; k++) {
            const at = rings[first + triangles[o + k]];
            if (at > 0 && at <= ring) return true;
        }
        return false;
    }

    private _markTriangle({ triangles }: BvhArrays, first: number, t: number, ring: number): void {
        const o = t * BvhTriangle.count + BvhTriangle.corners;
        for (let k = 0; k < 3; k++) this._rings[first + triangles[o + k]] ||= ring;
    }
}

/** Makes a box one over nothing, which is apart from all. */
function emptyBox(boxes: Float32Array, i: number): void {
    boxes[i * BvhBox.count + BvhBox.minimum] = Infinity;
}

function isEmptyBox(boxes: Float32Array, i: number): boolean {
    return boxes[i * BvhBox.count + BvhBox.minimum] === Infinity;
}

/** Crossings that there is room for, to a particle, and at least. */
const INTERSECTIONS_PER_PARTICLE = 0.5;
const MIN_INTERSECTION_CAPACITY = 64;
/** In how many frames cloth that has moved is looked at once as a whole, while none is seen crossed, and while some is; and what has been given up. */
const SEARCH_PERIOD = 32;
const TANGLED_SEARCH_PERIOD = 8;
const ABANDONED_SEARCH_PERIOD = 96;
/** Marks of a slot with a crossing, and with one that has been given up, while lists are being made. */
const TANGLED = 1;
const ABANDONED = 2;

/**
 * Has cloth that is kept apart by its particles come out of what it has passed through. Discs know the side on which they were when they
 * were listed, not the right one: what is forced through would stay.
 *
 * Edges through triangles are looked for now and then, and near those in each frame once there are any. They are pulled out as those of triangles are,
 * see assembly/intersections.ts; pairs both sides of which are at them do not hold on to each other. What does not get better is left alone,
 * so that it can come to rest.
 */
export class Untangling extends SelfContactBuffers {
    /** Only crossings are listed. */
    readonly capacity = 0;
    /** About one alone, the line of intersection gets shorter by itself; pushed, it shakes between discs. */
    protected readonly minRegionSize: number;
    readonly particleCount = 0;
    readonly intersectionCapacity: number;
    private _frame = 0;
    /** The frame in which it is looked for them next. */
    private _nextSearch = 0;
    private _lastSearch = 0;
    private readonly _timeout = new UntangleTimeout();
    /** 1: the particle is at something that has been given up; whether any is; the frame in which that is looked at again. */
    private readonly _abandoned: Uint8Array;
    private readonly _neighbourhood: IntersectionNeighbourhood;
    private _hasAbandoned = false;
    private _nextReview = 0;

    /** @throws RangeError when there is no memory left */
    constructor(
        arena: Arena,
        readonly shared: SelfCollisionBuffers,
        /** True if it looks at bodies with triangle contacts, too. */
        private readonly _includesTriangles = false,
    ) {
        super();
        this.minRegionSize = _includesTriangles ? 1 : 2;
        this.intersectionCapacity = Math.ceil(
            Math.max(MIN_INTERSECTION_CAPACITY, (_includesTriangles ? 2 : INTERSECTIONS_PER_PARTICLE) * shared.particleCount),
        );
        this._abandoned = new Uint8Array(shared.particleCount);
        this._neighbourhood = new IntersectionNeighbourhood(shared.particleCount);
        this._allocate(arena);
    }

    /** Forgets all that has been seen. */
    reset(): void {
        this._timeout.clear();
        this._clearAbandoned();
        this._nextSearch = this._lastSearch = this._frame;
        this.progress[SelfContactCounter.intersectionCount] = 0;
    }

    /** Has everything be looked at again soon: something has passed. */
    searchSoon(): void {
        this._nextSearch = Math.min(this._nextSearch, Math.max(this._frame + 1, this._lastSearch + TANGLED_SEARCH_PERIOD));
    }

    /** Begins a frame; whether it has to be looked for crossings in it. */
    beginFrame(): boolean {
        this._frame++;
        return this.isIntersecting;
    }

    /** Lists what is crossed, where that is due, and has nothing hold on to it; once the pairs are listed. @returns true if particles are marked as tangled */
    list(kernels: KernelFunctions, proxies: readonly CollisionProxy[]): boolean {
        const isDue = this._frame >= this._nextSearch;
        if (isDue || this.isIntersecting) this._search(kernels, proxies, !isDue);
        const isTangled = this.isIntersecting || this._hasAbandoned;
        if (isTangled) this._dropTangledPairs();
        return isTangled;
    }

    private _skips({ usesTriangles }: CollisionProxy): boolean {
        return usesTriangles && !this._includesTriangles;
    }

    /** @param isNearby only near what was crossed when it was last looked, unless nothing is now */
    private _search(kernels: KernelFunctions, proxies: readonly CollisionProxy[], isNearby: boolean): void {
        const isReview = !isNearby && this._frame >= this._nextReview;
        if (!isNearby) this._lastSearch = this._frame;
        if (isReview) this._clearAbandoned();
        kernels.clearSelfContacts(this);
        for (let i = 0; i < proxies.length; i++) {
            if (this._skips(proxies[i])) continue;
            kernels.refitBvh(proxies[i].body.state, proxies[i].bvh);
            if (isNearby) this._neighbourhood.restrictSearch(proxies[i]);
        }
        for (let i = 0; i < proxies.length; i++) {
            const a = proxies[i];
            for (let j = this._skips(a) ? i + 1 : i; j < proxies.length; j++) {
                const b = proxies[j];
                if ((this._skips(a) && this._skips(b)) || a.isRope || b.isRope || !a.collidesWith(b) || !a.mayTouch(b)) continue;
                const key = i * proxies.length + j;
                const { _timeout: timeout } = this;
                if (hasMovingPins(a) || hasMovingPins(b)) timeout.extend(key, this._frame);
                if (timeout.isTracked(key) ? !isReview && timeout.hasGivenUp(key) : isNearby) continue;
                const before = this.progress[SelfContactCounter.intersectionCount];
                this.detect(kernels, a, b, 1);
                if (i === j && !a.usesTriangles) this._dropCreases(before, a);
                const found = this.progress[SelfContactCounter.intersectionCount] - before;
                if (isNearby && found === 0) continue;
                const behind = this.pushBackRegions(before, a, b) || Infinity;
                if (!timeout.shouldContinue(key, this._frame, found, behind, a.body.revision + b.body.revision))
                    this._abandon(before);
            }
        }
        this._neighbourhood.centreOn(this);
        if (!isNearby) this._nextSearch = this._frame + (this.isIntersecting ? TANGLED_SEARCH_PERIOD : SEARCH_PERIOD);
        else if (!this.isIntersecting) this._search(kernels, proxies, false);
    }

    /** Untangles intersections, in the group's positions. */
    resolve(kernels: KernelFunctions): void {
        if (this.isIntersecting) kernels.resolveIntersections(this);
    }

    /** Leaves out, from a crossing on, creases that are pressed flat: what is so close at rest does not collide. */
    private _dropCreases(first: number, proxy: CollisionProxy): void {
        const { intersections: crossings, progress } = this;
        let kept = first;
        for (let k = first; k < progress[SelfContactCounter.intersectionCount]; k++) {
            if (this._isCrease(k, proxy)) continue;
            crossings.copyWithin(kept * IntersectionRecord.count, k * IntersectionRecord.count, (k + 1) * IntersectionRecord.count);
            kept++;
        }
        progress[SelfContactCounter.intersectionCount] = kept;
    }

    /** True if a particle of a crossing's edge is near one of its triangle at rest over the surface, and they are no rest proximity pair. */
    private _isCrease(crossing: number, { index }: CollisionProxy): boolean {
        const { shared, intersections: crossings } = this;
        const reach = shared.proxyFloats[index * ProxyRecord.count + ProxyRecord.restExclusion];
        const o = crossing * IntersectionRecord.count;
        for (let e = 0; e < 2; e++) {
            for (let t = 2; t < 5; t++) {
                const i = crossings[o + e];
                const j = crossings[o + t];
                let squared = 0;
                for (let c = 0; c < 3; c++) squared += (shared.rest[i * ROW + c] - shared.rest[j * ROW + c]) ** 2;
                if (squared < reach && !areRestProximityPair(shared, i, j)) return true;
            }
        }
        return false;
    }

    /** Gives up what is crossed, from a crossing on. */
    private _abandon(first: number): void {
        const { intersections: crossings, progress } = this;
        const end = progress[SelfContactCounter.intersectionCount] * IntersectionRecord.count;
        for (let o = first * IntersectionRecord.count; o < end; o += IntersectionRecord.count)
            for (let k = 0; k < 5; k++) this._abandoned[crossings[o + k]] = 1;
        this._hasAbandoned = true;
        progress[SelfContactCounter.intersectionCount] = first;
    }

    private _clearAbandoned(): void {
        this._nextReview = this._frame + ABANDONED_SEARCH_PERIOD;
        if (this._hasAbandoned) this._abandoned.fill(0);
        this._hasAbandoned = false;
    }

    /** Leaves out pairs both particles of which are at crossings, or at what has been given up. */
    private _dropTangledPairs(): void {
        const { shared, intersections: crossings } = this;
        const { slots, pairs, progress } = shared;
        if (this._hasAbandoned)
            for (let i = 0; i < slots.length; i++) if (this._abandoned[i] > 0 && slots[i] !== NONE) slots[i] = ABANDONED;
        const end = this.progress[SelfContactCounter.intersectionCount] * IntersectionRecord.count;
        for (let o = 0; o < end; o += IntersectionRecord.count) for (let k = 0; k < 5; k++) slots[crossings[o + k]] = TANGLED;
        let kept = 0;
        for (let o = 0, last = progress[SelfCollisionCounter.pairCount] * PairRecord.count; o < last; o += PairRecord.count) {
            if (this._isTangled(pairs[o + PairRecord.a]) && this._isTangled(pairs[o + PairRecord.b])) continue;
            pairs.copyWithin(kept, o, o + PairRecord.count);
            kept += PairRecord.count;
        }
        progress[SelfCollisionCounter.pairCount] = kept / PairRecord.count;
    }

    private _isTangled(particle: number): boolean {
        const mark = this.shared.slots[particle];
        return mark === TANGLED || mark === ABANDONED;
    }
}
