/**
 * Geodesic distances over a triangle mesh by fast marching with unfolded triangles (Kimmel & Sethian 1998; point sources as
 * in Novotni & Klein 2002):
 *
 *        C            d(A), d(B) known: unfold a virtual source S behind A–B with |SA| = d(A), |SB| = d(B);
 *       ╱ ╲           if S–C crosses A–B then d(C) = |SC|, else along an edge: min(d(A) + |AC|, d(B) + |BC|).
 *      A───B          Exact on flat cloth; elsewhere never shorter than the straight line.
 *       ╲ ╱
 *        S
 */

/** Distances that differ by less than this share are equal. */
const TIE = 1e-5;

/** Distances from one group of sources. */
export interface Distances {
    /** Distance to the nearest source of the group [m]; Infinity where there is no way, shape [particleCount]. */
    distances: Float32Array;
    /** That source, shape [particleCount]. */
    sources: Uint32Array;
}

/** A triangle mesh prepared for any number of searches. */
export class Geodesics {
    private readonly _starts: Uint32Array;
    /** The two other corners of each triangle around a particle, shape [2 × incidences]. */
    private readonly _others: Uint32Array;
    private readonly _heap: MinHeap;

    /**
     * @param positions rest positions [m], shape [particleCount, 3]
     * @param triangles shape [triangleCount, 3]
     */
    constructor(private readonly _positions: Float32Array, triangles: Uint32Array) {
        const particleCount = _positions.length / 3;
        const starts = new Uint32Array(particleCount + 1);
        for (let i = 0; i < triangles.length; i++) starts[triangles[i] + 1]++;
        for (let i = 0; i < particleCount; i++) starts[i + 1] += starts[i];
        const next = starts.slice(0, particleCount);
        const others = new Uint32Array(triangles.length * 2);
        for (let t = 0; t < triangles.length; t += 3) {
            const a = triangles[t];
            const b = triangles[t + 1];
            const c = triangles[t + 2];
            let o = next[a]++ * 2;
            others[o] = b;
            others[o + 1] = c;
            o = next[b]++ * 2;
            others[o] = c;
            others[o + 1] = a;
            o = next[c]++ * 2;
            others[o] = a;
            others[o + 1] = b;
        }
        this._starts = starts;
        this._others = others;
        this._heap = new MinHeap(particleCount);
    }

    /**
     * Splits particles into groups that hang together by edges among themselves.
     * @param members particle indices
     */
    groups(members: Uint32Array): Uint32Array[] {
        const group = new Int32Array(this._positions.length / 3).fill(-1);
        for (const p of members) group[p] = 0;
        const groups: Uint32Array[] = [];
        for (const first of members) {
            if (group[first] !== 0) continue;
            const found = [first];
            group[first] = groups.length + 1;
            for (let i = 0; i < found.length; i++) {
                for (let k = this._starts[found[i]] * 2; k < this._starts[found[i] + 1] * 2; k++) {
                    const q = this._others[k];
                    if (group[q] === 0) {
                        group[q] = groups.length + 1;
                        found.push(q);
                    }
                }
            }
            groups.push(Uint32Array.from(found));
        }
        return groups;
    }

    /** Distances of all particles from the nearest of `sources`. */
    from(sourceParticles: Uint32Array): Distances {
        const particleCount = this._positions.length / 3;
        const distances = new Float32Array(particleCount).fill(Infinity);
        const sources = new Uint32Array(particleCount);
        const isFinal = new Uint8Array(particleCount);
        const { _heap: heap, _starts: starts, _others: others } = this;
        heap.clear();
        for (const s of sourceParticles) {
            distances[s] = 0;
            sources[s] = s;
            heap.push(s, distances);
        }
        while (heap.size > 0) {
            const v = heap.pop(distances);
            isFinal[v] = 1;
            const source = sources[v];
            for (let k = starts[v] * 2, end = starts[v + 1] * 2; k < end; k += 2) {
                const a = others[k];
                const b = others[k + 1];
                for (let turn = 0; turn < 2; turn++) {
                    const target = turn === 0 ? a : b;
                    if (isFinal[target] === 1) continue;
                    const other = turn === 0 ? b : a;
                    const d = isFinal[other] === 1 && sources[other] === source
                        ? this._unfold(v, other, target, distances[v], distances[other])
                        : distances[v] + this._length(v, target);
                    // Of sources equally near but for rounding, the first: the same cloth, turned, hangs the same.
                    const known = distances[target];
                    const isTie = known < Infinity && Math.abs(d - known) <= TIE * known;
                    if (isTie ? source < sources[target] : d < known) {
                        distances[target] = Math.min(d, known);
                        sources[target] = source;
                        heap.push(target, distances);
                    }
                }
            }
        }
        return { distances, sources };
    }

    private _length(a: number, b: number): number {
        const x = this._positions;
        const dx = x[3 * a] - x[3 * b];
        const dy = x[3 * a + 1] - x[3 * b + 1];
        const dz = x[3 * a + 2] - x[3 * b + 2];
        return Math.sqrt(dx * dx + dy * dy + dz * dz);
    }

    /** Distance of c over the edge a–b, see the top of the file. */
    private _unfold(a: number, b: number, c: number, da: number, db: number): number {
        const ab = this._length(a, b);
        const ac = this._length(a, c);
        const bc = this._length(b, c);
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
        // Where the straight way crosses the edge's line.
        const crossing = sx + ((cx - sx) * -sy) / height;
        if (crossing < 0 || crossing > ab) return alongEdge;
        return Math.min(alongEdge, Math.sqrt((cx - sx) * (cx - sx) + height * height));
    }
}

/** Binary heap of particles by distance, with decrease-key. */
class MinHeap {
    size = 0;
    private readonly _items: Uint32Array;
    /** Place of each particle in the heap + 1; 0: not in it. */
    private readonly _places: Uint32Array;

    constructor(capacity: number) {
        this._items = new Uint32Array(capacity);
        this._places = new Uint32Array(capacity);
    }

    clear(): void {
        this.size = 0;
        this._places.fill(0);
    }

    /** Adds an item, or moves it up after its key has become smaller. */
    push(item: number, keys: Float32Array): void {
        const items = this._items;
        const places = this._places;
        let i = places[item] - 1;
        if (i < 0) i = this.size++;
        const key = keys[item];
        while (i > 0) {
            const parent = (i - 1) >> 1;
            const above = items[parent];
            if (keys[above] <= key) break;
            items[i] = above;
            places[above] = i + 1;
            i = parent;
        }
        items[i] = item;
        places[item] = i + 1;
    }

    pop(keys: Float32Array): number {
        const items = this._items;
        const places = this._places;
        const top = items[0];
        places[top] = 0;
        const last = items[--this.size];
        if (this.size === 0) return top;
        const key = keys[last];
        let i = 0;
        for (;;) {
            let child = 2 * i + 1;
            if (child >= this.size) break;
            if (child + 1 < this.size && keys[items[child + 1]] < keys[items[child]]) child++;
            const below = items[child];
            if (keys[below] >= key) break;
            items[i] = below;
            places[below] = i + 1;
            i = child;
        }
        items[i] = last;
        places[last] = i + 1;
        return top;
    }
}
