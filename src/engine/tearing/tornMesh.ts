/** A mesh as tears see it: triangles of vertices, and the places at which vertices hang together. */
export interface TornMesh {
    readonly vertexCount: number;
    /** Origin of each vertex in the mesh that was torn: between the vertices `from` and `to`, at a share of the way; shape [vertexCount] each. */
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
    const kept = new Uint32Array(indices.length);
    const triangleOf = new Uint32Array(indices.length / 3);
    let count = 0;
    for (let i = 0; i + 2 < indices.length; i += 3) {
        const a = placeOfVertex[indices[i]];
        const b = placeOfVertex[indices[i + 1]];
        const c = placeOfVertex[indices[i + 2]];
        if (a === b || b === c || c === a) continue;
        for (let k = 0; k < 3; k++) kept[3 * count + k] = indices[i + k];
        triangleOf[count++] = i / 3;
    }
    const own = new Uint32Array(vertexCount);
    for (let v = 0; v < vertexCount; v++) own[v] = v;
    return {
        vertexCount,
        from: own,
        to: own,
        shares: new Float32Array(vertexCount),
        indices: kept.slice(0, 3 * count),
        triangleOf: triangleOf.slice(0, count),
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

/** Numbers with further ones after them. */
export function extended<Numbers extends Uint32Array | Float32Array>(numbers: Numbers, more: readonly number[]): Numbers {
    const result = new (numbers.constructor as new (length: number) => Numbers)(numbers.length + more.length);
    result.set(numbers);
    result.set(more, numbers.length);
    return result;
}

/** The corners at each of some places, as slots of the indices, ascending. */
export function cornersAt({ indices, placeOfVertex, placeCount }: TornMesh, places: Iterable<number>): Map<number, number[]> {
    const corners = new Map<number, number[]>();
    for (const place of places) corners.set(place, []);
    // Most corners are at none of them, and a look into the map costs more.
    const isAsked = new Uint8Array(placeCount);
    for (const place of corners.keys()) isAsked[place] = 1;
    for (let i = 0; i < indices.length; i++) {
        const place = placeOfVertex[indices[i]];
        if (isAsked[place] === 1) corners.get(place)!.push(i);
    }
    return corners;
}
