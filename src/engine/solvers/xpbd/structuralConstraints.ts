/**
 * Structural sticks: the mesh's edges, which hold its lengths; see sticks.ts.
 *
 *     ●───●─────●        What gravity adds to a stick in a substep is a length, g dt², of which one pass takes back a part:
 *     │ ╲ ┃  ╲  │        little where masses are split, and what is left is a large share of a short stick. So these sticks,
 *     ●───●━●───●        ┃, get further passes on meshes that are no grids.
 *
 * k passes leave about 1/k of the stretch, k times as many substeps 1/k²; beyond {@link MAX_EXTRA_PASSES} more substeps cost less. A
 * fabric that stretches gets one pass: without Lagrange multipliers kept, each further one would make it stiffer. A pass carries a stiffness of
 * m/dt²; what a fabric has beyond that, elastic tethers carry.
 */
import { CROWDED_SPLIT, MAX_EXTRA_PASSES, MIN_EXTRA_PASSES, SAG_PER_PASS, SHORT_STICK_RATIO } from "../../tunables";
import type { Arena } from "../../../kernels/arena";
import type { ParticleArrays, TriangleArrays } from "../../../kernels/layout";
import type { KernelFunctions } from "../../../kernels/kernelTable";
import { STANDARD_GRAVITY } from "../../materials/fabric";
import type { Fabric } from "../../materials/fabric";
import type { DistanceConstraintSet } from "../../topology/stencilSet";
import { rebuildable } from "../../topology/topology";
import type { WarpWeftFinder } from "../../topology/warpWeft";
import type { ClothTopology } from "../../topology/topology";
import type { ClothSettings } from "../../state/settings";
import type { BodyState } from "../../state/state";
import { excludingShear, warpOf, weftOf } from "../../materials/warpWeftStiffness";
import { massSplits } from "./splitMasses";
import { buildOrderedDistances, DistanceConstraints } from "./distanceConstraints";
import type { OrderedDistances } from "./distanceConstraints";

export class Structural extends DistanceConstraints {
    /** Sticks that are passed over again; none on grids. */
    readonly repeated: DistanceConstraints | null = null;
    /** Repetitions in a pass. */
    repeatCount = 0;
    private _isRigid = false;
    private readonly _meanLength: number;
    /** Share of the sheet that has shear sticks. */
    private readonly _shareOfShear: number;

    constructor(arena: Arena, topology: ClothTopology, triangles: TriangleArrays, threads: WarpWeftFinder) {
        const { repeated: again } = orderedStructuralOf(topology);
        super(
            arena,
            rebuildable(topology, triangles, (rest) => orderedStructuralOf(rest).ordered),
            "structural",
            1,
            threads,
        );
        this._meanLength = topology.meanLength;
        this._shareOfShear = topology.rectangleShare;
        if (!again) return;
        try {
            this.repeated = new DistanceConstraints(
                arena,
                rebuildable(topology, triangles, (rest) => orderedStructuralOf(rest).repeated!),
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
        return super.byteLength + (this.repeated?.byteLength ?? 0);
    }

    protected override _moduli({ stretchStiffness, shearStiffness }: Fabric): [number, number] {
        const shear = shearStiffness * this._shareOfShear;
        return [excludingShear(warpOf(stretchStiffness), shear), excludingShear(weftOf(stretchStiffness), shear)];
    }

    protected override get _isExact(): boolean {
        return true;
    }

    protected override _derive(state: BodyState, settings: ClothSettings, substep: number): void {
        super._derive(state, settings, substep);
        this.repeated?.prepare(state, settings, substep);
        const sag = (STANDARD_GRAVITY * substep * substep) / this._meanLength;
        const { stretchStiffness } = settings.fabric;
        this._isRigid = warpOf(stretchStiffness) === Infinity && weftOf(stretchStiffness) === Infinity;
        this.repeatCount = this._isRigid
            ? Math.max(MIN_EXTRA_PASSES, Math.min(MAX_EXTRA_PASSES, Math.ceil(sag / SAG_PER_PASS))) - 1
            : 0;
    }

    override project(kernels: KernelFunctions, state: BodyState): void {
        if (!this._isDisabled) kernels.projectLengths(state, this);
        for (let k = 0; this.repeated && k < this.repeatCount; k++) this.repeated.project(kernels, state);
    }

    limitStrain(kernels: Pick<KernelFunctions, "limitStrain">, particles: ParticleArrays): void {
        if (this._isRigid) kernels.limitStrain(particles, this);
    }

    override release(): void {
        super.release();
        this.repeated?.release();
    }
}

/** Order derived from a topology. */
interface OrderedStructural {
    readonly ordered: OrderedDistances;
    readonly repeated: OrderedDistances | null;
}

/** Cloths of one topology share it. */
const orderedStructurals = new WeakMap<DistanceConstraintSet, OrderedStructural>();

export function orderedStructuralOf({ structural, meanLength, positions, particleCount }: ClothTopology): OrderedStructural {
    let found = orderedStructurals.get(structural);
    if (found) return found;
    const splits = massSplits(structural, positions);
    const laid = buildOrderedDistances(structural, particleCount, splits);
    let again: OrderedDistances | null = null;
    if (splits) {
        const needy = findRepeated(structural.restLengths, splits, SHORT_STICK_RATIO * meanLength);
        const ends = new Float32Array(needy.length * 2);
        for (let e = 0; e < ends.length; e++) ends[e] = splits[2 * needy[e >> 1] + (e & 1)];
        if (needy.length > 0) again = buildOrderedDistances(subset(structural, needy), particleCount, ends);
    }
    orderedStructurals.set(structural, (found = { ordered: laid, repeated: again }));
    return found;
}

/** Numbers of the sticks that are short or crowded. */
function findRepeated(restLengths: Float32Array, splits: Float32Array, short: number): Uint32Array {
    const found: number[] = [];
    restLengths.forEach((length, s) => {
        if (length < short || splits[2 * s] > CROWDED_SPLIT || splits[2 * s + 1] > CROWDED_SPLIT) found.push(s);
    });
    return Uint32Array.from(found);
}

function subset(
    { stiffness, particlesA, particlesB, restLengths, stiffnessFactors }: DistanceConstraintSet,
    which: Uint32Array,
): DistanceConstraintSet {
    const count = which.length;
    const found = {
        stiffness,
        particlesA: new Uint32Array(count),
        particlesB: new Uint32Array(count),
        restLengths: new Float32Array(count),
        stiffnessFactors: new Float32Array(count),
    };
    for (let i = 0; i < count; i++) {
        found.particlesA[i] = particlesA[which[i]];
        found.particlesB[i] = particlesB[which[i]];
        found.restLengths[i] = restLengths[which[i]];
        found.stiffnessFactors[i] = stiffnessFactors[which[i]];
    }
    return found;
}
