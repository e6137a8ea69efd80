/** Bending stencils of one span, laid out for the kernels: those of three particles, of four, and of four with a curvature at rest. */
import type { Arena } from "../../../kernels/arena";
import {
    LineStencilLayout,
    LineStencilRecord,
    particleAt,
    roundUpToFour,
    rowOffset,
    StencilLayout,
    StencilRecord,
} from "../../../kernels/layout";
import type { LineStencilArrays, StencilArrays } from "../../../kernels/layout";
import type { KernelFunctions } from "../../../kernels/kernels";
import { ArenaStruct } from "../../arenaArrays";
import type { StencilSet } from "../../constraints/stencilSet";
import type { BodyState } from "../../state";
import { colorStencils } from "./coloring";

/** No stencil: padding. */
const NONE = 0xffffffff;

/** Stencils of one kind. */
export abstract class Stencils extends ArenaStruct {
    readonly recordCount: number;
    records!: Uint32Array;
    recordFloats!: Float32Array;
    /** Area of each record's stencil [m²]; 0: padding. */
    readonly areas: Float32Array;
    /** Line of each, see StencilSet. */
    readonly lines: Uint32Array;
    /** Slots of a record. */
    abstract readonly slots: typeof LineStencilRecord | typeof StencilRecord;

    constructor(layout: typeof LineStencilLayout | typeof StencilLayout, { order, areas, lines }: Order) {
        super(layout);
        this.recordCount = order.length;
        this.areas = areas;
        this.lines = lines;
    }

    abstract project(kernels: KernelFunctions, state: BodyState): void;
}

class LineStencils extends Stencils implements LineStencilArrays {
    readonly slots = LineStencilRecord;

    constructor(arena: Arena, set: StencilSet, order: Order) {
        super(LineStencilLayout, order);
        this._allocate(arena);
        layLines(this, set, order.order);
    }

    override project(kernels: KernelFunctions, state: BodyState): void {
        kernels.projectLineStencils(state, this);
    }
}

class PlaneStencils extends Stencils implements StencilArrays {
    readonly slots = StencilRecord;

    constructor(arena: Arena, set: StencilSet, order: Order, spare: number) {
        super(StencilLayout, order);
        this._allocate(arena);
        layPlanes(this, set, order.order, spare);
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
        const { lines, planes, curved } = ordersOf(set, state.particleCount);
        try {
            if (lines.order.length > 0) this.kinds.push(new LineStencils(arena, set, lines));
            if (planes.order.length > 0) this.kinds.push(new PlaneStencils(arena, set, planes, state.spareParticle));
            if (curved.order.length > 0) this.kinds.push(new CurvedStencils(arena, set, curved, state.spareParticle));
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

    /** Writes 1 for each line that has a stencil. @param lines shape [particleCount, LINES] */
    mark(lines: Uint8Array): void {
        for (const kind of this.kinds) {
            for (let i = 0; i < kind.recordCount; i++) if (kind.areas[i] > 0) lines[kind.lines[i]] = 1;
        }
    }

    /**
     * The most that a pass can carry on each line [N·m], and how long the chord a–c of its stencil is [m], written where there is one.
     * @param inverseMasses of the particles as if none were pinned [1/kg]
     * @param perStep 1 / dt² of a substep [1/s²]
     */
    measure(inverseMasses: Float32Array, perStep: number, most: Float32Array, chords: Float32Array): void {
        for (const kind of this.kinds) measure(kind, kind.slots, inverseMasses, perStep, most, chords);
    }

    /** Derives what the particles move by. @param stiffnesses that the lines have on this level [N·m] */
    weigh(inverseMasses: Float32Array, stiffnesses: Float32Array, perStep: number): void {
        for (const kind of this.kinds) weigh(kind, kind.slots, inverseMasses, stiffnesses, perStep, this._clamped);
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
        let seen = 0;
        for (let i = 0; i < b + span; i++) seen += span - Math.abs(i - b);
        if (b > 0) free += seen * (span - b);
        else pinned += seen * (span + b);
    }
    return (span ** 4 - free) / pinned;
}

/** Stencils of one kind in the order of projection. */
interface Order {
    /** Numbers in the set; NONE: padding. */
    readonly order: Uint32Array;
    readonly areas: Float32Array;
    readonly lines: Uint32Array;
}

interface Orders {
    readonly lines: Order;
    readonly planes: Order;
    readonly curved: Order;
}

/** Cloths of one topology share the orders of its set. */
const orders = new WeakMap<StencilSet, Orders>();

function ordersOf(set: StencilSet, particleCount: number): Orders {
    let known = orders.get(set);
    if (!known) {
        const kinds = kindsOf(set);
        const order = (kind: number, isPadded: boolean): Order => orderOf(set, pick(kinds, kind), particleCount, isPadded);
        known = { lines: order(0, false), planes: order(1, false), curved: order(2, true) };
        orders.set(set, known);
    }
    return known;
}

/** Of each stencil: 0 three particles, 1 four, 2 a curvature. */
function kindsOf({ particles, curvatures }: StencilSet): Uint8Array {
    const kinds = new Uint8Array(curvatures.length);
    for (let s = 0; s < kinds.length; s++) kinds[s] = curvatures[s] > 0 ? 2 : particles[4 * s + 3] === particles[4 * s] ? 0 : 1;
    return kinds;
}

function pick(kinds: Uint8Array, kind: number): Uint32Array {
    const found = new Uint32Array(kinds.length);
    let count = 0;
    for (let s = 0; s < kinds.length; s++) if (kinds[s] === kind) found[count++] = s;
    return found.subarray(0, count);
}

/** @param isPadded whether every colour is filled up to whole groups of four */
function orderOf(set: StencilSet, which: Uint32Array, particleCount: number, isPadded: boolean): Order {
    const { order, starts } = colorStencils(set.particles, which, particleCount);
    const length = (c: number): number => (isPadded ? roundUpToFour(starts[c + 1] - starts[c]) : starts[c + 1] - starts[c]);
    let padded = 0;
    for (let c = 0; c + 1 < starts.length; c++) padded += length(c);
    const all = { order: new Uint32Array(padded).fill(NONE), areas: new Float32Array(padded), lines: new Uint32Array(padded) };
    for (let c = 0, i = 0; c + 1 < starts.length; i += length(c), c++) all.order.set(order.subarray(starts[c], starts[c + 1]), i);
    for (let i = 0; i < padded; i++) {
        const s = all.order[i];
        if (s === NONE) continue;
        all.areas[i] = set.areas[s];
        all.lines[i] = set.lines[s];
    }
    return all;
}

function layLines({ records, recordFloats }: LineStencilArrays, { particles, weights }: StencilSet, order: Uint32Array): void {
    for (let i = 0; i < order.length; i++) {
        const s = order[i];
        const r = i * LineStencilRecord.count;
        records[r] = rowOffset(particles[4 * s + 1]);
        records[r + 1] = rowOffset(particles[4 * s]);
        records[r + 2] = rowOffset(particles[4 * s + 2]);
        recordFloats[r + LineStencilRecord.weights] = weights[3 * s];
        recordFloats[r + LineStencilRecord.weights + 1] = weights[3 * s + 1];
    }
}

function layPlanes(
    { records, recordFloats }: StencilArrays,
    { particles, weights, curvatures }: StencilSet,
    order: Uint32Array,
    spare: number,
): void {
    for (let i = 0; i < order.length; i++) {
        const s = order[i];
        const r = i * StencilRecord.count;
        if (s === NONE) {
            records.fill(rowOffset(spare), r, r + 4);
            continue;
        }
        records[r] = rowOffset(particles[4 * s + 1]);
        records[r + 1] = rowOffset(particles[4 * s]);
        records[r + 2] = rowOffset(particles[4 * s + 2]);
        records[r + 3] = rowOffset(particles[4 * s + 3]);
        for (let k = 0; k < 3; k++) recordFloats[r + StencilRecord.weights + k] = weights[3 * s + k];
        recordFloats[r + StencilRecord.curvature] = curvatures[s];
    }
}

function measure(
    { records, recordFloats, areas, lines }: Stencils,
    slots: typeof LineStencilRecord | typeof StencilRecord,
    inverseMasses: Float32Array,
    perStep: number,
    most: Float32Array,
    chords: Float32Array,
): void {
    const size = slots.count;
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
    { records, recordFloats, areas, lines }: Stencils,
    slots: typeof LineStencilRecord | typeof StencilRecord,
    w: Float32Array,
    stiffnesses: Float32Array,
    perStep: number,
    clamped: number,
): void {
    const size = slots.count;
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
