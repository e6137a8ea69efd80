import { CrossingSlot, findCrossing } from "./crossing";
import { BOX, overlap, NONE } from "./sweptCloth";
import type { SweptCloth } from "./sweptCloth";

/** Within a call: the crossing that is tried, and the box about the way. */
const candidate = new Float64Array(CrossingSlot.count);
const box = new Float64Array(BOX);

/** The way of a point within a step, in a straight line at even speed, and the first cloth that it crosses. */
export class SweptPath {
    /** Start and end, world space, x y z each [m]. */
    readonly ends = new Float64Array(6);
    /** When it begins, as a share of the step; it ends with the step. At 1 it takes no time: cloths stand where they are. */
    start = NaN;
    /** When it crosses, as a share of the step. */
    time = NaN;
    /** On which side of the triangle it began: the sign of its normal there. */
    side = NaN;
    readonly shares = new Float64Array(3);
    /** The triangle's corners, as particles of {@link cloth}; null: none is crossed. */
    readonly corners = new Uint32Array(3);
    cloth: SweptCloth | null = null;

    /** Finds what it crosses first. */
    search(cloths: readonly SweptCloth[]): void {
        this.cloth = null;
        // A share of what is left of the step.
        this.time = Infinity;
        this.writeBounds(0, box);
        for (let i = 0; i < cloths.length; i++) if (overlap(box, 0, cloths[i].bounds, 0)) this._searchCloth(cloths[i]);
        this.time = this.start + this.time * (1 - this.start);
    }

    /** Writes the box about it, wider by a distance [m]. */
    writeBounds(distance: number, box: Float64Array): void {
        const { ends } = this;
        for (let c = 0; c < 3; c++) {
            box[c] = Math.min(ends[c], ends[3 + c]) - distance;
            box[3 + c] = Math.max(ends[c], ends[3 + c]) + distance;
        }
    }

    private _searchCloth(swept: SweptCloth): void {
        swept.search();
        for (let t = swept.next(box); t !== NONE; t = swept.next(box)) this._testTriangle(swept, t);
    }

    private _testTriangle(swept: SweptCloth, triangle: number): void {
        const { previous: before, current: now } = swept;
        const { triangles } = swept.cloth.triangles;
        const { start, ends } = this;
        candidate.set(ends, CrossingSlot.point);
        for (let k = 0; k < 3; k++) {
            const from = 3 * triangles[3 * triangle + k];
            const to = CrossingSlot.a + 6 * k;
            for (let c = 0; c < 3; c++) {
                candidate[to + c] = before[from + c] + start * (now[from + c] - before[from + c]);
                candidate[to + 3 + c] = now[from + c];
            }
        }
        if (!findCrossing(candidate) || candidate[CrossingSlot.time] >= this.time) return;
        this.time = candidate[CrossingSlot.time];
        this.side = candidate[CrossingSlot.side];
        this.cloth = swept;
        for (let k = 0; k < 3; k++) {
            this.corners[k] = triangles[3 * triangle + k];
            this.shares[k] = candidate[CrossingSlot.shares + k];
        }
    }
}
