/** Pairs of particles that constraints join: to draw them, not to solve. */
import { particleAt, DistanceRecord } from "../../../kernels/layout";
import type { DistanceArrays } from "../../../kernels/layout";
import type { ConstraintLinks, BodySolver } from "../base/bodySolver";
import type { Bend } from "./bend";
import type { Constraint } from "../../state/constraint";
import type { FarUnilateralLimits } from "./farUnilateralLimits";
import type { constraintKinds } from "./registry";
import { rowSlotOf, slotOf } from "./distanceConstraints";
import type { Tethers } from "./tethers";

/** Readers of each kind's pairs. */
const linkReaders: Record<keyof typeof constraintKinds, (constraint: Constraint) => ConstraintLinks> = {
    // Those of a rope are others.
    bend: (constraint) => ("levels" in constraint ? readStencilLinks(constraint as Bend) : concatLinks([])),
    shear: (constraint) => readDistanceLinks(constraint as unknown as DistanceArrays),
    structural: (constraint) => readDistanceLinks(constraint as unknown as DistanceArrays),
    farUnilateralLimits: (constraint) => concatLinks((constraint as FarUnilateralLimits).levels.map(readDistanceLinks)),
    unilateralLimits: (constraint) => readDistanceLinks(constraint as unknown as DistanceArrays),
    tethers: (constraint) => readTetherLinks(constraint as Tethers),
};

/** Pairs that a body's constraints of one kind join now; after a preparation of the body they may be others. None of kinds that sheets have not. */
export function linksOf(constraint: Constraint | undefined): ConstraintLinks {
    const { links } = (constraint ?? {}) as Partial<BodySolver>;
    if (links) return links;
    const read = linkReaders[constraint?.name as keyof typeof constraintKinds] as
        ((constraint: Constraint) => ConstraintLinks) | undefined;
    return read && constraint ? read(constraint) : concatLinks([]);
}

function concatLinks(all: readonly ConstraintLinks[]): ConstraintLinks {
    return {
        pairs: Uint32Array.from(all.flatMap(({ pairs }) => Array.from(pairs))),
        lengths: Float32Array.from(all.flatMap(({ lengths }) => Array.from(lengths))),
    };
}

function readDistanceLinks({ constraintCount, records, recordFloats }: DistanceArrays): ConstraintLinks {
    const pairs: number[] = [];
    const lengths: number[] = [];
    const size = (4 * records.length) / constraintCount;
    for (let s = 0; s < constraintCount; s++) {
        const row = rowSlotOf(s, size);
        const length = recordFloats[slotOf(s, DistanceRecord.restLengths, size)];
        // Padding has no length.
        if (length === 0) continue;
        pairs.push(particleAt(records[row]), particleAt(records[row + 1]));
        lengths.push(length);
    }
    return { pairs: Uint32Array.from(pairs), lengths: Float32Array.from(lengths) };
}

/** Both arms of every stencil. */
function readStencilLinks({ levels }: Bend): ConstraintLinks {
    const pairs: number[] = [];
    for (const { kinds } of levels) {
        for (const { recordCount, records, slots } of kinds) {
            for (let i = 0; i < recordCount; i++) {
                const [a, b, c] = [0, 1, 2].map((k) => particleAt(records[i * slots.count + k]));
                // Padding joins the spare particle with itself.
                if (a !== b) pairs.push(a, b, b, c);
            }
        }
    }
    return { pairs: Uint32Array.from(pairs), lengths: new Float32Array(pairs.length / 2) };
}

function readTetherLinks({ tetherCount, particles, anchors, maxLengths, elastic }: Tethers): ConstraintLinks {
    if (elastic) return readDistanceLinks(elastic);
    const pairs: number[] = [];
    const lengths: number[] = [];
    for (let t = 0; t < tetherCount; t++) {
        if (particles[t] === anchors[t]) continue;
        pairs.push(anchors[t], particles[t]);
        lengths.push(maxLengths[t]);
    }
    return { pairs: Uint32Array.from(pairs), lengths: Float32Array.from(lengths) };
}
