/** Bending stencils of one span, laid out for the kernels: those of three particles, of four, and of four with a curvature at rest. */
import type { Arena } from "../../../kernels/arena";
import { StencilKind, StencilOrderLayout } from "../../../kernels/prepareLayout";
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

    /** Writes 1 for each line that has a stencil. @param lines shape [particleCount, LINES] */
    mark(lines: Uint8Array): void {
        for (const kind of this.kinds) {
            for (let i = 0; i < kind.recordCount; i++) if (kind.rest!.areas[i] > 0) lines[kind.rest!.lines[i]] = 1;
        }
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

    /**
     * The most that a pass can carry on each line [N·m], and how long the chord a–c of its stencil is [m], written where there is one.
     * @param inverseMasses of the particles as if none were pinned [1/kg]
     * @param perStep 1 / dt² of a substep [1/s²]
     */
    measure(inverseMasses: Float32Array, perStep: number, most: Float32Array, chords: Float32Array): void {
        for (const kind of this.kinds) measure(kind, inverseMasses, perStep, most, chords);
    }

    /** Derives what the particles move by. @param stiffnesses that the lines have on this level [N·m] */
    weigh(inverseMasses: Float32Array, stiffnesses: Float32Array, perStep: number): void {
        for (const kind of this.kinds) weigh(kind, inverseMasses, stiffnesses, perStep, this._clamped);
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

function measure(
    { records, recordFloats, rest, slots }: Stencils,
    inverseMasses: Float32Array,
    perStep: number,
    most: Float32Array,
    chords: Float32Array,
): void {
    const size = slots.count;
    const { areas, lines } = rest!;
    for (let i = 0; i < areas.length; i++) {
        if (areas[i] === 0) continue;
        const r = i * size;
        most[lines[i]] = (2 * perStep) / (squaredSum(records, recordFloats, r, size, inverseMasses) * areas[i]);
        // Ka = 2 / (la (la + lc)), and Kc the same with a and c changed.
        const ka = recordFloats[r + slots.weights];
        chords[lines[i]] = Math.sqrt((2 + (2 * ka) / recordFloats[r + slots.weights + 1]) / ka);
    }
}

function weigh(
    { records, recordFloats, rest, slots }: Stencils,
    w: Float32Array,
    stiffnesses: Float32Array,
    perStep: number,
    clamped: number,
): void {
    const size = slots.count;
    const { areas, lines } = rest!;
    const hasFourth = size === StencilRecord.count;
    for (let i = 0; i < areas.length; i++) {
        if (areas[i] === 0) continue;
        const r = i * size;
        const ka = recordFloats[r + slots.weights];
        const kc = recordFloats[r + slots.weights + 1];
        const ke = hasFourth ? recordFloats[r + slots.weights + 2] : 0;
        const wa = w[particleAt(records[r])];
        const wb = w[particleAt(records[r + 1])];
        const wc = w[particleAt(records[r + 2])];
        let area = areas[i];
        if (wb === 0 && (wa === 0) !== (wc === 0)) area *= Math.max(1, clamped / Math.max(ka / kc, kc / ka));
        const sum = squaredSum(records, recordFloats, r, size, w);
        const scale = sum > 0 ? -1 / Math.max(sum, perStep / (stiffnesses[lines[i]] * area) + sum / 2) : 0;
        recordFloats[r + slots.moves] = scale * ka * wa;
        recordFloats[r + slots.moves + 1] = -scale * (ka + kc + ke) * wb;
        recordFloats[r + slots.moves + 2] = scale * kc * wc;
        if (hasFourth) recordFloats[r + slots.moves + 3] = scale * ke * w[particleAt(records[r + 3])];
    }
}

/** Σ w K² of the stencil at slot r. */
function squaredSum(records: Uint32Array, floats: Float32Array, r: number, size: number, w: Float32Array): number {
    const hasFourth = size === StencilRecord.count;
    const k = r + (hasFourth ? StencilRecord.weights : LineStencilRecord.weights);
    const ka = floats[k];
    const kc = floats[k + 1];
    const ke = hasFourth ? floats[k + 2] : 0;
    const kb = ka + kc + ke;
    const fourth = hasFourth ? w[particleAt(records[r + 3])] * ke * ke : 0;
    return (
        w[particleAt(records[r])] * ka * ka +
        w[particleAt(records[r + 1])] * kb * kb +
        w[particleAt(records[r + 2])] * kc * kc +
        fourth
    );
}
