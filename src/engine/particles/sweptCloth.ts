import { SWEPT_TELEPORT_SPEED } from "../tunables";
import { ROW } from "../../kernels/layout";
import type { Body } from "../bodies/body";
import { treeOrderOf } from "../collision/broadphase/treeOrder";

/** A box: least x y z, most x y z. */
export const BOX = 6;
/** No triangle. */
export const NONE = -1;
/** Boxes of the present search that wait to be looked into: two a level of the tree. */
const stack = new Uint32Array(128);

/**
 * A cloth's triangles on their way from where they were last looked at to where they are, and a tree of boxes over those ways. The tree is complete: the two
 * below box i are 2 i + 1 and 2 i + 2, and the last {@link leafCount} are those of the triangles, by {@link order}.
 */
export class SweptCloth {
    /** Positions at the last and the present update, world space [m], shape [particleCount, 3]: in 64 bits, so that they agree from update to update. */
    readonly previous: Float64Array;
    readonly current: Float64Array;
    readonly leafCount: number;
    readonly order: Uint32Array;
    readonly boxes: Float64Array;
    /** Box of the whole way. */
    readonly bounds = new Float64Array(BOX);
    private _height = 0;
    private _hasPrevious = false;
    private _isFitted = false;

    constructor(readonly cloth: Body) {
        const { state, triangles } = cloth;
        this.previous = new Float64Array(3 * state.particleCount);
        this.current = new Float64Array(3 * state.particleCount);
        this._read();
        this.leafCount = 2 ** Math.ceil(Math.log2(Math.max(1, triangles.triangleCount)));
        this.order = treeOrderOf(Float32Array.from(this.current), triangles.triangles, this.leafCount);
        this.boxes = new Float64Array((2 * this.leafCount - 1) * BOX);
    }

    /** Looks where the cloth is. */
    update(): void {
        const { previous: before, current: now, bounds } = this;
        before.set(now);
        this._read();
        const furthest = SWEPT_TELEPORT_SPEED * this.cloth.settings.fixedTimeStep;
        this._isFitted = false;
        for (let c = 0; c < 3; c++) {
            let low = Infinity;
            let high = -Infinity;
            for (let o = c; o < now.length; o += 3) {
                const a = before[o];
                const b = now[o];
                if (!(Math.abs(b - a) <= furthest)) this._hasPrevious = false;
                low = Math.min(low, a, b);
                high = Math.max(high, a, b);
            }
            bounds[c] = low;
            bounds[3 + c] = high;
        }
        if (!this._hasPrevious) before.set(now);
        this._hasPrevious = true;
    }

    /** Takes its motion until the next update for a jump. */
    reset(): void {
        this._hasPrevious = false;
    }

    private _read(): void {
        const { origin, state } = this.cloth;
        const { current: now } = this;
        const { positions: x } = state;
        for (let o = 0, row = 0; o < now.length; o += 3, row += ROW) {
            now[o] = x[row] + origin[0];
            now[o + 1] = x[row + 1] + origin[1];
            now[o + 2] = x[row + 2] + origin[2];
        }
    }

    /** Begins a search for triangles whose ways come within a box, for {@link next}: one search at a time. */
    search(): void {
        this._fit();
        stack[0] = 0;
        this._height = 1;
    }

    /** The next one of the search, or {@link NONE}. @param box the same in each call, see {@link BOX} */
    next(box: Float64Array): number {
        const { boxes, leafCount, order } = this;
        while (this._height > 0) {
            const node = stack[--this._height];
            if (!overlap(box, 0, boxes, node * BOX)) continue;
            if (node >= leafCount - 1) return order[node - leafCount + 1];
            stack[this._height++] = 2 * node + 1;
            stack[this._height++] = 2 * node + 2;
        }
        return NONE;
    }

    /** Fits the boxes to the present ways, once a look. */
    private _fit(): void {
        if (this._isFitted) return;
        this._isFitted = true;
        const { boxes, leafCount } = this;
        const first = (leafCount - 1) * BOX;
        for (let t = 0; t < leafCount; t++) this._fitLeaf(t, first + t * BOX);
        for (let box = first - BOX; box >= 0; box -= BOX) {
            const left = 2 * box + BOX;
            for (let c = 0; c < 3; c++) {
                boxes[box + c] = Math.min(boxes[left + c], boxes[left + BOX + c]);
                boxes[box + 3 + c] = Math.max(boxes[left + 3 + c], boxes[left + BOX + 3 + c]);
            }
        }
    }

    private _fitLeaf(t: number, box: number): void {
        const { previous: before, current: now, boxes, order } = this;
        const { triangles } = this.cloth.triangles;
        for (let c = 0; c < 3; c++) {
            boxes[box + c] = Infinity;
            boxes[box + 3 + c] = -Infinity;
        }
        if (t >= order.length) return;
        const corner = 3 * order[t];
        for (let k = corner; k < corner + 3; k++) {
            for (let c = 0; c < 3; c++) {
                const a = before[3 * triangles[k] + c];
                const b = now[3 * triangles[k] + c];
                boxes[box + c] = Math.min(boxes[box + c], a, b);
                boxes[box + 3 + c] = Math.max(boxes[box + 3 + c], a, b);
            }
        }
    }
}

/** True if two boxes overlap. */
export function overlap(a: Float64Array, i: number, b: Float64Array, j: number): boolean {
    for (let c = 0; c < 3; c++) if (!(a[i + c] <= b[j + 3 + c] && b[j + c] <= a[i + 3 + c])) return false;
    return true;
}
