import type { StickSet } from "./topology";

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
    const { starts, ends } = adjacency(particleCount, edges);
    const particlesA = new Uint32Array(edgeCount * 2);
    const particlesB = new Uint32Array(edgeCount * 2);
    const restLengths = new Float32Array(edgeCount * 2);
    let count = 0;
    for (let first = 0; first < particleCount; first++) {
        const begin = count;
        for (let k = starts[first]; k < starts[first + 1]; k++) {
            let before = first;
            let here = ends[k];
            let length = distance(positions, before, here);
            let made = 1;
            for (; made < PATH_EDGES; made++) {
                const next = straightest(positions, starts, ends, before, here);
                if (next < 0) break;
                length += distance(positions, here, next);
                before = here;
                here = next;
            }
            // Each pair once: from its lower end, and not again by a second path.
            if (made < PATH_EDGES || here <= first) continue;
            let isKnown = false;
            for (let i = begin; i < count; i++) isKnown ||= particlesB[i] === here;
            if (isKnown) continue;
            particlesA[count] = first;
            particlesB[count] = here;
            restLengths[count++] = length;
        }
    }
    return {
        particlesA: particlesA.subarray(0, count), particlesB: particlesB.subarray(0, count),
        restLengths: restLengths.subarray(0, count), stiffnessFactors: new Float32Array(count).fill(1),
    };
}

function adjacency(particleCount: number, { particlesA, particlesB }: StickSet): { starts: Uint32Array; ends: Uint32Array } {
    const starts = new Uint32Array(particleCount + 1);
    for (let e = 0; e < particlesA.length; e++) {
        starts[particlesA[e] + 1]++;
        starts[particlesB[e] + 1]++;
    }
    for (let p = 0; p < particleCount; p++) starts[p + 1] += starts[p];
    const next = starts.slice(0, particleCount);
    const ends = new Uint32Array(particlesA.length * 2);
    for (let e = 0; e < particlesA.length; e++) {
        ends[next[particlesA[e]]++] = particlesB[e];
        ends[next[particlesB[e]]++] = particlesA[e];
    }
    return { starts, ends };
}

/** The neighbour of `here` that continues before → here most nearly straight; -1 if all turn. */
function straightest(x: Float32Array, starts: Uint32Array, ends: Uint32Array, before: number, here: number): number {
    const ux = x[3 * here] - x[3 * before];
    const uy = x[3 * here + 1] - x[3 * before + 1];
    const uz = x[3 * here + 2] - x[3 * before + 2];
    const uu = ux * ux + uy * uy + uz * uz;
    let best = STRAIGHT;
    let next = -1;
    for (let k = starts[here]; k < starts[here + 1]; k++) {
        const q = ends[k];
        if (q === before) continue;
        const vx = x[3 * q] - x[3 * here];
        const vy = x[3 * q + 1] - x[3 * here + 1];
        const vz = x[3 * q + 2] - x[3 * here + 2];
        const cosine = (ux * vx + uy * vy + uz * vz) / Math.sqrt(uu * (vx * vx + vy * vy + vz * vz));
        if (cosine > best) {
            best = cosine;
            next = q;
        }
    }
    return next;
}

function distance(x: Float32Array, a: number, b: number): number {
    const dx = x[3 * a] - x[3 * b];
    const dy = x[3 * a + 1] - x[3 * b + 1];
    const dz = x[3 * a + 2] - x[3 * b + 2];
    return Math.sqrt(dx * dx + dy * dy + dz * dz);
}
