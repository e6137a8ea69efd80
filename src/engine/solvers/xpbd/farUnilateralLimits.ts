/**
 * Far limits: long limits over four to sixteen edges, and on the bias, along the diagonals of grids, over four and sixteen of those.
 *
 *     ●──●──●──●──●      Sets from the longest to the shortest. A set over s edges carries s² times what structural sticks do in a
 *       ╲                pass, so the longer ones can be sparse; where cloth is folded they are slack, and shorter ones take over.
 *         ╲              Without those on the bias nothing but shear sticks, an edge at a time, held what hangs across the threads.
 */
import type { Arena } from "../../../kernels/arena";
import type { TriangleArrays } from "../../../kernels/layout";
import type { KernelFunctions } from "../../../kernels/kernelTable";
import type { DistanceConstraintSet } from "../../topology/stencilSet";
import type { WarpWeftFinder } from "../../topology/warpWeft";
import type { ClothTopology } from "../../topology/topology";
import type { ClothSettings } from "../../state/settings";
import type { BodyState } from "../../state/state";
import type { Constraint } from "../../state/constraint";
import { UnilateralLimits } from "./unilateralLimits";

export class FarUnilateralLimits implements Constraint {
    readonly name = "farUnilateralLimits";
    /** In the order of projection. */
    readonly levels: UnilateralLimits[] = [];

    /** @throws RangeError when there is no memory left */
    constructor(arena: Arena, topology: ClothTopology, triangles: TriangleArrays, threads: WarpWeftFinder) {
        try {
            topology.farUnilateralLimits.forEach(({ particlesA }, i) => {
                if (particlesA.length === 0) return;
                this.levels.push(new UnilateralLimits(arena, topology, triangles, this.name, threads, farLevelFinder(i)));
            });
        } catch (error) {
            this.release();
            throw error;
        }
    }

    get count(): number {
        return this.levels.reduce((sum, { count }) => sum + count, 0);
    }

    get byteLength(): number {
        return this.levels.reduce((sum, { byteLength }) => sum + byteLength, 0);
    }

    prepare(state: BodyState, settings: ClothSettings, substep: number): void {
        for (const limits of this.levels) limits.prepare(state, settings, substep);
    }

    project(kernels: KernelFunctions, state: BodyState): void {
        for (let i = 0; i < this.levels.length; i++) this.levels[i].project(kernels, state);
    }

    /** Their lengths are bounds, not the material's. */
    measureStretch(): void {}

    release(): void {
        for (const limits of this.levels) limits.release();
    }
}

/** Outside, so that it does not hold the topology. */
function farLevelFinder(i: number): (topology: ClothTopology) => DistanceConstraintSet {
    return ({ farUnilateralLimits }) => farUnilateralLimits[i];
}
