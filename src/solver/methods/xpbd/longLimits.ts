/**
 * Long limits: sticks that only pull, between particles at a distance of two edges, straight over the surface; farLimits.ts has longer ones.
 *
 *     a ●──●──● b      C = |b - a| - L <= 0,   L the straight line's length over the surface at rest
 *
 * A sheet that does not stretch can fold but never bring two points farther apart than the way between them at rest, so the limit holds
 * in every shape. It carries a correction over many edges at once, where structural sticks need as many passes. Data layout: see StickArrays.
 */
import type { Arena } from "../../../kernels/arena";
import { StickRecord } from "../../../kernels/layout";
import { StickLengthLayout } from "../../../kernels/prepareLayout";
import type { StickLengthArrays } from "../../../kernels/prepareLayout";
import type { TriangleArrays } from "../../../kernels/layout";
import type { KernelFunctions } from "../../../kernels/kernels";
import { buildWith } from "../../builder";
import { reckonedGravity, roomForWeight } from "../../materials/fabric";
import type { ClothSettings } from "../../settings";
import type { BodyState } from "../../state";
import type { StickSet } from "../../constraints/stickSet";
import { recalling } from "../../rest/topology";
import type { ThreadFinder } from "../../rest/threads";
import type { ClothTopology } from "../../rest/topology";
import { isEven, warpOf, weftOf } from "../../materials/threadStiffness";
import { massSplits } from "./splitMasses";
import { laidSticksOf, slotOf, Sticks } from "./sticks";
import type { LaidSticks } from "./sticks";

/**
 * What is beyond a limit is pulled this much farther than back: as if its ends bounced a little, which gains no energy below 2, and
 * leaves what hangs on many limits half as far beyond them.
 */
const PULL = 1.4;
/** The same of far limits, after which the others come. */
const FAR_PULL = 1.6;
/** Longest of all, times its length at rest. */
const MOST_SCALE = 1e6;

export class LongLimits extends Sticks {
    /** What the rest lengths are multiplied by now; NaN: each by its own. */
    private _scale = 1;
    /** Rest lengths by the stick before that [m]; none while the scale has always been 1. */
    private _restLengths: Float32Array | null = null;
    private readonly _size: number;

    /** @param find its limits in a topology */
    constructor(
        arena: Arena,
        topology: ClothTopology,
        triangles: TriangleArrays,
        name: "longLimits" | "farLimits",
        threads: ThreadFinder,
        find = ({ longLimits }: ClothTopology): StickSet => longLimits,
    ) {
        const lay = (found: ClothTopology): LaidSticks => laidSticksOf(find(found), found.positions, massSplits, true);
        super(arena, recalling(topology, triangles, lay), name, name === "longLimits" ? PULL : FAR_PULL, threads);
        this._size = topology.size;
    }

    override prepare(state: BodyState, settings: ClothSettings, substep: number): void {
        super.prepare(state, settings, substep);
        if (this._isOff) return;
        const { stretchStiffness, shearStiffness } = settings.fabric;
        const room = roomForWeight(settings.fabric, reckonedGravity(settings.gravity), this._size);
        // A pull N on the bias stretches by N / (4 shear stiffness).
        const onBias = this.stiffness === "stretchStiffness" ? 0 : room / (4 * shearStiffness);
        if (isEven(stretchStiffness)) this._scaleTo(1 + (room / warpOf(stretchStiffness) + onBias));
        else this._scaleAlong(room, onBias, warpOf(stretchStiffness), weftOf(stretchStiffness));
    }

    private _scaleTo(scale: number): void {
        if (scale === this._scale) return;
        this._scale = scale;
        const before = this._lengthsBefore();
        this._withLengths((sticks, kernels) => {
            sticks.lengths.set(before);
            sticks.scale[0] = scale;
            kernels.scaleLengths(sticks);
            this.records.set(sticks.records);
        });
    }

    private _scaleAlong(room: number, onBias: number, warp: number, weft: number): void {
        const lengths = this._lengthsBefore();
        this._scale = NaN;
        this.forEachCompliance(warp, weft, (s, compliance) => {
            // What nothing holds has no limit, but a length: infinite ones would leave no numbers behind.
            const longest = lengths[s] * Math.min(MOST_SCALE, 1 + room * compliance + onBias);
            this.recordFloats[slotOf(s, StickRecord.restLengths, this._recordSize)] = longest;
        });
    }

    private _lengthsBefore(): Float32Array {
        return (this._restLengths ??= this._withLengths((sticks, kernels) => {
            kernels.readLengths(sticks);
            return sticks.lengths.slice();
        }));
    }

    private _withLengths<Result>(run: (sticks: StickLengthArrays, kernels: KernelFunctions) => Result): Result {
        const { stickCount, records, _recordSize: recordSize } = this;
        return buildWith(StickLengthLayout, { stickCount, recordSize }, (sticks, kernels) => {
            sticks.records.set(records);
            return run(sticks, kernels);
        });
    }

    override project(kernels: KernelFunctions, state: BodyState): void {
        if (this._isOff) return;
        if (this._isLight) kernels.projectLimits(state, this);
        else kernels.projectLongLimits(state, this);
    }

    /** The limit itself does not give: what stretches is the fabric, within the room that it has. */
    protected override _moduli(): [number, number] {
        return [Infinity, Infinity];
    }
}
