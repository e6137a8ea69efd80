import type { Arena } from "../../../kernels/arena";
import { MembraneLayout, MembraneNumber } from "../../../kernels/implicitLayout";
import type { MembraneArrays } from "../../../kernels/implicitLayout";
import type { KernelFunctions } from "../../../kernels/kernelTable";
import { ArenaStruct } from "../../memory/arenaArrays";
import type { ClothSettings } from "../../state/settings";
import type { BodyState } from "../../state/state";
import type { SolverMaterial } from "../base/solverMaterial";
import { finiteWarpWeft, finiteStiffness } from "../base/solverMaterial";
import type { BlockSystem, EnergyTerm } from "./blockSystem";
import { restAxes } from "./restAxes";

/** Stretch and shear of triangles, see kernels/assembly/membrane.ts. */
export class Membrane extends ArenaStruct implements EnergyTerm, MembraneArrays {
    readonly size = 3;
    readonly triangleCount: number;
    particles!: Uint32Array;
    blocks!: Uint32Array;
    weights!: Float64Array;
    areas!: Float64Array;
    strains!: Float64Array;
    stiffnesses!: Float64Array;

    /** @throws RangeError when there is no memory left */
    constructor(
        arena: Arena,
        private readonly _material: SolverMaterial,
    ) {
        super(MembraneLayout);
        const { triangles } = _material.topology;
        this.triangleCount = triangles.length / this.size;
        this._allocate(arena);
        this.particles.set(triangles);
        this._findRestCoordinates(false);
    }

    /** Finds rest coordinates. @param isWoven whether along the threads, else along the sides that are nearest to a right angle */
    private _findRestCoordinates(isWoven: boolean): void {
        const { warpWeft: find, topology } = this._material;
        const threads = isWoven ? find() : null;
        for (let t = 0; t < this.triangleCount; t++)
            this.areas[t] = restAxes(topology.positions, this.particles, t, threads, this.weights);
    }

    bindToSystem(system: BlockSystem): void {
        this.blocks.set(system.blocksOf(this));
    }

    prepare(_state: BodyState, { fabric }: ClothSettings): void {
        const { warp, weft } = finiteWarpWeft(fabric.stretchStiffness, finiteStiffness);
        if (warp !== weft) this._findRestCoordinates(true);
        this.stiffnesses[MembraneNumber.warp] = warp;
        this.stiffnesses[MembraneNumber.weft] = weft;
        this.stiffnesses[MembraneNumber.shear] = finiteStiffness(fabric.shearStiffness);
    }

    addForces(kernels: KernelFunctions, system: BlockSystem): void {
        kernels.addMembrane(system, this);
    }
}
