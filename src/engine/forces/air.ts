import type { Arena } from "../../kernels/arena";
import { AirLayout, ROW, rowOf, rowOffset, Uniform } from "../../kernels/layout";
import type { AirArrays, TriangleArrays } from "../../kernels/layout";
import { ArenaStruct } from "../memory/arenaArrays";
import type { BodyState } from "../state/state";

/** The air about a body's particles; made when wind first blows on it. */
export class Air extends ArenaStruct implements AirArrays {
    readonly paddedCount: number;
    neighbours!: Uint32Array;
    airMotion!: Float32Array;
    predictedDisplacements!: Float32Array;

    /** @param surface the body's; its views are read once the memory has grown */
    constructor(arena: Arena, { particleCount, paddedCount }: BodyState, surface: TriangleArrays) {
        super(AirLayout);
        this.paddedCount = paddedCount;
        this._allocate(arena);
        writeNeighbours(surface.triangles, particleCount, this.neighbours);
    }

    /** Nothing but weight is known to act besides the air: as when it begins, or when a jump or a kick is no guide. */
    reset({ positions: x, previous: p, residuals: r, uniforms, particleCount }: BodyState): void {
        const { predictedDisplacements: attempts } = this;
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

/**
 * For each particle, the polygon of the triangles around it: its neighbours in order, at an edge of the mesh with itself among them.
 * Of more than six, six are picked.
 * @param target byte offsets of their rows, shape [paddedCount, 6]
 */
function writeNeighbours(triangles: Uint32Array, particleCount: number, target: Uint32Array): void {
    const starts = new Uint32Array(particleCount + 1);
    for (let t = 0; t < triangles.length; t++) starts[triangles[t] + 1]++;
    for (let i = 0; i < particleCount; i++) starts[i + 1] += starts[i];
    const ends = starts.slice();
    // Of each triangle (i, from, to) around i.
    const from = new Uint32Array(triangles.length);
    const to = new Uint32Array(triangles.length);
    for (let t = 0; t < triangles.length; t++) {
        const first = t - (t % 3);
        const k = ends[triangles[t]]++;
        from[k] = triangles[first + ((t + 1) % 3)];
        to[k] = triangles[first + ((t + 2) % 3)];
    }
    const ring: number[] = [];
    for (let i = 0; i < particleCount; i++) {
        if (!walkTriangleFan(from, to, starts[i], starts[i + 1], ring)) ring.push(i);
        const n = ring.length;
        for (let c = 0; c < MAX_FACE_CORNERS; c++) {
            const corner = n > MAX_FACE_CORNERS ? Math.floor((c * n) / MAX_FACE_CORNERS) : Math.min(c, n - 1);
            target[i * MAX_FACE_CORNERS + c] = rowOffset(ring[corner]);
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
        if (!includes(to, from[k], start, end)) first = k;
    }
    ring.push(from[first]);
    let next = to[first];
    while (ring.length <= end - start && next !== ring[0]) {
        ring.push(next);
        let k = start;
        while (k < end && from[k] !== next) k++;
        if (k === end) return false;
        next = to[k];
    }
    return next === ring[0];
}

function includes(array: Uint32Array, value: number, start: number, end: number): boolean {
    for (let k = start; k < end; k++) if (array[k] === value) return true;
    return false;
}
