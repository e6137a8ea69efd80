import { NONE } from "../layout";
import type { FanArrays, MarchArrays } from "../restLayout";
import { MinHeap } from "./minHeap";

/** Distances that differ by less than this share are equal. */
const TIE = 1e-5;
/** Fronts from two sources are one where these are no farther from each other than so many times as far as the fronts have come, and two edges ... */
const MEETING = 0.25;
/** ... and the cloth between is flat: ways are no longer than so many times the straight line, which leaves the triangle's plane by no more than that share. */
const FLAT = 1.05;
const LEVEL = 0.005;

/** See kernels.ts. */
export function findFans({ cornerCount, startCount, triangles, starts, next, others }: FanArrays): void {
    for (let i = 0; i < cornerCount; i++) starts[triangles[i] + 1]++;
    for (let p = 1; p < startCount; p++) starts[p] += starts[p - 1];
    next.set(starts);
    for (let t = 0; t < cornerCount; t += 3) {
        for (let k = 0; k < 3; k++) {
            const o = next[triangles[t + k]]++ * 2;
            others[o] = triangles[t + ((k + 1) % 3)];
            others[o + 1] = triangles[t + ((k + 2) % 3)];
        }
    }
}

/** See kernels.ts. */
export function marchGroups(m: MarchArrays): void {
    const heap = new MinHeap(m.keys, m.heapItems, m.heapPlaces);
    seed(m, heap);
    while (heap.size > 0) pass(m, heap, heap.pop());
}

/** Puts the sources into the heap. */
function seed({ particleCount, slots, labels, counts, sources, groups }: MarchArrays, heap: MinHeap): void {
    for (let p = 0; p < particleCount; p++) {
        if (labels[p] === NONE) continue;
        const e = p * slots;
        counts[p] = 1;
        sources[e] = p;
        groups[e] = labels[p];
        heap.push(e);
    }
}

/** Passes an entry on to the neighbours of its particle. */
function pass(m: MarchArrays, heap: MinHeap, entry: number): void {
    const { places } = heap;
    const { slots, starts, others, counts, taken, distances, keys, sources, groups } = m;
    const v = (entry / slots) | 0;
    const group = groups[entry];
    const source = sources[entry];
    const distance = distances[entry];
    // Float32 keys: at least the next one.
    const later = keys[entry] * 1.0000002 + 1e-30;
    taken[v]++;
    for (let k = starts[v] * 2, end = starts[v + 1] * 2; k < end; k++) {
        const target = others[k];
        if (taken[target] === slots) continue;
        const known = find(groups, target * slots, counts[target], group);
        if (known >= 0 && places[known] === 0) continue;
        const other = others[k ^ 1];
        const beside = find(groups, other * slots, counts[other], group);
        let d = distance + length(m.positions, v, target);
        let from = source;
        if (beside >= 0 && places[beside] === 0) {
            const second = sources[beside];
            const across = unfold(m.positions, v, other, target, distance, distances[beside]);
            if (second === source) {
                d = across;
            } else if (across < d && isOneFront(m.positions, v, other, target, distance, distances[beside], source, second)) {
                const toFirst = length(m.positions, source, target);
                const toSecond = length(m.positions, second, target);
                d = Math.min(d, Math.max(across, Math.min(toFirst, toSecond)));
                from = isBefore(toFirst, source, toSecond, second) ? source : second;
            }
        }
        let e = known;
        if (e >= 0) {
            if (!isBefore(d, from, distances[e], sources[e])) continue;
        } else if (counts[target] < slots) {
            e = target * slots + counts[target]++;
        } else {
            e = worst(m, places, target);
            if (!isBefore(d, group, distances[e], groups[e])) continue;
        }
        distances[e] = known >= 0 && distances[e] < d ? distances[e] : d;
        sources[e] = from;
        groups[e] = group;
        const key = distances[e] > later ? distances[e] : later;
        // What waits in the heap comes later as it is, and must not be put off.
        if (places[e] === 0 || key < keys[e]) keys[e] = key;
        heap.push(e);
    }
}

/** The last of a full list's entries that the march has not taken. */
function worst({ slots, distances, groups }: MarchArrays, places: Uint32Array, particle: number): number {
    let found = -1;
    for (let e = particle * slots; e < (particle + 1) * slots; e++) {
        if (places[e] > 0 && (found < 0 || isBefore(distances[found], groups[found], distances[e], groups[e]))) found = e;
    }
    return found;
}

/** A particle's entry of a group; -1: none. */
function find(groups: Uint32Array, first: number, count: number, group: number): number {
    for (let e = first; e < first + count; e++) if (groups[e] === group) return e;
    return -1;
}

/** Whether the first distance is the smaller one or, of two that are equal but for rounding, has the lower number. */
function isBefore(distanceA: number, a: number, distanceB: number, b: number): boolean {
    return Math.abs(distanceA - distanceB) <= TIE * distanceB ? a < b : distanceA < distanceB;
}

/**
 * Whether what comes over the edge a–b from its two nearest sources, side by side as in a pinned row, is one front over flat cloth: as if from a source
 * between them, but no sooner than the straight line to the nearer one. Fronts that meet are two; over curved cloth straight lines tell nothing.
 */
function isOneFront(x: Float32Array, a: number, b: number, c: number, da: number, db: number, s: number, t: number): boolean {
    return (
        length(x, s, t) <= 2 * length(x, a, b) + MEETING * Math.min(da, db) &&
        da <= FLAT * length(x, s, a) &&
        db <= FLAT * length(x, t, b) &&
        isLevel(x, a, b, c, s, da) &&
        isLevel(x, a, b, c, t, db)
    );
}

/** Whether the line from a to s, of this length, lies in the plane of a, b and c, nearly. */
function isLevel(x: Float32Array, a: number, b: number, c: number, s: number, length: number): boolean {
    const ux = x[3 * b] - x[3 * a];
    const uy = x[3 * b + 1] - x[3 * a + 1];
    const uz = x[3 * b + 2] - x[3 * a + 2];
    const vx = x[3 * c] - x[3 * a];
    const vy = x[3 * c + 1] - x[3 * a + 1];
    const vz = x[3 * c + 2] - x[3 * a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const height = nx * (x[3 * s] - x[3 * a]) + ny * (x[3 * s + 1] - x[3 * a + 1]) + nz * (x[3 * s + 2] - x[3 * a + 2]);
    const most = LEVEL * length;
    return height * height <= most * most * (nx * nx + ny * ny + nz * nz);
}

/** Straight distance [m]. */
function length(x: Float32Array, a: number, b: number): number {
    const dx = x[3 * a] - x[3 * b];
    const dy = x[3 * a + 1] - x[3 * b + 1];
    const dz = x[3 * a + 2] - x[3 * b + 2];
    return Math.sqrt(dx * dx + dy * dy + dz * dz);
}

/** Distance of c over the edge a–b, see rest/geodesics.ts. */
function unfold(x: Float32Array, a: number, b: number, c: number, da: number, db: number): number {
    const ab = length(x, a, b);
    const ac = length(x, a, c);
    const bc = length(x, b, c);
    const alongEdge = Math.min(da + ac, db + bc);
    if (!(ab > 0)) return alongEdge;
    // Frame: A at 0, B at (ab, 0), C above, S below.
    const cx = (ac * ac - bc * bc + ab * ab) / (2 * ab);
    const cy = Math.sqrt(Math.max(0, ac * ac - cx * cx));
    const sx = (da * da - db * db + ab * ab) / (2 * ab);
    const sySquared = da * da - sx * sx;
    if (sySquared < 0) return alongEdge;
    const sy = -Math.sqrt(sySquared);
    const height = cy - sy;
    if (!(height > 0)) return alongEdge;
    // Where the straight line crosses the edge's line.
    const crossing = sx + ((cx - sx) * -sy) / height;
    if (crossing < 0 || crossing > ab) return alongEdge;
    return Math.min(alongEdge, Math.sqrt((cx - sx) * (cx - sx) + height * height));
}
