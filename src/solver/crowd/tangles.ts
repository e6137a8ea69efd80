import type { Arena } from "../../kernels/arena";
import { CrowdProgress, MemberRecord, PairRecord } from "../../kernels/crowdLayout";
import type { KernelFunctions } from "../../kernels/kernels";
import { ROW } from "../../kernels/layout";
import { areStrangers } from "../../kernels/strangers";
import { Crossing, TouchProgress } from "../../kernels/touchLayout";
import type { CrowdStruct } from "./crowdArrays";
import type { Member } from "./member";
import { Patience } from "./patience";
import { TouchStruct } from "./touchStruct";
import { Vicinity } from "./vicinity";

/** Crossings that there is room for, to a particle, and at least. */
const CROSSINGS = 0.5;
const LEAST_CROSSINGS = 64;
/** In how many frames cloth that has moved is looked at once as a whole, while none is seen crossed, and while some is; and what has been given up. */
const RHYTHM = 32;
const OFTEN = 8;
const RARELY = 96;
/** What is at a crossing, while lists are being made: a mark among the slots. */
const TANGLED = 1;

/**
 * Has cloth that is kept apart by its particles come out of what it has passed through. Discs know the side on which they were when they
 * were listed, not the right one: what is forced through would stay.
 *
 * Edges through triangles are looked for now and then, and near those in each frame once there are any. They are pulled out as those of triangles are,
 * see assembly/crossings.ts; pairs both sides of which are at them do not hold on to each other. What does not get better is left alone,
 * so that it can come to rest.
 */
export class Tangles extends TouchStruct {
    /** Only crossings are listed. */
    readonly capacity = 0;
    /** About one alone, the line of intersection gets shorter by itself; pushed, it shakes between discs. */
    protected readonly leastSide = 2;
    readonly particleCount = 0;
    readonly crossingCapacity: number;
    private _frame = 0;
    /** The frame in which it is looked for them next. */
    private _due = 0;
    private readonly _patience = new Patience();
    /** 1: the particle is at something that has been given up; whether any is; the frame in which that is looked at again. */
    private readonly _left: Uint8Array;
    private readonly _vicinity: Vicinity;
    private _isAnyLeft = false;
    private _review = 0;

    /** @throws RangeError when there is no memory left */
    constructor(
        arena: Arena,
        readonly crowd: CrowdStruct,
    ) {
        super();
        this.crossingCapacity = Math.ceil(Math.max(LEAST_CROSSINGS, CROSSINGS * crowd.particleCount));
        this._left = new Uint8Array(crowd.particleCount);
        this._vicinity = new Vicinity(crowd.particleCount);
        this._allocate(arena);
    }

    /** Forgets all that has been seen. */
    restart(): void {
        this._patience.restart();
        this._forgetLeft();
        this._due = this._frame;
        this.progress[TouchProgress.crossingCount] = 0;
    }

    /** Begins a frame; whether it has to be looked for crossings in it. */
    beginFrame(): boolean {
        this._frame++;
        return this.isCrossed;
    }

    /** Lists what is crossed, where that is due, and has nothing hold on to it; once the pairs are listed. */
    list(kernels: KernelFunctions, members: readonly Member[]): void {
        const isDue = this._frame >= this._due;
        if (isDue || this.isCrossed) this._look(kernels, members, !isDue);
        if (this.isCrossed || this._isAnyLeft) this._let();
    }

    /** @param isNearby only near what was crossed when it was last looked, unless nothing is now */
    private _look(kernels: KernelFunctions, members: readonly Member[], isNearby: boolean): void {
        const isReview = !isNearby && this._frame >= this._review;
        if (isReview) this._forgetLeft();
        kernels.beginTouches(this);
        for (let i = 0; i < members.length; i++) {
            if (members[i].hasTouches) continue;
            kernels.refitWeb(members[i].body.state, members[i].web);
            if (isNearby) this._vicinity.confine(members[i]);
        }
        for (let i = 0; i < members.length; i++) {
            const a = members[i];
            for (let j = a.hasTouches ? i + 1 : i; j < members.length; j++) {
                const b = members[j];
                if ((a.hasTouches && b.hasTouches) || a.isRope || b.isRope || !a.meets(b) || !a.isNearTo(b)) continue;
                const key = i * members.length + j;
                const { _patience: patience } = this;
                if (patience.knows(key) ? !isReview && patience.hasGivenUp(key) : isNearby) continue;
                const before = this.progress[TouchProgress.crossingCount];
                this.search(kernels, a, b, 1);
                if (i === j) this._dropCreases(before, a);
                const found = this.progress[TouchProgress.crossingCount] - before;
                if (isNearby && found === 0) continue;
                const behind = this.bringBack(before, a, b) || Infinity;
                if (!patience.goesOn(key, this._frame, found, behind, a.body.revision + b.body.revision)) this._leave(before);
            }
        }
        this._vicinity.centre(this);
        if (!isNearby) this._due = this._frame + (this.isCrossed ? OFTEN : RHYTHM);
        else if (!this.isCrossed) this._look(kernels, members, false);
    }

    /** Pulls out what is crossed, in the crowd's places. */
    separate(kernels: KernelFunctions): void {
        if (this.isCrossed) kernels.pullCrossings(this);
    }

    /** Leaves out, from a crossing on, creases that are pressed flat: what is so close at rest does not collide. */
    private _dropCreases(first: number, member: Member): void {
        const { crossings, progress } = this;
        let kept = first;
        for (let k = first; k < progress[TouchProgress.crossingCount]; k++) {
            if (this._isCrease(k, member)) continue;
            crossings.copyWithin(kept * Crossing.count, k * Crossing.count, (k + 1) * Crossing.count);
            kept++;
        }
        progress[TouchProgress.crossingCount] = kept;
    }

    /** Whether a particle of a crossing's edge is near one of its triangle at rest, and no stranger to it. */
    private _isCrease(crossing: number, { index }: Member): boolean {
        const { crowd, crossings } = this;
        const reach = crowd.memberFloats[index * MemberRecord.count + MemberRecord.restReach];
        const o = crossing * Crossing.count;
        for (let e = 0; e < 2; e++) {
            for (let t = 2; t < 5; t++) {
                const i = crossings[o + e];
                const j = crossings[o + t];
                let squared = 0;
                for (let c = 0; c < 3; c++) squared += (crowd.rest[i * ROW + c] - crowd.rest[j * ROW + c]) ** 2;
                if (squared < reach && !areStrangers(crowd, i, j)) return true;
            }
        }
        return false;
    }

    /** Gives up what is crossed, from a crossing on. */
    private _leave(first: number): void {
        const { crossings, progress } = this;
        const end = progress[TouchProgress.crossingCount] * Crossing.count;
        for (let o = first * Crossing.count; o < end; o += Crossing.count)
            for (let k = 0; k < 5; k++) this._left[crossings[o + k]] = 1;
        this._isAnyLeft = true;
        progress[TouchProgress.crossingCount] = first;
    }

    private _forgetLeft(): void {
        this._review = this._frame + RARELY;
        if (this._isAnyLeft) this._left.fill(0);
        this._isAnyLeft = false;
    }

    /** Leaves out pairs both particles of which are at crossings, or at what has been given up. */
    private _let(): void {
        const { crowd, crossings } = this;
        const { slots, pairs, progress } = crowd;
        const end = this.progress[TouchProgress.crossingCount] * Crossing.count;
        for (let o = 0; o < end; o += Crossing.count) for (let k = 0; k < 5; k++) slots[crossings[o + k]] = TANGLED;
        let kept = 0;
        for (let o = 0, last = progress[CrowdProgress.pairCount] * PairRecord.count; o < last; o += PairRecord.count) {
            if (this._isTangled(pairs[o + PairRecord.a]) && this._isTangled(pairs[o + PairRecord.b])) continue;
            pairs.copyWithin(kept, o, o + PairRecord.count);
            kept += PairRecord.count;
        }
        progress[CrowdProgress.pairCount] = kept / PairRecord.count;
    }

    private _isTangled(particle: number): boolean {
        return this.crowd.slots[particle] === TANGLED || this._left[particle] > 0;
    }
}
