import type { StraightLimitArrays } from "../restLayout";
import { Marches } from "./marches";

/** A march of so many edges ends no nearer than this share of that. */
const SHORTEST = 0.8;
/** Its end is no farther from the straight line than this share of the way. */
const ASKEW = 0.2;
/** Edges are at right angles within this [rad]. */
const RIGHT = 0.2;

/**
 * Pairs of particles at a distance of so many edges, by straight marches along edges, or across: on grids, along their diagonals. No
 * sheet that does not stretch can bring them farther apart than the length of the straight line between them over the surface, whatever
 * its shape.
 */
export function findStraightLimits(limits: StraightLimitArrays): void {
    const { rest, every, isBias } = limits;
    const marches = new Marches(rest);
    for (let first = 0; first < rest.particleCount; first++) {
        // Of many, one side of the chessboard, which is even.
        if (every > 1 && (rest.sides[first] !== 1 || first % (every >> 1) > 0)) continue;
        if (!marches.turnTo(first)) continue;
        const begin = limits.found[0];
        for (let i = 0; i < marches.count; i++) {
            if (marches.isEdge[i] === 0) continue;
            if (isBias) goAcross(limits, marches, first, i, begin);
            // Each line once: from the lower end of its first edge.
            else if (marches.neighbours[i] > first) go(limits, marches, first, marches.angles[i], marches.lengths[i], begin);
        }
    }
}

/** Between an edge and the next one around, where they are at right angles: along the diagonal of a grid's cell. */
function goAcross(limits: StraightLimitArrays, marches: Marches, first: number, i: number, begin: number): void {
    const { angles, lengths, isEdge, count, isClosed } = marches;
    for (let k = i + 1; k < (isClosed ? i + count : count); k++) {
        const j = k < count ? k : k - count;
        if (isEdge[j] === 0) continue;
        const turn = angles[j] - angles[i] + (k < count ? 0 : 2 * Math.PI);
        if (Math.abs(turn - Math.PI / 2) > RIGHT) return;
        const diagonal = Math.sqrt(lengths[i] * lengths[i] + lengths[j] * lengths[j]);
        go(limits, marches, first, angles[i] + Math.atan2(lengths[j], lengths[i]), diagonal, begin);
        return;
    }
}

/** @param edge length of an edge in that direction [m] @param begin number of the first limit of this particle */
function go(limits: StraightLimitArrays, marches: Marches, first: number, direction: number, edge: number, begin: number): void {
    const { span, isBias, capacity, particlesA, particlesB, restLengths } = limits;
    const length = span * edge;
    if (!marches.go(direction, length)) return;
    const last = marches.end;
    const distance = Math.sqrt(marches.endX * marches.endX + marches.endY * marches.endY);
    if (distance < SHORTEST * length || Math.abs(marches.endY) > ASKEW * distance || (isBias && last < first)) return;
    const found = limits.found[0];
    for (let k = begin; k < found && k < capacity; k++) if (particlesB[k] === last) return;
    limits.found[0] = found + 1;
    if (found >= capacity) return;
    particlesA[found] = first;
    particlesB[found] = last;
    restLengths[found] = distance;
}
