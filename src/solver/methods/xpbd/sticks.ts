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
import { StickOrderLayout, StickWeightLayout } from "../../../kernels/prepareLayout";
import { LimitLayout, LimitRecord, particleAt, roundUpToFour, rowAt, StickLayout, StickRecord } from "../../../kernels/layout";
import type { StickArrays } from "../../../kernels/layout";
import type { KernelFunctions } from "../../../kernels/kernels";
import { ArenaStruct } from "../../arenaArrays";
import { buildWith } from "../../builder";
import type { Fabric } from "../../materials/fabric";
import type { ClothSettings } from "../../settings";
import { RARE_CHANGES } from "../../rest/topology";
import type { BodyState } from "../../state";
import type { StickSet } from "../../constraints/stickSet";
import type { ThreadFinder } from "../../rest/threads";
import { complianceAlong, isOff, warpOf, weftOf } from "../../materials/threadStiffness";
import type { Constraint } from "./constraint";

/** No pass brings a stick that is too short farther than by this share of its length then; see test/reference/sticks.ts. */
const MOST_PUSH = 0.5;

/** A set's sticks in the order of projection. */
export interface LaidSticks {
    readonly set: StickSet;
    /** Sticks with padding. */
    readonly stickCount: number;
    /** See StickLayout; without weights, or LimitLayout. */
    readonly records: Uint32Array;
    /** Stiffness per unit of the fabric's modulus, see StickSet, in this order; 0 marks padding. Shape [stickCount]; none for limits' records. */
    readonly factors: Float32Array;
    /** In how many parts the masses of each stick's ends are split, see splitMasses.ts, shape [stickCount, 2]; null: whole masses. */
    readonly splits: Float32Array | null;
}

/** All sticks of one kind in one cloth. */
export class Sticks extends ArenaStruct implements StickArrays, Constraint {
    readonly count: number;
    readonly stickCount: number;
    records!: Uint32Array;
    recordFloats!: Float32Array;
    mostPush!: Float32Array;
    /** Whether its records are a limit's, which have no weights; see LimitRecord. */
    protected readonly _isLight: boolean;
    /** See LimitLayout. */
    pull!: Float32Array;
    /** What weights follow from; null where that is forgotten, see {@link RARE_CHANGES}. */
    private _laid: Pick<LaidSticks, "factors" | "splits"> | null;
    readonly stiffness: StickSet["stiffness"];
    protected _isOff = false;
    private _derivations = 0;
    /** What the weights were last derived from. */
    private _massRevision = -1;
    private _warpBefore = NaN;
    private _weftBefore = NaN;
    private _substepBefore = NaN;

    /**
     * @param _lay finds its sticks; the same again, where weights change
     * @param name kind, as in `stats.counts`
     * @param _pull by how much more than back to their length they move their ends
     * @param _threads where a stiffness may differ along warp and weft
     */
    constructor(
        arena: Arena,
        private readonly _lay: () => LaidSticks,
        readonly name: string,
        private readonly _pull = 1,
        private readonly _threads?: ThreadFinder,
    ) {
        const { set, stickCount, records, factors, splits } = _lay();
        const isLight = 4 * records.length < stickCount * StickRecord.count;
        super(isLight ? LimitLayout : StickLayout);
        this._isLight = isLight;
        this._laid = { factors, splits };
        this.stiffness = set.stiffness;
        this.count = set.particlesA.length;
        this.stickCount = stickCount;
        this._allocate(arena);
        this.records.set(records);
        if (isLight) this.pull[0] = _pull;
    }

    prepare(state: BodyState, { fabric }: ClothSettings, substep: number): void {
        this._isOff = isOff(fabric[this.stiffness]);
        if (this._isLight) {
            if (state.massRevision !== this._massRevision) this._unmark();
            this._massRevision = state.massRevision;
            return;
        }
        const [warp, weft] = this._moduli(fabric);
        const isKnown = warp === this._warpBefore && weft === this._weftBefore;
        if (isKnown && state.massRevision === this._massRevision && substep === this._substepBefore) return;
        this._massRevision = state.massRevision;
        this._warpBefore = warp;
        this._weftBefore = weft;
        this._substepBefore = substep;
        const { factors, splits } = (this._laid ??= this._lay());
        const isEven = warp === weft;
        const factorsNow = isEven ? factors : this._factorsAlong(factors, warp, weft);
        this._weigh(state, factorsNow, splits, isEven ? warp : 1, 1 / (substep * substep));
        if (this._derivations++ < RARE_CHANGES) this._laid = null;
    }

    /** Takes the marks off a limit's records, see LimitRecord: they are of other masses. */
    private _unmark(): void {
        const { records } = this;
        for (let r = 0; r < records.length; r += LimitRecord.count) {
            const first = records[r];
            if (first <= records[r + 1]) continue;
            records[r] = records[r + 1];
            records[r + 1] = first;
        }
    }

    private _weigh(
        { inverseMasses, paddedCount }: BodyState,
        factors: Float32Array,
        splits: Float32Array | null,
        modulus: number,
        perStep: number,
    ): void {
        const { stickCount, _isExact: isExact } = this;
        const numbers = { stickCount, rowCount: paddedCount, isSplit: splits !== null, isExact };
        buildWith(StickWeightLayout, numbers, (weights, kernels) => {
            weights.records.set(this.records);
            weights.factors.set(factors);
            if (splits) weights.splits.set(splits);
            weights.inverseMasses.set(inverseMasses);
            weights.parameters.set([modulus, perStep, this._pull]);
            kernels.weighSticks(weights);
            this.records.set(weights.records);
        });
        this.mostPush[0] = MOST_PUSH / this._largestShare();
    }

    /** By how much of its strain a stick changes its length in a pass at most: 1 where it does not give. */
    private _largestShare(): number {
        const { recordFloats: x, stickCount } = this;
        let largest = 0;
        for (let s = 0; s < stickCount; s++) {
            const a = slotOf(s, StickRecord.weightsA);
            largest = Math.max(largest, x[a] + x[a + StickRecord.weightsB - StickRecord.weightsA]);
        }
        return largest;
    }

    /** Whether at rest a pass gives by the compliance and no more, as long as that is more than a pass gives anyway. */
    protected get _isExact(): boolean {
        return false;
    }

    /** Stiffness per unit of `StickSet.stiffnessFactors`, along warp and along weft. */
    protected _moduli(fabric: Fabric): [number, number] {
        const modulus = fabric[this.stiffness];
        return [warpOf(modulus), weftOf(modulus)];
    }

    /** Stiffness of each stick by its direction. */
    private _factorsAlong(factors: Float32Array, warp: number, weft: number): Float32Array {
        const stiffnesses = new Float32Array(this.stickCount);
        this.forEachCompliance(warp, weft, (s, compliance) => (stiffnesses[s] = factors[s] / compliance));
        return stiffnesses;
    }

    /** Calls with each stick's compliance by its direction, for 1 / modulus; padding left out. */
    protected forEachCompliance(warp: number, weft: number, call: (stick: number, compliance: number) => void): void {
        const threads = this._threads!();
        for (let s = 0; s < this.stickCount; s++) {
            const { a, b } = this.stickAt(s);
            if (a !== b) call(s, complianceAlong(warp, weft, threads.alongWarp(a, b)));
        }
    }

    project(kernels: KernelFunctions, state: BodyState): void {
        if (!this._isOff) kernels.projectSticks(state, this);
    }

    /** Slots of a record. */
    protected get _recordSize(): number {
        return this._isLight ? LimitRecord.count : StickRecord.count;
    }

    /** The numbers of stick `s`, 0 .. stickCount - 1; padding joins the spare particle with itself. */
    stickAt(s: number): { a: number; b: number; restLength: number } {
        const { records, recordFloats, _recordSize: size } = this;
        return {
            a: particleAt(records[rowSlotOf(s, size)]),
            b: particleAt(records[rowSlotOf(s, size) + 1]),
            restLength: recordFloats[slotOf(s, StickRecord.restLengths, size)],
        };
    }

    measureStretch(state: BodyState, result: Float64Array): void {
        const x = state.positions;
        const { records, recordFloats, _recordSize: size } = this;
        for (let s = 0; s < this.stickCount; s++) {
            const restLength = recordFloats[slotOf(s, StickRecord.restLengths, size)];
            if (restLength === 0) continue;
            const row = rowSlotOf(s, size);
            const a = rowAt(records[row]);
            const b = rowAt(records[row + 1]);
            const dx = x[b] - x[a];
            const dy = x[b + 1] - x[a + 1];
            const dz = x[b + 2] - x[a + 2];
            const stretch = Math.max(0, Math.sqrt(dx * dx + dy * dy + dz * dz) / restLength - 1);
            result[0] += stretch;
            if (stretch > result[1]) result[1] = stretch;
        }
    }
}

/** Cloths of one topology share what is laid out of its sets. */
const laidSets = new WeakMap<StickSet, LaidSticks>();

/**
 * The sticks of a set in the order of projection.
 * @param splitsOf finds the splits of its sticks' ends, see splitMasses.ts
 * @param areLimits whether they are limits, which need no weights between whole masses
 */
export function laidSticksOf(
    set: StickSet,
    positions: Float32Array,
    splitsOf: (set: StickSet, positions: Float32Array) => Float32Array | null,
    areLimits = false,
): LaidSticks {
    let laid = laidSets.get(set);
    if (laid) return laid;
    const splits = splitsOf(set, positions);
    laid = laySticks(set, positions.length / 3, splits, areLimits && !splits ? LimitRecord.count : StickRecord.count);
    laidSets.set(set, laid);
    return laid;
}

/** Sticks of padding that a set has room for; one with more is laid out twice. */
const ROOM_FOR_PADDING = 128;

/**
 * Lays a set's sticks out.
 * @param splits of each stick's ends, shape [n, 2]; null: whole masses
 * @param recordSize slots of a record, of StickRecord or LimitRecord
 */
export function laySticks(
    set: StickSet,
    particleCount: number,
    splits: Float32Array | null,
    recordSize: number = StickRecord.count,
    room = set.particlesA.length + ROOM_FOR_PADDING,
): LaidSticks {
    const { particlesA, particlesB, restLengths, stiffnessFactors } = set;
    const capacity = roundUpToFour(room);
    const stickCount = particlesA.length;
    const numbers = { stickCount, particleCount, isSplit: splits !== null, capacity, recordSize, spareParticle: particleCount };
    return buildWith(StickOrderLayout, numbers, (order, kernels) => {
        order.particlesA.set(particlesA);
        order.particlesB.set(particlesB);
        order.restLengths.set(restLengths);
        order.factors.set(stiffnessFactors);
        if (splits) order.splits.set(splits);
        kernels.orderSticks(order);
        const [laid] = order.laid;
        if (laid > capacity) return laySticks(set, particleCount, splits, recordSize, laid);
        return {
            set,
            stickCount: laid,
            records: order.records.slice(0, (laid / 4) * recordSize),
            // Limits have no weights.
            factors: order.laidFactors.slice(0, recordSize === LimitRecord.count ? 0 : laid),
            splits: splits && order.laidSplits.slice(0, 2 * laid),
        };
    });
}

/** Slot of a stick's number, `first` being that of its record's first stick. @param size slots of a record */
export function slotOf(stick: number, first: number, size: number = StickRecord.count): number {
    return (stick >> 2) * size + first + (stick & 3);
}

/** Slot of the row of a stick's particle A; that of B follows. */
export function rowSlotOf(stick: number, size: number = StickRecord.count): number {
    return (stick >> 2) * size + StickRecord.rows + 2 * (stick & 3);
}
