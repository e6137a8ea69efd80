import type { Arena } from "../../kernels/arena";
import { MemberNumber } from "../../kernels/crowdLayout";
import { NONE } from "../../kernels/fields";
import type { KernelFunctions } from "../../kernels/kernels";
import { TouchLayout, TouchNumber, TouchProgress } from "../../kernels/touchLayout";
import type { TouchArrays } from "../../kernels/touchLayout";
import { ArenaStruct } from "../arenaArrays";
import { agree } from "../colliders/groups";
import type { CrowdStruct } from "./crowdArrays";
import type { Member } from "./member";

/** Touches and crossings that there is room for, to a particle. */
const TOUCHES = 32;
const CROSSINGS = 2;
/** Touches that keep their side, at most. */
const KEPT = 4096;
/** What a search looks at, at most: pairs of boxes to a triangle. */
const MOST_BOXES = 80;
/** Share of the particles that have to be at their bounds, for lists to be renewed. */
const MOST_HELD = 0.005;
/** Least share that goes together of the squares of the ways of what touches, for that to be a drift. */
const COHERENT = 0.45;
/** What is summed up of an island's drift: x y z, number, squares. */
const DRIFT = 5;
/** How far crossings are moved in a substep, as a share of the discs' radius. */
const PULL = 0.1;

/** The touches and crossings of a crowd's webs, see TouchLayout. */
export class Touches extends ArenaStruct implements TouchArrays {
    readonly capacity: number;
    readonly crossingCapacity: number;
    readonly keptCapacity = KEPT;
    numbers!: Float32Array;
    progress!: Uint32Array;
    touches!: Uint32Array;
    touchFloats!: Float32Array;
    crossings!: Uint32Array;
    crossingFloats!: Float32Array;
    kept!: Uint32Array;
    bounds!: Float32Array;
    stack!: Uint32Array;
    readonly particleCount: number;
    /** For each member, the first of those that it touches, over others, too; and sums of their drift, x y z, number and squares. */
    private readonly _islands: Uint32Array;
    private readonly _drifts: Float64Array;

    /** @param particleCount of members that have webs. @throws RangeError when there is no memory left */
    constructor(
        arena: Arena,
        readonly crowd: CrowdStruct,
        particleCount: number,
    ) {
        super(TouchLayout);
        this.particleCount = crowd.particleCount;
        this._islands = new Uint32Array(crowd.memberCount);
        this._drifts = new Float64Array(DRIFT * crowd.memberCount);
        this.capacity = TOUCHES * particleCount;
        this.crossingCapacity = CROSSINGS * particleCount;
        this._allocate(arena);
        this.kept.fill(NONE);
    }

    /** Whether anything is listed. */
    get isAny(): boolean {
        return this.progress[TouchProgress.touchCount] + this.progress[TouchProgress.crossingCount] > 0;
    }

    /** Whether anything passes through each other. */
    get isCrossed(): boolean {
        return this.progress[TouchProgress.crossingCount] > 0;
    }

    /** Lists what touches and what passes through each other, as the crowd's points are. */
    list(kernels: KernelFunctions, members: readonly Member[]): void {
        const { numbers, progress } = this;
        kernels.beginTouches(this);
        for (let i = 0; i < members.length; i++) this._islands[i] = i;
        for (let i = 0; i < members.length; i++) if (members[i].web) kernels.refitWeb(members[i].web!);
        for (let i = 0; i < members.length; i++) {
            const a = members[i];
            if (!a.web) continue;
            for (let j = i; j < members.length; j++) {
                const b = members[j];
                if (!b.web || !(i === j || agree(a.options.groups, b.options.groups))) continue;
                const distance = (a.thickness + b.thickness) / 2;
                numbers[TouchNumber.distance] = distance;
                numbers[TouchNumber.reach] = distance + (a.margin + b.margin) / 2;
                numbers[TouchNumber.friction] = (a.body.settings.fabric.friction + b.body.settings.fabric.friction) / 2;
                numbers[TouchNumber.pull] = PULL * Math.min(a.radius, b.radius);
                progress[TouchProgress.listsTouches] = progress[TouchProgress.listsCrossings] = 1;
                progress[TouchProgress.mostBoxes] = MOST_BOXES * (a.web.triangleCount + b.web.triangleCount);
                const count = progress[TouchProgress.touchCount];
                kernels.findTouches(this, a.web, b.web);
                if (progress[TouchProgress.touchCount] > count) this._join(i, j);
            }
        }
    }

    /** Two members touch. */
    private _join(i: number, j: number): void {
        const { _islands: islands } = this;
        const [a, b] = [islands[i], islands[j]];
        for (let m = 0; m < islands.length; m++) if (islands[m] === b) islands[m] = a;
    }

    /**
     * Keeps apart what touches, in the crowd's places, and parts what has passed.
     * @returns whether many have come as far as they may: the lists are to be renewed
     */
    separate(kernels: KernelFunctions, members: readonly Member[]): boolean {
        const { progress } = this;
        kernels.answerTouches(this);
        kernels.pullCrossings(this);
        this._findDrifts(kernels, members);
        progress[TouchProgress.heldCount] = 0;
        for (let i = 0; i < members.length; i++) if (members[i].isNear) kernels.boundPlaces(this, members[i]);
        return progress[TouchProgress.heldCount] > MOST_HELD * this.particleCount;
    }

    /**
     * Finds how what touches goes together: that does not count against its bounds. Where a part lies and the rest comes down on it, no
     * drift is: it would drag the one through the ground and the other along.
     */
    private _findDrifts(kernels: KernelFunctions, members: readonly Member[]): void {
        const { _islands: islands, _drifts: drifts } = this;
        drifts.fill(0);
        for (let i = 0; i < members.length; i++) {
            if (!members[i].isNear) continue;
            kernels.measureDrift(this, members[i]);
            const { numbers } = members[i];
            const count = numbers[MemberNumber.drift + 3];
            for (let c = 0; c < 3; c++) drifts[DRIFT * islands[i] + c] += count * numbers[MemberNumber.drift + c];
            drifts[DRIFT * islands[i] + 3] += count;
            drifts[DRIFT * islands[i] + 4] += numbers[MemberNumber.driftSquares];
        }
        for (let i = 0; i < members.length; i++) {
            const o = DRIFT * islands[i];
            const { numbers } = members[i];
            const count = Math.max(1, drifts[o + 3]);
            const squared = (drifts[o] ** 2 + drifts[o + 1] ** 2 + drifts[o + 2] ** 2) / count;
            const share = squared >= COHERENT * drifts[o + 4] ? 1 / count : 0;
            for (let c = 0; c < 3; c++) numbers[MemberNumber.drift + c] = drifts[o + c] * share;
        }
    }
}
