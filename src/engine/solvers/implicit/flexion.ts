import type { Arena } from "../../../kernels/arena";
import { FlexionLayout } from "../../../kernels/implicitLayout";
import type { FlexionArrays } from "../../../kernels/implicitLayout";
import type { KernelFunctions } from "../../../kernels/kernelTable";
import { ArenaStruct } from "../../memory/arenaArrays";
import type { ClothSettings } from "../../state/settings";
import type { BodyState } from "../../state/state";
import { finiteWarpWeft, finiteBending, finiteStiffness } from "../base/solverMaterial";
import type { SolverMaterial } from "../base/solverMaterial";
import type { BlockSystem, EnergyTerm } from "./blockSystem";

/**
 * Two straight edges that are bent as an arc of curvature κ have a chord that is shorter by κ²L²/32 of its length L, the arc's by κ²L²/24: by so much more a
 * spring must resist for the sheet to have its bending stiffness.
 */
const CHORD_FACTOR = 4 / 3;

/** Bending by buckling, see kernels/assembly/flexion.ts: a spring across each of the sheet's bending stencils, of which it has area and line. */
export class Flexion extends ArenaStruct implements EnergyTerm, FlexionArrays {
    readonly size = 3;
    readonly springCount: number;
    particles!: Uint32Array;
    blocks!: Uint32Array;
    shares!: Float64Array;
    lengths!: Float64Array;
    stiffnesses!: Float64Array;
    gradient!: Float64Array;

    /** @throws RangeError when there is no memory left */
    constructor(
        arena: Arena,
        private readonly _material: SolverMaterial,
    ) {
        super(FlexionLayout);
        const { stencils, positions: x } = _material.topology;
        this.springCount = stencils.areas.length;
        this._allocate(arena);
        for (let s = 0; s < this.springCount; s++) {
            const [b, a, c, e] = stencils.particles.subarray(4 * s, 4 * s + 4);
            const [, atC, atE] = stencils.weights.subarray(3 * s, 3 * s + 3);
            this.particles.set([a, c, e], 3 * s);
            this.shares[s] = e === b ? 1 : atC / (atC + atE);
            let squared = 0;
            for (let k = 0; k < 3; k++)
                squared += (this.shares[s] * x[3 * c + k] + (1 - this.shares[s]) * x[3 * e + k] - x[3 * a + k]) ** 2;
            this.lengths[s] = Math.sqrt(squared);
        }
    }

    bindToSystem(system: BlockSystem): void {
        this.blocks.set(system.blocksOf(this));
    }

    prepare({ inverseMasses }: BodyState, { fabric }: ClothSettings): void {
        const { stencils } = this._material.topology;
        const isHeld = (p: number): boolean => inverseMasses[p] === 0;
        for (let s = 0; s < this.springCount; s++) {
            const [b, a, c, e] = stencils.particles.subarray(4 * s, 4 * s + 4);
            // What is held along half of it bends within the other: by the same angle twice as much.
            const halves = isHeld(b) ? (isHeld(a) ? 1 : 0) + (isHeld(c) && isHeld(e) ? 1 : 0) : 0;
            const width = stencils.areas[s] / this.lengths[s];
            const bend = [1, 2, 0][halves] * this._stiffnessAlong(fabric.bendStiffness, finiteBending, a, c);
            this.stiffnesses[2 * s] = CHORD_FACTOR * width * bend;
            this.stiffnesses[2 * s + 1] =
                (width * this._stiffnessAlong(fabric.stretchStiffness, finiteStiffness, a, c)) / this.lengths[s];
        }
    }

    /** A stiffness of the sheet along the line from a to c. */
    private _stiffnessAlong(
        stiffness: Parameters<typeof finiteWarpWeft>[0],
        finite: (x: number) => number,
        a: number,
        c: number,
    ): number {
        const { warpWeft: threads, stiffnessAlong } = this._material;
        const { warp, weft } = finiteWarpWeft(stiffness, finite);
        return warp === weft ? warp : stiffnessAlong(warp, weft, threads().alongWarp(a, c));
    }

    addForces(kernels: KernelFunctions, system: BlockSystem): void {
        kernels.addFlexion(system, this);
    }
}
