import { rowOf } from "../../../kernels/layout";
import type { DistanceConstraintSet } from "../../topology/distanceConstraintSet";
import type { BodyState } from "../../state/state";
import type { ConstraintLinks } from "./bodySolver";

/** The edges of a sheet, by which its stretch is told, whatever holds them. */
export class EdgeLengths {
    constructor(private readonly _edges: DistanceConstraintSet) {}

    get count(): number {
        return this._edges.particlesA.length;
    }

    /** Pairs of particles that they join. */
    get links(): ConstraintLinks {
        const { particlesA, particlesB, restLengths } = this._edges;
        const pairs = Uint32Array.from({ length: 2 * particlesA.length }, (_, k) => (k % 2 ? particlesB : particlesA)[k >> 1]);
        return { pairs, lengths: restLengths };
    }

    /** Adds their elongation into `result`: [sum, maximum]. */
    measure({ positions: x }: BodyState, result: Float64Array): void {
        const { particlesA, particlesB, restLengths } = this._edges;
        for (let s = 0; s < restLengths.length; s++) {
            const a = rowOf(particlesA[s]);
            const b = rowOf(particlesB[s]);
            const stretch = Math.max(0, Math.hypot(x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]) / restLengths[s] - 1);
            result[0] += stretch;
            result[1] = Math.max(result[1], stretch);
        }
    }
}
