import type { StickSet } from "../constraints/stickSet";

/** Edges in a path: sticks this long halve the stretch of free cloth; 2 and 8 or more did less (see the design notes). */
const PATH_EDGES = 4;
/** A path goes on along the straightest edge while the cosine of its turn is above this. */
const STRAIGHT = 0.9;

/**
 * Pairs of particles that are joined by a nearly straight path of four edges. No sheet that does not stretch can bring them
 * farther apart than the path's length at rest, whatever its shape.
 * @param positions rest positions [m], shape [particleCount, 3]
 * @param edges structural edges
 * @returns the pairs; rest lengths are the paths' lengths
 */
export function straightPaths(positions: Float32Array, edges: StickSet): StickSet {
    const particleCount = positions.length / 3;
    const edgeCount = edges.particlesA.length;
    const directed = directedEdges(particleCount, edges);
    const next = straightestNext(positions, directed);
    const { starts, ends, lengths } = directed;
    const particlesA = new Uint32Array(edgeCount * 2);
    const particlesB = new Uint32Array(edgeCount * 2);
    const restLengths = new Float32Array(edgeCount * 2);
    let count = 0;
    for (let first = 0; first < particleCount; first++) {
        const begin = count;
        for (let k = starts[first]; k < starts[first + 1]; k++) {
            let edge = k;
            let length = lengths[k];
            for (let made = 1; made < PATH_EDGES && edge >= 0; made++) {
                edge = next[edge];
                if (edge >= 0) length += lengths[edge];
            }
            // Each pair once: from its lower end, and not again by a second path.
            if (edge < 0 || ends[edge] <= first) continue;
            const last = ends[edge];
            let isKnown = false;
            for (let i = begin; i < count; i++) isKnown ||= particlesB[i] === last;
            if (isKnown) continue;
            particlesA[count] = first;
            particlesB[count] = last;
            restLengths[count++] = length;
        }
    }
    return {
        stiffness: "stretchStiffness",
        particlesA: particlesA.subarray(0, count),
        particlesB: particlesB.subarray(0, count),
        restLengths: restLengths.subarray(0, count),
        stiffnessFactors: new Float32Array(count).fill(1),
    };
}

/** Every edge in both directions, sorted by where it begins: those of particle p are starts[p]..starts[p + 1]. */
interface DirectedEdges {
    starts: Uint32Array;
    ends: Uint32Array;
    /** [m] */
    lengths: Float32Array;
}

function directedEdges(particleCount: number, { particlesA, particlesB, restLengths }: StickSet): DirectedEdges {
    const starts = new Uint32Array(particleCount + 1);
    for (let e = 0; e < particlesA.length; e++) {
        starts[particlesA[e] + 1]++;
        starts[particlesB[e] + 1]++;
    }
    for (let p = 0; p < particleCount; p++) starts[p + 1] += starts[p];
    const free = starts.slice(0, particleCount);
    const ends = new Uint32Array(particlesA.length * 2);
    const lengths = new Float32Array(particlesA.length * 2);
    for (let e = 0; e < particlesA.length; e++) {
        const there = free[particlesA[e]]++;
        const back = free[particlesB[e]]++;
        ends[there] = particlesB[e];
        ends[back] = particlesA[e];
        lengths[there] = lengths[back] = restLengths[e];
    }
    return { starts, ends, lengths };
}

/** For each directed edge the one that goes on most nearly straight from its end; -1 where all turn. */
function straightestNext(x: Float32Array, directed: DirectedEdges): Int32Array {
    const next = new Int32Array(directed.ends.length);
    for (let from = 0; from + 1 < directed.starts.length; from++) {
        for (let k = directed.starts[from]; k < directed.starts[from + 1]; k++) next[k] = straightestAfter(x, directed, from, k);
    }
    return next;
}

/** The edge that goes on from edge k, which begins at a particle. */
function straightestAfter(x: Float32Array, { starts, ends, lengths }: DirectedEdges, from: number, k: number): number {
    const here = 3 * ends[k];
    const hx = x[here];
    const hy = x[here + 1];
    const hz = x[here + 2];
    const ux = hx - x[3 * from];
    const uy = hy - x[3 * from + 1];
    const uz = hz - x[3 * from + 2];
    let best = STRAIGHT * lengths[k];
    let next = -1;
    for (let j = starts[ends[k]], end = starts[ends[k] + 1]; j < end; j++) {
        const q = 3 * ends[j];
        const along = (ux * (x[q] - hx) + uy * (x[q + 1] - hy) + uz * (x[q + 2] - hz)) / lengths[j];
        if (along > best) {
            best = along;
            next = j;
        }
    }
    return next;
}
