import { FastMarchingLayout } from "../../kernels/restLayout";
import { withScratch } from "../memory/withScratch";
import type { Geodesics } from "./geodesics";

/**
 * The groups of sources nearest to each particle, by one march of all their fronts at once (see geodesics.ts):
 *
 *     ■ ))) ──► particle ◄── ((( ■      a particle takes the first fronts that reach it and lets no further one pass
 *
 * A group among the nearest at a particle is among the nearest all along its path, so the march costs as much as one group
 * per slot, however many groups there are.
 */
export interface TetherAnchors {
    /** Entries that a particle has room for: the number of groups, at most as many as were asked for. */
    readonly slots: number;
    /** Entries of each particle, shape [particleCount]. */
    readonly counts: Uint8Array;
    /** Distance to the nearest source of the entry's group [m], shape [particleCount, slots]. */
    readonly distances: Float32Array;
    /** That source, same shape. */
    readonly sources: Uint32Array;
    /** The group of each source: its lowest particle; -1 for all other particles. Shape [particleCount]. */
    readonly labels: Int32Array;
}

/**
 * Finds them.
 * @param labels group of each source, named by one of its particles; -1 elsewhere. Kept.
 */
export function findNearestGroups(mesh: Geodesics, labels: Int32Array, maxSlots: number): TetherAnchors {
    const { particleCount, starts, others, positions } = mesh;
    const slots = Math.min(maxSlots, new Set(labels.filter((label) => label >= 0)).size);
    const numbers = { particleCount, slots, startCount: starts.length, cornerCount: others.length / 2 };
    return withScratch(FastMarchingLayout, numbers, (m, kernels) => {
        m.starts.set(starts);
        m.others.set(others);
        m.positions.set(positions);
        m.labels.set(labels);
        if (slots > 0) kernels.fastMarchGroups(m);
        return { slots, counts: Uint8Array.from(m.counts), distances: m.distances.slice(), sources: m.sources.slice(), labels };
    });
}
