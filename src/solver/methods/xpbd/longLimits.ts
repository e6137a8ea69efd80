/**
 * Long limits: sticks that only pull, between particles at a distance of four edges, or of sixteen, straight over the surface.
 *
 *     a ●──●──●──●──● b      C = |b - a| - L <= 0,   L the straight line's length over the surface at rest
 *
 * A sheet that does not stretch can fold but never bring two points farther apart than the way between them at rest, so the limit holds
 * in every shape. It carries a correction over many edges at once, where structural sticks need as many passes: those over four let free cloth
 * stretch a third as much, those over sixteen carry what hangs on cloth that stiffness keeps off its tethers. Data layout: see StickArrays.
 */
import type { Arena } from "../../../kernels/arena";
import { StickRecord } from "../../../kernels/layout";
import type { TriangleArrays } from "../../../kernels/layout";
import type { KernelFunctions } from "../../../kernels/kernels";
import { roomForWeight } from "../../fabric";
import type { ClothSettings } from "../../settings";
import type { BodyState } from "../../state";
import { recalling } from "../../rest/topology";
import type { ClothTopology } from "../../rest/topology";
import { massSplits } from "./splitMasses";
import { laidSticksOf, slotOf, Sticks } from "./sticks";
import type { LaidSticks } from "./sticks";

export class LongLimits extends Sticks {
    /** What the rest lengths are multiplied by now. */
    private _scale = 1;
    /** Rest lengths by the stick before that [m]; none while the scale has always been 1. */
    private _restLengths: Float32Array | null = null;
    private readonly _size: number;

    constructor(arena: Arena, topology: ClothTopology, triangles: TriangleArrays, name: "longLimits" | "farLimits") {
        const lay = ({ [name]: limits, positions }: ClothTopology): LaidSticks => laidSticksOf(limits, positions, massSplits);
        super(arena, recalling(topology, triangles, lay), name);
        this._size = topology.size;
    }

    override prepare(state: BodyState, settings: ClothSettings, substep: number): void {
        super.prepare(state, settings, substep);
        if (!this._isOff) this._scaleTo(1 + roomForWeight(settings.fabric, this._size));
    }

    private _scaleTo(scale: number): void {
        if (scale === this._scale) return;
        this._scale = scale;
        const lengths = (this._restLengths ??= Float32Array.from(
            { length: this.stickCount },
            (_, s) => this.stickAt(s).restLength,
        ));
        for (let s = 0; s < this.stickCount; s++) this.recordFloats[slotOf(s, StickRecord.restLengths)] = lengths[s] * scale;
    }

    override project(kernels: KernelFunctions, state: BodyState): void {
        if (!this._isOff) kernels.projectLongLimits(state, this);
    }

    /** The limit itself does not give: what stretches is the fabric, within the room that it has. */
    protected override _modulus(): number {
        return Infinity;
    }
}
