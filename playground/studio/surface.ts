/**
 * The surface that is painted, as sites with a byte each: texels over the texture coordinates of a builder's cloth, so that paint survives another size, or
 * vertices of a file's mesh, whose texture coordinates may lie on each other.
 */
import { strFromU8, strToU8, deflateSync, inflateSync } from "fflate";
import type { SelectContext } from "babylon-cloth";

/** Painted bytes, deflated, in the letters of URLs: over texture coordinates, or by vertex. `of` is the number of vertices; null: unknown. */
export type Paint = { readonly uv: string } | { readonly vertices: string; readonly of: number | null };

/** Texels of a side of a mask. The first lies on 0, the last on 1. */
export const MASK_SIZE = 256;

/** Bytes as letters. */
export function encode(bytes: Uint8Array): string {
    const letters = btoa(strFromU8(deflateSync(bytes, { level: 9 }), true));
    return letters.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** Inverse of {@link encode}. @throws Error on other texts */
export function decode(text: string): Uint8Array {
    return inflateSync(strToU8(atob(text.replace(/-/g, "+").replace(/_/g, "/")), true));
}

export class Surface {
    readonly count: number;
    private _positions: Float32Array | null = null;
    private _siteOfVertex: Uint32Array | null = null;
    private _nearest: Uint32Array | null = null;
    private _links: readonly (readonly number[])[] | null = null;
    /** Texture coordinates of the texels; null: the vertices are the sites. */
    private readonly _uvs: ArrayLike<number> | null;
    private readonly _indices: ArrayLike<number>;

    /** @param isMask true: over texture coordinates, which are within 0 and 1, one place each */
    constructor(
        private readonly _rest: SelectContext,
        readonly isMask: boolean,
    ) {
        this._uvs = isMask ? _rest.mesh.getVerticesData("uv")!.slice() : null;
        this._indices = _rest.mesh.getIndices()!.slice();
        this.count = isMask ? MASK_SIZE * MASK_SIZE : _rest.vertexCount;
    }

    /** Position of each site at rest, mesh-local, shape [count, 3]; NaN off the mesh. */
    get positions(): Float32Array {
        return (this._positions ??= this._uvs ? this._rasterise(this._uvs) : this._rest.positions);
    }

    /** Site of each vertex. */
    get siteOfVertex(): Uint32Array {
        const uvs = this._uvs;
        return (this._siteOfVertex ??= Uint32Array.from({ length: this._rest.vertexCount }, (_, v) =>
            uvs ? siteAt(uvs[2 * v], uvs[2 * v + 1]) : v,
        ));
    }

    /** The nearest site that has a vertex, of each site: steps along the mask count. */
    get nearest(): Uint32Array {
        if (this._nearest) return this._nearest;
        const nearest = new Uint32Array(this.count).fill(this.count);
        const queue = [...new Set(this.siteOfVertex)];
        for (const site of queue) nearest[site] = site;
        for (let k = 0; this.isMask && k < queue.length; k++) {
            for (const next of this.neighbours(queue[k])) {
                if (nearest[next] < this.count) continue;
                nearest[next] = nearest[queue[k]];
                queue.push(next);
            }
        }
        return (this._nearest = nearest);
    }

    /** Sites beside a site. */
    neighbours(site: number): readonly number[] {
        if (!this.isMask) return (this._links ??= this._linkVertices())[site];
        const column = site % MASK_SIZE;
        return [
            ...(column > 0 ? [site - 1] : []),
            ...(column < MASK_SIZE - 1 ? [site + 1] : []),
            ...(site >= MASK_SIZE ? [site - MASK_SIZE] : []),
            ...(site + MASK_SIZE < this.count ? [site + MASK_SIZE] : []),
        ];
    }

    /**
     * Bytes of the sites; zeros without paint.
     * @throws Error where it was painted on another mesh
     */
    read(paint: Paint | null): Uint8Array {
        if (!paint) return new Uint8Array(this.count);
        if ("uv" in paint) {
            if (!this.isMask) throw new Error(`"${this._rest.mesh.name}" is painted by vertices, not over texture coordinates`);
            return decode(paint.uv);
        }
        const { vertexCount, mesh } = this._rest;
        const bytes = decode(paint.vertices);
        if (paint.of === null ? bytes.length > vertexCount : paint.of !== vertexCount) {
            const painted = `was painted with ${paint.of ?? `at least ${bytes.length}`} vertices`;
            throw new Error(`"${mesh.name}" ${painted} and has ${vertexCount} now: it begins without paint`);
        }
        return this.spread((vertex) => bytes[vertex] ?? 0);
    }

    /** A byte of each vertex as bytes of the sites: texels have that of the nearest. */
    spread(byteOf: (vertex: number) => number): Uint8Array {
        const own = new Uint8Array(this.count);
        this.siteOfVertex.forEach((site, vertex) => (own[site] = Math.max(own[site], byteOf(vertex))));
        return this.isMask ? own.map((_, site) => own[this.nearest[site]]) : own;
    }

    /** Inverse of {@link read}; null where nothing is painted. */
    write(bytes: Uint8Array): Paint | null {
        if (bytes.every((byte) => byte === 0)) return null;
        return this.isMask ? { uv: encode(bytes) } : { vertices: encode(bytes), of: this.count };
    }

    /** Positions of texels, from the triangles over them. */
    private _rasterise(uvs: ArrayLike<number>): Float32Array {
        const x = this._rest.positions;
        const positions = new Float32Array(3 * this.count).fill(NaN);
        const last = MASK_SIZE - 1;
        for (let t = 0; t < this._indices.length; t += 3) {
            const corners = [this._indices[t], this._indices[t + 1], this._indices[t + 2]];
            const [a, b, c] = corners.map((vertex) => [last * uvs[2 * vertex], last * uvs[2 * vertex + 1]]);
            const area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            if (area === 0) continue;
            const rows = rangeOf(a[1], b[1], c[1]);
            const columns = rangeOf(a[0], b[0], c[0]);
            for (let row = rows[0]; row <= rows[1]; row++) {
                for (let column = columns[0]; column <= columns[1]; column++) {
                    const wb = ((column - a[0]) * (c[1] - a[1]) - (row - a[1]) * (c[0] - a[0])) / area;
                    const wc = ((b[0] - a[0]) * (row - a[1]) - (b[1] - a[1]) * (column - a[0])) / area;
                    if (Math.min(wb, wc, 1 - wb - wc) < -1e-3) continue;
                    const weights = [1 - wb - wc, wb, wc];
                    for (let i = 0; i < 3; i++) {
                        positions[3 * (row * MASK_SIZE + column) + i] = corners.reduce(
                            (sum, vertex, k) => sum + weights[k] * x[3 * vertex + i],
                            0,
                        );
                    }
                }
            }
        }
        return positions;
    }

    /** Vertices beside each vertex; those at one place are beside each other. */
    private _linkVertices(): number[][] {
        const { positions, vertexCount } = this._rest;
        const links = Array.from({ length: vertexCount }, () => new Set<number>());
        const join = (a: number, b: number): void => {
            links[a].add(b);
            links[b].add(a);
        };
        for (let t = 0; t < this._indices.length; t += 3)
            for (let k = 0; k < 3; k++) join(this._indices[t + k], this._indices[t + ((k + 1) % 3)]);
        const firstAt = new Map<string, number>();
        for (let v = 0; v < vertexCount; v++) {
            const place = positions.subarray(3 * v, 3 * v + 3).join();
            const first = firstAt.get(place);
            if (first === undefined) firstAt.set(place, v);
            else join(first, v);
        }
        return links.map((set) => [...set]);
    }
}

/** The texel at texture coordinates. */
function siteAt(u: number, v: number): number {
    const at = (x: number): number => Math.round((MASK_SIZE - 1) * Math.min(1, Math.max(0, x)));
    return at(v) * MASK_SIZE + at(u);
}

/** Whole numbers between the least and the largest of three, within the mask. */
function rangeOf(...places: number[]): [number, number] {
    return [Math.max(0, Math.ceil(Math.min(...places) - 1e-3)), Math.min(MASK_SIZE - 1, Math.floor(Math.max(...places) + 1e-3))];
}
