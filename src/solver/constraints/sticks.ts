/**
 * Sticks: distance constraints between two particles (Jakobsen 2001 §4; XPBD, Macklin 2016 eq. 18).
 *
 *     a ●━━━━━━━● b        C = |b - a| - L = 0,   ∇C_b = -∇C_a = (b - a)/|b - a|
 *
 * A stick of stiffness k [N/m] has compliance α = 1/k; one iteration with λ = 0 moves a by
 * wA / (wA + wB + α/dt²) · C along the gradient. With α = 0 and one substep this is Jakobsen's relaxation.
 * Data layout: see StickArrays; sorted by colour, each colour padded to a multiple of four.
 */
import type { Arena, BlockLayout } from "../../kernels/arena";
import type { StickArrays } from "../../kernels/arrays";
import type { Kernels } from "../../kernels/kernels";
import { ArenaArrays } from "../arenaArrays";
import { colorSticks } from "../coloring";
import type { Fabric } from "../fabric";
import type { ClothSettings } from "../settings";
import type { ClothState } from "../state";
import type { StickSet } from "../topology";
import type { Constraint } from "./constraint";

/** All sticks of one kind in one cloth. */
export class Sticks extends ArenaArrays implements StickArrays, Constraint {
    readonly count: number;
    readonly colorCount: number;
    readonly stickCount: number;
    particlesA!: Uint32Array;
    particlesB!: Uint32Array;
    restLengths!: Float32Array;
    weightsA!: Float32Array;
    weightsB!: Float32Array;
    /** Stiffness per unit of the fabric's modulus, see StickSet; 0 marks padding. */
    private readonly _stiffnessFactors: Float32Array;
    protected _isOff = false;

    /**
     * @param name kind, as in `stats`
     * @param stiffness the property of the fabric that rules this kind
     */
    constructor(
        arena: Arena, state: ClothState, set: StickSet,
        readonly name: string, readonly stiffness: "stretchStiffness" | "shearStiffness" | "bendStiffness",
    ) {
        super();
        const { order, starts } = colorSticks(set.particlesA, set.particlesB, state.particleCount);
        this.count = order.length;
        this.colorCount = starts.length - 1;
        let padded = 0;
        for (let c = 0; c < this.colorCount; c++) padded += (starts[c + 1] - starts[c] + 3) & ~3;
        this.stickCount = padded;
        this._stiffnessFactors = new Float32Array(padded);
        this._allocate(arena);
        this.particlesA.fill(state.spareParticle);
        this.particlesB.fill(state.spareParticle);
        let s = 0;
        for (let c = 0; c < this.colorCount; c++) {
            for (let i = starts[c]; i < starts[c + 1]; i++, s++) {
                const from = order[i];
                this.particlesA[s] = set.particlesA[from];
                this.particlesB[s] = set.particlesB[from];
                this.restLengths[s] = set.restLengths[from];
                this._stiffnessFactors[s] = set.stiffnessFactors[from];
            }
            s = (s + 3) & ~3;
        }
    }

    protected override _cut(layout: BlockLayout): void {
        this.particlesA = layout.uint32(this.stickCount);
        this.particlesB = layout.uint32(this.stickCount);
        this.restLengths = layout.float32(this.stickCount);
        this.weightsA = layout.float32(this.stickCount);
        this.weightsB = layout.float32(this.stickCount);
    }

    prepare(state: ClothState, { fabric }: ClothSettings, substep: number): void {
        this._isOff = fabric[this.stiffness] === 0;
        const modulus = this._modulus(fabric);
        const { inverseMasses } = state;
        const { particlesA, particlesB, weightsA, weightsB, _stiffnessFactors: factors } = this;
        const perStep = 1 / (substep * substep);
        for (let s = 0; s < this.stickCount; s++) {
            const wa = inverseMasses[particlesA[s]];
            const wb = inverseMasses[particlesB[s]];
            const sum = wa + wb;
            // A factor of 0 is padding; two pinned ends have nothing to share.
            const total = sum > 0 && factors[s] > 0 ? sum + perStep / (modulus * factors[s]) : Infinity;
            weightsA[s] = wa / total;
            weightsB[s] = wb / total;
        }
    }

    /** Stiffness per unit of `StickSet.stiffnessFactors`. */
    protected _modulus(fabric: Fabric): number {
        return fabric[this.stiffness];
    }

    project(kernels: Kernels, state: ClothState): void {
        if (!this._isOff) kernels.projectSticks(state, this, 0, this.stickCount);
    }

    /** Adds each stick's elongation max(0, length / rest - 1) into `result`: [sum, maximum]. */
    measureStretch(state: ClothState, result: Float64Array): void {
        const x = state.positions;
        const { particlesA, particlesB, restLengths } = this;
        for (let s = 0; s < this.stickCount; s++) {
            if (restLengths[s] === 0) continue;
            const a = particlesA[s] * 4;
            const b = particlesB[s] * 4;
            const dx = x[b] - x[a];
            const dy = x[b + 1] - x[a + 1];
            const dz = x[b + 2] - x[a + 2];
            const stretch = Math.max(0, Math.sqrt(dx * dx + dy * dy + dz * dz) / restLengths[s] - 1);
            result[0] += stretch;
            if (stretch > result[1]) result[1] = stretch;
        }
    }
}
