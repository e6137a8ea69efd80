/**
 * Sticks: distance constraints between two particles (Jakobsen 2001 §4; XPBD, Macklin 2016 eq. 18).
 *
 *     a ●━━━━━━━● b        C = |b - a| - L = 0,   ∇C_b = -∇C_a = (b - a)/|b - a|
 *
 * A stick of stiffness k [N/m] has compliance α = 1/k; one iteration with λ = 0 moves a by
 * wA / (sA wA + sB wB + α/dt²) · C along the gradient (of shear: along that before the substep, see assembly/distance.ts), with split masses s (1 on grids, see splitMasses.ts). With α = 0 and one substep this is Jakobsen's relaxation.
 * Data layout: see DistanceArrays.
 */
import { MAX_STICK_PUSH } from "../../tunables";
import type { Arena } from "../../../kernels/arena";
import { DistanceOrderLayout, DistanceWeightLayout } from "../../../kernels/constraintLayout";
import {
    LimitLayout,
    LimitRecord,
    particleAt,
    roundUpToFour,
    rowAt,
    DistanceLayout,
    DistanceRecord,
} from "../../../kernels/layout";
import type { DistanceArrays } from "../../../kernels/layout";
import type { KernelFunctions } from "../../../kernels/kernelTable";
import { ArenaStruct } from "../../memory/arenaArrays";
import { withScratch } from "../../memory/withScratch";
import type { Fabric } from "../../materials/fabric";
import type { ClothSettings } from "../../state/settings";
import { RELEASE_AFTER_PREPARES } from "../../tunables";
import type { BodyState } from "../../state/state";
import type { DistanceConstraintSet } from "../../topology/stencilSet";
import type { WarpWeftFinder } from "../../topology/warpWeft";
import { complianceAlong, isZero, warpOf, weftOf } from "../../materials/warpWeftStiffness";
import type { Constraint } from "../../state/constraint";

/** Pinned records over the others from which on they are left out: fewer are not worth another order, in which strain is limited in other parts. */
const MIN_PINNED_SHARE = 1 / 8;

/** A set's sticks in the order of projection. */
export interface OrderedDistances {
    readonly set: DistanceConstraintSet;
    /** Sticks with padding. */
    readonly constraintCount: number;
    /** See DistanceLayout; without weights, or LimitLayout. */
    readonly records: Uint32Array;
    /** Stiffness per unit of the fabric's modulus, see DistanceConstraintSet, in this order; 0 marks padding. Shape [constraintCount]; none for limits' records. */
    readonly factors: Float32Array;
    /** In how many parts the masses of each stick's ends are split, see splitMasses.ts, shape [constraintCount, 2]; null: whole masses. */
    readonly splits: Float32Array | null;
}

/** All sticks of one kind in one cloth. */
export class DistanceConstraints extends ArenaStruct implements DistanceArrays, Constraint {
    readonly count: number;
    readonly constraintCount: number;
    records!: Uint32Array;
    recordFloats!: Float32Array;
    maxPush!: Float32Array;
    /** True if its records are those of a limit, which have no weights; see LimitRecord. */
    protected readonly _isLimit: boolean;
    /** See LimitLayout. */
    overRelaxation!: Float32Array;
    /** Data from which weights follow; null once released, see {@link RELEASE_AFTER_PREPARES}. */
    private _ordered: Pick<OrderedDistances, "factors" | "splits"> | null;
    readonly stiffness: DistanceConstraintSet["stiffness"];
    protected _isDisabled = false;
    private _prepareCount = 0;
    /** Records that the first preparation writes: of large cloth that takes as long as the rest of attaching. */
    private _unwritten: Uint32Array | null;
    /** Records as they were laid out; null: they are. The masses' revision then. */
    private _laidOut: Uint32Array | null = null;
    private _orderRevision = -1;
    /** Revision of the masses from which the weights were derived. */
    private _massRevision = -1;
    private _lastWarp = NaN;
    private _lastWeft = NaN;
    private _lastSubstep = NaN;

    /**
     * @param _findOrdered finds its sticks; the same again, where weights change
     * @param name kind, as in `stats.counts`
     * @param _overRelaxation by how much more than back to their length they move their ends
     * @param _warpWeft where a stiffness may differ along warp and weft
     */
    constructor(
        arena: Arena,
        private readonly _findOrdered: () => OrderedDistances,
        readonly name: string,
        private readonly _overRelaxation = 1,
        private readonly _warpWeft?: WarpWeftFinder,
    ) {
        const { set, constraintCount, records, factors, splits } = _findOrdered();
        const isLight = 4 * records.length < constraintCount * DistanceRecord.count;
        super(isLight ? LimitLayout : DistanceLayout);
        this._isLimit = isLight;
        this._ordered = { factors, splits };
        this.stiffness = set.stiffness;
        this.count = set.particlesA.length;
        this.constraintCount = constraintCount;
        this._allocate(arena);
        this._unwritten = records;
        if (isLight) this.overRelaxation[0] = _overRelaxation;
    }

    prepare(state: BodyState, settings: ClothSettings, substep: number): void {
        if (this._unwritten) this.records.set(this._unwritten);
        this._unwritten = null;
        if (this._laidOut) this.records.set(this._laidOut);
        this._derive(state, settings, substep);
        if (this._laidOut || state.massRevision !== this._orderRevision) this._leaveOutPinned(state);
        this._orderRevision = state.massRevision;
    }

    /** Derives what follows from fabric, substep and masses, with the records as they were laid out. */
    protected _derive(state: BodyState, { fabric }: ClothSettings, substep: number): void {
        this._isDisabled = isZero(fabric[this.stiffness]);
        if (this._isLimit) {
            if (state.massRevision !== this._massRevision) this._clearMarks();
            this._massRevision = state.massRevision;
            return;
        }
        const [warp, weft] = this._moduli(fabric);
        const isKnown = warp === this._lastWarp && weft === this._lastWeft;
        if (isKnown && state.massRevision === this._massRevision && substep === this._lastSubstep) return;
        this._massRevision = state.massRevision;
        this._lastWarp = warp;
        this._lastWeft = weft;
        this._lastSubstep = substep;
        const { factors, splits } = (this._ordered ??= this._findOrdered());
        const isEven = warp === weft;
        const factorsNow = isEven ? factors : this._factorsAlong(factors, warp, weft);
        this._computeWeights(state, factorsNow, splits, isEven ? warp : 1, 1 / (substep * substep));
        if (this._prepareCount++ < RELEASE_AFTER_PREPARES) this._ordered = null;
    }

    /** Moves records that are pinned at all ends behind the others, where kernels do not go: most of a garment is skin. The others keep their order. */
    private _leaveOutPinned({ inverseMasses, spareParticle }: BodyState): void {
        const { records, _recordSize: size, constraintCount } = this;
        // The number that kernels read, see DistanceLayout and LimitLayout.
        this.descriptor[0] = constraintCount;
        this._laidOut = null;
        if (this._countPinned(inverseMasses) < (MIN_PINNED_SHARE / (1 + MIN_PINNED_SHARE)) * (constraintCount / 4)) return;
        const kept: number[] = [];
        const pinned: number[] = [];
        const [ends, lastEnds] = [new Set<number>(), new Set<number>()];
        for (let r = 0; r < constraintCount / 4; r++) {
            const first = r * size + DistanceRecord.rows;
            let mass = 0;
            ends.clear();
            for (let end = 0; end < 8; end++) {
                const particle = particleAt(records[first + end]);
                mass += inverseMasses[particle];
                if (particle !== spareParticle) ends.add(particle);
            }
            if (mass === 0 && ends.size > 0) {
                pinned.push(r);
                continue;
            }
            // Two records in a row share no particle, see distance.ts: a pinned one stays between them.
            const between = pinned.at(-1);
            if (between !== undefined && between > (kept.at(-1) ?? -1) && intersects(ends, lastEnds)) kept.push(pinned.pop()!);
            kept.push(r);
            lastEnds.clear();
            for (const end of ends) lastEnds.add(end);
        }
        if (pinned.length < MIN_PINNED_SHARE * kept.length) return;
        const laidOut = (this._laidOut = records.slice());
        this.descriptor[0] = 4 * kept.length;
        kept.concat(pinned).forEach((from, to) => records.set(laidOut.subarray(from * size, (from + 1) * size), to * size));
    }

    /** Records none of whose ends moves. */
    private _countPinned(inverseMasses: Float32Array): number {
        const { records, _recordSize: size, constraintCount } = this;
        let pinned = 0;
        for (let r = 0; r < constraintCount / 4; r++) {
            const first = r * size + DistanceRecord.rows;
            let end = first;
            while (end < first + 8 && inverseMasses[particleAt(records[end])] === 0) end++;
            if (end === first + 8) pinned++;
        }
        return pinned;
    }

    /** Takes the marks off a limit's records, see LimitRecord: they are of other masses. */
    private _clearMarks(): void {
        const { records } = this;
        for (let r = 0; r < records.length; r += LimitRecord.count) {
            const first = records[r];
            if (first <= records[r + 1]) continue;
            records[r] = records[r + 1];
            records[r + 1] = first;
        }
    }

    private _computeWeights(
        { inverseMasses, paddedCount }: BodyState,
        factors: Float32Array,
        splits: Float32Array | null,
        modulus: number,
        perStep: number,
    ): void {
        const { constraintCount, _isExact: isExact } = this;
        const numbers = { constraintCount, rowCount: paddedCount, isSplit: splits !== null, isExact };
        withScratch(DistanceWeightLayout, numbers, (weights, kernels) => {
            weights.records.set(this.records);
            weights.factors.set(factors);
            if (splits) weights.splits.set(splits);
            weights.inverseMasses.set(inverseMasses);
            weights.parameters.set([modulus, perStep, this._overRelaxation]);
            kernels.computeDistanceWeights(weights);
            this.records.set(weights.records);
        });
        this.maxPush[0] = MAX_STICK_PUSH / this._largestCorrection();
    }

    /** By how much of its strain a stick changes its length in a pass at most: 1 where it does not give. */
    private _largestCorrection(): number {
        const { recordFloats: x, constraintCount } = this;
        let largest = 0;
        for (let s = 0; s < constraintCount; s++) {
            const a = slotOf(s, DistanceRecord.weightsA);
            largest = Math.max(largest, x[a] + x[a + DistanceRecord.weightsB - DistanceRecord.weightsA]);
        }
        return largest;
    }

    /** True if at rest a pass gives by the compliance and no more, as long as that is more than a pass gives anyway. */
    protected get _isExact(): boolean {
        return false;
    }

    /** Stiffness per unit of `DistanceConstraintSet.stiffnessFactors`, along warp and along weft. */
    protected _moduli(fabric: Fabric): [number, number] {
        const modulus = fabric[this.stiffness];
        return [warpOf(modulus), weftOf(modulus)];
    }

    /** Stiffness of each stick by its direction. */
    private _factorsAlong(factors: Float32Array, warp: number, weft: number): Float32Array {
        const stiffnesses = new Float32Array(this.constraintCount);
        this.forEachCompliance(warp, weft, (s, compliance) => (stiffnesses[s] = factors[s] / compliance));
        return stiffnesses;
    }

    /** Calls with each stick's compliance by its direction, for 1 / modulus; padding left out. */
    protected forEachCompliance(warp: number, weft: number, call: (stick: number, compliance: number) => void): void {
        const threads = this._warpWeft!();
        for (let s = 0; s < this.constraintCount; s++) {
            const { a, b } = this.constraintAt(s);
            if (a !== b) call(s, complianceAlong(warp, weft, threads.alongWarp(a, b)));
        }
    }

    project(kernels: KernelFunctions, state: BodyState): void {
        if (!this._isDisabled) kernels.projectDistances(state, this);
    }

    /** Slots of a record. */
    protected get _recordSize(): number {
        return this._isLimit ? LimitRecord.count : DistanceRecord.count;
    }

    /** The numbers of stick `s`, 0 .. constraintCount - 1; padding joins the spare particle with itself. */
    constraintAt(s: number): { a: number; b: number; restLength: number } {
        const { records, recordFloats, _recordSize: size } = this;
        return {
            a: particleAt(records[rowSlotOf(s, size)]),
            b: particleAt(records[rowSlotOf(s, size) + 1]),
            restLength: recordFloats[slotOf(s, DistanceRecord.restLengths, size)],
        };
    }

    measureStretch(state: BodyState, result: Float64Array): void {
        const x = state.positions;
        const { records, recordFloats, _recordSize: size } = this;
        for (let s = 0; s < this.constraintCount; s++) {
            const restLength = recordFloats[slotOf(s, DistanceRecord.restLengths, size)];
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
const orderedSets = new WeakMap<DistanceConstraintSet, OrderedDistances>();

/**
 * The sticks of a set in the order of projection.
 * @param splitsOf finds the splits of its sticks' ends, see splitMasses.ts
 * @param areLimits whether they are limits, which need no weights between whole masses
 */
export function orderedDistancesOf(
    set: DistanceConstraintSet,
    positions: Float32Array,
    splitsOf: (set: DistanceConstraintSet, positions: Float32Array) => Float32Array | null,
    areLimits = false,
): OrderedDistances {
    let laid = orderedSets.get(set);
    if (laid) return laid;
    const splits = splitsOf(set, positions);
    laid = buildOrderedDistances(
        set,
        positions.length / 3,
        splits,
        areLimits && !splits ? LimitRecord.count : DistanceRecord.count,
    );
    orderedSets.set(set, laid);
    return laid;
}

/** Sticks of padding that a set has room for; one with more is laid out twice. */
const PADDING_CAPACITY = 128;

/**
 * Lays a set's sticks out.
 * @param splits of each stick's ends, shape [n, 2]; null: whole masses
 * @param recordSize slots of a record, of DistanceRecord or LimitRecord
 */
export function buildOrderedDistances(
    set: DistanceConstraintSet,
    particleCount: number,
    splits: Float32Array | null,
    recordSize: number = DistanceRecord.count,
    room = set.particlesA.length + PADDING_CAPACITY,
): OrderedDistances {
    const { particlesA, particlesB, restLengths, stiffnessFactors } = set;
    const capacity = roundUpToFour(room);
    const constraintCount = particlesA.length;
    const numbers = {
        constraintCount,
        particleCount,
        isSplit: splits !== null,
        capacity,
        recordSize,
        spareParticle: particleCount,
    };
    return withScratch(DistanceOrderLayout, numbers, (order, kernels) => {
        order.particlesA.set(particlesA);
        order.particlesB.set(particlesB);
        order.restLengths.set(restLengths);
        order.factors.set(stiffnessFactors);
        if (splits) order.splits.set(splits);
        kernels.orderDistanceConstraints(order);
        const [laid] = order.orderedCount;
        if (laid > capacity) return buildOrderedDistances(set, particleCount, splits, recordSize, laid);
        return {
            set,
            constraintCount: laid,
            records: order.records.slice(0, (laid / 4) * recordSize),
            // Limits have no weights.
            factors: order.orderedFactors.slice(0, recordSize === LimitRecord.count ? 0 : laid),
            splits: splits && order.orderedSplits.slice(0, 2 * laid),
        };
    });
}

/** Slot of a stick's number, `first` being that of its record's first stick. @param size slots of a record */
export function slotOf(stick: number, first: number, size: number = DistanceRecord.count): number {
    return (stick >> 2) * size + first + (stick & 3);
}

/** Slot of the row of a stick's particle A; that of B follows. */
export function rowSlotOf(stick: number, size: number = DistanceRecord.count): number {
    return (stick >> 2) * size + DistanceRecord.rows + 2 * (stick & 3);
}

function intersects(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
    for (const each of a) if (b.has(each)) return true;
    return false;
}
