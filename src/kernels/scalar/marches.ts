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
import { NONE } from "../layout";
import type { RestArrays } from "../restLayout";
import { lastSide, nextSide, placeOf } from "./rest";

/** A ray passes what lies within this share of the first edge on the same side [1]. */
const TOLERANCE = 1e-3;
/** Most triangles in a march. */
const MOST_TRIANGLES = 1000;
/** How much more a particle's distance from the ray counts than that from the end of the march. */
const STRAIGHTNESS = 2;

/** See the top of the file. One *fan*, the triangles around a particle, is looked at after the other. */
export class Marches {
    /** Neighbours of the fan's particle, in order around it. */
    neighbours!: Uint32Array;
    /** Their directions in the tangent plane, ascending from 0 [rad]; around a particle inside the surface, 2π in all. */
    angles!: Float64Array;
    /** Their distances [m]. */
    lengths!: Float64Array;
    /** 1 where a structural stick leads to them. */
    isEdge!: Uint32Array;
    /** Number of neighbours. */
    count = 0;
    /** Whether the fan goes all around. */
    isClosed = false;

    /** Where the last march ended: a particle, and its place along the march and to the left of it [m]. */
    end = 0;
    endX = 0;
    endY = 0;

    private _centre = 0;
    /** Where its fan begins. */
    private _start = 0;
    private _best = 0;

    /** @param _rest a surface that has been surveyed */
    constructor(private readonly _rest: RestArrays) {}

    /** Turns to the fan of a particle. @returns false where it has no triangle */
    turnTo(particle: number): boolean {
        const { neighbours, angles, lengths, isEdge, fanStarts, fanCounts, isClosed } = this._rest;
        const start = (this._start = fanStarts[particle]);
        const end = start + (this.count = fanCounts[particle]);
        this._centre = particle;
        this.isClosed = isClosed[particle] === 1;
        this.neighbours = neighbours.subarray(start, end);
        this.angles = angles.subarray(start, end);
        this.lengths = lengths.subarray(start, end);
        this.isEdge = isEdge.subarray(start, end);
        return this.count > 0;
    }

    /**
     * Marches from the fan's particle.
     * @param direction in the fan's tangent plane [rad]
     * @param length how far [m]
     * @returns false where the surface does not go on in that direction
     */
    go(direction: number, length: number): boolean {
        const { angles, lengths, neighbours, isClosed, count, _start: start, _rest: rest } = this;
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
        const below = share * (nextAngle - angles[k]) < 1e-3 ? 0 : share * rest.sectorAngles[start + k];
        if (below === 0 && length < 1.001 * lengths[low]) {
            // No farther than the neighbour.
            this.end = neighbours[low];
            this.endX = lengths[low];
            this.endY = 0;
            return true;
        }
        this._best = Infinity;
        const { triangles, thirds } = rest;
        // The side that leads away from the fan's particle, and the one between it and the low neighbour.
        let away = 4 * rest.sectors[start + k];
        while (triangles[placeOf(away)] !== this._centre) away++;
        const isLowNext = triangles[placeOf(nextSide(away))] === neighbours[low];
        const o = thirdOf(isLowNext ? away : lastSide(away), isLowNext);
        const x = thirds[o] * lengths[low];
        const y = thirds[o + 1] * lengths[low];
        const cosine = Math.cos(below);
        const sine = Math.sin(below);
        if (
            !this._march(
                nextSide(away),
                neighbours[low],
                lengths[low] * cosine,
                -lengths[low] * sine,
                neighbours[high],
                x * cosine + y * sine,
                y * cosine - x * sine,
                length,
                TOLERANCE * Math.min(lengths[low], lengths[high]),
            )
        )
            return false;
        this.endY *= side;
        return true;
    }

    /** Goes on through the side p–q of a triangle. */
    private _march(
        side: number,
        p: number,
        px: number,
        py: number,
        q: number,
        qx: number,
        qy: number,
        length: number,
        tolerance: number,
    ): boolean {
        const { _rest: rest } = this;
        const { triangles, across, thirds } = rest;
        this._consider(p, px, py, length);
        this._consider(q, qx, qy, length);
        for (let made = 0; made < MOST_TRIANGLES; made++) {
            const rise = qy - py;
            if (!(rise > 0) || px - (py * (qx - px)) / rise >= length) break;
            const beyond = across[placeOf(side)];
            if (beyond === NONE) break;
            const isAlong = triangles[placeOf(beyond)] === p;
            const next = nextSide(beyond);
            const last = lastSide(beyond);
            const r = triangles[placeOf(last)];
            const o = thirdOf(beyond, isAlong);
            const along = thirds[o];
            const height = thirds[o + 1];
            const rx = px + along * (qx - px) + height * (qy - py);
            const ry = py + along * (qy - py) - height * (qx - px);
            this._consider(r, rx, ry, length);
            if (ry > tolerance) {
                qx = rx;
                qy = ry;
                side = isAlong ? last : next;
            } else {
                p = r;
                px = rx;
                py = ry;
                side = isAlong ? next : last;
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
}

/** Place in `thirds` of the third corner of a side's triangle. @param isAlong whether seen from the side's first end */
function thirdOf(side: number, isAlong: boolean): number {
    return 4 * placeOf(side) + (isAlong ? 0 : 2);
}
