/**
 * Long limits: sticks that only pull, between particles at a distance of two edges, straight over the surface; farUnilateralLimits.ts has longer ones.
 *
 *     a ●──●──● b      C = |b - a| - L <= 0,   L the straight line's length over the surface at rest
 *
 * A sheet that does not stretch can fold but never bring two points farther apart than the way between them at rest, so the limit holds
 * in every shape. It carries a correction over many edges at once, where structural sticks need as many passes. Data layout: see DistanceArrays.
 */
import { LIMIT_OVER_RELAXATION } from "../../tunables";
import type { Arena } from "../../../kernels/arena";
import { DistanceRecord } from "../../../kernels/layout";
import { DistanceLengthLayout } from "../../../kernels/constraintLayout";
import type { DistanceLengthArrays } from "../../../kernels/constraintLayout";
import type { TriangleArrays } from "../../../kernels/layout";
import type { KernelFunctions } from "../../../kernels/kernelTable";
import { withScratch } from "../../memory/withScratch";
import { effectiveGravity, sagAllowance } from "../../materials/fabric";
import type { ClothSettings } from "../../state/settings";
import type { BodyState } from "../../state/state";
import type { DistanceConstraintSet } from "../../topology/stencilSet";
import { rebuildable } from "../../topology/topology";
import type { WarpWeftFinder } from "../../topology/warpWeft";
import type { ClothTopology } from "../../topology/topology";
import { isIsotropic, warpOf, weftOf } from "../../materials/warpWeftStiffness";
import { massSplits } from "./splitMasses";
import { orderedDistancesOf, slotOf, DistanceConstraints } from "./distanceConstraints";
import type { OrderedDistances } from "./distanceConstraints";

/** Longest of all, times its length at rest. */
const MAX_SCALE = 1e6;

export class UnilateralLimits extends DistanceConstraints {
    /** Present factor of all rest lengths; NaN: each by its own. */
    private _scale = 1;
    /** Rest lengths by the stick before that [m]; none while the scale has always been 1. */
    private _restLengths: Float32Array | null = null;
    private readonly _size: number;
    private readonly _pieceSizes: Float32Array | null;

    /** @param find its limits in a topology */
    constructor(
        arena: Arena,
        topology: ClothTopology,
        triangles: TriangleArrays,
        name: "unilateralLimits" | "farUnilateralLimits",
        threads: WarpWeftFinder,
        find = ({ unilateralLimits }: ClothTopology): DistanceConstraintSet => unilateralLimits,
    ) {
        const lay = (found: ClothTopology): OrderedDistances => orderedDistancesOf(find(found), found.positions, massSplits, true);
        super(arena, rebuildable(topology, triangles, lay), name, LIMIT_OVER_RELAXATION, threads);
        this._size = topology.size;
        this._pieceSizes = topology.pieceSizes ?? null;
    }

    protected override _derive(state: BodyState, settings: ClothSettings, substep: number): void {
        super._derive(state, settings, substep);
        if (this._isDisabled) return;
        const { stretchStiffness, shearStiffness } = settings.fabric;
        const room = sagAllowance(settings.fabric, effectiveGravity(settings.gravity), this._size);
        // A pull N on the bias stretches by N / (4 shear stiffness).
        const onBias = this.stiffness === "stretchStiffness" ? 0 : room / (4 * shearStiffness);
        if (isIsotropic(stretchStiffness)) this._scaleTo(1 + (room / warpOf(stretchStiffness) + onBias));
        else this._scaleAlong(room, onBias, warpOf(stretchStiffness), weftOf(stretchStiffness));
    }

    private _scaleTo(scale: number): void {
        if (scale === this._scale) return;
        this._scale = scale;
        const before = this._baseLengths();
        if (this._pieceSizes) return before.forEach((length, s) => this._setLength(s, length, scale));
        this._withLengths((sticks, kernels) => {
            sticks.lengths.set(before);
            sticks.scale[0] = scale;
            kernels.scaleLengths(sticks);
            this.records.set(sticks.records);
        });
    }

    private _scaleAlong(room: number, onBias: number, warp: number, weft: number): void {
        const lengths = this._baseLengths();
        this._scale = NaN;
        this.forEachCompliance(warp, weft, (s, compliance) => {
            this._setLength(s, lengths[s], 1 + room * compliance + onBias);
        });
    }

    /** @param scale of a limit's length at rest, in cloth as large as all: what hangs on a piece is that piece alone */
    private _setLength(s: number, length: number, scale: number): void {
        const { _pieceSizes: sizes, _size: size } = this;
        if (sizes) scale = 1 + ((scale - 1) * (sizes[this.constraintAt(s).a] ?? 0)) / size;
        // What nothing holds has no limit, but a length: infinite ones would leave no numbers behind.
        this.recordFloats[slotOf(s, DistanceRecord.restLengths, this._recordSize)] = length * Math.min(MAX_SCALE, scale);
    }

    private _baseLengths(): Float32Array {
        return (this._restLengths ??= this._withLengths((sticks, kernels) => {
            kernels.readLengths(sticks);
            return sticks.lengths.slice();
        }));
    }

    private _withLengths<Result>(run: (sticks: DistanceLengthArrays, kernels: KernelFunctions) => Result): Result {
        const { constraintCount, records, _recordSize: recordSize } = this;
        return withScratch(DistanceLengthLayout, { constraintCount, recordSize }, (sticks, kernels) => {
            sticks.records.set(records);
            return run(sticks, kernels);
        });
    }

    override project(kernels: KernelFunctions, state: BodyState): void {
        if (this._isDisabled) return;
        if (this._isLimit) kernels.projectUnsplitLimits(state, this);
        else kernels.projectUnilateralLimits(state, this);
    }

    /** The limit itself does not give: what stretches is the fabric, within the room that it has. */
    protected override _moduli(): [number, number] {
        return [Infinity, Infinity];
    }
}
