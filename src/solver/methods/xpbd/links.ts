/** Which particles constraints join: for pictures of them, not for solving. */
import { particleAt, StickRecord } from "../../../kernels/layout";
import type { StickArrays } from "../../../kernels/layout";
import type { Links, Method } from "../method";
import type { Bend } from "./bend";
import type { Constraint } from "./constraint";
import type { FarLimits } from "./farLimits";
import type { constraintKinds } from "./registry";
import { rowSlotOf, slotOf } from "./sticks";
import type { Tethers } from "./tethers";

/** How the pairs of each kind are read. */
const readers: Record<keyof typeof constraintKinds, (constraint: Constraint) => Links> = {
    // Those of a rope are others.
    bend: (constraint) => ("levels" in constraint ? stencils(constraint as Bend) : joined([])),
    shear: (constraint) => sticks(constraint as unknown as StickArrays),
    structural: (constraint) => sticks(constraint as unknown as StickArrays),
    farLimits: (constraint) => joined((constraint as FarLimits).levels.map(sticks)),
    longLimits: (constraint) => sticks(constraint as unknown as StickArrays),
    tethers: (constraint) => tethers(constraint as Tethers),
};

/** What a body's constraints of one kind join now; after a preparation of the body it may be something else. Nothing of kinds that sheets have not. */
export function linksOf(constraint: Constraint | undefined): Links {
    const { links } = (constraint ?? {}) as Partial<Method>;
    if (links) return links;
    const read = readers[constraint?.name as keyof typeof constraintKinds] as ((constraint: Constraint) => Links) | undefined;
    return read && constraint ? read(constraint) : joined([]);
}

function joined(all: readonly Links[]): Links {
    return {
        pairs: Uint32Array.from(all.flatMap(({ pairs }) => Array.from(pairs))),
        lengths: Float32Array.from(all.flatMap(({ lengths }) => Array.from(lengths))),
    };
}

function sticks({ stickCount, records, recordFloats }: StickArrays): Links {
    const pairs: number[] = [];
    const lengths: number[] = [];
    const size = (4 * records.length) / stickCount;
    for (let s = 0; s < stickCount; s++) {
        const row = rowSlotOf(s, size);
        const length = recordFloats[slotOf(s, StickRecord.restLengths, size)];
        // Padding has no length.
        if (length === 0) continue;
        pairs.push(particleAt(records[row]), particleAt(records[row + 1]));
        lengths.push(length);
    }
    return { pairs: Uint32Array.from(pairs), lengths: Float32Array.from(lengths) };
}

/** Both arms of every stencil. */
function stencils({ levels }: Bend): Links {
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

function tethers({ tetherCount, particles, anchors, maxLengths, elastic }: Tethers): Links {
    if (elastic) return sticks(elastic);
    const pairs: number[] = [];
    const lengths: number[] = [];
    for (let t = 0; t < tetherCount; t++) {
        if (particles[t] === anchors[t]) continue;
        pairs.push(anchors[t], particles[t]);
        lengths.push(maxLengths[t]);
    }
    return { pairs: Uint32Array.from(pairs), lengths: Float32Array.from(lengths) };
}
