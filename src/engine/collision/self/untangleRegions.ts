import { rowOf } from "../../../kernels/layout";
import { IntersectionRecord, SelfContactParameter, SelfContactCounter, BvhTriangle } from "../../../kernels/selfContactLayout";
import type { SelfContactArrays } from "../../../kernels/selfContactLayout";
import type { CollisionProxy } from "./collisionProxy";

/** No crossing. */
const NO_INTERSECTION = -1;

/** Sliding motion of untangling in a substep, as a share of its other pull: the whole region moves at once. */
const SLIDE_SHARE = 0.5;

/**
 * The sides that crossings cut cloths into. What goes through a cloth by its middle comes out as the line of intersection gets shorter, see
 * assembly/intersections.ts. A line from border to border is as long wherever it is, so it would stay; but it cuts cloth in two, and the smaller side
 * comes back through what it has passed (Baraff, Witkin and Kass 2003, "Untangling cloth", find that side by the same flood). What is pinned
 * is not moved through anything.
 */
export class UntangleRegions {
    /** Of each particle: another of its side, nearer to the one that the side is named after. */
    private readonly _parents: Int32Array;
    /** Of each side, at that one: how many particles it has; Infinity where one is pinned. */
    private readonly _sizes: Float64Array;
    /** Of each particle: the last crossing of an edge of which it is the lower end; and of each crossing the one before. */
    private readonly _lastIntersection: Int32Array;
    private readonly _previousIntersection: Int32Array;

    /** @param _contacts whose crossings are looked at */
    constructor(private readonly _contacts: SelfContactArrays) {
        const { particleCount } = _contacts.shared;
        this._parents = new Int32Array(particleCount);
        this._sizes = new Float64Array(particleCount);
        this._lastIntersection = new Int32Array(particleCount).fill(NO_INTERSECTION);
        this._previousIntersection = new Int32Array(_contacts.intersectionCapacity);
    }

    /**
     * Has the crossings of two bodies, or of one with itself, from one on, move the smaller sides back.
     * @param least fewest particles that a side has that is brought back
     * @returns how many particles those have
     */
    pushBack(first: number, a: CollisionProxy, b: CollisionProxy, least: number): number {
        const { intersections: crossings, progress } = this._contacts;
        const end = progress[SelfContactCounter.intersectionCount];
        for (let k = first; k < end; k++) {
            const p = this._lowerEnd(k);
            this._previousIntersection[k] = this._lastIntersection[p];
            this._lastIntersection[p] = k;
        }
        this._buildRegions(a);
        if (b !== a) this._buildRegions(b);
        for (let k = first; k < end; k++) {
            this._lastIntersection[this._lowerEnd(k)] = NO_INTERSECTION;
            const o = k * IntersectionRecord.count;
            const p = this._sizeAt(crossings[o]);
            const q = this._sizeAt(crossings[o + 1]);
            // Not where both are pinned, or both ends are of one side.
            if (p !== q && Math.min(p, q) >= least) this._push(o, crossings[o + (p < q ? 0 : 1)]);
        }
        const count = this._countSmaller(first, end);
        if (count === 0 && a !== b) this._slide(first, end, a);
        return count;
    }

    /**
     * Has two bodies that neither cuts slide out of each other: a line of intersection that runs from a border of the one to a border of the
     * other gets shorter by a shift along it. Of what shortens it, only the ends are left, which alone would crumple; so all of it goes with them.
     */
    private _slide(first: number, end: number, a: CollisionProxy): void {
        const { intersections: crossings, intersectionFloats: f, numbers } = this._contacts;
        shift.fill(0);
        for (let o = first * IntersectionRecord.count; o < end * IntersectionRecord.count; o += IntersectionRecord.count) {
            const sign = belongsTo(a, crossings[o]) ? 1 : -1;
            for (let c = 0; c < 3; c++) shift[c] += sign * f[o + IntersectionRecord.displacement + c];
        }
        const pull = numbers[SelfContactParameter.untangleStep];
        const length = Math.sqrt(shift[0] * shift[0] + shift[1] * shift[1] + shift[2] * shift[2]);
        if (!(length > pull)) return;
        for (let o = first * IntersectionRecord.count; o < end * IntersectionRecord.count; o += IntersectionRecord.count) {
            const scale = ((belongsTo(a, crossings[o]) ? SLIDE_SHARE : -SLIDE_SHARE) * pull) / length;
            for (let c = 0; c < 3; c++) f[o + IntersectionRecord.displacement + c] = scale * shift[c];
        }
    }

    private _lowerEnd(crossing: number): number {
        const { intersections: crossings } = this._contacts;
        return Math.min(crossings[crossing * IntersectionRecord.count], crossings[crossing * IntersectionRecord.count + 1]);
    }

    private _isCut(p: number, q: number): boolean {
        const { intersections: crossings } = this._contacts;
        let k = this._lastIntersection[Math.min(p, q)];
        for (; k !== NO_INTERSECTION; k = this._previousIntersection[k])
            if (crossings[k * IntersectionRecord.count] + crossings[k * IntersectionRecord.count + 1] === p + q) return true;
        return false;
    }

    /** Finds the regions of a body: parts whose connecting edges intersect nothing. */
    private _buildRegions({ first, particleCount, bvh: { triangles, triangleCount }, body }: CollisionProxy): void {
        const { _parents: nearer, _sizes: sizes } = this;
        for (let i = first; i < first + particleCount; i++) nearer[i] = i;
        for (let o = 0; o < triangleCount * BvhTriangle.count; o += BvhTriangle.count) {
            for (let k = 0; k < 3; k++) {
                if (!((triangles[o + BvhTriangle.ownership] >> (3 + k)) & 1)) continue;
                const p = first + triangles[o + k];
                const q = first + triangles[o + ((k + 1) % 3)];
                if (!this._isCut(p, q)) nearer[this._regionOf(p)] = this._regionOf(q);
            }
        }
        const { inverseMasses } = body.state;
        sizes.fill(0, first, first + particleCount);
        for (let i = 0; i < particleCount; i++) sizes[this._regionOf(first + i)] += inverseMasses[i] > 0 ? 1 : Infinity;
    }

    private _regionOf(particle: number): number {
        const { _parents: nearer } = this;
        while (nearer[particle] !== particle) particle = nearer[particle] = nearer[nearer[particle]];
        return particle;
    }

    private _sizeAt(particle: number): number {
        return this._sizes[this._regionOf(particle)];
    }

    /** Has a crossing's edge move so that one of its ends comes back through the triangle. */
    private _push(o: number, end: number): void {
        const { intersections: crossings, intersectionFloats: f, numbers, shared } = this._contacts;
        const { snapshot: x } = shared;
        const a = rowOf(crossings[o + 2]);
        const b = rowOf(crossings[o + 3]);
        const c = rowOf(crossings[o + 4]);
        const p = rowOf(end);
        let squared = 0;
        let height = 0;
        for (let k = 0; k < 3; k++) {
            const l = (k + 1) % 3;
            const m = (k + 2) % 3;
            const n = (x[b + l] - x[a + l]) * (x[c + m] - x[a + m]) - (x[b + m] - x[a + m]) * (x[c + l] - x[a + l]);
            squared += n * n;
            height += n * (x[p + k] - x[a + k]);
            normal[k] = n;
        }
        if (!(squared > 0)) return;
        const scale = ((height < 0 ? 1 : -1) * numbers[SelfContactParameter.untangleStep]) / Math.sqrt(squared);
        for (let k = 0; k < 3; k++) f[o + IntersectionRecord.displacement + k] += scale * normal[k];
    }

    /** Number of particles on the sides that move back; each is counted once. */
    private _countSmaller(first: number, end: number): number {
        const { intersections: crossings } = this._contacts;
        const { _sizes: sizes } = this;
        let count = 0;
        for (let o = first * IntersectionRecord.count; o < end * IntersectionRecord.count; o += IntersectionRecord.count) {
            const p = this._regionOf(crossings[o]);
            const q = this._regionOf(crossings[o + 1]);
            if (sizes[p] === sizes[q]) continue;
            const smaller = sizes[p] < sizes[q] ? p : q;
            count += sizes[smaller];
            sizes[smaller] = 0;
        }
        return count;
    }
}

function belongsTo({ first, particleCount }: CollisionProxy, particle: number): boolean {
    return particle >= first && particle < first + particleCount;
}

/** Relative translation of one body against another, x y z. */
const shift = new Float64Array(3);
/** Across the triangle of a crossing, x y z. */
const normal = new Float64Array(3);
