import type { RestArrays, StraightLimitArrays } from "../buildLayout";
import { Marches } from "./marches";

/** A march of so many edges ends no nearer than this share of that. */
const SHORTEST = 0.8;
/** Its end is no farther from the straight line than this share of the way. */
const ASKEW = 0.2;

/**
 * Pairs of particles at a distance of so many edges, by straight marches along edges. No sheet that does not stretch can bring them
 * farther apart than the length of the straight line between them over the surface, whatever its shape.
 */
export function findStraightLimits(limits: StraightLimitArrays): void {
    const { rest, span, every, capacity, particlesA, particlesB, restLengths } = limits;
    const marches = new Marches(rest);
    let found = 0;
    for (let first = 0; first < rest.particleCount; first += every) {
        const begin = found;
        if (!marches.turnTo(first)) continue;
        for (let i = 0; i < marches.count; i++) {
            // Each line once: from the lower end of its first edge.
            if (!isEdge(rest, first, marches.neighbours[i])) continue;
            const length = span * marches.lengths[i];
            if (!marches.go(marches.angles[i], length)) continue;
            const last = marches.end;
            const way = Math.sqrt(marches.endX * marches.endX + marches.endY * marches.endY);
            if (way < SHORTEST * length || marches.askew > ASKEW * way) continue;
            let isKnown = false;
            for (let k = begin; k < found && k < capacity; k++) isKnown ||= particlesB[k] === last;
            if (isKnown) continue;
            if (found < capacity) {
                particlesA[found] = first;
                particlesB[found] = last;
                restLengths[found] = way;
            }
            found++;
        }
    }
    limits.found[0] = found;
}

/** Whether a structural stick joins a particle with a higher one. */
function isEdge({ pairs, firstPair, nextPair, isStructural }: RestArrays, low: number, high: number): boolean {
    for (let e = firstPair[low]; e > 0; e = nextPair[e - 1]) if (pairs[2 * e - 1] === high) return isStructural[e - 1] === 1;
    return false;
}
