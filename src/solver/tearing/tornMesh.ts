/** A mesh as tears see it: triangles of vertices, and the places at which vertices hang together. */
export interface TornMesh {
    readonly vertexCount: number;
    /**
     * Where each vertex comes from in the mesh that was torn: between the vertices `from` and `to`, at a share of the way; shape
     * [vertexCount] each.
     */
    readonly from: Uint32Array;
    readonly to: Uint32Array;
    readonly shares: Float32Array;
    /** Vertices of each triangle, shape [triangleCount, 3]; none has a place twice. */
    readonly indices: Uint32Array;
    /** The triangle of the mesh that was torn of which each is a part, ascending; shape [triangleCount]. */
    readonly triangleOf: Uint32Array;
    readonly placeCount: number;
    /** Place of each vertex, shape [vertexCount]. */
    readonly placeOfVertex: Uint32Array;
}

/** A mesh that was not torn yet. Triangles without an extent are left out: nothing is drawn of them, and they would span tears. */
export function wholeMesh(indices: ArrayLike<number>, placeOfVertex: Uint32Array, placeCount: number): TornMesh {
    const vertexCount = placeOfVertex.length;
    const kept: number[] = [];
    const triangleOf: number[] = [];
    for (let i = 0; i + 2 < indices.length; i += 3) {
        const [a, b, c] = [0, 1, 2].map((k) => placeOfVertex[indices[i + k]]);
        if (a === b || b === c || c === a) continue;
        kept.push(indices[i], indices[i + 1], indices[i + 2]);
        triangleOf.push(i / 3);
    }
    const own = Uint32Array.from({ length: vertexCount }, (_, v) => v);
    return {
        vertexCount,
        from: own,
        to: own,
        shares: new Float32Array(vertexCount),
        indices: Uint32Array.from(kept),
        triangleOf: Uint32Array.from(triangleOf),
        placeCount,
        placeOfVertex,
    };
}

/** Edges by the places at their ends, whichever comes first. */
export class Edges {
    constructor(private readonly _placeCount: number) {}

    key(p: number, q: number): number {
        return Math.min(p, q) * this._placeCount + Math.max(p, q);
    }

    low(key: number): number {
        return Math.floor(key / this._placeCount);
    }

    high(key: number): number {
        return key % this._placeCount;
    }
}

/** All edges of a mesh, in the order of its triangles. */
export function edgesOf({ indices, placeOfVertex, placeCount }: TornMesh): Set<number> {
    const edges = new Edges(placeCount);
    const found = new Set<number>();
    for (let i = 0; i < indices.length; i += 3) {
        for (let k = 0; k < 3; k++) {
            found.add(edges.key(placeOfVertex[indices[i + k]], placeOfVertex[indices[i + ((k + 1) % 3)]]));
        }
    }
    return found;
}
