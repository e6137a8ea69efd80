import { AXIS_SWITCH_RATIO } from "../tunables";

/** Slots of a range: its smallest places x y z and its largest x y z [m]. */
export const BOX_SIZE = 6;

/**
 * Pairs of boxes that overlap (sweep and prune, Baraff 1992). Their order along one axis is kept from call to call: it is nearly right already.
 *
 *     ├──a──┤             Along the axis a meets b and b meets c; their other sides are compared then.
 *        ├───b───┤
 *               ├─c─┤
 */
export class SweepAndPrune {
    /** Number of pairs. */
    count = 0;
    /** Numbers of both, the smaller one first, in rising order, shape [≥ count, 2]. */
    pairs = new Uint32Array(2 * 64);
    /** Boxes to be written ahead of {@link find}, shape [n, RANGE]; what is no number overlaps nothing. */
    boxes = new Float64Array();
    private _axis = 0;
    /** Numbers by where they begin along the axis. */
    private _order = new Uint32Array();
    /** Found pairs: the larger number, and the next pair of the smaller, whose first is in `_heads`; 0: none. */
    private _pairLinks = new Uint32Array(2 * 64);
    private _heads = new Uint32Array();

    /** Makes room for so many boxes. */
    resize(count: number): void {
        if (this._order.length === count) return;
        this._order = Uint32Array.from({ length: count }, (_, i) => i);
        this._heads = new Uint32Array(count);
        this.boxes = new Float64Array(BOX_SIZE * count);
    }

    /** Finds them. */
    find(): void {
        this._heads.fill(0);
        this._chooseAxis();
        this._sort();
        this._sweep();
        this._writePairs();
    }

    private _chooseAxis(): void {
        const { boxes: ranges } = this;
        let most = -1;
        let longest = this._axis;
        for (let k = 0; k < 3; k++) {
            const axis = (this._axis + k) % 3;
            let least = Infinity;
            let largest = -Infinity;
            for (let o = axis; o < ranges.length; o += BOX_SIZE) {
                if (ranges[o] < least) least = ranges[o];
                if (ranges[o] > largest) largest = ranges[o];
            }
            const length = largest - least;
            if (!(length > most)) continue;
            most = k === 0 ? AXIS_SWITCH_RATIO * length : length;
            longest = axis;
        }
        this._axis = longest;
    }

    /** By insertion: nothing moves far from call to call. */
    private _sort(): void {
        const { _order: order, boxes: ranges, _axis: axis } = this;
        for (let n = 1; n < order.length; n++) {
            const i = order[n];
            const begin = ranges[BOX_SIZE * i + axis];
            let m = n - 1;
            // What is no number goes to the end.
            for (; m >= 0 && !(ranges[BOX_SIZE * order[m] + axis] <= begin) && begin === begin; m--) order[m + 1] = order[m];
            order[m + 1] = i;
        }
    }

    private _sweep(): void {
        const { _order: order, boxes: ranges, _axis: axis } = this;
        let count = 0;
        for (let n = 0; n < order.length; n++) {
            const i = order[n];
            const a = BOX_SIZE * i;
            const end = ranges[a + 3 + axis];
            for (let m = n + 1; m < order.length; m++) {
                const b = BOX_SIZE * order[m];
                if (!(ranges[b + axis] <= end)) break;
                if (
                    ranges[a] <= ranges[b + 3] &&
                    ranges[b] <= ranges[a + 3] &&
                    ranges[a + 1] <= ranges[b + 4] &&
                    ranges[b + 1] <= ranges[a + 4] &&
                    ranges[a + 2] <= ranges[b + 5] &&
                    ranges[b + 2] <= ranges[a + 5]
                )
                    this._linkPair(i, order[m], ++count);
            }
        }
        this.count = count;
    }

    /** Notes a pair among those of its smaller number, in rising order. */
    private _linkPair(i: number, k: number, pair: number): void {
        if (2 * pair + 2 > this._pairLinks.length) {
            const larger = new Uint32Array(2 * this._pairLinks.length);
            larger.set(this._pairLinks);
            this._pairLinks = larger;
            this.pairs = new Uint32Array(larger.length);
        }
        const { _pairLinks: found, _heads: heads } = this;
        const first = i < k ? i : k;
        const second = i < k ? k : i;
        found[2 * pair] = second;
        let at = heads[first];
        if (at === 0 || found[2 * at] > second) {
            found[2 * pair + 1] = at;
            heads[first] = pair;
            return;
        }
        for (let next = found[2 * at + 1]; next > 0 && found[2 * next] < second; next = found[2 * at + 1]) at = next;
        found[2 * pair + 1] = found[2 * at + 1];
        found[2 * at + 1] = pair;
    }

    private _writePairs(): void {
        const { _pairLinks: found, _heads: heads, pairs } = this;
        for (let i = 0, n = 0; i < heads.length; i++)
            for (let at = heads[i]; at > 0; at = found[2 * at + 1]) {
                pairs[n++] = i;
                pairs[n++] = found[2 * at];
            }
    }
}
