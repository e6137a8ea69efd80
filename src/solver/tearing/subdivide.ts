import { Edges } from "./tornMesh";
import type { TornMesh } from "./tornMesh";

/** Where a cut goes through a mesh. */
export interface CutLine {
    /** Where it crosses edges, as shares of the way from the end of the lower number to the other, by {@link Edges}. */
    readonly crossings: ReadonlyMap<number, number>;
    /** Places through which it goes; no edge at them is crossed. */
    readonly places: ReadonlySet<number>;
    /** Edges between such places along which it does not go. */
    readonly spared: ReadonlySet<number>;
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
export function subdivide(mesh: TornMesh, { crossings, places, spared }: CutLine): { mesh: TornMesh; seams: Set<number> } {
    const { indices, placeOfVertex } = mesh;
    const before = new Edges(mesh.placeCount);
    const placeOfEdge = new Map<number, number>();
    for (const key of crossings.keys()) placeOfEdge.set(key, mesh.placeCount + placeOfEdge.size);
    const placeCount = mesh.placeCount + placeOfEdge.size;
    const after = new Edges(placeCount);

    const [from, to, shares] = [Array.from(mesh.from), Array.from(mesh.to), Array.from(mesh.shares)];
    const placesNow = Array.from(placeOfVertex);
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
            vertex = placesNow.push(placeOfEdge.get(key)!) - 1;
            from.push(low);
            to.push(high);
            shares.push(share);
            newVertices.set(name, vertex);
        }
        return vertex;
    };
    const cutAlong = (v: number, w: number): unknown => seams.add(after.key(placesNow[v], placesNow[w]));

    for (let t = 0; t < indices.length / 3; t++) {
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
        vertexCount: placesNow.length,
        from: Uint32Array.from(from),
        to: Uint32Array.from(to),
        shares: Float32Array.from(shares),
        indices: Uint32Array.from(divided),
        triangleOf: Uint32Array.from(triangleOf),
        placeCount,
        placeOfVertex: Uint32Array.from(placesNow),
    };
    return { mesh: result, seams };
}
