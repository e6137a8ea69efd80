import { cornersAt, Edges, extended } from "./tornMesh";
import type { TornMesh } from "./tornMesh";

/**
 * Parts a mesh along edges: around each of their ends, triangles that no other edge joins get places of their own.
 *
 *     ╲ │ ╱          ╲│ │╱
 *     ──●━━━━   →    ─● ●━━     ● a seam's end within the cloth stays whole, since its triangles are joined around it;
 *     ╱ ┃ ╲          ╱┃ ┃╲        so a single seam within it opens nothing
 *
 * @param seams edges by their places, see {@link Edges}
 */
export function splitAlongSeams(mesh: TornMesh, seams: ReadonlySet<number>): TornMesh {
    const { indices, placeOfVertex } = mesh;
    const edges = new Edges(mesh.placeCount);
    const ends = [...seams].flatMap((key) => [edges.low(key), edges.high(key)]);

    const torn = indices.slice();
    // Of the vertices that are doubled.
    const doubled: number[] = [];
    const places: number[] = [];
    let { placeCount } = mesh;
    for (const [place, corners] of cornersAt(mesh, ends)) {
        for (const side of sidesOf(place, corners).slice(1)) {
            const copies = new Map<number, number>();
            for (const i of side) {
                const v = indices[i];
                let copy = copies.get(v);
                if (copy === undefined) {
                    copy = mesh.vertexCount + doubled.push(v) - 1;
                    places.push(placeCount);
                    copies.set(v, copy);
                }
                torn[i] = copy;
            }
            placeCount++;
        }
    }
    const of = (numbers: ArrayLike<number>): number[] => doubled.map((v) => numbers[v]);
    return compact({
        vertexCount: mesh.vertexCount + doubled.length,
        from: extended(mesh.from, of(mesh.from)),
        to: extended(mesh.to, of(mesh.to)),
        shares: extended(mesh.shares, of(mesh.shares)),
        indices: torn,
        triangleOf: mesh.triangleOf,
        placeCount,
        placeOfVertex: extended(placeOfVertex, places),
    });

    /** The corners at a place, as far as their triangles hang together around it. */
    function sidesOf(place: number, corners: readonly number[]): number[][] {
        const side = corners.map((_, k) => k);
        const head = (k: number): number => (side[k] === k ? k : (side[k] = head(side[k])));
        // By the other end of an edge, and by both others of a triangle: its back is the same cloth.
        const first = new Map<string, number>();
        corners.forEach((i, k) => {
            const base = i - (i % 3);
            const others = [1, 2].map((c) => placeOfVertex[indices[base + ((i + c) % 3)]]).sort((a, b) => a - b);
            const joints = others.filter((other) => !seams.has(edges.key(place, other))).map(String);
            for (const joint of [...joints, others.join()]) {
                const other = first.get(joint);
                if (other === undefined) first.set(joint, k);
                else side[head(k)] = head(other);
            }
        });
        const sides = new Map<number, number[]>();
        corners.forEach((i, k) => sides.set(head(k), [...(sides.get(head(k)) ?? []), i]));
        return [...sides.values()];
    }
}

/** Numbers the places by their first vertex, as a weld does; a place that no vertex has left is none. */
function compact(mesh: TornMesh): TornMesh {
    const numbers = new Int32Array(mesh.placeCount).fill(-1);
    const placeOfVertex = new Uint32Array(mesh.vertexCount);
    let placeCount = 0;
    for (let v = 0; v < mesh.vertexCount; v++) {
        const place = mesh.placeOfVertex[v];
        if (numbers[place] < 0) numbers[place] = placeCount++;
        placeOfVertex[v] = numbers[place];
    }
    return { ...mesh, placeCount, placeOfVertex };
}
