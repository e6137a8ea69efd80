/**
 * Structural sticks: the mesh's edges, which hold its lengths; see sticks.ts.
 *
 *     ●───●─────●        What gravity adds to a stick in a substep is a length, g dt², of which one pass takes back a part:
 *     │ ╲ ┃  ╲  │        little where masses are split, and what is left is a large share of a short stick. So these sticks,
 *     ●───●━●───●        ┃, get further passes on meshes that are no grids.
 *
 * k passes leave about 1/k of the stretch, k times as many substeps 1/k²; beyond {@link MOST_PASSES} more substeps cost less. A
 * fabric that stretches gets one pass: without Lagrange multipliers kept, each further one would make it stiffer. A pass carries a stiffness of
 * m/dt²; what a fabric has beyond that, elastic tethers carry.
 */
import type { Arena } from "../../../kernels/arena";
import type { TriangleArrays } from "../../../kernels/layout";
import type { KernelFunctions } from "../../../kernels/kernels";
import { STANDARD_GRAVITY } from "../../materials/fabric";
import type { Fabric } from "../../materials/fabric";
import type { StickSet } from "../../constraints/stickSet";
import { recalling } from "../../rest/topology";
import type { ThreadFinder } from "../../rest/threads";
import type { ClothTopology } from "../../rest/topology";
import type { ClothSettings } from "../../settings";
import type { BodyState } from "../../state";
import { besideShear, warpOf, weftOf } from "../../materials/threadStiffness";
import { massSplits } from "./splitMasses";
import { laySticks, Sticks } from "./sticks";
import type { LaidSticks } from "./sticks";

/** A stick is crowded if an end is split into more parts than this. */
const CROWDED = 2;
/** A stick is short below this share of the mean length. */
const SHORT = 0.5;
/** Passes over crowded and short sticks, at least and at most. */
const LEAST_PASSES = 2;
const MOST_PASSES = 4;
/** Between them, one for each such share of a mean stick by which gravity moves what is at rest in a substep. */
const SAG = 1e-4;

export class Structural extends Sticks {
    /** Sticks that are passed over again; none on grids. */
    readonly again: Sticks | null = null;
    /** How often they are, in a pass. */
    againCount = 0;
    private _isRigid = false;
    private readonly _meanLength: number;
    /** Share of the sheet that has shear sticks. */
    private readonly _shareOfShear: number;

    constructor(arena: Arena, topology: ClothTopology, triangles: TriangleArrays, threads: ThreadFinder) {
        const { again } = laidOf(topology);
        super(
            arena,
            recalling(topology, triangles, (rest) => laidOf(rest).laid),
            "structural",
            1,
            threads,
        );
        this._meanLength = topology.meanLength;
        this._shareOfShear = topology.rectangleShare;
        if (!again) return;
        try {
            this.again = new Sticks(
                arena,
                recalling(topology, triangles, (rest) => laidOf(rest).again!),
                this.name,
                1,
                threads,
            );
        } catch (error) {
            this.release();
            throw error;
        }
    }

    override get byteLength(): number {
        return super.byteLength + (this.again?.byteLength ?? 0);
    }

    protected override _moduli({ stretchStiffness, shearStiffness }: Fabric): [number, number] {
        const shear = shearStiffness * this._shareOfShear;
        return [besideShear(warpOf(stretchStiffness), shear), besideShear(weftOf(stretchStiffness), shear)];
    }

    protected override get _isExact(): boolean {
        return true;
    }

    override prepare(state: BodyState, settings: ClothSettings, substep: number): void {
        super.prepare(state, settings, substep);
        this.again?.prepare(state, settings, substep);
        const sag = (STANDARD_GRAVITY * substep * substep) / this._meanLength;
        const { stretchStiffness } = settings.fabric;
        this._isRigid = warpOf(stretchStiffness) === Infinity && weftOf(stretchStiffness) === Infinity;
        this.againCount = this._isRigid ? Math.max(LEAST_PASSES, Math.min(MOST_PASSES, Math.ceil(sag / SAG))) - 1 : 0;
    }

    override project(kernels: KernelFunctions, state: BodyState): void {
        if (!this._isOff) kernels.projectLengths(state, this);
        for (let k = 0; this.again && k < this.againCount; k++) this.again.project(kernels, state);
    }

    limitStretch(kernels: Pick<KernelFunctions, "limitStretch">, state: BodyState): void {
        if (this._isRigid) kernels.limitStretch(state, this);
    }

    override release(): void {
        super.release();
        this.again?.release();
    }
}

/** What follows from a topology. */
interface Laid {
    readonly laid: LaidSticks;
    readonly again: LaidSticks | null;
}

/** Cloths of one topology share it. */
const known = new WeakMap<StickSet, Laid>();

function laidOf({ structural, meanLength, positions, particleCount }: ClothTopology): Laid {
    let found = known.get(structural);
    if (found) return found;
    const splits = massSplits(structural, positions);
    const laid = laySticks(structural, particleCount, splits);
    let again: LaidSticks | null = null;
    if (splits) {
        const needy = findNeedy(structural.restLengths, splits, SHORT * meanLength);
        const ends = Float32Array.from({ length: needy.length * 2 }, (_, e) => splits[2 * needy[e >> 1] + (e & 1)]);
        if (needy.length > 0) again = laySticks(pick(structural, needy), particleCount, ends);
    }
    known.set(structural, (found = { laid, again }));
    return found;
}

/** Numbers of the sticks that are short or crowded. */
function findNeedy(restLengths: Float32Array, splits: Float32Array, short: number): Uint32Array {
    const found: number[] = [];
    restLengths.forEach((length, s) => {
        if (length < short || splits[2 * s] > CROWDED || splits[2 * s + 1] > CROWDED) found.push(s);
    });
    return Uint32Array.from(found);
}

function pick({ stiffness, particlesA, particlesB, restLengths, stiffnessFactors }: StickSet, which: Uint32Array): StickSet {
    return {
        stiffness,
        particlesA: which.map((s) => particlesA[s]),
        particlesB: which.map((s) => particlesB[s]),
        restLengths: Float32Array.from(which, (s) => restLengths[s]),
        stiffnessFactors: Float32Array.from(which, (s) => stiffnessFactors[s]),
    };
}
