import type { Arena } from "../../kernels/arena";
import type { KernelFunctions } from "../../kernels/kernels";
import { Crossing, TouchNumber, TouchProgress } from "../../kernels/touchLayout";
import type { CrowdStruct } from "./crowdArrays";
import type { Member } from "./member";
import type { Patience } from "./patience";
import { TouchStruct } from "./touchStruct";

/** Touches and crossings that there is room for, to a particle, in the least room. */
const TOUCHES = 48;
const CROSSINGS = 2;
/** Share of the particles that have to be held, and how many substeps lists have to be old, for them to be renewed. */
const MOST_HELD = 0.005;
const OLD = 32;

/** Share of the particles that would pass something in a substep from which on contact does not settle. */
const PILED_UP = 0.02;

/** The touches and crossings of a crowd's webs, see TouchLayout. */
export class Touches extends TouchStruct {
    readonly capacity: number;
    readonly crossingCapacity: number;
    readonly particleCount: number;
    protected readonly leastSide = 1;
    /** Substeps since the lists were made. */
    private _age = 0;
    /** Of what has been given up: the first crossing, and that after the last. */
    private readonly _left: number[] = [];

    /**
     * @param particleCount of members that have webs
     * @param _patience with what passes through each other
     * @param room how many times the least room is there, and is looked at
     * @throws RangeError when there is no memory left
     */
    constructor(
        arena: Arena,
        readonly crowd: CrowdStruct,
        particleCount: number,
        private readonly _patience: Patience,
        readonly room = 1,
    ) {
        super();
        this.particleCount = crowd.particleCount;
        this.capacity = room * TOUCHES * particleCount;
        this.crossingCapacity = room * CROSSINGS * particleCount;
        this._allocate(arena);
    }

    /** Whether anything is listed. */
    get isAny(): boolean {
        const { progress } = this;
        return progress[TouchProgress.touchCount] + progress[TouchProgress.guardCount] + progress[TouchProgress.crossingCount] > 0;
    }

    /** Whether few would have passed in the last call of {@link guard}, and none has. */
    get isSettled(): boolean {
        const { progress } = this;
        return progress[TouchProgress.openCount] === 0 && progress[TouchProgress.heldCount] <= PILED_UP * this.particleCount;
    }

    /**
     * Lists what touches and what passes through each other, as the crowd's points are. What gets no better, since pins hold it through each other, say, is pulled no more.
     * @param sight share of the margins within which it looks
     * @param frame its number
     */
    list(kernels: KernelFunctions, members: readonly Member[], sight: number, frame: number): void {
        const { numbers } = this;
        kernels.beginTouches(this);
        this._age = 0;
        this._left.length = 0;
        for (let i = 0; i < members.length; i++) if (members[i].hasTouches) kernels.refitWeb(members[i].body.state, members[i].web);
        for (let i = 0; i < members.length; i++) {
            const a = members[i];
            if (!a.hasTouches) continue;
            for (let j = i; j < members.length; j++) {
                const b = members[j];
                if (!b.hasTouches || !a.meets(b)) continue;
                const distance = (a.thickness + b.thickness) / 2;
                numbers[TouchNumber.distance] = distance;
                numbers[TouchNumber.reach] = distance + (sight * (a.margin + b.margin)) / 2;
                numbers[TouchNumber.friction] = (a.body.settings.fabric.friction + b.body.settings.fabric.friction) / 2;
                const before = this.progress[TouchProgress.crossingCount];
                this.search(kernels, a, b, this.room);
                const behind = this.bringBack(before, a, b) || Infinity;
                const found = this.progress[TouchProgress.crossingCount] - before;
                const key = i * members.length + j;
                if (found > 0 && (isCarried(a) || isCarried(b))) this._patience.renew(key, frame);
                const revision = a.body.revision + b.body.revision;
                if (!this._patience.goesOn(key, frame, found, behind, revision)) this._left.push(before, before + found);
            }
        }
        kernels.dropTangled(this);
        if (this._left.length > 0) this._let();
    }

    /** Leaves out the crossings of what has been given up. */
    private _let(): void {
        const { progress, crossings, _left: left } = this;
        for (let k = left.length - 2; k >= 0; k -= 2) {
            crossings.copyWithin(
                left[k] * Crossing.count,
                left[k + 1] * Crossing.count,
                progress[TouchProgress.crossingCount] * Crossing.count,
            );
            progress[TouchProgress.crossingCount] -= left[k + 1] - left[k];
        }
    }

    /** Keeps apart what touches, in the crowd's places, and parts what has passed. */
    separate(kernels: KernelFunctions, members: readonly Member[]): void {
        for (let i = 0; i < members.length; i++) {
            if (!members[i].isNear) continue;
            kernels.noteStarts(this, members[i]);
            members[i].layStarts(this.starts);
        }
        kernels.answerTouches(this);
        kernels.pullCrossings(this);
    }

    /**
     * Sees that nothing has passed, in the crowd's places.
     * @returns whether much would have: the lists are to be renewed
     */
    guard(kernels: KernelFunctions): boolean {
        kernels.guardTouches(this);
        return ++this._age > OLD && this.progress[TouchProgress.heldCount] > MOST_HELD * this.particleCount;
    }
}

/** Whether pins move a member. */
function isCarried({ body: { pins } }: Member): boolean {
    for (let i = 0; i < pins.length; i++) if (pins[i].isMoving) return true;
    return false;
}
