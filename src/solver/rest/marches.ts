/**
 * Straight marches over a surface at rest: from a particle, in a direction of its tangent plane, across the triangles, which are
 * unfolded into that plane as they come, to the particle nearest to a distance.
 *
 *          q ●─────────● r        the ray runs along x; the edge p–q that it leaves through has p on it or below, q above;
 *           ╱ ╲       ╱           behind it lies r, and the ray leaves through p–r or r–q
 *      b ●╌╌╌╌╌╲╌╌╌╌╌╱╌╌╌→ x
 *           ╲   ╲   ╱
 *            ╲───● p              A ray through a particle passes on its left.
 *
 * What is flat or was bent from flat is marched exactly; elsewhere a march is as straight as the triangles on its left allow.
 */
import { cross, distance, dotAt } from "../geometry";

/** No triangle. */
const NONE = 0xffffffff;
/** A ray passes what lies within this share of the first edge on the same side [1]. */
const TOLERANCE = 1e-3;
/** Most triangles in a march. */
const MOST_TRIANGLES = 1000;
/** How much more a particle's distance from the ray counts than that from the end of the march. */
const STRAIGHTNESS = 2;

/** See the top of the file. One *fan*, the triangles around a particle, is looked at after the other. */
export class Marches {
    /** Neighbours of the fan's particle, in order around it; `count` are valid. */
    readonly neighbours: number[] = [];
    /** Their directions in the tangent plane, ascending from 0 [rad]; around a particle inside the surface, 2π in all. */
    readonly angles: number[] = [];
    /** Their distances [m]. */
    readonly lengths: number[] = [];
    /** Number of neighbours. */
    count = 0;
    /** Whether the fan goes all around. */
    isClosed = false;

    /** Where the last march ended: a particle, and its place in the tangent plane of the fan [m]. */
    end = 0;
    endX = 0;
    endY = 0;
    /** Its distance from the straight line [m]. */
    askew = 0;

    private readonly _across: Uint32Array;
    private readonly _triangleOf: Uint32Array;
    private _centre = 0;
    /** The triangle between a neighbour and the next, and its true angle. */
    private readonly _sectors: number[] = [];
    private readonly _sectorAngles: number[] = [];
    private _best = 0;

    /**
     * @param positions rest positions [m], shape [particleCount, 3]
     * @param triangles particles of each triangle, shape [triangleCount, 3]
     */
    constructor(
        private readonly _positions: Float32Array,
        private readonly _triangles: Uint32Array,
    ) {
        this._across = trianglesAcross(_triangles, _positions.length / 3);
        this._triangleOf = new Uint32Array(_positions.length / 3).fill(NONE);
        for (let i = 0; i < _triangles.length; i++) this._triangleOf[_triangles[i]] = (i / 3) | 0;
    }

    /** Turns to the fan of a particle. @returns false where it has no triangle */
    turnTo(particle: number): boolean {
        const { neighbours, angles, lengths, _sectors: sectors, _sectorAngles: sectorAngles, _positions: x } = this;
        const first = this._triangleOf[particle];
        this.count = 0;
        if (first === NONE) return false;
        this._centre = particle;
        // Back to the border, or once around.
        let triangle = first;
        let [near] = this._others(triangle, particle);
        for (;;) {
            const next = this._triangleAcross(triangle, particle, near);
            if (next === NONE || next === first) break;
            near = this._third(next, particle, near);
            triangle = next;
        }
        const begin = triangle;
        let total = 0;
        let n = 0;
        neighbours[0] = near;
        angles[0] = 0;
        lengths[0] = distance(x, particle, near);
        this.isClosed = false;
        for (;;) {
            const far = this._third(triangle, particle, near);
            sectors[n] = triangle;
            sectorAngles[n] = angleBetween(x, particle, near, far);
            total += sectorAngles[n];
            n++;
            const next = this._triangleAcross(triangle, particle, far);
            if (next === begin) {
                this.isClosed = true;
                break;
            }
            neighbours[n] = far;
            angles[n] = total;
            lengths[n] = distance(x, particle, far);
            if (next === NONE) break;
            triangle = next;
            near = far;
        }
        this.count = this.isClosed ? n : n + 1;
        if (this.isClosed) for (let i = 1; i < n; i++) angles[i] *= (2 * Math.PI) / total;
        return true;
    }

    /**
     * Marches from the fan's particle.
     * @param direction in the fan's tangent plane [rad]
     * @param length how far [m]
     * @returns false where the surface does not go on in that direction
     */
    go(direction: number, length: number): boolean {
        const { angles, lengths, neighbours, isClosed, count } = this;
        const turn = 2 * Math.PI;
        let angle = direction;
        if (isClosed) angle -= turn * Math.floor(angle / turn);
        else if (angle < -1e-3) angle += turn;
        // The sector that holds the direction; a direction along an edge begins one.
        let k = count - 1;
        while (k > 0 && angles[k] > angle + 1e-3) k--;
        const sectorCount = isClosed ? count : count - 1;
        let side = 1;
        const low = k;
        let high = (k + 1) % count;
        if (k === sectorCount) {
            // Along the border at the fan's end: the mirror image.
            if (angle > angles[k] + 1e-3) return false;
            side = -1;
            k--;
            high = k;
        }
        const nextAngle = k + 1 < count ? angles[k + 1] : turn;
        const share = side < 0 ? 0 : Math.max(0, (angle - angles[k]) / (nextAngle - angles[k]));
        const below = share * (nextAngle - angles[k]) < 1e-3 ? 0 : share * this._sectorAngles[k];
        const above = this._sectorAngles[k] - below;
        if (below === 0 && length < 1.001 * lengths[low]) {
            // No farther than the neighbour.
            this.end = neighbours[low];
            this.endX = lengths[low] * Math.cos(direction);
            this.endY = lengths[low] * Math.sin(direction);
            this.askew = 0;
            return true;
        }
        this._best = Infinity;
        const cosine = Math.cos(direction);
        const sine = Math.sin(direction);
        if (
            !this._march(
                this._sectors[k],
                neighbours[low],
                lengths[low] * Math.cos(below),
                -lengths[low] * Math.sin(below),
                neighbours[high],
                lengths[high] * Math.cos(above),
                lengths[high] * Math.sin(above),
                length,
                TOLERANCE * Math.min(lengths[low], lengths[high]),
            )
        )
            return false;
        const { endX: ex, endY } = this;
        const ey = side * endY;
        this.askew = Math.abs(endY);
        this.endX = ex * cosine - ey * sine;
        this.endY = ex * sine + ey * cosine;
        return true;
    }

    /** Goes on through the edge p–q of a triangle. */
    private _march(
        triangle: number,
        p: number,
        px: number,
        py: number,
        q: number,
        qx: number,
        qy: number,
        length: number,
        tolerance: number,
    ): boolean {
        const x = this._positions;
        this._consider(p, px, py, length);
        this._consider(q, qx, qy, length);
        let t = triangle;
        for (let made = 0; made < MOST_TRIANGLES; made++) {
            const rise = qy - py;
            if (!(rise > 0) || px - (py * (qx - px)) / rise >= length) break;
            t = this._triangleAcross(t, p, q);
            if (t === NONE) break;
            const r = this._third(t, p, q);
            const ex = x[3 * q] - x[3 * p],
                ey = x[3 * q + 1] - x[3 * p + 1],
                ez = x[3 * q + 2] - x[3 * p + 2];
            const fx = x[3 * r] - x[3 * p],
                fy = x[3 * r + 1] - x[3 * p + 1],
                fz = x[3 * r + 2] - x[3 * p + 2];
            const squared = ex * ex + ey * ey + ez * ez;
            const along = (fx * ex + fy * ey + fz * ez) / squared;
            const height = Math.sqrt(Math.max(0, fx * fx + fy * fy + fz * fz - along * along * squared) / squared);
            const rx = px + along * (qx - px) + height * (qy - py);
            const ry = py + along * (qy - py) - height * (qx - px);
            this._consider(r, rx, ry, length);
            if (ry > tolerance) {
                q = r;
                qx = rx;
                qy = ry;
            } else {
                p = r;
                px = rx;
                py = ry;
            }
        }
        return this._best < Infinity;
    }

    private _consider(particle: number, x: number, y: number, length: number): void {
        const score = Math.abs(x - length) + STRAIGHTNESS * Math.abs(y);
        // Of equals the first, but for rounding.
        if (!(score < this._best - 1e-5 * length) || x <= 0 || particle === this._centre) return;
        this._best = score;
        this.end = particle;
        this.endX = x;
        this.endY = y;
    }

    /** The triangle on the other side of an edge of a triangle. */
    private _triangleAcross(t: number, p: number, q: number): number {
        const { _triangles: triangles } = this;
        const a = triangles[3 * t];
        const b = triangles[3 * t + 1];
        if (a !== p && a !== q) return this._across[3 * t + 1];
        return b !== p && b !== q ? this._across[3 * t + 2] : this._across[3 * t];
    }

    private _third(t: number, p: number, q: number): number {
        const { _triangles: triangles } = this;
        const a = triangles[3 * t];
        const b = triangles[3 * t + 1];
        if (a !== p && a !== q) return a;
        return b !== p && b !== q ? b : triangles[3 * t + 2];
    }

    private _others(t: number, p: number): [number, number] {
        const { _triangles: triangles } = this;
        const a = triangles[3 * t];
        const b = triangles[3 * t + 1];
        const c = triangles[3 * t + 2];
        if (a === p) return [b, c];
        return b === p ? [c, a] : [a, b];
    }
}

/** The triangle across each side of each, from a corner to the next; {@link NONE} at a border. Of more than two at an edge, the first two. */
function trianglesAcross(triangles: Uint32Array, particleCount: number): Uint32Array {
    const across = new Uint32Array(triangles.length).fill(NONE);
    const starts = new Uint32Array(particleCount + 1);
    const next = (side: number): number => triangles[side % 3 === 2 ? side - 2 : side + 1];
    for (let side = 0; side < triangles.length; side++) starts[Math.min(triangles[side], next(side)) + 1]++;
    for (let p = 0; p < particleCount; p++) starts[p + 1] += starts[p];
    const sides = new Uint32Array(triangles.length);
    const free = starts.slice(0, particleCount);
    for (let side = 0; side < triangles.length; side++) {
        const end = next(side);
        const low = Math.min(triangles[side], end);
        const high = Math.max(triangles[side], end);
        let found = false;
        for (let i = starts[low]; i < free[low] && !found; i++) {
            const other = sides[i];
            if (Math.max(triangles[other], next(other)) !== high) continue;
            found = true;
            if (across[other] !== NONE) continue;
            across[other] = (side / 3) | 0;
            across[side] = (other / 3) | 0;
        }
        if (!found) sides[free[low]++] = side;
    }
    return across;
}

/** Within a call: a cross product and its length. */
const product = new Float64Array(4);

/** Angle at corner p between q and r [rad]. */
function angleBetween(x: Float32Array, p: number, q: number, r: number): number {
    cross(x, p, q, r, product, 0);
    return Math.atan2(product[3], dotAt(x, p, q, r));
}
