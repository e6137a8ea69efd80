import { Edges, extended } from "./tornMesh";
import type { TornMesh } from "./tornMesh";

/** Path of a cut through a mesh. */
export interface CutLine {
    /** Crossings of edges, as shares of the way from the end of the lower number to the other, by {@link Edges}. */
    readonly crossings: ReadonlyMap<number, number>;
    /** Places through which it goes; no edge at them is crossed. */
    readonly places: ReadonlySet<number>;
    /** Edges between such places along which it does not go. */
    readonly uncutEdges: ReadonlySet<number>;
}

/**
 * Divides triangles where a cut crosses their edges, so that it runs along edges: its seams.
 *
 *        c               c
 *       ╱ ╲             ╱ ╲        A triangle is cut off at the corner where both its edges are crossed, the rest of it divided;
 *      ╱   ╲     →     ●━━━●       one that is crossed and has the cut at the corner across, or its end inside, is halved.
 *     ╱     ╲         ╱ ╲_  ╲
 *    a───────b       a────╲──b
 */
export function subdivide(
    mesh: TornMesh,
    { crossings, places, uncutEdges: spared }: CutLine,
): { mesh: TornMesh; seams: Set<number> } {
    const { indices, placeOfVertex } = mesh;
    const before = new Edges(mesh.placeCount);
    const placeOfEdge = new Map<number, number>();
    for (const key of crossings.keys()) placeOfEdge.set(key, mesh.placeCount + placeOfEdge.size);
    const placeCount = mesh.placeCount + placeOfEdge.size;
    const after = new Edges(placeCount);

    // Of the new vertices.
    const from: number[] = [];
    const to: number[] = [];
    const shares: number[] = [];
    const newPlaces: number[] = [];
    const newVertices = new Map<string, number>();
    const divided: number[] = [];
    const triangleOf: number[] = [];
    const seams = new Set<number>();

    /** The vertex where the edge between two vertices is crossed; -1: it is not. */
    const crossed = (v: number, w: number): number => {
        const key = before.key(placeOfVertex[v], placeOfVertex[w]);
        const share = crossings.get(key);
        if (share === undefined) return -1;
        const [low, high] = placeOfVertex[v] < placeOfVertex[w] ? [v, w] : [w, v];
        const name = `${low},${high}`;
        let vertex = newVertices.get(name);
        if (vertex === undefined) {
            vertex = mesh.vertexCount + newPlaces.push(placeOfEdge.get(key)!) - 1;
            from.push(low);
            to.push(high);
            shares.push(share);
            newVertices.set(name, vertex);
        }
        return vertex;
    };
    const placeOf = (v: number): number => (v < mesh.vertexCount ? placeOfVertex[v] : newPlaces[v - mesh.vertexCount]);
    const cutAlong = (v: number, w: number): unknown => seams.add(after.key(placeOf(v), placeOf(w)));
    // What lies at an end of a crossed edge or on the cut: a triangle without two such corners stays as it is.
    const isBeside = new Uint8Array(mesh.placeCount);
    for (const key of crossings.keys()) isBeside[before.low(key)] = isBeside[before.high(key)] = 1;
    for (const place of places) isBeside[place] = 1;

    for (let t = 0, i = 0; i < indices.length; t++, i += 3) {
        const besides = isBeside[placeOfVertex[indices[i]]] + isBeside[placeOfVertex[indices[i + 1]]] + isBeside[placeOfVertex[indices[i + 2]]]; // prettier-ignore
        if (besides < 2) {
            divided.push(indices[i], indices[i + 1], indices[i + 2]);
            triangleOf.push(mesh.triangleOf[t]);
            continue;
        }
        const corners = [indices[3 * t], indices[3 * t + 1], indices[3 * t + 2]];
        const middles = [0, 1, 2].map((k) => crossed(corners[k], corners[(k + 1) % 3]));
        const count = middles.filter((middle) => middle >= 0).length;
        // Turned so that the first edge is crossed and, of two, the last one, too: the first corner is cut off.
        const turn =
            count === 2
                ? (middles.indexOf(-1) + 2) % 3
                : Math.max(
                      0,
                      middles.findIndex((middle) => middle >= 0),
                  );
        const [a, b, c] = [0, 1, 2].map((k) => corners[(k + turn) % 3]);
        const [ab, bc, ca] = [0, 1, 2].map((k) => middles[(k + turn) % 3]);
        const pieces = [[[a, b, c]], [[a, ab, c], [ab, b, c]], [[a, ab, ca], [ab, b, ca], [b, c, ca]], [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]]; // prettier-ignore
        for (const piece of pieces[count]) {
            divided.push(...piece);
            triangleOf.push(mesh.triangleOf[t]);
        }
        if (count === 1 && places.has(placeOfVertex[c])) cutAlong(ab, c);
        if (count >= 2) cutAlong(ab, ca);
        for (let k = 0; k < 3; k++) {
            const [v, w] = [corners[k], corners[(k + 1) % 3]];
            const [p, q] = [placeOfVertex[v], placeOfVertex[w]];
            if (places.has(p) && places.has(q) && !spared.has(before.key(p, q))) cutAlong(v, w);
        }
    }
    const result = {
        vertexCount: mesh.vertexCount + newPlaces.length,
        from: extended(mesh.from, from),
        to: extended(mesh.to, to),
        shares: extended(mesh.shares, shares),
        indices: Uint32Array.from(divided),
        triangleOf: Uint32Array.from(triangleOf),
        placeCount,
        placeOfVertex: extended(placeOfVertex, newPlaces),
    };
    return { mesh: result, seams };
}
