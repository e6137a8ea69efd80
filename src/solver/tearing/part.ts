import { Edges } from "./tornMesh";
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
export function part(mesh: TornMesh, seams: ReadonlySet<number>): TornMesh {
    const { indices, placeOfVertex } = mesh;
    const edges = new Edges(mesh.placeCount);
    const around = new Map<number, number[]>();
    for (const key of seams) around.set(edges.low(key), []).set(edges.high(key), []);
    for (let i = 0; i < indices.length; i++) around.get(placeOfVertex[indices[i]])?.push(i);

    const torn = indices.slice();
    const places = Array.from(placeOfVertex);
    const [from, to, shares] = [Array.from(mesh.from), Array.from(mesh.to), Array.from(mesh.shares)];
    let { placeCount } = mesh;
    for (const [place, corners] of around) {
        for (const side of sidesOf(place, corners).slice(1)) {
            const copies = new Map<number, number>();
            for (const i of side) {
                const v = indices[i];
                let copy = copies.get(v);
                if (copy === undefined) {
                    copy = places.push(placeCount) - 1;
                    from.push(mesh.from[v]);
                    to.push(mesh.to[v]);
                    shares.push(mesh.shares[v]);
                    copies.set(v, copy);
                }
                torn[i] = copy;
            }
            placeCount++;
        }
    }
    return compact({
        vertexCount: places.length,
        from: Uint32Array.from(from),
        to: Uint32Array.from(to),
        shares: Float32Array.from(shares),
        indices: torn,
        triangleOf: mesh.triangleOf,
        placeCount,
        placeOfVertex: Uint32Array.from(places),
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
    const numbers = new Map<number, number>();
    for (const place of mesh.placeOfVertex) if (!numbers.has(place)) numbers.set(place, numbers.size);
    return { ...mesh, placeCount: numbers.size, placeOfVertex: mesh.placeOfVertex.map((place) => numbers.get(place)!) };
}
