/** Shape of a body, solved all at once: sticks and bending as elements of the matrix of kernels/assembly/projectiveSolve.ts. */
import { MAX_PROJECTIVE_BEND_STIFFNESS, MAX_PROJECTIVE_STIFFNESS } from "../../tunables";
import type { Arena } from "../../../kernels/arena";
import type { KernelFunctions } from "../../../kernels/kernelTable";
import { ROW } from "../../../kernels/layout";
import { ProjectiveElement, ProjectiveLayout } from "../../../kernels/projectiveLayout";
import type { ProjectiveArrays } from "../../../kernels/projectiveLayout";
import { ArenaStruct } from "../../memory/arenaArrays";
import type { StencilSet, DistanceConstraintSet } from "../../topology/stencilSet";
import type { ClothSettings } from "../../state/settings";
import type { BodyState } from "../../state/state";
import { warpOf } from "../../materials/warpWeftStiffness";
import type { Constraint } from "../../state/constraint";
import { envelopeOf, factorLDL, reduceBandwidth } from "./envelopeFactor";
import type { Envelope } from "./envelopeFactor";

/** Particles of an element. */
const ELEMENT_SIZE = 4;
export class ProjectiveSolver extends ArenaStruct implements ProjectiveArrays, Constraint {
    readonly name = "sticks";
    readonly particleCount: number;
    readonly elementCount: number;
    readonly entryCount: number;
    elements!: Uint32Array;
    elementFloats!: Float32Array;
    order!: Uint32Array;
    firstColumns!: Uint32Array;
    entries!: Float32Array;
    inverses!: Float32Array;
    inertias!: Float32Array;
    areFree!: Float32Array;
    starts!: Float32Array;
    current!: Float32Array;
    moves!: Float32Array;
    private readonly _distanceCount: number;
    private readonly _envelope: Envelope;
    /** Stiffness of each element per unit of what it is of. */
    private readonly _factors: Float32Array;
    private _massRevision = -1;
    private _lastSettings = [NaN, NaN, NaN];

    /** @throws RangeError when there is no memory left */
    constructor(arena: Arena, particleCount: number, sticks: DistanceConstraintSet, stencils: StencilSet) {
        super(ProjectiveLayout);
        this.particleCount = particleCount;
        this._distanceCount = sticks.particlesA.length;
        this.elementCount = this._distanceCount + stencils.areas.length;
        const particles = particlesOf(sticks, stencils);
        const order = reduceBandwidth(particleCount, particles, ELEMENT_SIZE);
        const placeOf = new Uint32Array(particleCount);
        order.forEach((particle, place) => (placeOf[particle] = place));
        const places = particles.map((particle) => placeOf[particle]);
        this._envelope = envelopeOf(particleCount, places, ELEMENT_SIZE);
        this.entryCount = this._envelope.starts[particleCount];
        this._allocate(arena);
        this.order.set(order);
        this.firstColumns.set(this._envelope.firstColumns);
        this._factors = new Float32Array(this.elementCount);
        for (let e = 0; e < this.elementCount; e++) {
            const o = e * ProjectiveElement.count;
            this.elements.set(places.subarray(ELEMENT_SIZE * e, ELEMENT_SIZE * e + ELEMENT_SIZE), o);
            const weights = o + ProjectiveElement.weights;
            const s = e - this._distanceCount;
            if (s < 0) {
                this.elementFloats.set([-1, 1, 0, 0], weights);
                this.elementFloats[o + ProjectiveElement.rest] = sticks.restLengths[e];
                this._factors[e] = sticks.stiffnessFactors[e];
            } else {
                const [a, c, d] = stencils.weights.subarray(3 * s, 3 * s + 3);
                this.elementFloats.set([-a - c - d, a, c, d], weights);
                this.elementFloats[o + ProjectiveElement.rest] = stencils.curvatures[s];
                this._factors[e] = stencils.areas[s];
            }
        }
    }

    get count(): number {
        return this._distanceCount;
    }

    prepare(state: BodyState, { fabric }: ClothSettings, substep: number): void {
        const stretch = warpOf(fabric.stretchStiffness);
        const bend = warpOf(fabric.bendStiffness);
        const now = [stretch, bend, substep];
        if (state.massRevision === this._massRevision && now.every((value, i) => value === this._lastSettings[i])) return;
        this._massRevision = state.massRevision;
        this._lastSettings = now;
        const { order, areFree, elements, elementFloats: f, elementCount } = this;
        const perStep = 1 / (substep * substep);
        const inertias = Float64Array.from(order, (particle) => perStep / state.inverseMasses[particle]);
        order.forEach((particle, place) => (areFree[place] = state.inverseMasses[particle] > 0 ? 1 : 0));
        inertias.forEach((inertia, place) => (this.inertias[place] = areFree[place] ? inertia : 0));
        for (let e = 0, o = 0; e < elementCount; e++, o += ProjectiveElement.count) {
            let most = Infinity;
            for (let k = 0; k < ELEMENT_SIZE; k++) {
                const weight = f[o + ProjectiveElement.weights + k];
                if (weight !== 0) most = Math.min(most, inertias[elements[o + k]] / (weight * weight));
            }
            const modulus = e < this._distanceCount ? stretch : bend;
            const stiffest = f[o + ProjectiveElement.rest] > 0 ? MAX_PROJECTIVE_STIFFNESS : MAX_PROJECTIVE_BEND_STIFFNESS;
            const stiffness = modulus > 0 ? modulus * this._factors[e] : 0;
            // What is held at all of its particles has nothing to do.
            f[o + ProjectiveElement.stiffness] = most < Infinity ? Math.min(stiffness, stiffest * most) : 0;
        }
        this._factor(inertias);
    }

    /** M/dt² + K = L D Lᵀ, in doubles. */
    private _factor(inertias: Float64Array): void {
        const { areFree, elements, elementFloats: f, elementCount, entryCount, _envelope: envelope } = this;
        const { firstColumns, starts } = envelope;
        const diagonal = inertias.map((inertia, i) => (areFree[i] ? inertia : 1));
        const entries = new Float64Array(entryCount);
        for (let e = 0, o = 0; e < elementCount; e++, o += ProjectiveElement.count) {
            for (let k = 0; k < ELEMENT_SIZE; k++) {
                const i = elements[o + k];
                if (!areFree[i]) continue;
                const pull = f[o + ProjectiveElement.stiffness] * f[o + ProjectiveElement.weights + k];
                for (let l = 0; l < ELEMENT_SIZE; l++) {
                    const j = elements[o + l];
                    const product = pull * f[o + ProjectiveElement.weights + l];
                    if (product === 0 || !areFree[j]) continue;
                    if (i === j) diagonal[i] += product;
                    else if (j < i) entries[starts[i] + j - firstColumns[i]] += product;
                }
            }
        }
        factorLDL(envelope, entries, diagonal);
        this.entries.set(entries);
        diagonal.forEach((d, i) => (this.inverses[i] = areFree[i] ? 1 / d : 0));
    }

    project(kernels: KernelFunctions, state: BodyState): void {
        kernels.solveProjective(state, this);
    }

    measureStretch({ positions: x }: BodyState, result: Float64Array): void {
        const { order, elements, elementFloats: f } = this;
        for (let e = 0, o = 0; e < this._distanceCount; e++, o += ProjectiveElement.count) {
            const [a, b] = [order[elements[o]] * ROW, order[elements[o + 1]] * ROW];
            const length = Math.hypot(x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]);
            const stretch = Math.max(0, length / f[o + ProjectiveElement.rest] - 1);
            result[0] += stretch;
            if (stretch > result[1]) result[1] = stretch;
        }
    }
}

/** Particles of all elements, {@link ELEMENT_SIZE} of each; a stick has each of its own twice. */
function particlesOf({ particlesA, particlesB }: DistanceConstraintSet, { particles }: StencilSet): Uint32Array {
    const all = new Uint32Array(ELEMENT_SIZE * particlesA.length + particles.length);
    particlesA.forEach((a, s) => all.set([a, particlesB[s], a, a], ELEMENT_SIZE * s));
    all.set(particles, ELEMENT_SIZE * particlesA.length);
    return all;
}
