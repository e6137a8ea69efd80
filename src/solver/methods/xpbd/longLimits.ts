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
import type { TriangleArrays } from "../../../kernels/layout";
import type { KernelFunctions } from "../../../kernels/kernels";
import { roomForWeight } from "../../fabric";
import type { Fabric } from "../../fabric";
import type { ClothSettings } from "../../settings";
import type { BodyState } from "../../state";
import type { StickSet } from "../../constraints/stickSet";
import { recalling } from "../../rest/topology";
import type { ClothTopology } from "../../rest/topology";
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

export class LongLimits extends Sticks {
    /** What the rest lengths are multiplied by now. */
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
        find = ({ longLimits }: ClothTopology): StickSet => longLimits,
    ) {
        const lay = (found: ClothTopology): LaidSticks => laidSticksOf(find(found), found.positions, massSplits);
        super(arena, recalling(topology, triangles, lay), name, name === "longLimits" ? PULL : FAR_PULL);
        this._size = topology.size;
    }

    override prepare(state: BodyState, settings: ClothSettings, substep: number): void {
        super.prepare(state, settings, substep);
        if (!this._isOff) this._scaleTo(1 + this._room(settings.fabric));
    }

    /** Strain that the fabric's own weight may need: a pull N on the bias stretches by N / (4 shear stiffness). */
    private _room(fabric: Fabric): number {
        const room = roomForWeight(fabric, this._size);
        if (this.stiffness === "stretchStiffness") return room;
        return room + roomForWeight(fabric, this._size, 4 * fabric.shearStiffness);
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
