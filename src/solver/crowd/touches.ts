import type { Arena } from "../../kernels/arena";
import type { KernelFunctions } from "../../kernels/kernels";
import { TouchLayout, TouchNumber, TouchProgress } from "../../kernels/touchLayout";
import type { TouchArrays } from "../../kernels/touchLayout";
import { ArenaStruct } from "../arenaArrays";
import { agree } from "../colliders/groups";
import type { CrowdStruct } from "./crowdArrays";
import type { Member } from "./member";

/** Touches and crossings that there is room for, to a particle, in the least room. */
const TOUCHES = 48;
const CROSSINGS = 2;
/** What a search looks at, at most: pairs of boxes to a triangle. */
const MOST_BOXES = 200;
/** Share of the particles that have to be held, and how many substeps lists have to be old, for them to be renewed. */
const MOST_HELD = 0.005;
const OLD = 32;
/** How far crossings are moved in a substep, as a share of the discs' radius. */
const PULL = 0.1;

/** The touches and crossings of a crowd's webs, see TouchLayout. */
export class Touches extends ArenaStruct implements TouchArrays {
    readonly capacity: number;
    readonly crossingCapacity: number;
    numbers!: Float32Array;
    progress!: Uint32Array;
    touches!: Uint32Array;
    touchFloats!: Float32Array;
    crossings!: Uint32Array;
    crossingFloats!: Float32Array;
    bounds!: Float32Array;
    starts!: Float32Array;
    zones!: Uint32Array;
    tight!: Uint32Array;
    zoneSums!: Float32Array;
    stack!: Uint32Array;
    readonly particleCount: number;
    /** Substeps since the lists were made. */
    private _age = 0;

    /**
     * @param particleCount of members that have webs
     * @param room how many times the least room is there, and is looked at
     * @throws RangeError when there is no memory left
     */
    constructor(
        arena: Arena,
        readonly crowd: CrowdStruct,
        particleCount: number,
        readonly room = 1,
    ) {
        super(TouchLayout);
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

    /** Whether there is more than it has room for. */
    get isFull(): boolean {
        return this.progress[TouchProgress.isFull] > 0;
    }

    /** Whether anything passes through each other. */
    get isCrossed(): boolean {
        return this.progress[TouchProgress.crossingCount] > 0;
    }

    /** Lists what touches and what passes through each other, as the crowd's points are. */
    list(kernels: KernelFunctions, members: readonly Member[]): void {
        const { numbers, progress } = this;
        kernels.beginTouches(this);
        this._age = 0;
        for (let i = 0; i < members.length; i++) if (members[i].web) kernels.refitWeb(members[i].body.state, members[i].web!);
        for (let i = 0; i < members.length; i++) {
            const a = members[i];
            if (!a.web) continue;
            for (let j = i; j < members.length; j++) {
                const b = members[j];
                if (!b.web || !(i === j || (agree(a.options.groups, b.options.groups) && !a.spares(b)))) continue;
                const distance = (a.thickness + b.thickness) / 2;
                numbers[TouchNumber.distance] = distance;
                numbers[TouchNumber.reach] = distance + (a.margin + b.margin) / 2;
                numbers[TouchNumber.friction] = (a.body.settings.fabric.friction + b.body.settings.fabric.friction) / 2;
                numbers[TouchNumber.pull] = PULL * Math.min(a.radius, b.radius);
                progress[TouchProgress.mostBoxes] = this.room * MOST_BOXES * (a.web.triangleCount + b.web.triangleCount);
                kernels.findTouches(this, a.web, b.web);
            }
        }
        kernels.dropTangled(this);
    }

    /** Keeps apart what touches, in the crowd's places, and parts what has passed. */
    separate(kernels: KernelFunctions, members: readonly Member[]): void {
        for (let i = 0; i < members.length; i++) if (members[i].isNear) kernels.noteStarts(this, members[i]);
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
