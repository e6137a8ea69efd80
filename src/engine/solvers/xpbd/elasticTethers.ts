/**
 * Elastic tethers: what holds up a fabric that stretches, where its sticks cannot.
 *
 *     anchor ■∿∿∿∿∿∿∿∿● particle      C = |x - a| - d(x, a) <= 0, only the particle moves
 *
 * A pass over sticks carries a stiffness of about m/dt² (see structural.ts), far less than any fabric's on a fine mesh. The rest is carried
 * by springs to the pins, each as compliant as the sheet is there under its own weight: a strip of length L and stiffness k that hangs by
 * its end gives at d by ρ g (L d - d²/2) / k. So a sheet hangs as long as theory says, under its weight or any multiple of it, at any number
 * of substeps and on any mesh. Each spring is a stick of its own, so one XPBD iteration is exact at rest. Data layout: see DistanceArrays; a is
 * the anchor.
 */
import { ELASTIC_TETHER_PASSES } from "../../tunables";
import type { Arena } from "../../../kernels/arena";
import { roundUpToFour, rowOffset, DistanceLayout, DistanceRecord } from "../../../kernels/layout";
import type { DistanceArrays } from "../../../kernels/layout";
import type { KernelFunctions } from "../../../kernels/kernelTable";
import { ArenaStruct } from "../../memory/arenaArrays";
import type { BodyState } from "../../state/state";
import { rowSlotOf, slotOf } from "./distanceConstraints";

export class ElasticTethers extends ArenaStruct implements DistanceArrays {
    readonly constraintCount: number;
    records!: Uint32Array;
    recordFloats!: Float32Array;
    /** They only pull. */
    maxPush!: Float32Array;
    /** Next slot of each round. */
    private readonly _nextSlots: Uint32Array;

    /**
     * @param counts how many tethers each round has; no particle has two in one
     * @throws RangeError when there is no memory left
     */
    constructor(arena: Arena, { spareParticle }: BodyState, counts: Uint32Array) {
        super(DistanceLayout);
        this._nextSlots = new Uint32Array(counts.length);
        let count = 0;
        for (let r = 0; r < counts.length; r++) {
            this._nextSlots[r] = count;
            // A record of padding between rounds, which may share particles.
            count += roundUpToFour(counts[r]) + 4;
        }
        this.constraintCount = count;
        this._allocate(arena);
        for (let s = 0; s < count; s++) this._write(s, spareParticle, spareParticle, 0, 0);
    }

    /**
     * Adds a tether.
     * @param restLength at which it begins to pull [m]
     * @param give how far the particle sinks by a force that moves it by 1 in a substep, when it is free
     */
    add(round: number, particle: number, anchor: number, restLength: number, give: number): void {
        this._write(
            this._nextSlots[round]++,
            anchor,
            particle,
            restLength,
            1 - Math.pow(1 / (1 + 1 / give), 1 / ELASTIC_TETHER_PASSES),
        );
    }

    private _write(s: number, anchor: number, particle: number, restLength: number, share: number): void {
        const { records, recordFloats } = this;
        records[rowSlotOf(s)] = rowOffset(anchor);
        records[rowSlotOf(s) + 1] = rowOffset(particle);
        recordFloats[slotOf(s, DistanceRecord.restLengths)] = restLength;
        recordFloats[slotOf(s, DistanceRecord.weightsA)] = 0;
        recordFloats[slotOf(s, DistanceRecord.weightsB)] = share;
    }

    project(kernels: KernelFunctions, state: BodyState): void {
        kernels.projectUnilateralLimits(state, this);
    }
}
