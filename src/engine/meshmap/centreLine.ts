import { MIN_SLENDERNESS } from "../tunables";
import { NONE } from "../../kernels/layout";
import { weld } from "./weld";

/** The centre line of what is long and thin. */
export interface CentreLine {
    /** Points in a row, no two at one place, shape [ringCount, 3]; the line's ends are those of the mesh. */
    readonly points: Float32Array;
    /** The point about which each vertex lies, shape [vertexCount]. */
    readonly ringOfVertex: Uint32Array;
}

/** And by how much its rings differ in how many places they have, but for one place at an end: the middle of a cap. */
interface MeasuredCentreLine extends CentreLine {
    readonly spread: number;
}

/** Points nearer than this share of the line's length are one: the middle of a cap, and its rim. */
const MERGE_RATIO = 1e-3;
/** Tolerance: vertices nearer to the far end by less than this share of an edge are as far. */
const LEVEL_TOLERANCE = 0.5;

/**
 * Finds the centre line of a tube, with caps or without, of a ribbon, or of a line: the mesh's places by how many edges they are from its end,
 * ring by ring, and the middle of each ring.
 * @param positions shape [vertexCount, 3]
 * @param edges vertices of edges, shape [edgeCount, 2]; their vertices hang together, and so do those at one place
 * @returns null where it is in pieces, or not longer than thick
 */
export function findCentreLine(positions: Float32Array, edges: Uint32Array): CentreLine | null {
    const { placeCount, placeOfVertex, vertexOfPlace } = weld(positions, edges);
    const neighbours: number[][] = Array.from({ length: placeCount }, () => []);
    for (let e = 0; e < edges.length; e += 2) {
        const [a, b] = [placeOfVertex[edges[e]], placeOfVertex[edges[e + 1]]];
        if (a === b) continue;
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
    const start = placeOfVertex[edges[0]];
    const apart = (a: number, b: number): number => {
        const [p, q] = [3 * vertexOfPlace[a], 3 * vertexOfPlace[b]];
        return Math.hypot(positions[p] - positions[q], positions[p + 1] - positions[q + 1], positions[p + 2] - positions[q + 2]);
    };
    const far = farthest(distancesFrom(start, neighbours, apart));
    const distances = distancesFrom(far, neighbours, apart);
    const end = farthest(distances);
    if (far === end || edges.some((v) => distances[placeOfVertex[v]] === Infinity)) return null;
    const used = new Set(Array.from(edges, (v) => vertexOfPlace[placeOfVertex[v]]));
    // Where it is bent, the outside of its last ring is farther than the inside. Of the ends that it may have, the right one is where all rings have as many places.
    let best: MeasuredCentreLine | null = null;
    const ends = [
        farEndPlaces(distances, end, neighbours),
        farthestBorder(distances, neighbours),
        ...[end, ...neighbours[end]].map((place) => [place]),
    ];
    for (const first of ends) {
        if (first.length === 0) continue;
        const rings = ringsFrom(first, neighbours);
        // It begins where the vertices do.
        const last = rings.reduce((most, ring) => (ring === NONE ? most : Math.max(most, ring)), 0);
        if (2 * rings[start] > last) rings.forEach((ring, place) => (rings[place] = ring === NONE ? NONE : last - ring));
        const laid = lineOf(positions, rings, placeOfVertex, used);
        if (laid && (!best || laid.spread < best.spread)) best = laid;
        if (best?.spread === 0) break;
    }
    return best;
}

/** The places that are about as far as the end is. */
function farEndPlaces(distances: Float64Array, end: number, neighbours: readonly number[][]): number[] {
    const drop = Math.max(...neighbours[end].map((place) => distances[end] - distances[place]));
    const level = distances[end] - LEVEL_TOLERANCE * drop;
    return neighbours.flatMap((_, place) => (distances[place] >= level && distances[place] < Infinity ? [place] : []));
}

/** Of the borders, which edges of one triangle make, that which reaches farthest: an open end. Empty: there is none. */
function farthestBorder(distances: Float64Array, neighbours: readonly number[][]): number[] {
    // Each triangle has told each of its edges.
    const beside = neighbours.map((all, place) =>
        all.filter((other) => place !== other && all.indexOf(other) === all.lastIndexOf(other)),
    );
    let farthestPlace = -1;
    beside.forEach((others, place) => {
        if (others.length > 0 && (farthestPlace < 0 || distances[place] > distances[farthestPlace])) farthestPlace = place;
    });
    if (farthestPlace < 0) return [];
    const border = new Set([farthestPlace]);
    for (const place of border) for (const other of beside[place]) border.add(other);
    return [...border];
}

/** Distances along edges from a place; Infinity: none (Dijkstra's, without a heap: of thousands of places, once). */
function distancesFrom(start: number, neighbours: readonly number[][], apart: (a: number, b: number) => number): Float64Array {
    const distances = new Float64Array(neighbours.length).fill(Infinity);
    distances[start] = 0;
    let active = [start];
    while (active.length > 0) {
        const next: number[] = [];
        for (const a of active) {
            for (const b of neighbours[a]) {
                const distance = distances[a] + apart(a, b);
                if (distance < distances[b] * (1 - 1e-9)) {
                    distances[b] = distance;
                    next.push(b);
                }
            }
        }
        active = next;
    }
    return distances;
}

function farthest(distances: Float64Array): number {
    let best = -1;
    distances.forEach((d, i) => {
        if (d < Infinity && (best < 0 || d > distances[best])) best = i;
    });
    return best;
}

/** By how many edges each place is from the first ones; NONE: it cannot be reached. */
function ringsFrom(first: readonly number[], neighbours: readonly number[][]): Uint32Array {
    const rings = new Uint32Array(neighbours.length).fill(NONE);
    let ring = 0;
    for (let active = first; active.length > 0; ring++) {
        for (const a of active) rings[a] = ring;
        active = [...new Set(active.flatMap((a) => neighbours[a]))].filter((b) => rings[b] === NONE);
    }
    return rings;
}

/** The middles of rings, those at one place taken together. @param used the first vertex of each place */
function lineOf(
    positions: Float32Array,
    rings: Uint32Array,
    placeOfVertex: Uint32Array,
    used: ReadonlySet<number>,
): MeasuredCentreLine | null {
    const ringCount = 1 + rings.reduce((most, ring) => (ring === NONE ? most : Math.max(most, ring)), 0);
    const sums = new Float64Array(4 * ringCount);
    used.forEach((v) => {
        const o = 4 * rings[placeOfVertex[v]];
        for (let c = 0; c < 3; c++) sums[o + c] += positions[3 * v + c];
        sums[o + 3]++;
    });
    let spread = 0;
    for (let o = 3; o < sums.length - 4; o += 4) {
        const isCap = (o === 3 && sums[o] === 1) || (o === sums.length - 5 && sums[o + 4] === 1);
        if (!isCap) spread += Math.abs(sums[o] - sums[o + 4]);
    }
    for (let o = 0; o < sums.length; o += 4) for (let c = 0; c < 3; c++) sums[o + c] /= sums[o + 3];
    const step = (r: number, to: number): number =>
        Math.hypot(sums[4 * r] - sums[4 * to], sums[4 * r + 1] - sums[4 * to + 1], sums[4 * r + 2] - sums[4 * to + 2]);
    let length = 0;
    for (let r = 1; r < ringCount; r++) length += step(r, r - 1);
    const kept: number[] = [];
    const keptOf = new Uint32Array(ringCount);
    for (let r = 0; r < ringCount; r++) {
        if (kept.length === 0 || step(r, kept[kept.length - 1]) > MERGE_RATIO * length) kept.push(r);
        keptOf[r] = kept.length - 1;
    }
    const points = Float32Array.from(kept.flatMap((r) => [sums[4 * r], sums[4 * r + 1], sums[4 * r + 2]]));
    // A vertex that no edge uses stays by the first point.
    const ringOfVertex = placeOfVertex.map((place) => (rings[place] === NONE ? 0 : keptOf[rings[place]]));
    let radius = 0;
    used.forEach((v) => {
        const [p, o] = [3 * v, 3 * ringOfVertex[v]];
        radius += Math.hypot(positions[p] - points[o], positions[p + 1] - points[o + 1], positions[p + 2] - points[o + 2]);
    });
    radius /= used.size;
    return kept.length > 1 && length > MIN_SLENDERNESS * radius ? { points, ringOfVertex, spread } : null;
}
