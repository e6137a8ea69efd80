import type { Geodesics } from "../../topology/geodesics";

/** Ways along edges are up to √2 longer than over the surface, on grids. */
const DETOUR = 1.5;
/** No particle. */
const NO_PARTICLE = -1;

/** Rest proximity pairs of each particle: list[starts[i]] to list[starts[i + 1] - 1]. */
export interface RestProximityPairs {
    /** Shape [particleCount + 1]. */
    readonly starts: Uint32Array;
    readonly list: Uint32Array;
}

/**
 * Finds rest proximity pairs: particles closer than `reach` [m] at rest in space, but not over the surface, as the layers of a folded shirt. All
 * other pairs that near are neighbours, which do not collide.
 */
export function findRestProximityPairs(surface: Geodesics, reach: number): RestProximityPairs {
    const { particleCount, positions } = surface;
    const grid = new HashGrid(positions, reach);
    const near = new GeodesicNeighbours(surface, DETOUR * reach);
    const starts = new Uint32Array(particleCount + 1);
    const list: number[] = [];
    for (let i = 0; i < particleCount; i++) {
        near.mark(i);
        grid.addClose(i, near, list);
        starts[i + 1] = list.length;
    }
    return { starts, list: Uint32Array.from(list) };
}

/** None, of so many particles. */
export function noRestProximityPairs(particleCount: number): RestProximityPairs {
    return { starts: new Uint32Array(particleCount + 1), list: new Uint32Array(0) };
}

/** The particles that are near one of them along edges. */
class GeodesicNeighbours {
    private readonly _distances: Float64Array;
    private readonly _source: Int32Array;
    private _currentSource = NO_PARTICLE;
    private readonly _queue: number[] = [];

    constructor(
        private readonly _surface: Geodesics,
        private readonly _maxDistance: number,
    ) {
        this._distances = new Float64Array(_surface.particleCount);
        this._source = new Int32Array(_surface.particleCount).fill(NO_PARTICLE);
    }

    /** True if the particle is near the one that was marked last. */
    has(particle: number): boolean {
        return this._source[particle] === this._currentSource;
    }

    /** Marks those that are no farther from a particle along edges than the most that counts. */
    mark(from: number): void {
        const { _surface: surface, _queue: queue } = this;
        this._currentSource = from;
        queue.length = 0;
        this._relax(from, 0);
        // Shorter paths may come later: then all goes on from there again.
        for (let q = 0; q < queue.length; q++) {
            const a = queue[q];
            for (let k = 2 * surface.starts[a]; k < 2 * surface.starts[a + 1]; k++) {
                const b = surface.others[k];
                this._relax(b, this._distances[a] + distance(surface.positions, a, b));
            }
        }
    }

    private _relax(particle: number, length: number): void {
        if (length > this._maxDistance || (this.has(particle) && length >= this._distances[particle])) return;
        this._distances[particle] = length;
        this._source[particle] = this._currentSource;
        this._queue.push(particle);
    }
}

/** Particles by the cells of a grid. */
class HashGrid {
    private readonly _heads: Int32Array;
    private readonly _next: Int32Array;
    private readonly _mask: number;

    constructor(
        private readonly _positions: Float32Array,
        private readonly _size: number,
    ) {
        const count = _positions.length / 3;
        this._mask = 2 ** Math.ceil(Math.log2(2 * count + 1)) - 1;
        this._heads = new Int32Array(this._mask + 1).fill(NO_PARTICLE);
        this._next = new Int32Array(count);
        for (let i = 0; i < count; i++) {
            const slot = this._slot(this._cell(i, 0), this._cell(i, 1), this._cell(i, 2));
            this._next[i] = this._heads[slot];
            this._heads[slot] = i;
        }
    }

    /** Adds what is closer to a particle than a cell is long, and not near it. */
    addClose(i: number, near: GeodesicNeighbours, list: number[]): void {
        const [cx, cy, cz] = [this._cell(i, 0), this._cell(i, 1), this._cell(i, 2)];
        for (let neighbour = 0; neighbour < 27; neighbour++) {
            const x = cx - 1 + (neighbour % 3);
            const y = cy - 1 + (Math.floor(neighbour / 3) % 3);
            const z = cz - 1 + Math.floor(neighbour / 9);
            for (let j = this._heads[this._slot(x, y, z)]; j !== NO_PARTICLE; j = this._next[j]) {
                if (near.has(j) || !(distance(this._positions, i, j) < this._size)) continue;
                // Cells of one slot would have it come twice.
                if (this._cell(j, 0) === x && this._cell(j, 1) === y && this._cell(j, 2) === z) list.push(j);
            }
        }
    }

    private _cell(i: number, c: number): number {
        return Math.floor(this._positions[3 * i + c] / this._size);
    }

    private _slot(x: number, y: number, z: number): number {
        return (Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791)) & this._mask;
    }
}

function distance(x: Float32Array, a: number, b: number): number {
    const dx = x[3 * a] - x[3 * b];
    const dy = x[3 * a + 1] - x[3 * b + 1];
    const dz = x[3 * a + 2] - x[3 * b + 2];
    return Math.sqrt(dx * dx + dy * dy + dz * dz);
}
