/**
 * How often cloth passes through cloth: edges that pierce a triangle with which they share no particle. Shares nothing with the solver. Signs
 * are exact: where doubles do not decide, integers do. A grid only spares it pairs whose boxes are apart.
 */

/** Shape of a list of triangles that is asked about again and again. */
interface Mesh {
    readonly edges: Uint32Array;
    /** Marks of triangles: the last edge that has been tried on them. */
    readonly seen: Int32Array;
}

const meshes = new WeakMap<object, Mesh>();

/**
 * Crossings of triangles, whatever body they are of. An edge that only touches a triangle counts, unless it lies in its plane.
 * @param x positions [m], `stride` numbers a particle; `triangles` shape [n, 3]
 * @param counts whether a crossing of an edge p q and a triangle a b c counts; left out: all do
 */
export function countCrossings(
    x: ArrayLike<number>,
    stride: number,
    triangles: ArrayLike<number>,
    counts: (edge: readonly number[], triangle: readonly number[]) => boolean = () => true,
): number {
    const { edges, seen } = meshOf(triangles);
    seen.fill(-1);
    const grid = new Grid(x, stride, triangles, 1.5 * meanLength(x, stride, edges));
    let count = 0;
    for (let e = 0; e < edges.length; e += 2) {
        const [p, q] = [edges[e], edges[e + 1]];
        grid.forEachCell([p, q], (cell) => {
            for (let k = grid.starts[cell]; k < grid.starts[cell + 1]; k++) {
                const t = grid.list[k];
                if (seen[t] === e) continue;
                seen[t] = e;
                const [a, b, c] = [triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]];
                if (p === a || p === b || p === c || q === a || q === b || q === c) continue;
                if (areApart(x, stride, p, q, a, b, c)) continue;
                if (pierces(x, stride, p, q, a, b, c) && counts([p, q], [a, b, c])) count++;
            }
        });
    }
    return count;
}

/** Triangles by the cells of a hashed grid that their boxes are in. */
class Grid {
    readonly starts: Uint32Array;
    readonly list: Uint32Array;
    private readonly _mask: number;

    constructor(
        private readonly _x: ArrayLike<number>,
        private readonly _stride: number,
        triangles: ArrayLike<number>,
        private readonly _size: number,
    ) {
        const count = triangles.length / 3;
        this._mask = 2 ** Math.ceil(Math.log2(count + 1)) - 1;
        this.starts = new Uint32Array(this._mask + 2);
        const corners = (t: number): number[] => [triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]];
        for (let t = 0; t < count; t++) this.forEachCell(corners(t), (cell) => this.starts[cell]++);
        for (let cell = 0, sum = 0; cell < this.starts.length; cell++) this.starts[cell] = sum += this.starts[cell];
        this.list = new Uint32Array(this.starts[this._mask + 1]);
        for (let t = 0; t < count; t++) this.forEachCell(corners(t), (cell) => (this.list[--this.starts[cell]] = t));
    }

    /** Visits the cells that the box of some particles is in. */
    forEachCell(particles: readonly number[], visit: (cell: number) => void): void {
        const [i0, i1] = this._range(particles, 0);
        const [j0, j1] = this._range(particles, 1);
        const [k0, k1] = this._range(particles, 2);
        for (let i = i0; i <= i1; i++)
            for (let j = j0; j <= j1; j++)
                for (let k = k0; k <= k1; k++)
                    visit((Math.imul(i, 73856093) ^ Math.imul(j, 19349663) ^ Math.imul(k, 83492791)) & this._mask);
    }

    private _range(particles: readonly number[], c: number): [number, number] {
        let least = Infinity;
        let most = -Infinity;
        for (const p of particles) {
            const value = this._x[p * this._stride + c];
            if (value < least) least = value;
            if (value > most) most = value;
        }
        return [Math.floor(least / this._size), Math.floor(most / this._size)];
    }
}

function meshOf(triangles: ArrayLike<number>): Mesh {
    const known = meshes.get(triangles);
    if (known) return known;
    const edges = new Map<string, [number, number]>();
    for (let t = 0; t < triangles.length; t += 3) {
        for (let k = 0; k < 3; k++) {
            const [p, q] = [triangles[t + k], triangles[t + ((k + 1) % 3)]];
            edges.set(p < q ? `${p} ${q}` : `${q} ${p}`, [p, q]);
        }
    }
    const mesh = { edges: Uint32Array.from([...edges.values()].flat()), seen: new Int32Array(triangles.length / 3) };
    meshes.set(triangles, mesh);
    return mesh;
}

function meanLength(x: ArrayLike<number>, s: number, edges: Uint32Array): number {
    let sum = 1e-9;
    for (let e = 0; e < edges.length; e += 2) {
        const [o, u] = [edges[e] * s, edges[e + 1] * s];
        sum += Math.hypot(x[o] - x[u], x[o + 1] - x[u + 1], x[o + 2] - x[u + 2]);
    }
    return (2 * sum) / edges.length;
}

function areApart(x: ArrayLike<number>, s: number, p: number, q: number, a: number, b: number, c: number): boolean {
    for (let k = 0; k < 3; k++) {
        const [u, v] = [x[p * s + k], x[q * s + k]];
        const [i, j, l] = [x[a * s + k], x[b * s + k], x[c * s + k]];
        if (Math.max(u, v) < Math.min(i, j, l) || Math.min(u, v) > Math.max(i, j, l)) return true;
    }
    return false;
}

/** Bound of what rounding changes in {@link side}, as a share of the sum of its products' sizes (after Shewchuk 1997, "orient3d"). */
const ROUNDED = 8e-16;

/** On which side of the triangle a b c the point d is: -1, 0, 1. */
function side(x: ArrayLike<number>, s: number, a: number, b: number, c: number, d: number): number {
    const [ax, ay, az] = [x[a * s] - x[d * s], x[a * s + 1] - x[d * s + 1], x[a * s + 2] - x[d * s + 2]];
    const [bx, by, bz] = [x[b * s] - x[d * s], x[b * s + 1] - x[d * s + 1], x[b * s + 2] - x[d * s + 2]];
    const [cx, cy, cz] = [x[c * s] - x[d * s], x[c * s + 1] - x[d * s + 1], x[c * s + 2] - x[d * s + 2]];
    const volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    const size =
        Math.abs(ax) * (Math.abs(by * cz) + Math.abs(bz * cy)) +
        Math.abs(ay) * (Math.abs(bz * cx) + Math.abs(bx * cz)) +
        Math.abs(az) * (Math.abs(bx * cy) + Math.abs(by * cx));
    // Nothing is rounded where all products are zero: flat cloth at rest.
    return size === 0 || Math.abs(volume) > ROUNDED * size ? Math.sign(volume) : exactSide(x, s, a, b, c, d);
}

/** The same in integers: all 32-bit floats, and sums of them, are multiples of 2 to the power of -149. */
function exactSide(x: ArrayLike<number>, s: number, a: number, b: number, c: number, d: number): number {
    const of = (p: number): bigint[] => [0, 1, 2].map((k) => BigInt(x[p * s + k] * 2 ** 149) - BigInt(x[d * s + k] * 2 ** 149));
    const [u, v, w] = [of(a), of(b), of(c)];
    const volume = u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
    return volume > 0n ? 1 : volume < 0n ? -1 : 0;
}

function pierces(x: ArrayLike<number>, s: number, p: number, q: number, a: number, b: number, c: number): boolean {
    const [before, behind] = [side(x, s, a, b, c, p), side(x, s, a, b, c, q)];
    if (before * behind > 0 || (before === 0 && behind === 0)) return false;
    const around = [side(x, s, p, q, a, b), side(x, s, p, q, b, c), side(x, s, p, q, c, a)];
    return !(around.includes(1) && around.includes(-1));
}
