import { MAX_MANIFOLD_DRIFT } from "../tunables";

/** Slots of a pair: the second's axes in the first's coordinates, as rows, its middle there, and the normal. */
const AXES = 0;
const MIDDLE = 9;
const NORMAL = 12;
const COUNT = 16;

/** Bounding sphere of a rotating body. */
interface SphereBounded {
    /** Farthest from its middle [m]. */
    readonly radius: number;
}

/** Relative poses of pairs of bodies when their contacts were found, in the first body's coordinates. */
export class ManifoldCache {
    private _previous = new Float64Array(0);
    private _current = new Float64Array(0);

    /** Begins a step: what was noted is of the last one. */
    beginStep(): void {
        const { _previous: then } = this;
        this._previous = this._current;
        this._current = then;
    }

    /** Notes how two lie whose contacts have been found. */
    record(contact: number, axes: Float64Array, middle: Float64Array, normal: Float64Array): void {
        const o = this._grow(contact);
        const { _current: now } = this;
        for (let k = 0; k < 9; k++) now[o + AXES + k] = axes[k];
        for (let c = 0; c < 3; c++) {
            now[o + MIDDLE + c] = middle[c];
            now[o + NORMAL + c] = normal[c];
        }
    }

    /** True if the relative pose is unchanged. @param contact first contact of the pair in the last step @param a the first hull and `b` the second */
    isUnchanged(contact: number, axes: Float64Array, middle: Float64Array, a: SphereBounded, b: SphereBounded): boolean {
        const { _previous: then } = this;
        const o = COUNT * contact;
        if (o >= then.length) return false;
        let moved = 0;
        let turned = 0;
        for (let k = 0; k < 9; k++) turned += Math.abs(then[o + AXES + k] - axes[k]);
        for (let c = 0; c < 3; c++) moved += Math.abs(then[o + MIDDLE + c] - middle[c]);
        return moved + Math.max(a.radius, b.radius) * turned < MAX_MANIFOLD_DRIFT;
    }

    /** Has contacts of the last step go on. @param normal where that of the two is written */
    retain(from: number, contact: number, normal: Float64Array): void {
        const o = this._grow(contact);
        const { _current: now, _previous: then } = this;
        for (let k = 0; k < COUNT; k++) now[o + k] = then[COUNT * from + k];
        for (let c = 0; c < 3; c++) normal[c] = now[o + NORMAL + c];
    }

    private _grow(contact: number): number {
        const o = COUNT * contact;
        if (o + COUNT > this._current.length) {
            const larger = new Float64Array(2 * (o + COUNT));
            larger.set(this._current);
            this._current = larger;
        }
        return o;
    }
}
