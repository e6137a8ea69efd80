import type { TetherOrderArrays } from "../prepareLayout";

/** See kernels.ts. */
export function countTethers(tethers: TetherOrderArrays): void {
    const { particleCount, slots, counts, distances, inverseMasses, rounds, longest } = tethers;
    for (let p = 0; p < particleCount; p++) {
        if (inverseMasses[p] === 0) continue;
        for (let k = 0; k < counts[p]; k++) {
            rounds[k]++;
            longest[0] = Math.max(longest[0], distances[p * slots + k]);
        }
    }
}

/** See kernels.ts. */
export function orderTethers(tethers: TetherOrderArrays): void {
    const { particleCount, slots, counts, distances, sources, labels, inverseMasses, scale, order, next } = tethers;
    for (let p = 0; p < particleCount; p++) {
        if (inverseMasses[p] === 0) continue;
        for (let k = 0; k < counts[p]; k++) {
            const e = p * slots + k;
            let r = k;
            for (; r > 0 && labels[sources[order[r - 1]]] > labels[sources[e]]; r--) order[r] = order[r - 1];
            order[r] = e;
        }
        for (let r = 0; r < counts[p]; r++) {
            const t = next[r]++;
            tethers.particles[t] = p;
            tethers.anchors[t] = sources[order[r]];
            tethers.lengths[t] = distances[order[r]] * scale[0];
        }
    }
}
