/**
 * Sticks: distance constraints between two particles (Jakobsen 2001 §4; XPBD, Macklin 2016 eq. 18).
 *
 *     a ●━━━━━━━● b        C = |b - a| - L = 0,   ∇C_b = -∇C_a = (b - a)/|b - a|
 *
 * A stick of stiffness k [N/m] has compliance α = 1/k; one iteration with λ = 0 moves a by
 * wA / (sA wA + sB wB + α/dt²) · C along the gradient, with split masses s (1 on grids, see splitMasses.ts). With α = 0 and one substep this is Jakobsen's relaxation.
 * Data layout: see StickArrays.
 */
import type { Arena } from "../../../kernels/arena";
import { particleAt, roundUpToFour, rowAt, rowOffset, StickLayout, StickRecord } from "../../../kernels/layout";
import type { StickArrays } from "../../../kernels/layout";
import type { KernelFunctions } from "../../../kernels/kernels";
import { ArenaStruct } from "../../arenaArrays";
import { colorSticks } from "./coloring";
import type { Coloring } from "./coloring";
import type { Fabric } from "../../fabric";
import type { ClothSettings } from "../../settings";
import type { BodyState } from "../../state";
import type { StickSet } from "../../constraints/stickSet";
import type { Constraint } from "./constraint";

/** All sticks of one kind in one cloth. */
export class Sticks extends ArenaStruct implements StickArrays, Constraint {
    readonly count: number;
    readonly stickCount: number;
    records!: Uint32Array;
    recordFloats!: Float32Array;
    /** Stiffness per unit of the fabric's modulus, see StickSet; 0 marks padding. */
    private readonly _stiffnessFactors: Float32Array;
    /** In how many parts the masses of each stick's ends are split, shape [stickCount, 2]; null: whole masses. */
    private readonly _splits: Float32Array | null;
    readonly stiffness: StickSet["stiffness"];
    protected _isOff = false;
    /** What the weights were last derived from. */
    private _massRevision = -1;
    private _modulusBefore = NaN;
    private _substepBefore = NaN;

    /**
     * @param splits of each stick's ends, see splitMasses.ts; null: whole masses
     * @param name kind, as in `stats.counts`
     */
    constructor(
        arena: Arena,
        state: BodyState,
        set: StickSet,
        splits: Float32Array | null,
        readonly name: string,
    ) {
        super(StickLayout);
        this.stiffness = set.stiffness;
        const { order, starts, stickCount, factors } = orderOf(set, state.particleCount);
        this.count = order.length;
        const colorCount = starts.length - 1;
        this.stickCount = stickCount;
        this._stiffnessFactors = factors;
        this._splits = splits && new Float32Array(stickCount * 2);
        this._allocate(arena);
        for (let c = 0, colorStart = 0; c < colorCount; c++) {
            const color = order.subarray(starts[c], starts[c + 1]);
            const colorEnd = colorStart + paddedLength(color.length);
            laySticks(this, set, color, colorStart, colorEnd, state.spareParticle);
            if (splits) laySplits(this._splits!, splits, color, colorStart);
            colorStart = colorEnd;
        }
    }

    prepare(state: BodyState, { fabric }: ClothSettings, substep: number): void {
        this._isOff = fabric[this.stiffness] === 0;
        const modulus = this._modulus(fabric);
        if (state.massRevision === this._massRevision && modulus === this._modulusBefore && substep === this._substepBefore) return;
        this._massRevision = state.massRevision;
        this._modulusBefore = modulus;
        this._substepBefore = substep;
        weigh(this, state.inverseMasses, this._stiffnessFactors, this._splits, modulus, 1 / (substep * substep), this._isExact);
    }

    /** Whether at rest a pass gives by the compliance and no more, as long as that is more than a pass gives anyway. */
    protected get _isExact(): boolean {
        return false;
    }

    /** Stiffness per unit of `StickSet.stiffnessFactors`. */
    protected _modulus(fabric: Fabric): number {
        return fabric[this.stiffness];
    }

    project(kernels: KernelFunctions, state: BodyState): void {
        if (!this._isOff) kernels.projectSticks(state, this);
    }

    /** The numbers of stick `s`, 0 .. stickCount - 1; padding joins the spare particle with itself. */
    stickAt(s: number): { a: number; b: number; restLength: number; weightA: number; weightB: number } {
        const { records, recordFloats } = this;
        return {
            a: particleAt(records[rowSlotOf(s)]),
            b: particleAt(records[rowSlotOf(s) + 1]),
            restLength: recordFloats[slotOf(s, StickRecord.restLengths)],
            weightA: recordFloats[slotOf(s, StickRecord.weightsA)],
            weightB: recordFloats[slotOf(s, StickRecord.weightsB)],
        };
    }

    measureStretch(state: BodyState, result: Float64Array): void {
        const x = state.positions;
        const { records, recordFloats } = this;
        for (let s = 0; s < this.stickCount; s++) {
            const restLength = recordFloats[slotOf(s, StickRecord.restLengths)];
            if (restLength === 0) continue;
            const a = rowAt(records[rowSlotOf(s)]);
            const b = rowAt(records[rowSlotOf(s) + 1]);
            const dx = x[b] - x[a];
            const dy = x[b + 1] - x[a + 1];
            const dz = x[b + 2] - x[a + 2];
            const stretch = Math.max(0, Math.sqrt(dx * dx + dy * dy + dz * dz) / restLength - 1);
            result[0] += stretch;
            if (stretch > result[1]) result[1] = stretch;
        }
    }
}

/** A set's sticks in the order of projection. */
interface Order extends Coloring {
    /** Sticks with padding. */
    readonly stickCount: number;
    /** Stiffness factors in this order, 0 for padding, shape [stickCount]. */
    readonly factors: Float32Array;
}

/** Cloths of one topology share the orders of its sets. */
const orders = new WeakMap<StickSet, Order>();

function orderOf(set: StickSet, particleCount: number): Order {
    let known = orders.get(set);
    if (known) return known;
    const { order, starts } = colorSticks(set.particlesA, set.particlesB, particleCount);
    let stickCount = 0;
    for (let c = 1; c < starts.length; c++) stickCount += paddedLength(starts[c] - starts[c - 1]);
    const factors = new Float32Array(stickCount);
    for (let c = 1, start = 0; c < starts.length; c++) {
        layFactors(factors, set, order.subarray(starts[c - 1], starts[c]), start);
        start += paddedLength(starts[c] - starts[c - 1]);
    }
    orders.set(set, (known = { order, starts, stickCount, factors }));
    return known;
}

// Loops over all sticks are functions of their own, one each: a function of several is compiled anew at each of them, and a
// mesh's first cloth would wait for it.

/** Writes the particles and rest lengths of one colour, padded with the spare particle. @param order its sticks in the set */
function laySticks(
    { records, recordFloats }: StickArrays,
    { particlesA, particlesB, restLengths }: StickSet,
    order: Uint32Array,
    start: number,
    end: number,
    spare: number,
): void {
    for (let s = start; s < end; s++) {
        const i = s - start;
        const isPadding = i >= order.length;
        const slot = rowSlotOf(s);
        records[slot] = rowOffset(isPadding ? spare : particlesA[order[i]]);
        records[slot + 1] = rowOffset(isPadding ? spare : particlesB[order[i]]);
        recordFloats[slotOf(s, StickRecord.restLengths)] = isPadding ? 0 : restLengths[order[i]];
    }
}

function layFactors(factors: Float32Array, { stiffnessFactors }: StickSet, order: Uint32Array, start: number): void {
    for (let i = 0; i < order.length; i++) factors[start + i] = stiffnessFactors[order[i]];
}

function laySplits(target: Float32Array, splits: Float32Array, order: Uint32Array, start: number): void {
    for (let i = 0; i < order.length; i++) {
        target[2 * (start + i)] = splits[2 * order[i]];
        target[2 * (start + i) + 1] = splits[2 * order[i] + 1];
    }
}

/**
 * Derives the weights. Sticks in a row undo a part of each other's moves in a pass, so that at rest it gives by dt²/m more than the compliance:
 * for a row of equal masses, split into s parts, moved by w/(2 s w + α̃), exactly (1 + α̃/w) dt²/m + 2 (s - 1) dt²/m.
 * @param perStep 1 / dt² of a substep [1/s²]
 * @param isExact whether that is taken from the compliance
 */
function weigh(
    { stickCount, records, recordFloats }: StickArrays,
    inverseMasses: Float32Array,
    factors: Float32Array,
    splits: Float32Array | null,
    modulus: number,
    perStep: number,
    isExact: boolean,
): void {
    for (let s = 0; s < stickCount; s++) {
        const a = particleAt(records[rowSlotOf(s)]);
        const b = particleAt(records[rowSlotOf(s) + 1]);
        const wa = inverseMasses[a];
        const wb = inverseMasses[b];
        const sum = splits ? splits[2 * s] * wa + splits[2 * s + 1] * wb : wa + wb;
        // A factor of 0 is padding; two pinned ends have nothing to share.
        const compliant = perStep / (modulus * factors[s]) + (isExact ? (wa + wb) / 2 : sum);
        const total = sum > 0 && factors[s] > 0 ? Math.max(sum, compliant) : Infinity;
        recordFloats[slotOf(s, StickRecord.weightsA)] = wa / total;
        recordFloats[slotOf(s, StickRecord.weightsB)] = wb / total;
    }
}

/** Sticks that a colour takes in the records: whole records and one of padding. */
function paddedLength(count: number): number {
    return roundUpToFour(count) + 4;
}

/** Slot of a stick's number, `first` being that of its record's first stick. */
export function slotOf(stick: number, first: number): number {
    return (stick >> 2) * StickRecord.count + first + (stick & 3);
}

/** Slot of the row of a stick's particle A; that of B follows. */
export function rowSlotOf(stick: number): number {
    return (stick >> 2) * StickRecord.count + StickRecord.rows + 2 * (stick & 3);
}
