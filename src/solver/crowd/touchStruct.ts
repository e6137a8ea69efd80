import type { KernelFunctions } from "../../kernels/kernels";
import { TouchLayout, TouchNumber, TouchProgress } from "../../kernels/touchLayout";
import type { TouchArrays } from "../../kernels/touchLayout";
import { ArenaStruct } from "../arenaArrays";
import type { CrowdStruct } from "./crowdArrays";
import type { Member } from "./member";
import { Sides } from "./sides";

/** What a search looks at, at most: pairs of boxes to a triangle. */
const MOST_BOXES = 200;
/** How far crossings are moved in a substep, as a share of the discs' radius. */
const PULL = 0.1;

/** What webs are searched for, see TouchLayout. */
export abstract class TouchStruct extends ArenaStruct implements TouchArrays {
    abstract readonly capacity: number;
    abstract readonly crossingCapacity: number;
    abstract readonly particleCount: number;
    abstract readonly crowd: CrowdStruct;
    /** Fewest particles of what is cut off and brought back. */
    protected abstract readonly leastSide: number;
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
    heads!: Uint32Array;
    links!: Uint32Array;
    zoneSums!: Float32Array;
    stack!: Uint32Array;
    private _sides: Sides | null = null;

    constructor() {
        super(TouchLayout);
    }

    /** Whether there is more than it has room for. */
    get isFull(): boolean {
        return this.progress[TouchProgress.isFull] > 0;
    }

    /** Whether anything passes through each other. */
    get isCrossed(): boolean {
        return this.progress[TouchProgress.crossingCount] > 0;
    }

    /** Lists what two members, or one with itself, have of it. @param room how many times the least is looked at */
    protected search(kernels: KernelFunctions, a: Member, b: Member, room: number): void {
        this.numbers[TouchNumber.pull] = PULL * Math.min(a.radius, b.radius);
        this.progress[TouchProgress.mostBoxes] = room * MOST_BOXES * (a.web.triangleCount + b.web.triangleCount);
        kernels.findTouches(this, a.web, b.web);
    }

    /** Has what these have cut in two, by the crossings from one on, come back through it. @returns how many particles have to */
    protected bringBack(first: number, a: Member, b: Member): number {
        if (this.progress[TouchProgress.crossingCount] === first) return 0;
        return (this._sides ??= new Sides(this)).bringBack(first, a, b, this.leastSide);
    }
}
