/** Bending stencils of one span, laid out for the kernels: those of three particles, of four, and of four with a curvature at rest. */
import type { Arena } from "../../../kernels/arena";
import { StencilKind, StencilOrderLayout, StencilProgress, StencilWeightLayout } from "../../../kernels/constraintLayout";
import type { BendStiffnessArrays, StencilWeightArrays } from "../../../kernels/constraintLayout";
import { LineStencilLayout, LineStencilRecord, particleAt, StencilLayout, StencilRecord } from "../../../kernels/layout";
import type { LineStencilArrays, StencilArrays } from "../../../kernels/layout";
import type { KernelFunctions } from "../../../kernels/kernelTable";
import { ArenaStruct } from "../../memory/arenaArrays";
import { openScratch, withScratch } from "../../memory/withScratch";
import type { Slices } from "../../time/slices";
import type { StencilSet } from "../../topology/stencilSet";
import type { BodyState } from "../../state/state";

/** Stencils of one kind. */
export abstract class Stencils extends ArenaStruct {
    readonly recordCount: number;
    records!: Uint32Array;
    recordFloats!: Float32Array;
    /** Data from which weights follow; null once released. */
    restData: StencilRestData | null;
    /** Slots of a record. */
    abstract readonly slots: typeof LineStencilRecord | typeof StencilRecord;

    constructor(arena: Arena, layout: typeof LineStencilLayout | typeof StencilLayout, { areas, lines, records }: OrderedStencils) {
        super(layout);
        this.recordCount = areas.length;
        this.restData = { areas, lines };
        this._allocate(arena);
        this.records.set(records);
    }

    abstract project(kernels: KernelFunctions, state: BodyState): void;
}

class LineStencils extends Stencils implements LineStencilArrays {
    readonly slots = LineStencilRecord;

    constructor(arena: Arena, laid: OrderedStencils) {
        super(arena, LineStencilLayout, laid);
    }

    override project(kernels: KernelFunctions, state: BodyState): void {
        kernels.projectLineStencils(state, this);
    }
}

class PlaneStencils extends Stencils implements StencilArrays {
    readonly slots = StencilRecord;

    constructor(arena: Arena, laid: OrderedStencils) {
        super(arena, StencilLayout, laid);
    }

    override project(kernels: KernelFunctions, state: BodyState): void {
        kernels.projectStencils(state, this);
    }
}

class CurvedStencils extends PlaneStencils {
    override project(kernels: KernelFunctions, state: BodyState): void {
        kernels.projectCurvedStencils(state, this);
    }
}

/** By {@link StencilKind}. */
const stencilClasses = [LineStencils, PlaneStencils, CurvedStencils];

/** See the top of the file. */
export class BendLevel {
    /** Its stencils in the order of projection. */
    readonly kinds: Stencils[] = [];
    private readonly _clamped: number;

    /**
     * @param count number of its stencils
     * @param laid what {@link orderedStencilsOf} has made of them
     * @param span length of the stencils' arms in edges
     * @throws RangeError when there is no memory left
     */
    constructor(
        arena: Arena,
        readonly count: number,
        laid: readonly OrderedStencils[],
        span: number,
    ) {
        this._clamped = clampFactor(span);
        try {
            stencilClasses.forEach((Kind, k) => {
                if (laid[k].areas.length > 0) this.kinds.push(new Kind(arena, laid[k]));
            });
        } catch (error) {
            this.release();
            throw error;
        }
    }

    get byteLength(): number {
        return this.kinds.reduce((sum, { byteLength }) => sum + byteLength, 0);
    }

    project(kernels: KernelFunctions, state: BodyState): void {
        for (let i = 0; i < this.kinds.length; i++) this.kinds[i].project(kernels, state);
    }

    release(): void {
        for (const kind of this.kinds) kind.release();
    }

    /** True if the data from which weights follow is released. */
    get isRestDataReleased(): boolean {
        return this.kinds.some(({ restData: rest }) => !rest);
    }

    /** Lets go of what weights follow from. */
    releaseRestData(): void {
        for (const kind of this.kinds) kind.restData = null;
    }

    /** Marks each line that has a stencil. */
    markLines(bend: BendStiffnessArrays): void {
        this._withWeightArrays(bend, (stencils, kernels) => kernels.markStencils(stencils));
    }

    /** Calls with each line and the particles at the ends of its stencil. */
    forEachLine(call: (line: number, a: number, c: number) => void): void {
        for (const { recordCount, records, restData: rest, slots } of this.kinds) {
            const { areas, lines } = rest!;
            for (let i = 0; i < recordCount; i++) {
                const r = i * slots.count;
                if (areas[i] > 0) call(lines[i], particleAt(records[r]), particleAt(records[r + 2]));
            }
        }
    }

    /** Finds the most that a pass can carry on each line, and how long the chord a–c of its stencil is. */
    measureCapacity(bend: BendStiffnessArrays): void {
        this._withWeightArrays(bend, (stencils, kernels) => kernels.measureStencilCapacity(stencils));
    }

    /** Derives what the particles move by from what the lines take on this level. */
    computeWeights(bend: BendStiffnessArrays): void {
        this._withWeightArrays(bend, (stencils, kernels, { records }) => {
            kernels.computeStencilWeights(stencils);
            records.set(stencils.records);
        });
    }

    private _withWeightArrays(
        bend: BendStiffnessArrays,
        run: (stencils: StencilWeightArrays, kernels: KernelFunctions, kind: Stencils) => void,
    ): void {
        for (const kind of this.kinds) {
            const { recordCount, slots } = kind;
            withScratch(StencilWeightLayout, { bend, recordCount, recordSize: slots.count }, (stencils, kernels) => {
                const { areas, lines } = kind.restData!;
                stencils.records.set(kind.records);
                stencils.areas.set(areas);
                stencils.lines.set(lines);
                stencils.clamped[0] = this._clamped;
                run(stencils, kernels, kind);
            });
        }
    }
}

/**
 * By how much more the stencils with a pinned arm count. A stencil sees the mean curvature of its span: next to a clamp, beyond which
 * nothing bends, those that reach over it see less than there is, and without more weight the sheet would have a kink there.
 */
function clampFactor(span: number): number {
    let free = 0;
    let pinned = 0;
    for (let b = 1 - span; b < span; b++) {
        // Half of what the clamp's last particle stands for is held.
        let seen = 0.5 * (span - Math.abs(b));
        for (let i = 1; i < b + span; i++) seen += span - Math.abs(i - b);
        if (b > 0) free += seen * (span - b);
        else pinned += seen * (span + b);
    }
    return (span ** 4 - free) / pinned;
}

/** Of each record: the area of its stencil [m²], 0 for padding; its line, see StencilSet. */
interface StencilRestData {
    readonly areas: Float32Array;
    readonly lines: Uint32Array;
}

/** Stencils of one kind in the order of projection, without moves. */
interface OrderedStencils extends StencilRestData {
    readonly records: Uint32Array;
}

/** Cloths of one topology share what is laid out of its set. */
const orderedSets = new WeakMap<StencilSet, readonly OrderedStencils[]>();

/** The stencils of a set by {@link StencilKind}, in the order of projection. */
export function* orderedStencilsOf(set: StencilSet, particleCount: number): Slices<readonly OrderedStencils[]> {
    const known = orderedSets.get(set);
    if (known) return known;
    let left = set.areas.length;
    const laid: OrderedStencils[] = [];
    for (let kind = 0; kind < stencilClasses.length; kind++) {
        const found: OrderedStencils = left > 0 ? yield* buildOrderedStencils(set, kind, particleCount, left) : EMPTY;
        laid.push(found);
        // Padding takes more than there is; then there is nothing left either.
        left -= found.areas.length;
    }
    orderedSets.set(set, laid);
    return laid;
}

const EMPTY: OrderedStencils = { records: new Uint32Array(0), areas: new Float32Array(0), lines: new Uint32Array(0) };

/** @param capacity records that there is room for: a kind with more is laid out twice */
function* buildOrderedStencils(set: StencilSet, kind: number, particleCount: number, capacity: number): Slices<OrderedStencils> {
    const recordSize = kind === StencilKind.line ? LineStencilRecord.count : StencilRecord.count;
    const stencilCount = set.areas.length;
    const numbers = { stencilCount, particleCount, kind, recordSize, capacity, spareParticle: particleCount };
    const { struct: order, kernels, release } = openScratch(StencilOrderLayout, numbers);
    try {
        order.particles.set(set.particles);
        order.weights.set(set.weights);
        order.areas.set(set.areas);
        order.curvatures.set(set.curvatures);
        order.lines.set(set.lines);
        kernels.chooseStencils(order);
        while (order.progress[StencilProgress.left] > 0) {
            yield;
            kernels.colorStencils(order);
        }
        yield;
        kernels.layStencils(order);
        const [laid] = order.orderedCount;
        if (laid <= capacity) {
            const records = order.records.slice(0, laid * recordSize);
            return { records, areas: order.orderedAreas.slice(0, laid), lines: order.orderedLines.slice(0, laid) };
        }
        capacity = laid;
    } finally {
        release();
    }
    return yield* buildOrderedStencils(set, kind, particleCount, capacity);
}
