import type { StickSet } from "../constraints/stickSet";
import type { Marches } from "./marches";

/** A march of so many edges ends no nearer than this share of that. */
const SHORTEST = 0.8;
/** Its end is no farther from the straight line than this share of the way. */
const ASKEW = 0.2;

/**
 * Pairs of particles at a distance of so many edges, by straight marches along edges. No sheet that does not stretch can bring them
 * farther apart than the length of the straight line between them over the surface, whatever its shape.
 * @param edges structural edges
 * @param span length of the marches in edges
 * @param every march from every so manyth particle
 * @returns the pairs; rest lengths are those of the straight lines
 */
export function straightLimits(marches: Marches, edges: StickSet, particleCount: number, span: number, every = 1): StickSet {
    const { starts, ends } = directedEdges(particleCount, edges);
    const particlesA: number[] = [];
    const particlesB: number[] = [];
    const restLengths: number[] = [];
    for (let first = 0; first < particleCount; first += every) {
        const begin = particlesB.length;
        if (starts[first] === starts[first + 1] || !marches.turnTo(first)) continue;
        for (let i = 0; i < marches.count; i++) {
            // Each line once: from the lower end of its first edge.
            if (marches.neighbours[i] < first || !includes(ends, starts[first], starts[first + 1], marches.neighbours[i])) continue;
            const length = span * marches.lengths[i];
            if (!marches.go(marches.angles[i], length)) continue;
            const last = marches.end;
            const way = Math.sqrt(marches.endX * marches.endX + marches.endY * marches.endY);
            if (way < SHORTEST * length || marches.askew > ASKEW * way) continue;
            let isKnown = false;
            for (let k = begin; k < particlesB.length; k++) isKnown ||= particlesB[k] === last;
            if (isKnown) continue;
            particlesA.push(first);
            particlesB.push(last);
            restLengths.push(way);
        }
    }
    return {
        stiffness: "stretchStiffness",
        particlesA: Uint32Array.from(particlesA),
        particlesB: Uint32Array.from(particlesB),
        restLengths: Float32Array.from(restLengths),
        stiffnessFactors: new Float32Array(particlesA.length).fill(1),
    };
}

function includes(list: Uint32Array, start: number, end: number, value: number): boolean {
    for (let i = start; i < end; i++) if (list[i] === value) return true;
    return false;
}

/** Every edge in both directions, sorted by where it begins: those of particle p are starts[p]..starts[p + 1]. */
function directedEdges(particleCount: number, { particlesA, particlesB }: StickSet): { starts: Uint32Array; ends: Uint32Array } {
    const starts = new Uint32Array(particleCount + 1);
    for (let e = 0; e < particlesA.length; e++) {
        starts[particlesA[e] + 1]++;
        starts[particlesB[e] + 1]++;
    }
    for (let p = 0; p < particleCount; p++) starts[p + 1] += starts[p];
    const free = starts.slice(0, particleCount);
    const ends = new Uint32Array(particlesA.length * 2);
    for (let e = 0; e < particlesA.length; e++) {
        ends[free[particlesA[e]]++] = particlesB[e];
        ends[free[particlesB[e]]++] = particlesA[e];
    }
    return { starts, ends };
}
