/** What keeps the shape of a body, solved all at once: sticks and bending as elements of the matrix of kernels/wasm/assembly/net.ts. */
import type { Arena } from "../../../kernels/arena";
import type { KernelFunctions } from "../../../kernels/kernels";
import { ROW } from "../../../kernels/layout";
import { NetElement, NetLayout } from "../../../kernels/netLayout";
import type { NetArrays } from "../../../kernels/netLayout";
import { ArenaStruct } from "../../arenaArrays";
import type { StencilSet } from "../../constraints/stencilSet";
import type { StickSet } from "../../constraints/stickSet";
import type { ClothSettings } from "../../settings";
import type { BodyState } from "../../state";
import { warpOf } from "../../materials/threadStiffness";
import type { Constraint } from "../xpbd/constraint";
import { envelopeOf, factor, orderFor } from "./envelope";
import type { Envelope } from "./envelope";

/**
 * Of the forces of a substep, a stick has at most so many times those of inertia: a chain of a hundred is within a percent then. What is stiffer
 * holds its direction in the matrix as it holds its length, and turns no faster than the rounds go.
 */
const STIFFEST_STICK = 30;
/** The same of bending, which is linear: more is noise in 32 bits. */
const STIFFEST_BEND = 1e4;
/** Particles of an element. */
const SIZE = 4;
export class Net extends ArenaStruct implements NetArrays, Constraint {
    readonly name = "sticks";
    readonly particleCount: number;
    readonly elementCount: number;
    readonly entryCount: number;
    elements!: Uint32Array;
    elementFloats!: Float32Array;
    order!: Uint32Array;
    firsts!: Uint32Array;
    entries!: Float32Array;
    inverses!: Float32Array;
    inertias!: Float32Array;
    areFree!: Float32Array;
    starts!: Float32Array;
    places!: Float32Array;
    moves!: Float32Array;
    private readonly _stickCount: number;
    private readonly _envelope: Envelope;
    /** Stiffness of each element per unit of what it is of. */
    private readonly _factors: Float32Array;
    private _massRevision = -1;
    private _before = [NaN, NaN, NaN];

    /** @throws RangeError when there is no memory left */
    constructor(arena: Arena, particleCount: number, sticks: StickSet, stencils: StencilSet) {
        super(NetLayout);
        this.particleCount = particleCount;
        this._stickCount = sticks.particlesA.length;
        this.elementCount = this._stickCount + stencils.areas.length;
        const particles = particlesOf(sticks, stencils);
        const order = orderFor(particleCount, particles, SIZE);
        const placeOf = new Uint32Array(particleCount);
        order.forEach((particle, place) => (placeOf[particle] = place));
        const places = particles.map((particle) => placeOf[particle]);
        this._envelope = envelopeOf(particleCount, places, SIZE);
        this.entryCount = this._envelope.starts[particleCount];
        this._allocate(arena);
        this.order.set(order);
        this.firsts.set(this._envelope.firsts);
        this._factors = new Float32Array(this.elementCount);
        for (let e = 0; e < this.elementCount; e++) {
            const o = e * NetElement.count;
            this.elements.set(places.subarray(SIZE * e, SIZE * e + SIZE), o);
            const weights = o + NetElement.weights;
            const s = e - this._stickCount;
            if (s < 0) {
                this.elementFloats.set([-1, 1, 0, 0], weights);
                this.elementFloats[o + NetElement.rest] = sticks.restLengths[e];
                this._factors[e] = sticks.stiffnessFactors[e];
            } else {
                const [a, c, d] = stencils.weights.subarray(3 * s, 3 * s + 3);
                this.elementFloats.set([-a - c - d, a, c, d], weights);
                this.elementFloats[o + NetElement.rest] = stencils.curvatures[s];
                this._factors[e] = stencils.areas[s];
            }
        }
    }

    get count(): number {
        return this._stickCount;
    }

    prepare(state: BodyState, { fabric }: ClothSettings, substep: number): void {
        const stretch = warpOf(fabric.stretchStiffness);
        const bend = warpOf(fabric.bendStiffness);
        const now = [stretch, bend, substep];
        if (state.massRevision === this._massRevision && now.every((value, i) => value === this._before[i])) return;
        this._massRevision = state.massRevision;
        this._before = now;
        const { order, areFree, elements, elementFloats: f, elementCount } = this;
        const perStep = 1 / (substep * substep);
        const inertias = Float64Array.from(order, (particle) => perStep / state.inverseMasses[particle]);
        order.forEach((particle, place) => (areFree[place] = state.inverseMasses[particle] > 0 ? 1 : 0));
        inertias.forEach((inertia, place) => (this.inertias[place] = areFree[place] ? inertia : 0));
        for (let e = 0, o = 0; e < elementCount; e++, o += NetElement.count) {
            let most = Infinity;
            for (let k = 0; k < SIZE; k++) {
                const weight = f[o + NetElement.weights + k];
                if (weight !== 0) most = Math.min(most, inertias[elements[o + k]] / (weight * weight));
            }
            const modulus = e < this._stickCount ? stretch : bend;
            const stiffest = f[o + NetElement.rest] > 0 ? STIFFEST_STICK : STIFFEST_BEND;
            const stiffness = modulus > 0 ? modulus * this._factors[e] : 0;
            // What is held at all of its particles has nothing to do.
            f[o + NetElement.stiffness] = most < Infinity ? Math.min(stiffness, stiffest * most) : 0;
        }
        this._factor(inertias);
    }

    /** M/dt² + K = L D Lᵀ, in doubles. */
    private _factor(inertias: Float64Array): void {
        const { areFree, elements, elementFloats: f, elementCount, entryCount, _envelope: envelope } = this;
        const { firsts, starts } = envelope;
        const diagonal = inertias.map((inertia, i) => (areFree[i] ? inertia : 1));
        const entries = new Float64Array(entryCount);
        for (let e = 0, o = 0; e < elementCount; e++, o += NetElement.count) {
            for (let k = 0; k < SIZE; k++) {
                const i = elements[o + k];
                if (!areFree[i]) continue;
                const pull = f[o + NetElement.stiffness] * f[o + NetElement.weights + k];
                for (let l = 0; l < SIZE; l++) {
                    const j = elements[o + l];
                    const product = pull * f[o + NetElement.weights + l];
                    if (product === 0 || !areFree[j]) continue;
                    if (i === j) diagonal[i] += product;
                    else if (j < i) entries[starts[i] + j - firsts[i]] += product;
                }
            }
        }
        factor(envelope, entries, diagonal);
        this.entries.set(entries);
        diagonal.forEach((d, i) => (this.inverses[i] = areFree[i] ? 1 / d : 0));
    }

    project(kernels: KernelFunctions, state: BodyState): void {
        kernels.solveNet(state, this);
    }

    measureStretch({ positions: x }: BodyState, result: Float64Array): void {
        const { order, elements, elementFloats: f } = this;
        for (let e = 0, o = 0; e < this._stickCount; e++, o += NetElement.count) {
            const [a, b] = [order[elements[o]] * ROW, order[elements[o + 1]] * ROW];
            const length = Math.hypot(x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]);
            const stretch = Math.max(0, length / f[o + NetElement.rest] - 1);
            result[0] += stretch;
            if (stretch > result[1]) result[1] = stretch;
        }
    }
}

/** Particles of all elements, {@link SIZE} of each; a stick has each of its own twice. */
function particlesOf({ particlesA, particlesB }: StickSet, { particles }: StencilSet): Uint32Array {
    const all = new Uint32Array(SIZE * particlesA.length + particles.length);
    particlesA.forEach((a, s) => all.set([a, particlesB[s], a, a], SIZE * s));
    all.set(particles, SIZE * particlesA.length);
    return all;
}
