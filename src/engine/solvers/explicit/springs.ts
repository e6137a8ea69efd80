/**
 * A sheet's sticks as Hooke springs with dampers, and its bending stencils as linear springs of curvature; f on b, -f on a:
 *
 *     a ●━━/\/\/━━● b      f = -(k (|l| - L) + c l'·n) n,   l = x_b - x_a,   n = l / |l|,   c = springDamping · k
 *        └──[ ]──┘         (Witkin & Baraff 1997, "Particle systems", eq. 4)
 *
 *     f_i = -B A K_i ((1 - κ₀/|d|) d + springDamping d'),   d = Σ K_i x_i,   of the stencil's energy ½ B A (|d| - κ₀)²
 */
import type { StencilSet, DistanceConstraintSet } from "../../topology/stencilSet";
import type { ClothSettings } from "../../state/settings";
import type { ThreadStiffness } from "../../materials/warpWeftStiffness";
import { finiteWarpWeft, finiteBending, finiteStiffness } from "../base/solverMaterial";
import type { Forces, SolverMaterial } from "../base/solverMaterial";

/** See the top of the file. */
export class Springs implements Forces {
    /** As the state has them now: the memory of that may move. */
    inverseMasses: Float32Array = new Float32Array(0);
    private readonly _structural: DistanceConstraintSet;
    private readonly _shear: DistanceConstraintSet;
    private readonly _stencils: StencilSet;
    private readonly _shareOfShear: number;
    /** Stiffness of each stick [N/m], and B A of each stencil [N·m³]. */
    private readonly _structuralStiffness: Float64Array;
    private readonly _shearStiffness: Float64Array;
    private readonly _bendStiffness: Float64Array;
    private _damping = 0;

    /** @param _gravity acceleration that all particles have [m/s²], x y z; not copied */
    constructor(
        private readonly _material: SolverMaterial,
        private readonly _gravity: Float64Array,
    ) {
        const { structural, shear, stencils, rectangleShare } = _material.topology;
        this._structural = structural;
        this._shear = shear;
        this._stencils = stencils;
        this._shareOfShear = rectangleShare;
        this._structuralStiffness = new Float64Array(structural.particlesA.length);
        this._shearStiffness = new Float64Array(shear.particlesA.length);
        this._bendStiffness = new Float64Array(stencils.areas.length);
    }

    /** Derives what depends on the fabric. */
    prepare({ fabric, springDamping }: ClothSettings): void {
        this._damping = springDamping;
        const { excludingShear: besideShear, complianceAlong, stiffnessAlong } = this._material;
        const shear = finiteStiffness(fabric.shearStiffness);
        const stretch = finiteWarpWeft(fabric.stretchStiffness, (k) => besideShear(finiteStiffness(k), shear * this._shareOfShear));
        const bend = finiteWarpWeft(fabric.bendStiffness, finiteBending);
        const { _structural: structural, _shear: diagonals, _stencils: stencils } = this;
        this._structuralStiffness.forEach((_, s, all) => {
            const { particlesA, particlesB, stiffnessFactors } = structural;
            all[s] =
                stiffnessFactors[s] *
                this._stiffnessAlong(
                    stretch,
                    particlesA[s],
                    particlesB[s],
                    (along) => 1 / complianceAlong(stretch.warp, stretch.weft, along),
                );
        });
        this._shearStiffness.forEach((_, s, all) => (all[s] = diagonals.stiffnessFactors[s] * shear));
        this._bendStiffness.forEach((_, s, all) => {
            const { particles, areas } = stencils;
            all[s] =
                areas[s] *
                this._stiffnessAlong(bend, particles[4 * s + 1], particles[4 * s + 2], (along) =>
                    stiffnessAlong(bend.warp, bend.weft, along),
                );
        });
    }

    /** A stiffness along the line from a to b. @param mix tells it by cos² of the angle to the warp */
    private _stiffnessAlong({ warp, weft }: ThreadStiffness, a: number, b: number, mix: (along: number) => number): number {
        return warp === weft ? warp : mix(this._material.warpWeft().alongWarp(a, b));
    }

    accelerate(x: Float64Array, v: Float64Array, accelerations: Float64Array): void {
        accelerations.fill(0);
        this._addSpringForces(this._structural, this._structuralStiffness, x, v, accelerations);
        this._addSpringForces(this._shear, this._shearStiffness, x, v, accelerations);
        this._addBendForces(x, v, accelerations);
        const { inverseMasses: w, _gravity: gravity } = this;
        for (let q = 0, i = 0; q < accelerations.length; q += 3, i++) {
            for (let c = 0; c < 3; c++) accelerations[q + c] = w[i] > 0 ? accelerations[q + c] * w[i] + gravity[c] : 0;
        }
    }

    private _addSpringForces(
        { particlesA, particlesB, restLengths }: DistanceConstraintSet,
        stiffness: Float64Array,
        x: Float64Array,
        v: Float64Array,
        f: Float64Array,
    ): void {
        const damping = this._damping;
        for (let s = 0; s < stiffness.length; s++) {
            const a = 3 * particlesA[s];
            const b = 3 * particlesB[s];
            const lx = x[b] - x[a];
            const ly = x[b + 1] - x[a + 1];
            const lz = x[b + 2] - x[a + 2];
            const length = Math.sqrt(lx * lx + ly * ly + lz * lz);
            // Ends in one place are pulled nowhere.
            const share = length > 0 ? 1 / length : 0;
            const rate = ((v[b] - v[a]) * lx + (v[b + 1] - v[a + 1]) * ly + (v[b + 2] - v[a + 2]) * lz) * share;
            const pull = stiffness[s] * (length - restLengths[s] + damping * rate) * share;
            f[a] += pull * lx;
            f[a + 1] += pull * ly;
            f[a + 2] += pull * lz;
            f[b] -= pull * lx;
            f[b + 1] -= pull * ly;
            f[b + 2] -= pull * lz;
        }
    }

    private _addBendForces(x: Float64Array, v: Float64Array, f: Float64Array): void {
        const { _bendStiffness: stiffness, _damping: damping } = this;
        const { particles, weights, curvatures } = this._stencils;
        for (let s = 0; s < stiffness.length; s++) {
            const b = 3 * particles[4 * s];
            let squared = 0;
            for (let c = 0; c < 3; c++) squared += curvature(s, c, particles, weights, x) ** 2;
            const bent = squared > 0 ? 1 - curvatures[s] / Math.sqrt(squared) : 0;
            for (let c = 0; c < 3; c++) {
                const d = curvature(s, c, particles, weights, x);
                const moment = stiffness[s] * (bent * d + damping * curvature(s, c, particles, weights, v));
                for (let k = 0; k < 3; k++) {
                    const push = weights[3 * s + k] * moment;
                    f[3 * particles[4 * s + 1 + k] + c] -= push;
                    f[b + c] += push;
                }
            }
        }
    }
}

/** A coordinate of Σ K_i (x_i - x_b), i.e. a c e, of stencil `s`. */
function curvature(s: number, c: number, particles: Uint32Array, weights: Float32Array, x: Float64Array): number {
    const b = x[3 * particles[4 * s] + c];
    return (
        weights[3 * s] * (x[3 * particles[4 * s + 1] + c] - b) +
        weights[3 * s + 1] * (x[3 * particles[4 * s + 2] + c] - b) +
        weights[3 * s + 2] * (x[3 * particles[4 * s + 3] + c] - b)
    );
}
