/** Bending stencils of one span, laid out for the kernels: those of three particles, of four, and of four with a curvature at rest. */
import type { Arena } from "../../../kernels/arena";
import { StencilKind, StencilOrderLayout, StencilWeightLayout } from "../../../kernels/prepareLayout";
import type { BendShareArrays, StencilWeightArrays } from "../../../kernels/prepareLayout";
import { LineStencilLayout, LineStencilRecord, particleAt, StencilLayout, StencilRecord } from "../../../kernels/layout";
import type { LineStencilArrays, StencilArrays } from "../../../kernels/layout";
import type { KernelFunctions } from "../../../kernels/kernels";
import { ArenaStruct } from "../../arenaArrays";
import { buildWith } from "../../builder";
import type { StencilSet } from "../../constraints/stencilSet";
import type { BodyState } from "../../state";

/** Stencils of one kind. */
export abstract class Stencils extends ArenaStruct {
    readonly recordCount: number;
    records!: Uint32Array;
    recordFloats!: Float32Array;
    /** What weights follow from; null once that is forgotten. */
    rest: StencilRest | null;
    /** Slots of a record. */
    abstract readonly slots: typeof LineStencilRecord | typeof StencilRecord;

    constructor(arena: Arena, layout: typeof LineStencilLayout | typeof StencilLayout, { areas, lines, records }: LaidStencils) {
        super(layout);
        this.recordCount = areas.length;
        this.rest = { areas, lines };
        this._allocate(arena);
        this.records.set(records);
    }

    abstract project(kernels: KernelFunctions, state: BodyState): void;
}

class LineStencils extends Stencils implements LineStencilArrays {
    readonly slots = LineStencilRecord;

    constructor(arena: Arena, laid: LaidStencils) {
        super(arena, LineStencilLayout, laid);
    }

    override project(kernels: KernelFunctions, state: BodyState): void {
        kernels.projectLineStencils(state, this);
    }
}

class PlaneStencils extends Stencils implements StencilArrays {
    readonly slots = StencilRecord;

    constructor(arena: Arena, laid: LaidStencils) {
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
const kinds = [LineStencils, PlaneStencils, CurvedStencils];

/** See the top of the file. */
export class BendLevel {
    readonly count: number;
    /** Its stencils in the order of projection. */
    readonly kinds: Stencils[] = [];
    private readonly _clamped: number;

    /**
     * @param span length of the stencils' arms in edges
     * @throws RangeError when there is no memory left
     */
    constructor(arena: Arena, state: BodyState, set: StencilSet, span: number) {
        this.count = set.areas.length;
        this._clamped = clampFactor(span);
        const laid = laidStencilsOf(set, state.particleCount);
        try {
            kinds.forEach((Kind, k) => {
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

    /** Whether what weights follow from is forgotten. */
    get isForgetful(): boolean {
        return this.kinds.some(({ rest }) => !rest);
    }

    /** Lets go of what weights follow from. */
    forget(): void {
        for (const kind of this.kinds) kind.rest = null;
    }

    /** Marks each line that has a stencil. */
    mark(bend: BendShareArrays): void {
        this._weighWith(bend, (stencils, kernels) => kernels.markStencils(stencils));
    }

    /** Calls with each line and the particles at the ends of its stencil. */
    forEachLine(call: (line: number, a: number, c: number) => void): void {
        for (const { recordCount, records, rest, slots } of this.kinds) {
            const { areas, lines } = rest!;
            for (let i = 0; i < recordCount; i++) {
                const r = i * slots.count;
                if (areas[i] > 0) call(lines[i], particleAt(records[r]), particleAt(records[r + 2]));
            }
        }
    }

    /** Finds the most that a pass can carry on each line, and how long the chord a–c of its stencil is. */
    measure(bend: BendShareArrays): void {
        this._weighWith(bend, (stencils, kernels) => kernels.measureStencils(stencils));
    }

    /** Derives what the particles move by from what the lines take on this level. */
    weigh(bend: BendShareArrays): void {
        this._weighWith(bend, (stencils, kernels, { records }) => {
            kernels.weighStencils(stencils);
            records.set(stencils.records);
        });
    }

    private _weighWith(
        bend: BendShareArrays,
        run: (stencils: StencilWeightArrays, kernels: KernelFunctions, kind: Stencils) => void,
    ): void {
        for (const kind of this.kinds) {
            const { recordCount, slots } = kind;
            buildWith(StencilWeightLayout, { bend, recordCount, recordSize: slots.count }, (stencils, kernels) => {
                const { areas, lines } = kind.rest!;
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
interface StencilRest {
    readonly areas: Float32Array;
    readonly lines: Uint32Array;
}

/** Stencils of one kind in the order of projection, without moves. */
interface LaidStencils extends StencilRest {
    readonly records: Uint32Array;
}

/** Cloths of one topology share what is laid out of its set. */
const laidSets = new WeakMap<StencilSet, readonly LaidStencils[]>();

function laidStencilsOf(set: StencilSet, particleCount: number): readonly LaidStencils[] {
    let laid = laidSets.get(set);
    if (laid) return laid;
    let left = set.areas.length;
    laid = kinds.map((_, kind) => {
        const found = left > 0 ? layStencils(set, kind, particleCount, left) : NOTHING;
        // Padding takes more than there is; then there is nothing left either.
        left -= found.areas.length;
        return found;
    });
    laidSets.set(set, laid);
    return laid;
}

const NOTHING: LaidStencils = { records: new Uint32Array(0), areas: new Float32Array(0), lines: new Uint32Array(0) };

/** @param capacity records that there is room for: a kind with more is laid out twice */
function layStencils(set: StencilSet, kind: number, particleCount: number, capacity: number): LaidStencils {
    const recordSize = kind === StencilKind.line ? LineStencilRecord.count : StencilRecord.count;
    const stencilCount = set.areas.length;
    const numbers = { stencilCount, particleCount, kind, recordSize, capacity, spareParticle: particleCount };
    return buildWith(StencilOrderLayout, numbers, (order, kernels) => {
        order.particles.set(set.particles);
        order.weights.set(set.weights);
        order.areas.set(set.areas);
        order.curvatures.set(set.curvatures);
        order.lines.set(set.lines);
        kernels.orderStencils(order);
        const [laid] = order.laid;
        if (laid > capacity) return layStencils(set, kind, particleCount, laid);
        const records = order.records.slice(0, laid * recordSize);
        return { records, areas: order.laidAreas.slice(0, laid), lines: order.laidLines.slice(0, laid) };
    });
}
