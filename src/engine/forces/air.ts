import type { Arena } from "../../kernels/arena";
import { AirLayout, ROW, rowOf, rowOffset, Uniform } from "../../kernels/layout";
import type { AirArrays, TriangleArrays } from "../../kernels/layout";
import { ArenaStruct } from "../memory/arenaArrays";
import { findPieces } from "../math/unionFind";
import type { BodyState } from "../state/state";

/** Size of a piece's box. */
const BOX_BYTES = 8 * Float32Array.BYTES_PER_ELEMENT;

/** The air about a body's particles; made when wind first blows on it. */
export class Air extends ArenaStruct implements AirArrays {
    readonly paddedCount: number;
    readonly pieceCount: number;
    neighbours!: Uint32Array;
    boxOffsets!: Uint32Array;
    boxes!: Float32Array;
    airMotion!: Float32Array;
    predictedDisplacements!: Float32Array;
    airPaths!: Float32Array;

    /**
     * @param surface the body's; its views are read once the memory has grown
     * @param faceRadius of the faces that the air meets, as a share of √n edges, with n particles in the piece
     */
    constructor(arena: Arena, { particleCount, paddedCount }: BodyState, surface: TriangleArrays, faceRadius: number) {
        super(AirLayout);
        this.paddedCount = paddedCount;
        const [pieceOfParticle, particleCounts] = findPieces(particleCount, surface.triangles);
        this.pieceCount = particleCounts.length;
        this._allocate(arena);
        for (let i = 0; i < particleCount; i++) this.boxOffsets[i] = pieceOfParticle[i] * BOX_BYTES;
        const edgeCounts = particleCounts.map((n) => Math.round(faceRadius * Math.sqrt(n)));
        writeNeighbours(surface.triangles, particleCount, (i) => edgeCounts[pieceOfParticle[i]], this.neighbours);
    }

    /** Forgets what faces were largest, what acted, and the paths. */
    forget(): void {
        this.predictedDisplacements.fill(0);
        this.airPaths.fill(0);
    }

    /** Saves what it knows as numbers, for {@link restoreMotion}: displacements, and paths. */
    saveMotion(): Float32Array {
        const { predictedDisplacements, airPaths } = this;
        const numbers = new Float32Array(2 * predictedDisplacements.length);
        numbers.set(predictedDisplacements);
        numbers.set(airPaths, airPaths.length);
        return numbers;
    }

    /** @param numbers as saved; files of old have no paths */
    restoreMotion(numbers: Float32Array): void {
        const { length } = this.predictedDisplacements;
        this.predictedDisplacements.set(numbers.subarray(0, length));
        if (numbers.length > length) this.airPaths.set(numbers.subarray(length));
        else this.airPaths.fill(0);
    }

    /** Nothing but weight is known to act besides the air: as when it begins, or when a jump or a kick is no guide. */
    reset({ positions: x, previous: p, residuals: r, uniforms, particleCount }: BodyState): void {
        const { predictedDisplacements: attempts } = this;
        this.airPaths.fill(0);
        const substepCount = 1 / uniforms[Uniform.substepShare];
        for (let o = 0, end = rowOf(particleCount); o < end; o += ROW) {
            for (let c = 0; c < 3; c++) {
                attempts[o + c] = x[o + c] - p[o + c] + r[o + c] - uniforms[Uniform.gravity + c] * substepCount;
            }
        }
    }
}

/** Corners of a face at most. */
const MAX_FACE_CORNERS = 6;

/** The neighbours of each particle in order, as edges from it, and which edge goes straight on. */
class EdgeFans {
    /** First edge of each particle, shape [particleCount + 1]. */
    readonly starts: Uint32Array;
    /** Particle that an edge leads to. */
    readonly ends: Uint32Array;
    /** 1: the neighbours close; 0: they are at an edge of the mesh. */
    readonly isClosed: Uint8Array;

    constructor(triangles: Uint32Array, particleCount: number) {
        const starts = new Uint32Array(particleCount + 1);
        for (let t = 0; t < triangles.length; t++) starts[triangles[t] + 1]++;
        for (let i = 0; i < particleCount; i++) starts[i + 1] += starts[i];
        const next = starts.slice();
        // Of each triangle (i, from, to) around i.
        const from = new Uint32Array(triangles.length);
        const to = new Uint32Array(triangles.length);
        for (let t = 0; t < triangles.length; t++) {
            const first = t - (t % 3);
            const k = next[triangles[t]]++;
            from[k] = triangles[first + ((t + 1) % 3)];
            to[k] = triangles[first + ((t + 2) % 3)];
        }
        this.starts = new Uint32Array(particleCount + 1);
        this.ends = new Uint32Array(triangles.length + particleCount);
        this.isClosed = new Uint8Array(particleCount);
        const ring: number[] = [];
        let count = 0;
        for (let i = 0; i < particleCount; i++) {
            this.isClosed[i] = walkTriangleFan(from, to, starts[i], starts[i + 1], ring) ? 1 : 0;
            for (const neighbour of ring) this.ends[count++] = neighbour;
            this.starts[i + 1] = count;
        }
    }

    /** For each edge the one that goes on straight ahead, -1 at an edge of the mesh. */
    continuations(): Int32Array {
        const { starts, ends, isClosed } = this;
        const result = new Int32Array(ends.length).fill(-1);
        for (let i = 0; i + 1 < starts.length; i++) {
            for (let edge = starts[i]; edge < starts[i + 1]; edge++) {
                const start = starts[ends[edge]];
                const count = starts[ends[edge] + 1] - start;
                const back = indexWithin(ends, i, start, start + count) - start;
                if (back === count) continue;
                if (isClosed[ends[edge]]) result[edge] = start + ((back + (count >> 1)) % count);
                // Along the edge of the mesh.
                else if (back === 0 || back === count - 1) result[edge] = start + count - 1 - back;
            }
        }
        return result;
    }
}

/**
 * For each particle, the polygon of the particles so many edges from it, straight ahead over its neighbours in order; at an edge of the mesh with
 * itself among them. Of more than six, six are picked.
 * @param edgeCountAt number of those edges about a particle; `target` byte offsets of the rows, shape [paddedCount, 6]
 */
function writeNeighbours(
    triangles: Uint32Array,
    particleCount: number,
    edgeCountAt: (particle: number) => number,
    target: Uint32Array,
): void {
    const fans = new EdgeFans(triangles, particleCount);
    let onward: Int32Array | null = null;
    for (let i = 0; i < particleCount; i++) {
        const edgeCount = edgeCountAt(i);
        if (edgeCount > 1) onward ??= fans.continuations();
        const start = fans.starts[i];
        const count = fans.starts[i + 1] - start;
        const n = count + (1 - fans.isClosed[i]);
        for (let c = 0; c < MAX_FACE_CORNERS; c++) {
            const corner = n > MAX_FACE_CORNERS ? Math.floor((c * n) / MAX_FACE_CORNERS) : Math.min(c, n - 1);
            let edge = start + corner;
            for (let k = 1; onward && corner < count && k < edgeCount && onward[edge] >= 0; k++) edge = onward[edge];
            target[i * MAX_FACE_CORNERS + c] = rowOffset(corner < count ? fans.ends[edge] : i);
        }
    }
}

/**
 * The neighbours of a particle in order, as far as its triangles join one another.
 * @param from the particle's triangles are (particle, from[k], to[k]) for `start <= k < end`
 * @param ring gets the neighbours
 * @returns whether they close
 */
function walkTriangleFan(from: Uint32Array, to: Uint32Array, start: number, end: number, ring: number[]): boolean {
    ring.length = 0;
    if (end === start) return false;
    let first = start;
    for (let k = start; k < end; k++) {
        if (indexWithin(to, from[k], start, end) === end) first = k;
    }
    ring.push(from[first]);
    let next = to[first];
    while (ring.length <= end - start && next !== ring[0]) {
        ring.push(next);
        const k = indexWithin(from, next, start, end);
        if (k === end) return false;
        next = to[k];
    }
    return next === ring[0];
}

/** First index of a value from `start`, or `end`. */
function indexWithin(array: Uint32Array, value: number, start: number, end: number): number {
    while (start < end && array[start] !== value) start++;
    return start;
}
