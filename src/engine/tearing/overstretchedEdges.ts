/**
 * Tears overstretched cloth: an edge that is longer than it may be tears at one of its ends, across its direction.
 *
 *       ╲ │ ╱                 Triangles around the end whose middles lie on different sides of the plane across the edge
 *     ───●─━━━→ too long      are parted: the seams are the edges between them, at most two inside of the cloth.
 *       ╱ │ ╲
 */
import { cornersAt, Edges } from "./tornMesh";
import type { TornMesh } from "./tornMesh";

/** Edges of a mesh and their lengths at rest. */
export interface RestEdges {
    /** Places of each, shape [count, 2]. */
    readonly ends: Uint32Array;
    /** [m], shape [count]. */
    readonly lengths: Float64Array;
}

/** @param x positions of the places at rest, shape [placeCount, 3] [m] */
export function restEdgesOf({ indices, placeOfVertex, placeCount }: TornMesh, x: Float64Array): RestEdges {
    // A list for each place of its edges to higher ones: the last of them, and of each the one before.
    const last = new Int32Array(placeCount).fill(-1);
    const before = new Int32Array(indices.length);
    const ends = new Uint32Array(2 * indices.length);
    let count = 0;
    for (let i = 0; i < indices.length; i++) {
        const p = placeOfVertex[indices[i]];
        const q = placeOfVertex[indices[i % 3 === 2 ? i - 2 : i + 1]];
        const low = Math.min(p, q);
        const high = p + q - low;
        let e = last[low];
        while (e >= 0 && ends[2 * e + 1] !== high) e = before[e];
        if (e >= 0) continue;
        before[count] = last[low];
        last[low] = count;
        ends[2 * count] = low;
        ends[2 * count + 1] = high;
        count++;
    }
    const lengths = new Float64Array(count);
    for (let e = 0; e < count; e++) lengths[e] = distance(x, ends[2 * e], ends[2 * e + 1]);
    return { ends: ends.slice(0, 2 * count), lengths };
}

/** Numbers of the edges that are longer than at rest by more than a share, the longest of these first. @param x positions now */
export function findOverstretchedEdges({ ends, lengths }: RestEdges, x: Float64Array, strain: number): number[] {
    const found: number[] = [];
    const most = (1 + strain) * (1 + strain);
    for (let e = 0; e < lengths.length; e++) {
        const p = 3 * ends[2 * e];
        const q = 3 * ends[2 * e + 1];
        const dx = x[q] - x[p];
        const dy = x[q + 1] - x[p + 1];
        const dz = x[q + 2] - x[p + 2];
        if (dx * dx + dy * dy + dz * dz > most * lengths[e] * lengths[e] && lengths[e] > 0) found.push(e);
    }
    const strainOf = (e: number): number => distance(x, ends[2 * e], ends[2 * e + 1]) / lengths[e];
    return found.sort((a, b) => strainOf(b) - strainOf(a));
}

/**
 * The seams along which overstretched edges give way.
 * @param over numbers of the edges, see {@link findOverstretchedEdges}
 * @param isHeld places that tear only where the other end cannot: what is pinned stays together
 * @param most how many places may part
 */
export function findSeams(
    mesh: TornMesh,
    { ends }: RestEdges,
    x: Float64Array,
    over: readonly number[],
    isHeld: (place: number) => boolean,
    most: number,
): Set<number> {
    const { indices, placeOfVertex } = mesh;
    const edges = new Edges(mesh.placeCount);
    const around = cornersAt(
        mesh,
        over.flatMap((e) => [ends[2 * e], ends[2 * e + 1]]),
    );
    const seams = new Set<number>();
    // A triangle is torn at one corner at a time.
    const torn = new Set<number>();
    let parted = 0;
    for (const e of over) {
        if (parted === most) break;
        const [p, q] = isHeld(ends[2 * e]) ? [ends[2 * e + 1], ends[2 * e]] : [ends[2 * e], ends[2 * e + 1]];
        for (const [place, other] of [
            [p, q],
            [q, p],
        ]) {
            const fan = around.get(place)!.map((i) => i - (i % 3));
            if (fan.some((i) => torn.has(i))) continue;
            const found = seamsAcross(place, other, fan);
            if (found.length === 0) continue;
            for (const key of found) seams.add(key);
            for (const i of fan) torn.add(i);
            parted++;
            break;
        }
    }
    return seams;

    /** The edges at a place between triangles on different sides of the plane across the direction of another. */
    function seamsAcross(place: number, other: number, fan: readonly number[]): number[] {
        const sides = new Map<number, number>();
        for (const i of fan) {
            const corners = [0, 1, 2].map((k) => placeOfVertex[indices[i + k]]);
            let ahead = 0;
            for (let c = 0; c < 3; c++) {
                const middle = corners.reduce((sum, corner) => sum + x[3 * corner + c], 0) / 3;
                ahead += (middle - x[3 * place + c]) * (x[3 * other + c] - x[3 * place + c]);
            }
            for (const corner of corners) {
                if (corner !== place) sides.set(corner, (sides.get(corner) ?? 0) | (ahead > 0 ? 1 : 2));
            }
        }
        return [...sides].filter(([, both]) => both === 3).map(([corner]) => edges.key(place, corner));
    }
}

function distance(x: Float64Array, p: number, q: number): number {
    return Math.hypot(x[3 * q] - x[3 * p], x[3 * q + 1] - x[3 * p + 1], x[3 * q + 2] - x[3 * p + 2]);
}
